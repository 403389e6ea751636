#include "cli/live/top_data.h"

#include <algorithm>

#include "base/json.h"
#include "base/status_macros.h"
#include "base/timestamp_text.h"
#include "cli/display/device_text.h"
#include "cli/display/study_tables.h"
#include "cli/live/time_left.h"
#include "study/words/end_words.h"
#include "study/words/shown_job_state.h"

namespace vernier {
namespace {

Json SectionOf(const Json& json, const char* name) {
  return json.value(name, Json::object());
}

std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

void Count(const Json& counts, TopJob* job) {
  for (const auto& [state, value] : counts.items()) {
    const auto count = value.get<std::int64_t>();
    if (state == "active" || state == "stopping") {
      job->open += count;
    } else if (state != "requested") {
      job->ended += count;
    }
    if (state == "failed") job->failed += count;
  }
}

TopJob ReadTopJob(const Json& json) {
  const Json vernier = SectionOf(json, "vernier");
  const Json tuning =
      SectionOf(SectionOf(json, "trainingInput"), "hyperparameters");
  TopJob job;
  job.id = json.value("jobId", "");
  job.state = json.value("state", "");
  job.is_final = job.state == "SUCCEEDED" || job.state == "FAILED" ||
                 job.state == "CANCELLED";
  job.state = ShownState(std::string(job.state), vernier.value("wanted", ""));
  job.has_front = vernier.value("objectives", Json::array()).size() > 1;
  job.minimize = tuning.value("goal", "") == "MINIMIZE";
  job.max_parallel = tuning.value("maxParallelTrials", std::int64_t{1});
  job.max_trials = vernier.value("maxTrials", std::int64_t{0});
  Count(SectionOf(vernier, "trialCounts"), &job);
  job.running = vernier.value("runningTrials", std::int64_t{0});
  job.time_left = ReadTimeLeft(vernier);
  job.started_at = ParseTimestamp(json.value("startTime", ""));
  job.ended_at = ParseTimestamp(json.value("endTime", ""));
  job.note = FirstLine(PlainEnd(json.value("errorMessage", "")));
  if (job.note.empty()) job.note = FirstLine(vernier.value("waitingFor", ""));
  return job;
}

std::string WorkersOf(const Json& study) {
  std::string names;
  for (const Json& worker : study.value("workers", Json::array())) {
    names += (names.empty() ? "" : ", ") + worker.value("name", "");
    if (worker.value("presence", "") == "GONE") names += " (has ended)";
  }
  return names;
}

TopJob ReadTopStudy(const Json& json) {
  TopJob study;
  study.id = json.value("name", "");
  study.shown_id = ShortStudyName(study.id);
  study.running = json.value("runningTrialCount", std::int64_t{0});
  study.open = json.value("openTrialCount", std::int64_t{0});
  study.state = ShownStudyState(json);
  const Json metrics = json.value("metrics", Json::array());
  study.has_front = metrics.size() > 1;
  if (!metrics.empty()) {
    study.minimize = metrics.front().value("goal", "") == "MINIMIZE";
  }
  study.ended = json.value("trialCount", std::int64_t{0}) - study.open;
  study.started_at = ParseTimestamp(json.value("createTime", ""));
  if (study.running == 0) {
    study.ended_at = ParseTimestamp(json.value("lastActivityTime", ""));
  }
  study.note = WorkersOf(json);
  return study;
}

}  // namespace

absl::StatusOr<TopData> ReadTopService(std::string_view text) {
  VERNIER_ASSIGN_OR_RETURN(const Json info, ParseJson(text));
  if (!info.is_object()) return absl::InvalidArgumentError("not a service");
  TopData data;
  data.version = info.value("version", "");
  data.http_url = info.value("httpUrl", "");
  data.open_jobs = info.value("openJobs", std::int64_t{0});
  const std::string waiting_for = FirstLine(info.value("waitingFor", ""));
  if (!waiting_for.empty()) {
    data.trouble = "The service waits for " + waiting_for;
  }
  for (const Json& device : info.value("devices", Json::array())) {
    data.devices.push_back(
        {device.value("model", ""), MemoryText(device.value("memoryBytes", "")),
         device.value("leasedBy", ""), device.value("unusableBecause", ""),
         device.value("sick", false)});
  }
  return data;
}

absl::StatusOr<std::vector<TopJob>> ReadTopJobs(std::string_view answer) {
  VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(answer));
  if (!document.is_object()) {
    return absl::InvalidArgumentError("not a list of jobs");
  }
  std::vector<TopJob> jobs;
  for (const Json& job : document.value("jobs", Json::array())) {
    jobs.push_back(ReadTopJob(job));
  }
  return jobs;
}

absl::StatusOr<std::vector<TopJob>> ReadTopStudies(std::string_view answer) {
  VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(answer));
  if (!document.is_object()) {
    return absl::InvalidArgumentError("not a list of studies");
  }
  std::vector<TopJob> studies;
  for (const Json& study : document.value("studies", Json::array())) {
    studies.push_back(ReadTopStudy(study));
  }
  return studies;
}

absl::StatusOr<TopResults> ReadTopResults(const TopJob& job,
                                          std::string_view ended,
                                          std::string_view best) {
  VERNIER_ASSIGN_OR_RETURN(std::vector<LiveTrial> trials,
                           ReadLiveTrials(ended));
  std::reverse(trials.begin(), trials.end());
  TopResults results;
  for (const LiveTrial& trial : trials) {
    const std::string failure = FailureText(trial);
    if (!failure.empty()) results.failure = failure;
    if (trial.value && MayBeBest(trial) && !job.has_front) {
      results.history.Add(*trial.value, job.minimize);
    }
  }
  VERNIER_ASSIGN_OR_RETURN(const std::vector<LiveTrial> best_trials,
                           ReadLiveTrials(best));
  const bool has_best =
      !best_trials.empty() && !job.has_front && MayBeBest(best_trials.front());
  if (has_best) {
    results.best = best_trials.front().value;
    results.best_trial = best_trials.front().number;
  }
  return results;
}

}  // namespace vernier
