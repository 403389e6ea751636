#ifndef VERNIER_SUGGEST_STOPPING_GIVING_UP_H_
#define VERNIER_SUGGEST_STOPPING_GIVING_UP_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "study/early_stopping.h"
#include "suggest/curves/curve_model.h"
#include "suggest/curves/curve_study.h"
#include "suggest/stopping/stopping_policy.h"

namespace vernier {

/// The rules by which a predicted trial is given up, whether there is one best
/// trial (DecayCurvePolicy, which explains them) or a front (FrontPolicy). All
/// functions are pure.

/// The basis of a decision about a trial.
struct Prospect {
  /// Of ending better than the best so far, or of entering the front.
  double win_probability = 0;
  /// The worth of one of its further steps relative to a new trial's; nullopt
  /// if nothing is known of one.
  std::optional<double> worth;
};

/// Returns the probability of winning below which a trial may be given up.
double GivingUpThreshold(const EarlyStoppingOptions& options,
                         const CurveModel& model, const TrialCurve& trial);

/// Returns the factor by which trials that were given up in a row lower that
/// threshold; 0 after too many. In a row are those that were suggested after
/// all trainings that have come to their end.
double LeftAfterStopsInARow(const CurveStudy& study);

/// Returns the probability of winning from which on a paused trial may be
/// resumed.
double ResumingThreshold(double threshold);

/// Returns whether the trial's steps are worth enough, for a trial below
/// `threshold`.
bool IsWorthGoingOn(const Prospect& prospect, double threshold);

/// Returns whether a trial with this curve, which is not empty, may be stopped
/// at all: it is late enough, not over, has more reports than noise explains,
/// and has not been as good as the best final value.
bool MayBeGivenUp(const EarlyStoppingOptions& options, const CurveModel& model,
                  const CurveStudy& study, const TrialCurve& trial);

/// Returns whether the curve is no worse than the best trial's was at that
/// level, or is behind by no more than the noise between two equal curves.
bool KeepsUp(const CurveModel& model, const TrialCurve& trial,
             const PredictedFinal& predicted);

/// Returns "12 %", "0.02 %"; for tiny probabilities no digit means anything.
std::string ChanceText(double probability);

/// Returns "step 3 of 40".
std::string StepText(const CurveModel& model, const TrialCurve& trial);

/// Returns how likely it is that a trial that is given up would have won:
/// "will probably not" or, at a smaller probability, "will almost surely not".
const char* UnlikelyText(double win_probability);

/// Collects verdicts in the form that StoppingPolicy::Judge returns.
class VerdictList {
 public:
  void Add(StoppingVerdict verdict) { verdicts_.push_back(std::move(verdict)); }

  /// Adds that a paused trial should be resumed, which counts only for those
  /// that promise the most per step.
  void AddResume(double gain_per_step, std::int64_t trial, std::string reason) {
    resumes_.push_back(
        {gain_per_step, {trial, TrialAdvice::kResume, std::move(reason)}});
  }

  /// Returns the verdicts, of which at most `free_slots` resume a trial, by
  /// ascending number.
  std::vector<StoppingVerdict> Take(int free_slots) &&;

 private:
  std::vector<StoppingVerdict> verdicts_;
  std::vector<std::pair<double, StoppingVerdict>> resumes_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_STOPPING_GIVING_UP_H_
