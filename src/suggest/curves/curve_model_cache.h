#ifndef VERNIER_SUGGEST_CURVES_CURVE_MODEL_CACHE_H_
#define VERNIER_SUGGEST_CURVES_CURVE_MODEL_CACHE_H_

#include <cstdint>
#include <optional>

#include "study/early_stopping.h"
#include "suggest/curves/curve_model.h"
#include "suggest/curves/curve_study.h"

namespace vernier {

/// Keeps the model of one study's ended trials until another trial ends. What
/// an object of this class remembers only saves time. Not thread-safe.
class CurveModelCache {
 public:
  explicit CurveModelCache(const EarlyStoppingOptions& options)
      : options_(options) {}

  /// Returns null if CurveModel::Create returns none. Valid until the next
  /// call.
  CurveModel* Get(const CurveStudy& study);

 private:
  const EarlyStoppingOptions options_;
  bool has_digest_ = false;
  std::uint64_t digest_ = 0;
  std::optional<CurveModel> model_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_CURVE_MODEL_CACHE_H_
