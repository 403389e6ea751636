#ifndef VERNIER_SUGGEST_MEMORY_MEMORY_MODEL_H_
#define VERNIER_SUGGEST_MEMORY_MEMORY_MODEL_H_

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "suggest/gp/surrogate_model.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// The largest number of results with which memory still counts. The study's
/// own results then say more. Of the earlier studies that can teach anything,
/// the sixteen with most trials are used, and 400 rows of these.
inline constexpr std::int64_t kMostResultsWithMemory = 60;

/// The model of a study's objective given its results and those of earlier
/// studies. Thread-compatible.
///
/// One Gaussian process models all of them (a multi-task model: Swersky, Snoek
/// and Adams 2013, "Multi-task Bayesian optimization"). Each earlier study has
/// a column that is 1 in its rows and 0 in all others; the length scale of that
/// column says how far the study is from this one, so that a study that
/// misleads loses its say. Each study's targets have a warp of its own, since
/// only ranks are comparable, and a line takes this study's targets into the
/// others' units (FitTargetScale).
struct MemoryModel {
  /// `data` is of this study's results alone, but in the joint units; the
  /// process has the earlier studies' rows first. Its queries have the
  /// encoding's columns only.
  SurrogateModel surrogate;
  /// The correlation of this study with each that is used, at the same place;
  /// in [0, 1].
  std::vector<double> trust;
  std::vector<std::string> names;  ///< Parallel to `trust`.
  /// The log densities of this study's results (OwnDensities), in the order of
  /// the rows that are not censored.
  Eigen::VectorXd densities;
  /// The best places of all studies, in the encoding's columns.
  Eigen::MatrixXd centres;

  /// Returns the names of the studies that are near enough to be worth
  /// following; before this study's first result, of all of them.
  std::vector<std::string> Followed() const;
};

/// Returns the log densities of a process's own targets when each is predicted
/// from all the rest, foreign ones included, in units of which one is `factor`
/// of the targets'. Comparable between models of the same results. `rows` are
/// those of the own targets that count; as many entries.
Eigen::VectorXd OwnDensities(const GaussianProcess& gp,
                             const Eigen::VectorXd& targets,
                             const std::vector<Eigen::Index>& rows,
                             double factor = 1);

/// Keeps the memory model of a study. Its results depend only on the study's
/// results in their order; what it remembers only saves time. Not thread-safe.
class MemoryCache {
 public:
  MemoryCache();
  ~MemoryCache();

  /// Returns the model of all results of `view`, of which there may be none.
  /// Null: the earlier studies have nothing to teach. Valid until the next
  /// call. The caller may hallucinate pending trials if it undoes that again.
  ///
  /// Errors: those of FitHyperparameters and GaussianProcess::Create.
  absl::StatusOr<MemoryModel*> Get(const StudyView& view,
                                   const SearchSpaceEncoding& encoding);

 private:
  class Priors;

  std::unique_ptr<Priors> priors_;  // Of the last view.
  std::optional<MemoryModel> model_;
  std::uint64_t digest_ = 0;  // Of its results.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_MEMORY_MEMORY_MODEL_H_
