#ifndef VERNIER_SUGGEST_GP_SURROGATE_MODEL_H_
#define VERNIER_SUGGEST_GP_SURROGATE_MODEL_H_

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "suggest/gp/gaussian_process.h"
#include "suggest/gp/hyperparameter_prior.h"
#include "suggest/gp/training_data.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// The most results of a study that one model is made of.
inline constexpr std::size_t kMostModelled = 2000;

/// The model of a study's objective given its results. Thread-compatible.
struct SurrogateModel {
  TrainingData data;  ///< Targets of censored rows are imputed.
  GaussianProcess gp;
  std::int64_t num_fitted = 0;  ///< Results behind the hyperparameters.
};

/// Returns the data points with the highest posterior means, at most 5, around
/// which candidates are worth trying.
Eigen::MatrixXd SprayCentres(const SurrogateModel& model);

/// The hyperparameters for a study's first n results, and its model.
///
/// The hyperparameters come from a chain of fits (fit_schedule.h): a cold fit,
/// then warm ones. The model's factor is computed whole at each fit, and
/// extended row by row between fits. Both depend only on the study's results in
/// their order; what an object of this class remembers only saves time. Not
/// thread-safe.
class SurrogateCache {
 public:
  explicit SurrogateCache(WarpReference reference = WarpReference::kAll)
      : reference_(reference) {}

  WarpReference reference() const { return reference_; }

  /// Returns the model of all results of `view`, of which there must be at
  /// least kFirstFit. The pointer is valid until the next call. The caller may
  /// hallucinate pending trials into the model if it undoes that again.
  ///
  /// Errors: those of FitHyperparameters and GaussianProcess::Create.
  absl::StatusOr<SurrogateModel*> Get(const StudyView& view,
                                      const SearchSpaceEncoding& encoding);

 private:
  struct Fit {
    std::int64_t num_results = 0;
    std::uint64_t digest = 0;  // Of those results.
    LogHyperparameters theta;
  };

  absl::StatusOr<const Fit*> FitAt(const StudyView& view,
                                   const SearchSpaceEncoding& encoding,
                                   const std::vector<std::uint64_t>& digests,
                                   std::int64_t num_results);

  // True if model_ grew from the given fit and holds only results with a prefix
  // of these digests.
  bool IsBeginning(const std::vector<std::uint64_t>& digests,
                   std::int64_t num_fitted) const;

  // Returns the process whose factor was computed at the fit and extended by a
  // row for every result since. If model_ is a beginning of that, its memory is
  // moved from.
  absl::StatusOr<GaussianProcess> Grow(
      const TrainingData& data, const Fit& fit,
      const std::vector<std::uint64_t>& digests);

  const WarpReference reference_;
  std::optional<Fit> fit_;  // The last one made.
  std::optional<SurrogateModel> model_;
  bool is_grown_ = false;  // By Grow.
  std::uint64_t model_digest_ = 0;
  std::int64_t model_results_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_SURROGATE_MODEL_H_
