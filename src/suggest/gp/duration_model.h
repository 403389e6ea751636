#ifndef VERNIER_SUGGEST_GP_DURATION_MODEL_H_
#define VERNIER_SUGGEST_GP_DURATION_MODEL_H_

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "suggest/gp/gaussian_process.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// The duration of trials: Gaussian-process regression on the logarithms of the
/// durations of trials that came to their own end. Immutable, so thread-safe.
class DurationModel {
 public:
  /// `gp` models (log duration - centre) / unit.
  DurationModel(GaussianProcess gp, double unit)
      : gp_(std::move(gp)), unit_(unit) {}

  /// Sets `values` (m) to the expected natural logarithms of the durations at
  /// `points` (m x D), less their mean over the trials, and `gradients` (m x D)
  /// unless null.
  void LogDuration(const Eigen::Ref<const Eigen::MatrixXd>& points,
                   Eigen::VectorXd* values, Eigen::MatrixXd* gradients) const;

 private:
  GaussianProcess gp_;
  double unit_;
};

/// The duration model of a study's results so far. It depends only on the
/// results in their order; what an object of this class remembers only saves
/// time. Not thread-safe.
class DurationCache {
 public:
  /// Returns null if fewer than kFewestDurations are known, or if they differ
  /// so little that all trials cost the same. Valid until the next call.
  ///
  /// Errors: those of FitHyperparameters and GaussianProcess::Create.
  absl::StatusOr<const DurationModel*> Get(const StudyView& view,
                                           const SearchSpaceEncoding& encoding);

  static constexpr int kFewestDurations = 4;

 private:
  bool has_digest_ = false;
  std::uint64_t digest_ = 0;
  std::optional<DurationModel> model_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_DURATION_MODEL_H_
