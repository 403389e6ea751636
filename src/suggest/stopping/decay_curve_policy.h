#ifndef VERNIER_SUGGEST_STOPPING_DECAY_CURVE_POLICY_H_
#define VERNIER_SUGGEST_STOPPING_DECAY_CURVE_POLICY_H_

#include <memory>
#include <utility>
#include <vector>

#include "study/early_stopping.h"
#include "suggest/curves/curve_model.h"
#include "suggest/curves/curve_model_cache.h"
#include "suggest/stopping/stopping_policy.h"

namespace vernier {

/// Stops a trial that beats the best with less than a stated probability, and
/// whose further steps are worth little beside a new trial's, as its curve so
/// far, its parameters and the other trials let expect (CurveModel). One that
/// is hopeless is stopped in any case.
///
/// With each trial that was given up and suggested after all those that have
/// come to their end, the probability must be lower still, and after twenty
/// none is given up until one of the later ones has come to its end. So a
/// mistaken belief about a whole region is put to the test, where the search
/// would propose, and the rule stop, the winners there for ever. It must be
/// lower, too, where many trainings have come to their end, since winners are
/// rare then, and the nearer a trial is to its end, since stopping it saves
/// less and loses as much of what its end would teach.
///
/// What a trial has to beat is the best final value without its luck, so that
/// noise raises no bar. Where reports have noise, a trial goes on while its
/// curve is behind the best one's by no more than noise gives, and fewer than
/// three reports are no evidence.
///
/// What a step is worth is the expected improvement on the best, divided by the
/// steps to the end (the value per cost of Swersky et al. 2014, "Freeze-thaw
/// Bayesian optimization"). A new trial is taken to promise what this one did
/// before its first report, by what is known now.
///
/// No trial is stopped before a twentieth of a training or min_steps, before
/// CurveModel::kMinComplete trainings have come to their own end, while its
/// value is as good as the best trial's was at the same step, or when it has
/// been as good as the best final value. Where the program can resume, the
/// trial is paused instead, and resumed when that probability, by what was
/// learnt since, is twice what it could be paused for there; the trial whose
/// steps are worth the most first.
class DecayCurvePolicy final : public StoppingPolicy {
 public:
  /// `models` is the study's, made for the same options; others may use it
  /// between calls. Not null.
  DecayCurvePolicy(const EarlyStoppingOptions& options,
                   std::shared_ptr<CurveModelCache> models)
      : options_(options), models_(std::move(models)) {}

  std::vector<StoppingVerdict> Judge(const CurveStudy& study,
                                     int free_slots) override;

 private:
  // Whether the guards allow it.
  bool MayStop(const CurveModel& model, const CurveStudy& study,
               const TrialCurve& trial) const;

  const EarlyStoppingOptions options_;
  const std::shared_ptr<CurveModelCache> models_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_STOPPING_DECAY_CURVE_POLICY_H_
