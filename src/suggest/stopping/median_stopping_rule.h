#ifndef VERNIER_SUGGEST_STOPPING_MEDIAN_STOPPING_RULE_H_
#define VERNIER_SUGGEST_STOPPING_MEDIAN_STOPPING_RULE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "study/job_spec.h"
#include "suggest/curves/learning_curve.h"

namespace vernier {

/// An ended trial with which running ones are compared.
struct ReferenceTrial {
  Curve running_average;  ///< Of its reports; not empty.
  double final_value = 0;
  /// The rule stopped its training, so it says nothing about later steps, nor
  /// about how long a training lasts.
  bool is_stopped_early = false;
};

/// A running trial at its last report. Both values are finite.
struct RunningTrial {
  std::int64_t last_step = 0;
  double best_value = 0;  ///< By the study's goal, of all it reported.
};

/// The median rule's verdict on a running trial, with the reason.
struct MedianVerdict {
  bool should_stop = false;
  RunningTrial trial;
  Goal goal = Goal::kMaximize;
  int references = 0;  ///< Ended trials with a running average at last_step.
  double median = 0;   ///< Of those averages; 0 if `references` is too few.
};

/// With fewer references than this at the step, the rule stops nothing.
inline constexpr int kMinReferences = 5;

/// No trial is stopped before this fraction of a typical training: the median
/// last step of the trials that were not stopped early.
inline constexpr double kMinPartOfTraining = 0.1;

/// The median stopping rule (Golovin et al. 2017, "Google Vizier: a service for
/// black-box optimization", section 3.2.2): a trial should stop if its best
/// value is strictly worse than the median of the ended trials' running
/// averages up to its last step.
///
/// A reference whose curve does not reach that step, or begins after it, does
/// not take part. Never stops a trial at a step below 1 or kMinPartOfTraining,
/// with fewer than kMinReferences references, at the last step that any of
/// `ended` reached, or while its best value is as good as the best final value.
/// Pure. O(n log m) for n references of m points.
MedianVerdict ApplyMedianRule(const std::vector<ReferenceTrial>& ended,
                              const RunningTrial& trial, Goal goal);

/// Returns one sentence with the numbers of a verdict that stops a trial.
std::string Explain(const MedianVerdict& verdict);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_STOPPING_MEDIAN_STOPPING_RULE_H_
