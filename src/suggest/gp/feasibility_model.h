#ifndef VERNIER_SUGGEST_GP_FEASIBILITY_MODEL_H_
#define VERNIER_SUGGEST_GP_FEASIBILITY_MODEL_H_

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "suggest/gp/gaussian_process.h"
#include "suggest/gp/hyperparameter_prior.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// True if `view` has enough failures and enough successes, which may be equal,
/// for a model of where trials fail. If so, the objective's model leaves the
/// failures out; before that they count as bad results in it.
bool ModelsFailures(const StudyView& view);

/// Returns `view` without its infeasible observations.
StudyView WithoutFailures(const StudyView& view);

/// A model of where trials fail: probit classification (probit_mode.h). Its
/// linear part learns a direction, such as "larger ones run out of memory",
/// from a few failures; its process the rest. Immutable, so thread-safe.
class FeasibilityModel {
 public:
  /// `gp` is of a mode's pseudo-targets, and `slope` (D) that of the linear
  /// part.
  FeasibilityModel(GaussianProcess gp, Eigen::VectorXd slope)
      : gp_(std::move(gp)), slope_(std::move(slope)) {}

  /// Sets `values` (m) to the natural logarithms of the probabilities that
  /// trials at `points` (m x D) do not fail, and `gradients` (m x D) unless
  /// null. Finite.
  void LogProbability(const Eigen::Ref<const Eigen::MatrixXd>& points,
                      Eigen::VectorXd* values,
                      Eigen::MatrixXd* gradients) const;

  /// Number of labels that the model keeps.
  Eigen::Index size() const { return gp_.size(); }

 private:
  GaussianProcess gp_;
  Eigen::VectorXd slope_;
};

/// The feasibility model for a study's results so far. It depends only on the
/// results in their order; what an object of this class remembers only saves
/// time. Hyperparameters are fitted when ModelsFailures becomes true, and at
/// every cold fit (fit_schedule.h) after that.
/// Not thread-safe.
class FeasibilityCache {
 public:
  /// `view` must satisfy ModelsFailures. The result is valid until the next
  /// call.
  ///
  /// Errors: those of FitHyperparameters and GaussianProcess::Create.
  absl::StatusOr<const FeasibilityModel*> Get(
      const StudyView& view, const SearchSpaceEncoding& encoding);

 private:
  struct Fit {
    std::size_t num_results = 0;
    std::uint64_t digest = 0;  // Of those results.
    LogHyperparameters theta;
    double steepness = 0;
  };
  struct Model {
    std::uint64_t digest = 0;
    FeasibilityModel model;
  };

  std::optional<Fit> fit_;      // The last one made.
  std::optional<Model> model_;  // Likewise.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_FEASIBILITY_MODEL_H_
