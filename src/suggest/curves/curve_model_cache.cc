#include "suggest/curves/curve_model_cache.h"

#include <bit>

#include "base/rng.h"

namespace vernier {
namespace {

std::uint64_t Mix(std::uint64_t digest, std::uint64_t word) {
  return MixBits(digest ^ word) + 0x9e3779b97f4a7c15;
}

// Returns a digest of the parts of a study that CurveModel::Create reads and
// that may change. Space, goal, options and parameters never do.
std::uint64_t DigestEnded(const CurveStudy& study) {
  std::uint64_t digest = study.space.size();
  for (const TrialCurve& trial : study.trials) {
    if (trial.state == CurveState::kRunning) continue;
    digest = Mix(digest, static_cast<std::uint64_t>(trial.trial));
    digest = Mix(digest, static_cast<std::uint64_t>(trial.state));
    for (const CurvePoint& point : trial.reports) {
      digest = Mix(digest, static_cast<std::uint64_t>(point.step));
      digest = Mix(digest, std::bit_cast<std::uint64_t>(point.value));
    }
    if (trial.breaks_constraint) digest = Mix(digest, 1);
    if (!trial.final_value.has_value()) continue;
    digest = Mix(digest, std::bit_cast<std::uint64_t>(*trial.final_value));
  }
  return digest;
}

}  // namespace

CurveModel* CurveModelCache::Get(const CurveStudy& study) {
  const std::uint64_t digest = DigestEnded(study);
  if (!has_digest_ || digest != digest_) {
    model_ = CurveModel::Create(study, options_);
    digest_ = digest;
    has_digest_ = true;
  }
  return model_.has_value() ? &*model_ : nullptr;
}

}  // namespace vernier
