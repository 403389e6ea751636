#ifndef VERNIER_FACES_KATIB_KATIB_STOPPING_H_
#define VERNIER_FACES_KATIB_KATIB_STOPPING_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "faces/katib/katib_space.h"

namespace vernier {

/// The settings of Katib's median stopping rule.
struct KatibStopping {
  int min_trials_required = 3;  ///< > 0. Before, there is no rule.
  /// >= 1. The number of a trial's reports before the rule is applied to it,
  /// and of the reports that are averaged of a trial that has succeeded.
  int start_step = 4;
};

/// Reads the rule of an experiment; there is "medianstop" alone.
/// INVALID_ARGUMENT with Katib's messages.
absl::StatusOr<KatibStopping> ReadKatibStopping(
    const katib::EarlyStoppingSpec& spec);

/// Returns the names of the trials that have succeeded, each once, sorted.
/// INVALID_ARGUMENT if there are too many trials.
absl::StatusOr<std::vector<std::string>> SucceededTrials(
    const katib::GetEarlyStoppingRulesRequest& request);

/// Returns the mean of the first `start_step` reports of a trial; nullopt if
/// none of them is a finite number. Others among them are left out. Pure.
std::optional<double> MeanOfFirstReports(const katib::ObservationLog& log,
                                         int start_step);

/// Adds the rule for new trials: one is stopped if, from its report number
/// `start_step` on, its best value so far is worse than the median of `means`,
/// which has a number for each trial that has succeeded (Golovin et al. 2017,
/// section 3.2.2). Adds none if these are too few. Pure.
void AddMedianRule(const katib::ExperimentSpec& experiment,
                   const KatibStopping& stopping, std::vector<double> means,
                   katib::GetEarlyStoppingRulesReply* reply);

}  // namespace vernier

#endif  // VERNIER_FACES_KATIB_KATIB_STOPPING_H_
