#ifndef VERNIER_SUGGEST_ALGORITHMS_STUDY_MODELS_H_
#define VERNIER_SUGGEST_ALGORITHMS_STUDY_MODELS_H_

#include <optional>
#include <vector>

#include "suggest/algorithms/large_study.h"
#include "suggest/gp/duration_model.h"
#include "suggest/gp/feasibility_model.h"
#include "suggest/gp/output_warp.h"
#include "suggest/gp/surrogate_model.h"
#include "suggest/memory/memory_model.h"

namespace vernier {

/// The models of one study. Each is made only when it is needed. Not
/// thread-safe.
struct StudyModels {
  SurrogateCache objective;
  /// Of a study of several metrics or with constraints.
  std::vector<SurrogateCache> metrics;
  std::vector<SurrogateCache> slacks;  ///< Of its constraints; kSlack.
  /// The exploration model, which considers the whole space again when a search
  /// over-exploits one place.
  SurrogateCache exploration{WarpReference::kFirst};
  FeasibilityCache feasibility;
  MemoryCache memory;            ///< Where there are earlier studies.
  DurationCache durations;       ///< Where gains count by the second.
  std::optional<PartFit> parts;  ///< Of a large study.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_STUDY_MODELS_H_
