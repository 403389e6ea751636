#ifndef VERNIER_SUGGEST_ALGORITHMS_GAUSSIAN_PROCESS_SUGGESTER_H_
#define VERNIER_SUGGEST_ALGORITHMS_GAUSSIAN_PROCESS_SUGGESTER_H_

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "suggest/algorithms/suggester.h"
#include "suggest/gp/study_models.h"

namespace vernier {

/// The default algorithm: Gaussian-process Bayesian optimisation.
/// docs/engine.md describes the model and why it is so.
///
/// The first trials are a space-filling design. After it, hyperparameters are
/// fitted to the completed trials alone, so that they do not depend on what is
/// pending, and each point is chosen knowing the places of all pending ones:
/// asking once for two points, or twice for one with the first pending, gives
/// the same points bit for bit.
///
/// Never repeats a configuration of a small finite space while another is
/// untried. Suggests also if all observations are equal (the design goes on) or
/// infeasible (far from all of them); where some are, it learns where. Cost:
/// the fit is about cubic in the number of completed trials up to 300, and flat
/// from there; the posterior is cubic up to 2,000 and flat from there.
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

 private:
  mutable Mutex mu_;
  // Remembers fits, never changes what they give.
  const std::unique_ptr<StudyModels> models_ VERNIER_PT_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_GAUSSIAN_PROCESS_SUGGESTER_H_
