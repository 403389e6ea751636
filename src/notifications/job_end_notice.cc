#include "notifications/job_end_notice.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "http/trace_context.h"
#include "study/job_id.h"
#include "trials/results/best_trials.h"
#include "trials/results/final_values.h"
#include "trials/results/pareto_front.h"

namespace vernier {
namespace {

// The end of the text has the cause.
constexpr std::size_t kMaxReason = 2000;

std::string ReasonOf(const JobRun& run) {
  const std::string& reason =
      run.error_message.empty() ? run.wanted_reason : run.error_message;
  if (reason.size() <= kMaxReason) return reason;
  return "..." + reason.substr(reason.size() - kMaxReason);
}

Json TimeOf(const std::optional<Timestamp>& time) {
  return time.has_value() ? Json(FormatTimestamp(*time)) : Json(nullptr);
}

Json TrialsOf(JobRef job) {
  Json ended = Json::object();
  int total = 0;
  for (const auto& [cause, count] : job->ended) {
    ended[std::string(ToString(cause))] = count;
    total += count;
  }
  return {{"ended", total}, {"max", job.run().max_trials}, {"causes", ended}};
}

Json BestOf(const StudySnapshot& job, bool with_parameters) {
  const TrialRecord* const best = BestTrial(job);
  if (best == nullptr) return nullptr;
  const MetricGoal& objective = ObjectiveOf(*job.spec);
  Json json = {
      {"trial", ToInt(best->id)},
      {"metric", objective.name},
      {"goal", objective.goal == Goal::kMaximize ? "MAXIMIZE" : "MINIMIZE"},
      {"value", best->final_measurement->value},
      {"step", best->final_measurement->step}};
  if (with_parameters) {
    const auto parameters = ParseJson(ParametersToJson(best->parameters));
    if (parameters.ok()) json["parameters"] = *parameters;
  }
  return json;
}

// Returns, for a study of several metrics, the trials that no other dominates,
// with their values.
Json FrontOf(const StudySnapshot& job) {
  constexpr std::size_t kMostTrials = 100;
  Json front = Json::array();
  for (const TrialId id : OptimalTrials(job)) {
    if (front.size() == kMostTrials) break;
    const auto trial = job.trials.Share(id);
    Json values = Json::object();
    for (const std::string& metric : NeededMetrics(*job.spec)) {
      if (const auto value = FinalValueOf(*job.spec, *trial, metric)) {
        values[metric] = *value;
      }
    }
    front.push_back({{"trial", ToInt(id)}, {"values", std::move(values)}});
  }
  return front;
}

std::string BodyOf(const JobEndNotice& notice, const Event& event, JobRef job,
                   bool with_parameters) {
  const JobIdParts names = SplitJobId(job->name);
  // This is the state that the event brought: the job may have continued since.
  const std::string state =
      absl::AsciiStrToUpper(event.kind.substr(event.kind.find('.') + 1));
  Json data = {
      {"job", names.name},
      {"project", names.project},
      {"state", state},
      {"reason", ReasonOf(job.run())},
      {"createTime", FormatTimestamp(job->created_at)},
      {"startTime", TimeOf(job.run().started_at)},
      {"endTime", FormatTimestamp(job.run().ended_at.value_or(event.at))},
      {"trials", TrialsOf(job)},
      {"bestTrial", BestOf(job, with_parameters)}};
  if (job->spec->metrics.size() > 1) data["front"] = FrontOf(job);
  return DumpJson({{"type", "job.ended"},
                   {"id", notice.id},
                   {"timestamp", FormatTimestamp(event.at)},
                   {"data", std::move(data)}});
}

}  // namespace

bool IsJobEnd(const Event& event) {
  return event.kind == "job.succeeded" || event.kind == "job.failed" ||
         event.kind == "job.cancelled";
}

JobEndNotice NoticeOf(const Event& event, JobRef job) {
  JobEndNotice notice;
  const auto created = job->created_at.time_since_epoch().count();
  notice.id = absl::StrCat(
      "msg_", TraceIdOf(job->seed ^ static_cast<std::uint64_t>(created),
                        static_cast<std::uint64_t>(ToInt(event.sequence))));
  notice.event = event.sequence;
  notice.job = job->name;
  notice.body = BodyOf(notice, event, job, /*with_parameters=*/true);
  if (notice.body.size() > kMaxNoticeBytes) {
    notice.body = BodyOf(notice, event, job, /*with_parameters=*/false);
  }
  return notice;
}

}  // namespace vernier
