#ifndef VERNIER_SUGGEST_ALGORITHMS_GAUSSIAN_PROCESS_SUGGESTER_H_
#define VERNIER_SUGGEST_ALGORITHMS_GAUSSIAN_PROCESS_SUGGESTER_H_

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "suggest/algorithms/study_models.h"
#include "suggest/algorithms/suggester.h"

namespace vernier {

/// The default algorithm: Gaussian-process Bayesian optimisation.
/// docs/engine.md describes the model and the reasons for it.
///
/// The first trials are a space-filling design. After it, hyperparameters are
/// fitted to completed trials only, so they do not depend on pending ones. Each
/// point is chosen with the places of all pending trials known: one call for
/// two points gives the same points, bit for bit, as two calls for one with the
/// first pending.
///
/// Never repeats a configuration of a small finite space while another is
/// untried. If all observations are equal, the design continues; if all are
/// infeasible, points are far from all of them; if some are, a second model
/// learns where trials fail. Cost: the fit is about cubic in the number of
/// completed trials up to 300 and constant beyond; the posterior is cubic up to
/// 2,000 and constant beyond.
///
/// FAILED_PRECONDITION if the library NLopt is not installed.
class GaussianProcessSuggester final : public Suggester {
 public:
  GaussianProcessSuggester();
  ~GaussianProcessSuggester() override;

  absl::StatusOr<std::vector<Suggestion>> Suggest(const StudyView& view,
                                                  int count) const override;

  absl::StatusOr<std::optional<Recommendation>> Recommend(
      const StudyView& view) const override;

  absl::StatusOr<std::vector<Prediction>> Predict(
      const StudyView& view,
      const std::vector<Parameters>& points) const override;

  absl::StatusOr<Insights> Examine(
      const StudyView& view, const InsightsRequest& request) const override;

 private:
  mutable Mutex mu_;
  // The models keep earlier fits, which saves time but changes no result.
  const std::unique_ptr<StudyModels> models_ VERNIER_PT_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_GAUSSIAN_PROCESS_SUGGESTER_H_
