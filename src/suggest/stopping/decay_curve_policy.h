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

/// Stops a trial if it beats the best with less than a stated probability and
/// its further steps are worth little compared with a new trial's. Both follow
/// from its curve so far, its parameters and the other trials (CurveModel). A
/// hopeless trial is stopped in any case.
///
/// The threshold probability falls with each trial that was given up and
/// suggested after all those that have come to their end, and after twenty none
/// is given up until one of the later ones has come to its end. So a mistaken
/// belief about a whole region is put to the test. Otherwise the search would
/// propose the winners there, and the rule stop them, forever. The threshold is
/// also lower where many trainings have come to their end, since winners are
/// rare then, and the nearer a trial is to its end, since stopping it saves
/// less and loses as much of what its end would teach.
///
/// A trial has to beat the best final value corrected for its luck, so that
/// noise raises no bar. If reports have noise, a trial continues while its
/// curve is behind the best one's by no more than the noise, and fewer than
/// three reports are no evidence.
///
/// The worth of a step is the expected improvement on the best, divided by the
/// number of steps to the end (the value per cost of Swersky et al. 2014,
/// "Freeze-thaw Bayesian optimization"). A new trial is assumed to promise what
/// this one did before its first report, given what is known now.
///
/// No trial is stopped before a twentieth of a training or min_steps, before
/// CurveModel::kMinComplete trainings have come to their own end, while its
/// value is as good as the best trial's was at the same step, or when it has
/// been as good as the best final value. If the program can resume, the trial
/// is paused instead, and resumed when that probability, given what was learned
/// since, is twice the one below which it could be paused there; the trial
/// whose steps are worth the most first.
class DecayCurvePolicy final : public StoppingPolicy {
 public:
  /// `models` is the study's, made for the same options; other callers may use
  /// it between calls. Not null.
  DecayCurvePolicy(const EarlyStoppingOptions& options,
                   std::shared_ptr<CurveModelCache> models)
      : options_(options), models_(std::move(models)) {}

  std::vector<StoppingVerdict> Judge(const CurveStudy& study,
                                     int free_slots) override;

 private:
  const EarlyStoppingOptions options_;
  const std::shared_ptr<CurveModelCache> models_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_STOPPING_DECAY_CURVE_POLICY_H_
