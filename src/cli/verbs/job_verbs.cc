#include <vernier/v1/job_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/json.h"
#include "base/random_bits.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/command/service_call.h"
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

absl::StatusOr<int> ListJobs(Invocation& invocation, const ListFlags& flags) {
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
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
    VERNIER_ASSIGN_OR_RETURN(const std::string text,
                             client->CallForJson(&Jobs::ListJobs, request));
    VERNIER_ASSIGN_OR_RETURN(const Json page, ParseJson(text));
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
  const Digits digits = invocation.digits();
  VERNIER_RETURN_IF_ERROR(
      invocation.Print(text, JobTable(text, digits), PathsOf(Resource::kJob)));
  invocation.NoteIfEmpty(text);
  return kExitDone;
}

absl::StatusOr<int> DescribeJob(Invocation& invocation, const std::string& job,
                                bool summarize) {
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  v1::GetJobRequest request;
  request.set_job_id(job);
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           client->CallForJson(&Jobs::GetJob, request));
  if (summarize) {
    VERNIER_RETURN_IF_ERROR(
        invocation.Print(text, JobSummaryTable(text), PathsOfJob(text)));
    return kExitDone;
  }
  VERNIER_RETURN_IF_ERROR(invocation.Print(
      text, JobFieldTable(text, invocation.digits()), PathsOfJob(text)));
  if (!invocation.wants_table()) return kExitDone;
  VERNIER_ASSIGN_OR_RETURN(const v1::ListTrialsRequest of_best,
                           BestTrialsRequest(*client, job, kBestInDescription));
  VERNIER_ASSIGN_OR_RETURN(const std::string best,
                           client->CallForJson(&Jobs::ListTrials, of_best));
  VERNIER_ASSIGN_OR_RETURN(const std::string list, TypedTrials(best));
  if (list == "[]") return kExitDone;
  PrintTo(stdout, "\nBest trials:\n");
  VERNIER_RETURN_IF_ERROR(invocation.Print(
      list, TrialTable(list, TrialFiles::kWith, Digits::kFew)));
  return kExitDone;
}

absl::StatusOr<int> PrintChanged(const Invocation& invocation,
                                 const std::string& job,
                                 const absl::StatusOr<std::string>& answer,
                                 const char* done) {
  VERNIER_ASSIGN_OR_RETURN(const std::string text, answer);
  if (invocation.wants_table()) {
    PrintTo(stderr, "%s", absl::StrReplaceAll(done, {{"%s", job}}));
    return kExitDone;
  }
  VERNIER_RETURN_IF_ERROR(invocation.Print(
      text, JobFieldTable(text, invocation.digits()), PathsOfJob(text)));
  return kExitDone;
}

/// Returns the verb and its request, so that more flags can be declared.
template <typename Request>
std::pair<CLI::App*, std::shared_ptr<Request>> DeclareChange(
    CLI::App& jobs, Invocation& invocation, const char* name, const char* help,
    JobMethod<Request> method, const char* done) {
  CLI::App* verb = jobs.add_subcommand(name, help);
  auto request = std::make_shared<Request>();
  verb->add_option("JOB", *request->mutable_job_id(), "Name of the job")
      ->required();
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request, method, done] {
    invocation.set_action(
        [&invocation, request, method, done]() -> absl::StatusOr<int> {
          VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client,
                                   invocation.Client());
          return PrintChanged(invocation, request->job_id(),
                              client->CallForJson(method, *request), done);
        });
  });
  return {verb, request};
}

void DeclarePause(CLI::App& jobs, Invocation& invocation) {
  const auto [verb, request] = DeclareChange(
      jobs, invocation, "pause",
      "Start no new trial; what runs goes on, unless --now is given",
      &Jobs::PauseJob, "Job [%s] is paused.\n");
  verb->add_flag_function(
      "--now",
      [request = request](std::int64_t) { request->set_preempt(true); },
      "End what runs, too (SIGTERM, then vernier.killGrace); it starts again "
      "after the resume");
}

void DeclareListJobs(CLI::App& jobs, Invocation& invocation) {
  CLI::App* verb = jobs.add_subcommand("list", "List jobs, newest first");
  auto flags = std::make_shared<ListFlags>();
  verb->add_option("--filter", flags->filter,
                   "E.g. \"state:RUNNING AND jobId:census*\"");
  verb->add_option("--limit", flags->limit, "At most so many; 0: all")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--page-size", flags->page_size, "Jobs per call")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--sort-by,--sort", flags->sort_by,
                   "jobId, state or createTime; - before it: descending");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, flags] {
    invocation.set_action(
        [&invocation, flags] { return ListJobs(invocation, *flags); });
  });
}

void DeclareDescribeJob(CLI::App& jobs, Invocation& invocation) {
  CLI::App* verb = jobs.add_subcommand(
      "describe", "Show a job; --format json is AI Platform's Job");
  auto job = std::make_shared<std::string>();
  auto summarize = std::make_shared<bool>(false);
  verb->add_option("JOB", *job, "Name of the job")->required();
  verb->add_flag("--summarize", *summarize, "All trials in a table, by number");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, job, summarize] {
    invocation.set_action([&invocation, job, summarize] {
      return DescribeJob(invocation, *job, *summarize);
    });
  });
}

void DeclareExtend(CLI::App& jobs, Invocation& invocation) {
  CLI::App* verb = jobs.add_subcommand(
      "extend", "Raise a job's number of trials; a final job goes on");
  auto request = std::make_shared<v1::ExtendJobRequest>();
  verb->add_option("JOB", *request->mutable_job_id(), "Name of the job")
      ->required();
  verb->add_option_function<int>(
          "--max-trials",
          [request](int total) { request->set_max_trials(total); },
          "The new total")
      ->required();
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request] {
    invocation.set_action([&invocation, request]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(
          const std::string text,
          CallForJson(invocation, &Jobs::ExtendJob, *request));
      if (invocation.wants_table()) {
        PrintTo(stderr, "Job [%s] now has up to %d trials.\n",
                request->job_id().c_str(), request->max_trials());
        return kExitDone;
      }
      VERNIER_RETURN_IF_ERROR(invocation.Print(
          text, JobFieldTable(text, invocation.digits()), PathsOfJob(text)));
      return kExitDone;
    });
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
absl::Status UpdateVersion(const Invocation& invocation,
                           const ClientConnection& client,
                           const UpdateFlags& flags) {
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
  if (invocation.wants_table()) {
    const std::string named = absl::StrCat("job ", flags.job);
    PrintTo(stderr, "vernier: %s\n",
            (flags.validate_only ? WouldChangeText(named, news)
                                 : UpdatedText(named, news))
                .c_str());
    return absl::OkStatus();
  }
  return invocation.Print(news.record,
                          JobFieldTable(news.record, invocation.digits()));
}

absl::StatusOr<int> UpdateJob(Invocation& invocation,
                              const UpdateFlags& flags) {
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
  if (has_version) {
    VERNIER_RETURN_IF_ERROR(UpdateVersion(invocation, *client, flags));
    if (!flags.has_labels()) return kExitDone;
  }
  v1::GetJobRequest before;
  before.set_job_id(flags.job);
  before.set_without_trials(true);
  VERNIER_ASSIGN_OR_RETURN(const v1::Job job,
                           client->Call(&Jobs::GetJob, before));
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
  VERNIER_ASSIGN_OR_RETURN(const std::string updated,
                           client->CallForJson(&Jobs::UpdateJob, request));
  if (invocation.wants_table()) {
    PrintTo(stderr, "Job [%s] has been updated.\n", flags.job.c_str());
    return kExitDone;
  }
  VERNIER_RETURN_IF_ERROR(
      invocation.Print(updated, JobFieldTable(updated, invocation.digits()),
                       PathsOfJob(updated)));
  return kExitDone;
}

void DeclareUpdate(CLI::App& jobs, Invocation& invocation) {
  CLI::App* verb = jobs.add_subcommand(
      "update",
      "Change a job's search, settings or code for the trials to come, or its "
      "labels");
  auto flags = std::make_shared<UpdateFlags>();
  verb->add_option("JOB", flags->job, "Name of the job")->required();
  verb->add_option("--code", flags->code,
                   "Folder whose code the trials run that start from now on");
  verb->add_option("--config", flags->config,
                   "Study file or job file with the fields that change");
  verb->add_flag("--validate-only", flags->validate_only,
                 "Only say what would change");
  verb->add_flag("--restart", flags->restart,
                 "Start running trials again with the newest code");
  verb->add_option("--update-labels", flags->update, "KEY=VALUE,...");
  verb->add_option("--remove-labels", flags->remove, "KEY,...");
  verb->add_flag("--clear-labels", flags->clear, "Remove all labels first");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, flags] {
    invocation.set_action(
        [&invocation, flags] { return UpdateJob(invocation, *flags); });
  });
}

void DeclareStreamLogs(CLI::App& jobs, Invocation& invocation) {
  CLI::App* verb = jobs.add_subcommand(
      "stream-logs", "Print the logs of all trials until the job ends");
  auto request = std::make_shared<v1::ReadLogRequest>();
  request->set_follow(true);
  auto ignored = std::make_shared<std::pair<int, bool>>();
  verb->add_option("JOB", *request->mutable_job_id(), "Name of the job")
      ->required();
  verb->add_option("--task-name", *request->mutable_replica(),
                   "Only this replica");
  verb->add_option("--polling-interval", ignored->first,
                   "Accepted; lines come at once");
  verb->add_flag("--allow-multiline-logs", ignored->second,
                 "Accepted; a line is a line");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request, ignored] {
    invocation.set_action([&invocation, request]() -> absl::StatusOr<int> {
      VERNIER_RETURN_IF_ERROR(invocation.CheckLineFormat("logs"));
      VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client,
                               invocation.Client());
      VERNIER_RETURN_IF_ERROR(PrintLog(*client, *request,
                                       invocation.wants_table()
                                           ? LogPrinter::Style::kColumns
                                           : LogPrinter::Style::kJson));
      return kExitDone;
    });
  });
}

}  // namespace

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
