#include "trials/job_filter.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "study/job_id.h"
#include "study/words/shown_job_state.h"

namespace vernier {
namespace {

constexpr char kLabelPrefix[] = "labels.";
constexpr std::string_view kJobKeys[] = {
    "jobId", "state", "createTime", "startTime", "endTime", "errorMessage"};

constexpr JobState kJobStates[] = {JobState::kQueued,    JobState::kPreparing,
                                   JobState::kRunning,   JobState::kCancelling,
                                   JobState::kSucceeded, JobState::kFailed,
                                   JobState::kCancelled};

bool IsKey(const std::string& key) {
  for (std::string_view known : kJobKeys) {
    if (key == known) return true;
  }
  return absl::StartsWith(key, kLabelPrefix);
}

std::optional<FilterValue> Text(std::string text) {
  if (text.empty()) return std::nullopt;
  return FilterValue{std::move(text), std::nullopt, false};
}

std::optional<FilterValue> Time(const std::optional<Timestamp>& time) {
  if (!time.has_value()) return std::nullopt;
  return FilterValue{FormatTimestamp(*time), std::nullopt, false, time};
}

std::optional<FilterValue> Lookup(JobRef job, const std::string& key) {
  if (key == "jobId") return Text(SplitJobId(job->name).name);
  if (key == "state") {
    FilterValue state{std::string(ToString(job.run().state)), std::nullopt,
                      true};
    const std::string_view shown =
        ShownState(job.run().state, job.run().wanted);
    if (shown != state.text) state.also = shown;
    return state;
  }
  if (key == "createTime") return Time(job->created_at);
  if (key == "startTime") return Time(job.run().started_at);
  if (key == "endTime") return Time(job.run().ended_at);
  if (key == "errorMessage") return Text(job.run().error_message);
  const auto label = job->labels.find(key.substr(sizeof(kLabelPrefix) - 1));
  if (label == job->labels.end()) return std::nullopt;
  return FilterValue{label->second, std::nullopt, false};
}

}  // namespace

absl::StatusOr<JobFilter> JobFilter::Parse(std::string_view text) {
  JobFilter filter;
  VERNIER_ASSIGN_OR_RETURN(filter.expression_, FilterExpression::Parse(text));
  for (const std::string& key : filter.expression_.keys()) {
    if (IsKey(key)) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "filter: unknown key \"", key,
        "\"; known are jobId, state, createTime, startTime, endTime, "
        "errorMessage and labels.KEY"));
  }
  for (const char* key : {"createTime", "startTime", "endTime"}) {
    VERNIER_RETURN_IF_ERROR(filter.expression_.CheckTimes(key));
  }
  std::vector<std::string> states;
  for (const JobState state : kJobStates) states.emplace_back(ToString(state));
  states.emplace_back(ShownState(JobState::kRunning, JobWanted::kPause));
  VERNIER_RETURN_IF_ERROR(filter.expression_.CheckOperands("state", states));
  return filter;
}

bool JobFilter::Matches(JobRef job) const {
  return expression_.Matches(
      [&job](const std::string& key) { return Lookup(job, key); });
}

}  // namespace vernier
