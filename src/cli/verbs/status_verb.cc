#include <vernier/v1/job_service.grpc.pb.h>
#include <vernier/v1/study_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "base/timestamp_text.h"
#include "cli/command/service_call.h"
#include "cli/command/verb.h"
#include "cli/display/job_lookup.h"
#include "cli/display/resource_tables.h"
#include "cli/display/study_tables.h"
#include "cli/display/terminal.h"
#include "cli/display/trial_json.h"
#include "cli/live/progress_view.h"
#include "cli/text/console.h"
#include "cli/verbs/verbs.h"
#include "client/client_connection.h"

namespace vernier {
namespace {

using Jobs = v1::JobService::Stub;
using Studies = v1::StudyService::Stub;

constexpr int kMostJobs = 20;
constexpr int kMostTrials = 20;
constexpr int kJobsIfNoneIsOpen = 5;
constexpr char kOpenJobs[] =
    "NOT state=SUCCEEDED AND NOT state=FAILED AND NOT state=CANCELLED";
constexpr char kOpenTrials[] = "NOT cause:*";

absl::StatusOr<Json> ReadJobs(const ClientConnection& client,
                              const std::string& filter, int page_size) {
  v1::ListJobsRequest request;
  request.set_filter(filter);
  request.set_page_size(page_size);
  VERNIER_ASSIGN_OR_RETURN(const Json answer,
                           Ask(client, &Jobs::ListJobs, request));
  return answer.value("jobs", Json::array());
}

/// Returns the trials of open jobs, which run or are about to.
absl::StatusOr<Json> OpenTrials(const ClientConnection& client,
                                const Json& jobs) {
  Json trials = Json::array();
  for (const Json& job : jobs) {
    v1::ListTrialsRequest request;
    request.set_job_id(job.value("jobId", ""));
    request.set_filter(kOpenTrials);
    request.set_limit(kMostTrials - static_cast<int>(trials.size()));
    if (request.limit() <= 0) break;
    const absl::StatusOr<std::string> answer =
        client.CallForJson(&Jobs::ListTrials, request);
    // The job was deleted a moment ago.
    if (absl::IsNotFound(answer.status())) continue;
    VERNIER_RETURN_IF_ERROR(answer.status());
    VERNIER_ASSIGN_OR_RETURN(const std::string typed, TypedTrials(*answer));
    VERNIER_ASSIGN_OR_RETURN(const Json list, ParseJson(typed));
    for (const Json& trial : list) trials.push_back(trial);
  }
  return trials;
}

/// Returns the studies whose trials programs run, and that somebody works on.
absl::StatusOr<Json> WorkedOnStudies(const ClientConnection& client) {
  v1::ListStudiesRequest request;
  request.set_only_worked_on(true);
  VERNIER_ASSIGN_OR_RETURN(const Json answer,
                           Ask(client, &Studies::ListStudies, request));
  return answer.value("studies", Json::array());
}

TextTable OpenTrialTable(const Json& trials) {
  TextTable table{{"JOB_ID", "TRIAL", "STATE", "VALUE", "STEP", "NOTE"}, {}};
  for (const Json& trial : trials) {
    const Json last = trial.value("lastMeasurement", Json::object());
    table.rows.push_back(
        {trial.value("jobId", ""), trial.value("trialId", ""),
         ShownTrialState(trial),
         last.contains("value") ? ShortNumber(last.value("value", 0.0)) : "",
         last.value("step", ""), trial.value("waitingFor", "")});
  }
  return table;
}

std::string ServiceLine(const Json& info) {
  std::string line = absl::StrCat("Service ", info.value("version", ""),
                                  ", process ", info.value("processId", ""),
                                  ", data in ", info.value("dataDir", ""));
  const std::string url = info.value("httpUrl", "");
  if (!url.empty()) absl::StrAppend(&line, ", ", url);
  return line + "\n";
}

absl::Status ShowAll(const Invocation& invocation,
                     const ClientConnection& client) {
  VERNIER_ASSIGN_OR_RETURN(const Json info,
                           Ask(client, &Jobs::GetServiceInfo, {}));
  VERNIER_ASSIGN_OR_RETURN(Json jobs, ReadJobs(client, kOpenJobs, kMostJobs));
  VERNIER_ASSIGN_OR_RETURN(const Json trials, OpenTrials(client, jobs));
  VERNIER_ASSIGN_OR_RETURN(const Json studies, WorkedOnStudies(client));
  const bool none_is_open = jobs.empty();
  if (none_is_open) {
    VERNIER_ASSIGN_OR_RETURN(jobs, ReadJobs(client, "", kJobsIfNoneIsOpen));
  }
  VERNIER_ASSIGN_OR_RETURN(const TextTable table,
                           JobTable(DumpJson(jobs), Digits::kFew));
  if (!invocation.wants_table()) {
    const Json document = {{"service", info},
                           {"jobs", jobs},
                           {"trials", trials},
                           {"studies", studies}};
    return invocation.Show(document, table);
  }
  const Palette palette = StandardOutput().palette;
  std::string shown = Printable(ServiceLine(info), LineBreaks::kKeep);
  absl::StrAppend(&shown, jobs.empty()   ? "\nThere are no jobs.\n"
                          : none_is_open ? "\nNo job is open; the newest:\n"
                                         : "\nOpen jobs:\n");
  shown += FormatTable(table, palette, TableWidth());
  if (!trials.empty()) {
    absl::StrAppend(&shown, "\nTheir trials:\n",
                    FormatTable(OpenTrialTable(trials), palette, TableWidth()));
  }
  if (!studies.empty()) {
    VERNIER_ASSIGN_OR_RETURN(
        const TextTable worked_on,
        WorkedOnTable(DumpJson(studies), invocation.digits()));
    absl::StrAppend(
        &shown, "\nStudies that programs work on, or did in the last hour:\n",
        FormatTable(worked_on, palette, TableWidth()));
  }
  WritePainted(stdout, shown);
  return absl::OkStatus();
}

std::chrono::seconds RunTime(const Json& job, Timestamp now) {
  const auto start = ParseTimestamp(job.value("startTime", ""));
  const auto end = ParseTimestamp(job.value("endTime", ""));
  if (!start.has_value()) return std::chrono::seconds(0);
  return std::chrono::duration_cast<std::chrono::seconds>(end.value_or(now) -
                                                          *start);
}

/// Prints what is known of a job or a study, and why it is as it is.
absl::Status PrintWithReasons(const ClientConnection& client,
                              const std::string& name, std::string shown) {
  v1::ExplainRequest request;
  request.set_job_id(name);
  VERNIER_ASSIGN_OR_RETURN(const v1::ExplainResponse why,
                           client.Call(&Jobs::Explain, request));
  absl::StrAppend(&shown, "\n", Printable(why.text(), LineBreaks::kKeep));
  if (shown.back() != '\n') shown += '\n';
  WritePainted(stdout, shown);
  return absl::OkStatus();
}

/// Shows a study that its clients run: who works on it, and its state.
absl::Status ShowStudy(const Invocation& invocation,
                       const ClientConnection& client,
                       const std::string& name) {
  v1::GetStudyRequest request;
  request.set_study(name);
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           client.CallForJson(&Studies::GetStudy, request));
  if (!invocation.wants_table()) return PrintStudy(invocation, text);
  VERNIER_ASSIGN_OR_RETURN(const TextTable table,
                           StudyFieldTable(text, invocation.digits()));
  return PrintWithReasons(client, name,
                          FormatTable(table, StandardOutput().palette));
}

/// Returns whether `name` is the name of a study that clients run.
bool IsStudyOfClients(const ClientConnection& client, const std::string& name) {
  v1::GetStudyRequest request;
  request.set_study(name);
  const auto study = client.Call(&Studies::GetStudy, request);
  return study.ok() && study->run_by_clients();
}

absl::Status ShowJob(const Invocation& invocation,
                     const ClientConnection& client, const std::string& name) {
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           GetJobWithoutTrials(client, name));
  if (!invocation.wants_table()) return PrintJob(invocation, text);
  const Palette palette = StandardOutput().palette;
  ProgressView view(palette);
  VERNIER_RETURN_IF_ERROR(view.TakeJob(text));
  v1::ListTrialsRequest of_trials;
  of_trials.set_job_id(name);
  VERNIER_ASSIGN_OR_RETURN(const std::string trials,
                           client.CallForJson(&Jobs::ListTrials, of_trials));
  std::vector<std::string> ended;
  VERNIER_RETURN_IF_ERROR(view.TakeTrials(trials, &ended));
  VERNIER_ASSIGN_OR_RETURN(const Json job, ParseJson(text));
  const Timestamp now = SystemClock().Now();
  DisplayArea area;
  area.columns = StandardOutputSize().columns;
  area.palette = palette;
  area.glyphs = GlyphsHere();
  std::string shown;
  for (const std::string& line : view.Lines(RunTime(job, now), area)) {
    absl::StrAppend(&shown, line, "\n");
  }
  return PrintWithReasons(client, name, std::move(shown));
}

absl::Status ShowStatus(const Call& call, const std::string& name) {
  const auto& [invocation, client] = call;
  if (name.empty()) return ShowAll(invocation, client);
  const absl::Status shown = ShowJob(invocation, client, name);
  if (absl::IsNotFound(shown) && IsStudyOfClients(client, name)) {
    return ShowStudy(invocation, client, name);
  }
  return shown;
}

}  // namespace

void DeclareStatusVerb(CLI::App& app, Invocation& invocation) {
  const Verb<std::string> verb(
      app, invocation, "status",
      "Show the service, its open jobs and trials, and the studies that "
      "programs work on; or one of them");
  verb->add_option("JOB", verb.words(),
                   "Name of the job or study; default: all");
  verb.Does(Flags::kJob, &ShowStatus);
}

}  // namespace vernier
