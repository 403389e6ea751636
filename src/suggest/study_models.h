#ifndef VERNIER_SUGGEST_STUDY_MODELS_H_
#define VERNIER_SUGGEST_STUDY_MODELS_H_

#include "suggest/feasibility_model.h"
#include "suggest/output_warp.h"
#include "suggest/surrogate_model.h"

namespace vernier {

/// The models of one study. Only those that are asked for are made.
/// Not thread-safe.
struct StudyModels {
  ModelHistory objective;
  /// The objective seen from afar, for a search that refines too long.
  ModelHistory from_afar{WorseHalf::kOfFirst};
  FeasibilityHistory feasibility;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_STUDY_MODELS_H_
