#include <vernier/v1/job_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/json.h"
#include "base/random_bits.h"
#include "base/status_macros.h"
#include "cli/command/service_call.h"
#include "cli/command/verb.h"
#include "cli/display/local_time.h"
#include "cli/display/resource_paths.h"
#include "cli/display/resource_tables.h"
#include "cli/display/revision_text.h"
#include "cli/display/trial_json.h"
#include "cli/submission/job_submission.h"
#include "cli/submission/submit_flags.h"
#include "cli/text/console.h"
#include "cli/verbs/best_trials_request.h"
#include "cli/verbs/local_filter.h"
#include "cli/verbs/verbs.h"
#include "client/client_connection.h"
#include "client/message_reader.h"

namespace vernier {
namespace {

using Jobs = v1::JobService::Stub;

constexpr int kPage = 100;
constexpr int kBestInDescription = 5;

/// A method that takes one job and nothing else, and returns that job.
template <typename Request>
using JobMethod = grpc::Status (Jobs::*)(grpc::ClientContext*, const Request&,
                                         v1::Job*);

struct ListFlags {
  std::string filter;
  int limit = 0;
  int page_size = 0;
  std::string sort_by;
};

/// Sorts by "-createTime" and the like; the service lists the newest first.
absl::Status SortJobs(const std::string& sort_by, Json* jobs) {
  if (sort_by.empty()) return absl::OkStatus();
  const bool descending = sort_by.front() == '-' || sort_by.front() == '~';
  const std::string key = descending ? sort_by.substr(1) : sort_by;
  if (key != "jobId" && key != "createTime" && key != "state" &&
      key != "endTime" && key != "startTime") {
    return absl::InvalidArgumentError(absl::StrCat(
        "--sort-by must be jobId, state, createTime, startTime or endTime, "
        "with - before it for descending: \"",
        sort_by, "\""));
  }
  std::vector<Json> items(jobs->begin(), jobs->end());
  std::stable_sort(items.begin(), items.end(),
                   [&](const Json& a, const Json& b) {
                     const auto x = a.value(key, std::string());
                     const auto y = b.value(key, std::string());
                     return descending ? y < x : x < y;
                   });
  *jobs = Json(items);
  return absl::OkStatus();
}

absl::Status ListJobs(const Call& call, const ListFlags& flags) {
  Json jobs = Json::array();
  const bool sorts = !flags.sort_by.empty();
  const auto is_full = [&] {
    return flags.limit > 0 && !sorts &&
           jobs.size() >= static_cast<std::size_t>(flags.limit);
  };
  v1::ListJobsRequest request;
  request.set_filter(WithTimesIn(LocalZone(), flags.filter));
  request.set_page_size(flags.page_size > 0 ? flags.page_size
                        : flags.limit > 0 && !sorts
                            ? std::min(flags.limit, kPage)
                            : kPage);
  do {
    VERNIER_ASSIGN_OR_RETURN(const Json page,
                             Ask(call.client, &Jobs::ListJobs, request));
    for (const Json& job : page.value("jobs", Json::array())) {
      if (!is_full()) jobs.push_back(job);
    }
    request.set_page_token(page.value("nextPageToken", ""));
  } while (!request.page_token().empty() && !is_full());
  VERNIER_RETURN_IF_ERROR(SortJobs(flags.sort_by, &jobs));
  if (flags.limit > 0 && jobs.size() > static_cast<std::size_t>(flags.limit)) {
    jobs.erase(jobs.begin() + flags.limit, jobs.end());
  }
  const std::string text = DumpJson(jobs);
  VERNIER_RETURN_IF_ERROR(call.invocation.Print(
      text, JobTable(text, call.invocation.digits()), PathsOf(Resource::kJob)));
  call.invocation.NoteIfEmpty(text);
  return absl::OkStatus();
}

struct DescribeFlags {
  v1::GetJobRequest request;
  bool summarize = false;
};

absl::Status DescribeJob(const Call& call, const DescribeFlags& flags) {
  const auto& [invocation, client] = call;
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           client.CallForJson(&Jobs::GetJob, flags.request));
  if (flags.summarize) {
    return invocation.Print(text, JobSummaryTable(text), PathsOfJob(text));
  }
  VERNIER_RETURN_IF_ERROR(PrintJob(invocation, text));
  if (!invocation.wants_table()) return absl::OkStatus();
  VERNIER_ASSIGN_OR_RETURN(
      const v1::ListTrialsRequest of_best,
      BestTrialsRequest(client, flags.request.job_id(), kBestInDescription));
  VERNIER_ASSIGN_OR_RETURN(const std::string best,
                           client.CallForJson(&Jobs::ListTrials, of_best));
  VERNIER_ASSIGN_OR_RETURN(const std::string list, TypedTrials(best));
  if (list == "[]") return absl::OkStatus();
  PrintTo(stdout, "\nBest trials:\n");
  return invocation.Print(list,
                          TrialTable(list, TrialFiles::kWith, Digits::kFew));
}

/// Changes a job by `method`: says `done` to people, and prints the job for
/// programs.
template <typename Request>
absl::Status ChangeJob(const Call& call, JobMethod<Request> method,
                       const Request& request, const std::string& done) {
  const absl::StatusOr<std::string> job =
      call.client.CallForJson(method, request);
  if (!job.ok() || !call.invocation.wants_table()) {
    return PrintJob(call.invocation, job);
  }
  PrintTo(stderr, "%s", done);
  return absl::OkStatus();
}

/// Declares a verb that changes one job by `method`. "%s" in `done` is its
/// name.
template <typename Request>
Verb<Request> DeclareChange(CLI::App& jobs, Invocation& invocation,
                            const char* name, const char* help,
                            JobMethod<Request> method, const char* done) {
  const Verb<Request> verb(jobs, invocation, name, help);
  verb.Needs("JOB", *verb.words().mutable_job_id(), "Name of the job");
  verb.Does(
      Flags::kJob, [method, done](const Call& call, const Request& request) {
        return ChangeJob(call, method, request,
                         absl::StrReplaceAll(done, {{"%s", request.job_id()}}));
      });
  return verb;
}

void DeclarePause(CLI::App& jobs, Invocation& invocation) {
  const auto verb = DeclareChange(
      jobs, invocation, "pause",
      "Start no new trial; what runs goes on, unless --now is given",
      &Jobs::PauseJob, "Job [%s] is paused.\n");
  verb->add_flag_function(
      "--now",
      [&request = verb.words()](std::int64_t) { request.set_preempt(true); },
      "End what runs, too (SIGTERM, then vernier.killGrace); it starts again "
      "after the resume");
}

void DeclareListJobs(CLI::App& jobs, Invocation& invocation) {
  const Verb<ListFlags> verb(jobs, invocation, "list",
                             "List jobs, newest first");
  ListFlags& flags = verb.words();
  verb->add_option("--filter", flags.filter,
                   "E.g. \"state:RUNNING AND jobId:census*\"");
  verb->add_option("--limit", flags.limit, "At most so many; 0: all")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--page-size", flags.page_size, "Jobs per call")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--sort-by,--sort", flags.sort_by,
                   "jobId, state or createTime; - before it: descending");
  verb.Does(Flags::kJob, &ListJobs);
}

void DeclareDescribeJob(CLI::App& jobs, Invocation& invocation) {
  const Verb<DescribeFlags> verb(
      jobs, invocation, "describe",
      "Show a job; --format json is AI Platform's Job");
  DescribeFlags& flags = verb.words();
  verb.Needs("JOB", *flags.request.mutable_job_id(), "Name of the job");
  verb->add_flag("--summarize", flags.summarize,
                 "All trials in a table, by number");
  verb.Does(Flags::kJob, &DescribeJob);
}

void DeclareExtend(CLI::App& jobs, Invocation& invocation) {
  const Verb<v1::ExtendJobRequest> verb(
      jobs, invocation, "extend",
      "Raise a job's number of trials; a final job goes on");
  verb.Needs("JOB", *verb.words().mutable_job_id(), "Name of the job");
  verb.Sets("--max-trials", &v1::ExtendJobRequest::set_max_trials,
            "The new total")
      ->required();
  verb.Does(Flags::kJob, [](const Call& call,
                            const v1::ExtendJobRequest& request) {
    return ChangeJob(call, &Jobs::ExtendJob, request,
                     absl::StrCat("Job [", request.job_id(), "] now has up to ",
                                  request.max_trials(), " trials.\n"));
  });
}

struct UpdateFlags {
  std::string job;
  std::vector<std::string> update;
  std::vector<std::string> remove;
  bool clear = false;
  std::string code;
  std::string config;
  bool restart = false;
  bool validate_only = false;

  bool has_labels() const {
    return !update.empty() || !remove.empty() || clear;
  }
};

/// Gives a job new code, or the fields of a file; everything else of it stays.
absl::Status UpdateVersion(const Call& call, const UpdateFlags& flags) {
  const auto& [invocation, client] = call;
  v1::ReviseJobRequest request;
  request.set_job_id(flags.job);
  request.set_restart(flags.restart);
  request.set_request_id(RandomHex());
  if (!flags.code.empty()) {
    // The path must be absolute, since the service runs elsewhere.
    request.set_code_dir(
        std::filesystem::absolute(flags.code).lexically_normal());
  }
  if (!flags.config.empty()) {
    VERNIER_ASSIGN_OR_RETURN(const std::string fields,
                             ReadFieldsOfJob(flags.config));
    VERNIER_RETURN_IF_ERROR(
        ReadMessage(flags.config, fields, request.mutable_edit()));
  }
  request.set_validate_only(flags.validate_only);
  VERNIER_ASSIGN_OR_RETURN(const std::string answer,
                           client.CallForJson(&Jobs::ReviseJob, request));
  VERNIER_ASSIGN_OR_RETURN(const RevisionNews news, ReadRevision(answer));
  if (news.has_new_code()) NoteCode(news.record);
  if (!invocation.wants_table()) {
    return invocation.Print(news.record,
                            JobFieldTable(news.record, invocation.digits()));
  }
  const std::string named = absl::StrCat("job ", flags.job);
  PrintTo(stderr, "vernier: %s\n",
          flags.validate_only ? WouldChangeText(named, news)
                              : UpdatedText(named, news));
  return absl::OkStatus();
}

absl::Status UpdateLabels(const Call& call, const UpdateFlags& flags) {
  v1::GetJobRequest before;
  before.set_job_id(flags.job);
  before.set_without_trials(true);
  VERNIER_ASSIGN_OR_RETURN(const v1::Job job,
                           call.client.Call(&Jobs::GetJob, before));
  v1::UpdateJobRequest request;
  request.set_job_id(flags.job);
  request.set_etag(job.etag());
  auto& labels = *request.mutable_labels();
  if (!flags.clear) labels = job.labels();
  for (const std::string& each : flags.update) {
    VERNIER_ASSIGN_OR_RETURN(const auto pairs,
                             ParsePairs("--update-labels", each));
    for (const auto& [key, value] : pairs) labels[key] = value;
  }
  for (const std::string& each : flags.remove) {
    const std::vector<std::string> keys = absl::StrSplit(each, ',');
    for (const std::string& key : keys) labels.erase(key);
  }
  return ChangeJob(call, &Jobs::UpdateJob, request,
                   absl::StrCat("Job [", flags.job, "] has been updated.\n"));
}

absl::Status UpdateJob(Invocation& invocation, const UpdateFlags& flags) {
  const bool has_version =
      !flags.code.empty() || !flags.config.empty() || flags.restart;
  if (!flags.has_labels() && !has_version) {
    return absl::InvalidArgumentError(
        "nothing to update: give --config FILE, --code DIR, --update-labels, "
        "--remove-labels or --clear-labels");
  }
  if (flags.validate_only && flags.has_labels()) {
    return absl::InvalidArgumentError(
        "--validate-only goes with --config and --code, not with labels");
  }
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  const Call call{invocation, *client};
  if (has_version) VERNIER_RETURN_IF_ERROR(UpdateVersion(call, flags));
  return flags.has_labels() ? UpdateLabels(call, flags) : absl::OkStatus();
}

void DeclareUpdate(CLI::App& jobs, Invocation& invocation) {
  const Verb<UpdateFlags> verb(
      jobs, invocation, "update",
      "Change a job's search, settings or code for the trials to come, or its "
      "labels");
  UpdateFlags& flags = verb.words();
  verb.Needs("JOB", flags.job, "Name of the job");
  verb->add_option("--code", flags.code,
                   "Folder whose code the trials run that start from now on");
  verb->add_option("--config", flags.config,
                   "Study file or job file with the fields that change");
  verb->add_flag("--validate-only", flags.validate_only,
                 "Only say what would change");
  verb->add_flag("--restart", flags.restart,
                 "Start running trials again with the newest code");
  verb->add_option("--update-labels", flags.update, "KEY=VALUE,...");
  verb->add_option("--remove-labels", flags.remove, "KEY,...");
  verb->add_flag("--clear-labels", flags.clear, "Remove all labels first");
  verb.Does(Flags::kJob, &UpdateJob);
}

struct StreamFlags {
  v1::ReadLogRequest request;
  int ignored_interval = 0;
  bool ignored_lines = false;
};

absl::Status StreamLogs(Invocation& invocation, const StreamFlags& flags) {
  return PrintLogInFormat(invocation, flags.request,
                          LogPrinter::Style::kColumns);
}

void DeclareStreamLogs(CLI::App& jobs, Invocation& invocation) {
  const Verb<StreamFlags> verb(
      jobs, invocation, "stream-logs",
      "Print the logs of all trials until the job ends");
  StreamFlags& flags = verb.words();
  flags.request.set_follow(true);
  verb.Needs("JOB", *flags.request.mutable_job_id(), "Name of the job");
  verb->add_option("--task-name", *flags.request.mutable_replica(),
                   "Only this replica");
  verb->add_option("--polling-interval", flags.ignored_interval,
                   "Accepted; lines come at once");
  verb->add_flag("--allow-multiline-logs", flags.ignored_lines,
                 "Accepted; a line is a line");
  verb.Does(Flags::kJob, &StreamLogs);
}

}  // namespace

absl::Status PrintJob(const Invocation& invocation,
                      const absl::StatusOr<std::string>& job) {
  VERNIER_RETURN_IF_ERROR(job.status());
  return invocation.Print(*job, JobFieldTable(*job, invocation.digits()),
                          PathsOfJob(*job));
}

absl::Status PrintLogInFormat(Invocation& invocation,
                              const v1::ReadLogRequest& request,
                              LogPrinter::Style style_of_table) {
  VERNIER_RETURN_IF_ERROR(invocation.CheckLineFormat("logs"));
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  return PrintLog(
      *client, request,
      invocation.wants_table() ? style_of_table : LogPrinter::Style::kJson);
}

absl::Status PrintLog(const ClientConnection& client,
                      const v1::ReadLogRequest& request,
                      LogPrinter::Style style) {
  LogPrinter printer(style);
  LogWriter writer(stdout);
  VERNIER_RETURN_IF_ERROR(
      client.Stream(&Jobs::ReadLog, request, [&](const v1::LogChunk& piece) {
        return writer.Write(printer.Add(piece));
      }));
  writer.Write(printer.Finish());
  writer.Finish();
  return absl::OkStatus();
}

void DeclareJobVerbs(CLI::App& jobs, Invocation& invocation) {
  DeclareListJobs(jobs, invocation);
  DeclareDescribeJob(jobs, invocation);
  DeclareChange(jobs, invocation, "cancel", "Stop a job and its trials",
                &Jobs::CancelJob, "Job [%s] is being cancelled.\n");
  DeclarePause(jobs, invocation);
  DeclareChange(jobs, invocation, "resume",
                "Go on with a paused, failed or cancelled job",
                &Jobs::ResumeJob, "Job [%s] goes on.\n");
  DeclareExtend(jobs, invocation);
  DeclareDeleteVerb(jobs, invocation);
  DeclareUpdate(jobs, invocation);
  DeclareStreamLogs(jobs, invocation);
}

}  // namespace vernier
