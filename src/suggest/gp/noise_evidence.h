#ifndef VERNIER_SUGGEST_GP_NOISE_EVIDENCE_H_
#define VERNIER_SUGGEST_GP_NOISE_EVIDENCE_H_

#include "absl/status/statusor.h"
#include "suggest/gp/regression_data.h"

namespace vernier {

/// How much the targets say that measurements without a known variance are
/// noisy.
enum class NoiseEvidence {
  kNone,    ///< They are about as probable without any noise.
  kSome,    ///< They are more probable with noise.
  kStrong,  ///< There can hardly be a function without noise that fits them.
};

/// Compares how probable the targets are with noise and without any, each with
/// the most probable of the other hyperparameters.
///
/// A model takes for noise what it does not understand of an exact function,
/// for example a ripple or a cliff, since it expects some noise from the start.
/// This is the data's own word. It is found from some of the rows and takes
/// some milliseconds. Errors: those of FitHyperparameters.
absl::StatusOr<NoiseEvidence> FindNoise(const RegressionData& data);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_NOISE_EVIDENCE_H_
