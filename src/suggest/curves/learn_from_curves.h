#ifndef VERNIER_SUGGEST_CURVES_LEARN_FROM_CURVES_H_
#define VERNIER_SUGGEST_CURVES_LEARN_FROM_CURVES_H_

#include "suggest/curves/curve_model_cache.h"
#include "suggest/curves/curve_study.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// Adds to `view` what the curves of trainings that have not come to their own
/// end say of their final values, so that they teach the suggestion model what
/// finished ones do.
///
/// How to use it: make the view as ever, with the trials that were stopped
/// early as observations whose `is_stopped_early` is set, and those that run or
/// are paused as pending. Make `curves` from the same snapshot, as for
/// StoppingPolicy::Judge, whose `models` may be used here, too. Call this once,
/// then Suggest. It sets the `estimate`
/// of the observations of stopped trials, which are found by their parameters,
/// and appends an observation with an estimate for each paused trial that has
/// reported enough, which then is pending no more. The positions of the
/// observations that were there do not change, and an appended one is never
/// recommended. It also sets `stopped_part`, by all that were stopped or
/// paused.
///
/// Running trials are only pending: an estimate from a partial curve would draw
/// other workers to its point, or away from it, before the value is known. With
/// eight workers the search ended worse for it (bench/duel/RESULTS.md).
///
/// Changes nothing if no training was stopped or paused, or if too few came to
/// their end to learn from. Deterministic. As long as CurveModel::Create.
void LearnFromCurves(const CurveStudy& curves, CurveModelCache* models,
                     StudyView* view);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_LEARN_FROM_CURVES_H_
