#ifndef VERNIER_SUGGEST_CURVES_LEARN_FROM_CURVES_H_
#define VERNIER_SUGGEST_CURVES_LEARN_FROM_CURVES_H_

#include "suggest/curves/curve_model_cache.h"
#include "suggest/curves/curve_study.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// Adds to `view` the predicted final values of trainings that have not come to
/// their own end, so that they teach the suggestion model like finished ones
/// do.
///
/// How to use it: make the view as usual, with the trials that were stopped
/// early as observations whose `is_stopped_early` is set, and those that run or
/// are paused as pending. Make `curves` from the same snapshot, as for
/// StoppingPolicy::Judge, whose `models` may be used here, too. Call this once,
/// then Suggest. It sets the `estimate` of the observations of stopped trials,
/// which are found by their numbers. For each paused trial that has reported
/// enough, it appends an observation with an estimate; the trial is then no
/// longer pending. The positions of the earlier observations do not change, and
/// an appended one is never recommended. It also sets `stopped_part`, from all
/// trials that were stopped or paused.
///
/// Running trials stay pending only: an estimate from a partial curve would
/// draw other workers to its point, or away from it, before the value is known.
/// With eight workers the search ended worse for it (bench/duel/RESULTS.md).
///
/// In a study of several metrics, call it once for each metric, the first one
/// first, with that metric's curves and models. A paused trial without an
/// estimate of the first metric stays pending.
///
/// Changes nothing if no training was stopped or paused, or if too few came to
/// their end to learn from. Deterministic. Takes as long as CurveModel::Create.
void LearnFromCurves(const CurveStudy& curves, CurveModelCache* models,
                     StudyView* view, std::size_t metric = 0);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_LEARN_FROM_CURVES_H_
