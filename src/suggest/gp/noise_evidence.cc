#include "suggest/gp/noise_evidence.h"

#include <cmath>

#include "base/status_macros.h"
#include "suggest/gp/hyperparameter_fit.h"
#include "suggest/gp/hyperparameter_prior.h"
#include "suggest/gp/map_objective.h"
#include "suggest/gp/training_data.h"

namespace vernier {
namespace {

constexpr Eigen::Index kMostEvidenceRows = 60;
constexpr int kEvidenceEvaluations = 15;  // Of each fit, per start.

// In nats (bench/duel/RESULTS.md).
constexpr double kSomeEvidence = 2;
constexpr double kStrongEvidence = 12;

// Without noise its variance is at the prior's lower bound: some is needed to
// factorise.
enum class NoiseAllowed { kNone, kAny };

// Returns the negative log posterior density of the best hyperparameters, where
// nothing is believed about the noise.
absl::StatusOr<double> LeastObjectiveOf(const RegressionData& data,
                                        NoiseAllowed noise) {
  HyperparameterPrior prior = MakeHyperparameterPrior(data.groups);
  const Eigen::Index last = prior.mean.size() - 1;
  constexpr double kAnyDeviation = 1e6;
  prior.deviation[last] = kAnyDeviation;
  if (noise == NoiseAllowed::kNone) prior.upper[last] = prior.lower[last];
  HyperparameterFitOptions options;
  options.max_evaluations = kEvidenceEvaluations;
  VERNIER_ASSIGN_OR_RETURN(
      const LogHyperparameters theta,
      FitHyperparameters(data, prior, StartingPoints(prior), options));
  return MapObjective(data, prior).Evaluate(theta, nullptr);
}

}  // namespace

absl::StatusOr<NoiseEvidence> FindNoise(const RegressionData& data) {
  const RegressionData some =
      TakeRows(data, ChooseSubset(data, kMostEvidenceRows));
  VERNIER_ASSIGN_OR_RETURN(const double without,
                           LeastObjectiveOf(some, NoiseAllowed::kNone));
  VERNIER_ASSIGN_OR_RETURN(const double with,
                           LeastObjectiveOf(some, NoiseAllowed::kAny));
  const double evidence = without - with;
  if (evidence > kStrongEvidence) return NoiseEvidence::kStrong;
  return evidence > kSomeEvidence ? NoiseEvidence::kSome : NoiseEvidence::kNone;
}

}  // namespace vernier
