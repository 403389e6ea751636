#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/json.h"
#include "base/random_bits.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/display/resource_paths.h"
#include "cli/display/resource_tables.h"
#include "cli/display/revision_text.h"
#include "cli/display/trial_json.h"
#include "cli/submission/submit_flags.h"
#include "cli/verbs/verbs.h"

namespace vernier {
namespace {

constexpr int kPage = 100;

/// A verb that takes one job and nothing else.
using JobCall = JobClient::Json (JobClient::*)(const std::string&);

struct ListFlags {
  std::string filter;
  int limit = 0;
  int page_size = 0;
  std::string sort_by;
};

/// "-createTime" and the like; the service lists the newest first.
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
  VERNIER_ASSIGN_OR_RETURN(JobClient * client, invocation.Client());
  Json jobs = Json::array();
  std::string token;
  const bool sorts = !flags.sort_by.empty();
  const auto is_full = [&] {
    return flags.limit > 0 && !sorts &&
           jobs.size() >= static_cast<std::size_t>(flags.limit);
  };
  do {
    const int page_size = flags.page_size > 0 ? flags.page_size
                          : flags.limit > 0 && !sorts
                              ? std::min(flags.limit, kPage)
                              : kPage;
    VERNIER_ASSIGN_OR_RETURN(const std::string text,
                             client->ListJobs(flags.filter, page_size, token));
    VERNIER_ASSIGN_OR_RETURN(const Json page, ParseJson(text));
    for (const Json& job : page.value("jobs", Json::array())) {
      if (!is_full()) jobs.push_back(job);
    }
    token = page.value("nextPageToken", "");
  } while (!token.empty() && !is_full());
  VERNIER_RETURN_IF_ERROR(SortJobs(flags.sort_by, &jobs));
  if (flags.limit > 0 && jobs.size() > static_cast<std::size_t>(flags.limit)) {
    jobs.erase(jobs.begin() + flags.limit, jobs.end());
  }
  const std::string text = DumpJson(jobs);
  const Digits digits = invocation.wants_table() ? Digits::kFew : Digits::kAll;
  VERNIER_RETURN_IF_ERROR(
      invocation.Print(text, JobTable(text, digits), PathsOf(Resource::kJob)));
  if (jobs.empty() && invocation.wants_table()) {
    std::fprintf(stderr, "Listed 0 items.\n");
  }
  return kExitDone;
}

absl::StatusOr<int> DescribeJob(Invocation& invocation, const std::string& job,
                                bool summarize) {
  VERNIER_ASSIGN_OR_RETURN(JobClient * client, invocation.Client());
  VERNIER_ASSIGN_OR_RETURN(const std::string text, client->GetJob(job));
  if (summarize) {
    VERNIER_RETURN_IF_ERROR(
        invocation.Print(text, JobSummaryTable(text), PathsOfJob(text)));
    return kExitDone;
  }
  VERNIER_RETURN_IF_ERROR(
      invocation.Print(text, JobFieldTable(text), PathsOfJob(text)));
  if (!invocation.wants_table()) return kExitDone;
  VERNIER_ASSIGN_OR_RETURN(const std::string best,
                           client->ListTrials({.job_id = job,
                                               .filter = "objective:*",
                                               .sort = "best",
                                               .limit = 5}));
  VERNIER_ASSIGN_OR_RETURN(const std::string list, TypedTrials(best));
  if (list == "[]") return kExitDone;
  std::printf("\nBest trials:\n");
  VERNIER_RETURN_IF_ERROR(invocation.Print(
      list, TrialTable(list, TrialFiles::kWith, Digits::kFew)));
  return kExitDone;
}

absl::StatusOr<int> ChangeJob(Invocation& invocation, const std::string& job,
                              JobCall call, const char* done) {
  VERNIER_ASSIGN_OR_RETURN(JobClient * client, invocation.Client());
  VERNIER_ASSIGN_OR_RETURN(const std::string text, (client->*call)(job));
  if (invocation.wants_table()) {
    std::fprintf(stderr, done, job.c_str());
    return kExitDone;
  }
  VERNIER_RETURN_IF_ERROR(
      invocation.Print(text, JobFieldTable(text), PathsOfJob(text)));
  return kExitDone;
}

void DeclareChange(CLI::App& jobs, Invocation& invocation, const char* name,
                   const char* help, JobCall call, const char* done) {
  CLI::App* verb = jobs.add_subcommand(name, help);
  auto job = std::make_shared<std::string>();
  verb->add_option("JOB", *job, "Name of the job")->required();
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, job, call, done] {
    invocation.set_action([&invocation, job, call, done] {
      return ChangeJob(invocation, *job, call, done);
    });
  });
}

void DeclareList(CLI::App& jobs, Invocation& invocation) {
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

void DeclareDescribe(CLI::App& jobs, Invocation& invocation) {
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
  auto job = std::make_shared<std::string>();
  auto max_trials = std::make_shared<int>(0);
  verb->add_option("JOB", *job, "Name of the job")->required();
  verb->add_option("--max-trials", *max_trials, "The new total")->required();
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, job, max_trials] {
    invocation.set_action(
        [&invocation, job, max_trials]() -> absl::StatusOr<int> {
          VERNIER_ASSIGN_OR_RETURN(JobClient * client, invocation.Client());
          VERNIER_ASSIGN_OR_RETURN(const std::string text,
                                   client->ExtendJob(*job, *max_trials));
          if (invocation.wants_table()) {
            std::fprintf(stderr, "Job [%s] now has up to %d trials.\n",
                         job->c_str(), *max_trials);
            return kExitDone;
          }
          VERNIER_RETURN_IF_ERROR(
              invocation.Print(text, JobFieldTable(text), PathsOfJob(text)));
          return kExitDone;
        });
  });
}

void DeclareDelete(CLI::App& jobs, Invocation& invocation) {
  CLI::App* verb = jobs.add_subcommand(
      "delete", "Remove a final job with its trials, logs and code");
  auto job = std::make_shared<std::string>();
  verb->add_option("JOB", *job, "Name of the job")->required();
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, job] {
    invocation.set_action([&invocation, job]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(JobClient * client, invocation.Client());
      VERNIER_RETURN_IF_ERROR(client->DeleteJob(*job));
      std::fprintf(stderr, "Job [%s] has been deleted.\n", job->c_str());
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
  bool restart = false;

  bool has_labels() const {
    return !update.empty() || !remove.empty() || clear;
  }
};

/// Updates the code of a job and nothing else.
absl::Status UpdateCode(const Invocation& invocation, JobClient& client,
                        const UpdateFlags& flags) {
  RevisionOrder order;
  order.job_id = flags.job;
  order.restart = flags.restart;
  order.request_id = RandomHex();
  if (!flags.code.empty()) {
    // The service has another working directory.
    order.code_dir = std::filesystem::absolute(flags.code).lexically_normal();
  }
  VERNIER_ASSIGN_OR_RETURN(const std::string answer, client.ReviseJob(order));
  if (invocation.wants_table()) {
    VERNIER_ASSIGN_OR_RETURN(const RevisionNews news, ReadRevision(answer));
    std::fprintf(stderr, "vernier: %s\n", UpdatedText(flags.job, news).c_str());
    return absl::OkStatus();
  }
  VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(answer));
  const std::string job = DumpJson(document.value("job", Json::object()));
  return invocation.Print(job, JobFieldTable(job));
}

absl::StatusOr<int> UpdateJob(Invocation& invocation,
                              const UpdateFlags& flags) {
  const bool has_code = !flags.code.empty() || flags.restart;
  if (!flags.has_labels() && !has_code) {
    return absl::InvalidArgumentError(
        "nothing to update: give --code DIR, --update-labels, --remove-labels "
        "or --clear-labels");
  }
  VERNIER_ASSIGN_OR_RETURN(JobClient * client, invocation.Client());
  if (has_code) {
    VERNIER_RETURN_IF_ERROR(UpdateCode(invocation, *client, flags));
    if (!flags.has_labels()) return kExitDone;
  }
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           client->GetJobWithoutTrials(flags.job));
  VERNIER_ASSIGN_OR_RETURN(const Json job, ParseJson(text));
  std::map<std::string, std::string> labels;
  if (!flags.clear) {
    const Json before = job.value("labels", Json());
    for (const auto& [key, value] : before.items()) {
      labels[key] = value.get<std::string>();
    }
  }
  for (const std::string& each : flags.update) {
    VERNIER_ASSIGN_OR_RETURN(const auto pairs,
                             ParsePairs("--update-labels", each));
    for (const auto& [key, value] : pairs) labels[key] = value;
  }
  for (const std::string& each : flags.remove) {
    const std::vector<std::string> keys = absl::StrSplit(each, ',');
    for (const std::string& key : keys) labels.erase(key);
  }
  VERNIER_ASSIGN_OR_RETURN(
      const std::string updated,
      client->UpdateJob(flags.job, labels, job.value("etag", "")));
  if (invocation.wants_table()) {
    std::fprintf(stderr, "Job [%s] has been updated.\n", flags.job.c_str());
    return kExitDone;
  }
  VERNIER_RETURN_IF_ERROR(
      invocation.Print(updated, JobFieldTable(updated), PathsOfJob(updated)));
  return kExitDone;
}

void DeclareUpdate(CLI::App& jobs, Invocation& invocation) {
  CLI::App* verb = jobs.add_subcommand(
      "update", "Change a job's code for the trials to come, or its labels");
  auto flags = std::make_shared<UpdateFlags>();
  verb->add_option("JOB", flags->job, "Name of the job")->required();
  verb->add_option("--code", flags->code,
                   "Folder whose code the trials run that start from now on");
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
  auto job = std::make_shared<std::string>();
  auto task = std::make_shared<std::string>();
  auto ignored = std::make_shared<std::pair<int, bool>>();
  verb->add_option("JOB", *job, "Name of the job")->required();
  verb->add_option("--task-name", *task, "Only this replica");
  verb->add_option("--polling-interval", ignored->first,
                   "Accepted; lines come at once");
  verb->add_flag("--allow-multiline-logs", ignored->second,
                 "Accepted; a line is a line");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, job, task, ignored] {
    invocation.set_action([&invocation, job, task]() -> absl::StatusOr<int> {
      VERNIER_RETURN_IF_ERROR(invocation.CheckLineFormat("logs"));
      VERNIER_ASSIGN_OR_RETURN(JobClient * client, invocation.Client());
      LogQuery query;
      query.job_id = *job;
      query.replica = *task;
      query.follow = true;
      VERNIER_RETURN_IF_ERROR(PrintLog(*client, query,
                                       invocation.wants_table()
                                           ? LogPrinter::Style::kColumns
                                           : LogPrinter::Style::kJson));
      return kExitDone;
    });
  });
}

}  // namespace

absl::Status PrintLog(JobClient& client, const LogQuery& query,
                      LogPrinter::Style style) {
  LogPrinter printer(style);
  const auto write = [](const std::string& text) {
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
           std::fflush(stdout) == 0;
  };
  VERNIER_RETURN_IF_ERROR(client.ReadLog(
      query, [&](const LogPiece& piece) { return write(printer.Add(piece)); }));
  write(printer.Finish());
  return absl::OkStatus();
}

void DeclareJobVerbs(CLI::App& jobs, Invocation& invocation) {
  DeclareList(jobs, invocation);
  DeclareDescribe(jobs, invocation);
  DeclareChange(jobs, invocation, "cancel", "Stop a job and its trials",
                &JobClient::CancelJob, "Job [%s] is being cancelled.\n");
  DeclareChange(jobs, invocation, "pause",
                "Start no new trial; what runs goes on", &JobClient::PauseJob,
                "Job [%s] is paused.\n");
  DeclareChange(jobs, invocation, "resume",
                "Go on with a paused, failed or cancelled job",
                &JobClient::ResumeJob, "Job [%s] goes on.\n");
  DeclareExtend(jobs, invocation);
  DeclareDelete(jobs, invocation);
  DeclareUpdate(jobs, invocation);
  DeclareStreamLogs(jobs, invocation);
}

}  // namespace vernier
