#include "trials/failure_policy.h"

#include "absl/strings/str_cat.h"
#include "study/search_space.h"

namespace vernier {

bool CountsAsFailed(TrialEndCause cause) {
  switch (cause) {
    case TrialEndCause::kInfeasible:
    case TrialEndCause::kOutOfMemory:
    case TrialEndCause::kUserError:
    case TrialEndCause::kInfrastructure:
    case TrialEndCause::kTimeLimit:
    case TrialEndCause::kLaunchFailed:
      return true;
    case TrialEndCause::kNone:
    case TrialEndCause::kSuccess:
    case TrialEndCause::kNoMetric:
    case TrialEndCause::kNotFinite:
    case TrialEndCause::kCancelled:
    case TrialEndCause::kStoppedEarly:
      return false;
  }
  return false;
}

bool CountsAsSucceeded(TrialEndCause cause) {
  switch (cause) {
    case TrialEndCause::kSuccess:
    case TrialEndCause::kNoMetric:
    case TrialEndCause::kNotFinite:
    case TrialEndCause::kStoppedEarly:
      return true;
    case TrialEndCause::kNone:
    case TrialEndCause::kInfeasible:
    case TrialEndCause::kOutOfMemory:
    case TrialEndCause::kUserError:
    case TrialEndCause::kInfrastructure:
    case TrialEndCause::kTimeLimit:
    case TrialEndCause::kCancelled:
    case TrialEndCause::kLaunchFailed:
      return false;
  }
  return false;
}

std::string DescribeParameters(const JobRecord& job,
                               const Parameters& parameters) {
  std::string text;
  const std::vector<const ParameterSpec*> specs =
      SpecsByValue(SearchSpaceOf(*job.spec), parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (specs[i] == nullptr) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ", parameters[i].name, "=",
                    FormatValue(*specs[i], parameters[i].value));
  }
  return text;
}

std::optional<std::string> JobFailure(const JobRecord& job,
                                      const TrialTally& tally,
                                      const TrialRecord& last_failed) {
  if (!job.spec->training_input.hyperparameters.has_value()) {
    return last_failed.message;
  }
  // All trials share the job's environment: none would do better.
  if (last_failed.end_cause == TrialEndCause::kLaunchFailed &&
      tally.succeeded == 0 && !job.spec->training_input.package_uris.empty()) {
    return last_failed.message;
  }
  const int limit = job.spec->training_input.hyperparameters->max_failed_trials;
  const auto quote = [&] {
    return absl::StrCat(
        " The failed trial had parameters: ",
        DescribeParameters(job, last_failed.parameters),
        ". The trial's error message was: ", last_failed.message);
  };
  if (limit > 0) {
    if (tally.failed < limit) return std::nullopt;
    return absl::StrCat(tally.failed, " of ", limit,
                        " allowed trials (maxFailedTrials) failed, the last "
                        "one being Hyperparameter Tuning Trial #",
                        ToInt(last_failed.id), ".", quote());
  }
  if (last_failed.id == TrialId{1} && tally.succeeded == 0) {
    return absl::StrCat(
        "Hyperparameter Tuning Trial #1 Failed before any other successful "
        "trials were completed.",
        quote());
  }
  if (tally.failed >= kManyFailures && tally.failed > tally.succeeded) {
    return absl::StrCat(tally.failed, " trials failed and only ",
                        tally.succeeded,
                        " succeeded; maxFailedTrials allows more. The last "
                        "one was Hyperparameter Tuning Trial #",
                        ToInt(last_failed.id), ".", quote());
  }
  return std::nullopt;
}

}  // namespace vernier
