#include <unistd.h>
#include <vernier/v1/job_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/counted_noun.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/text/console.h"
#include "cli/verbs/verbs.h"
#include "client/client_connection.h"
#include "cluster/code/folder_tally.h"
#include "cluster/code/trial_outputs.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;
using Jobs = v1::JobService::Stub;

constexpr int kMostTrials = 20;

/// The folder of a job's trials, if it is on this machine; else empty.
absl::StatusOr<std::string> RunFolder(const ClientConnection& client,
                                      const std::string& job) {
  v1::ListTrialsRequest request;
  request.set_job_id(job);
  request.set_limit(kMostTrials);
  VERNIER_ASSIGN_OR_RETURN(const v1::ListTrialsResponse answer,
                           client.Call(&Jobs::ListTrials, request));
  for (const v1::Trial& trial : answer.trials()) {
    if (trial.attempts().empty()) continue;
    // JOB/TRIAL/ATTEMPT
    return fs::path(trial.attempts(0).run_dir()).parent_path().parent_path();
  }
  return "";
}

/// "3 files (1.2 MiB) that its trials left"; empty if there are none.
std::string WhatGoes(const OutputCount& outputs) {
  if (outputs.files == 0) return "";
  return absl::StrCat(outputs.is_cut ? "at least " : "",
                      Counted(outputs.files, "file"), " (",
                      ByteSizeText(outputs.bytes), ") that its trials left");
}

/// Asks on the terminal; whoever gives no clear answer keeps the job.
bool IsConfirmed(const std::string& question) {
  PrintTo(stderr, "%s Continue (y/N)? ", question.c_str());
  std::string answer;
  if (!std::getline(std::cin, answer)) PrintTo(stderr, "\n");
  answer = absl::AsciiStrToLower(absl::StripAsciiWhitespace(answer));
  return answer == "y" || answer == "yes";
}

absl::StatusOr<int> DeleteJob(Invocation& invocation,
                              const v1::DeleteJobRequest& request,
                              bool is_agreed) {
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  v1::GetJobRequest get;
  get.set_job_id(request.job_id());
  get.set_without_trials(true);
  VERNIER_ASSIGN_OR_RETURN(const v1::Job job, client->Call(&Jobs::GetJob, get));
  std::string goes;
  std::string folder;
  // The service refuses to delete any other, which needs no question.
  if (job.state() == v1::Job::SUCCEEDED || job.state() == v1::Job::FAILED ||
      job.state() == v1::Job::CANCELLED) {
    VERNIER_ASSIGN_OR_RETURN(folder, RunFolder(*client, request.job_id()));
    if (!folder.empty()) goes = WhatGoes(CountOutputsBelow(folder));
  }
  if (!goes.empty() && !is_agreed) {
    const std::string what = absl::StrCat(goes, " below ", folder);
    if (isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1) {
      return absl::FailedPreconditionError(
          absl::StrCat("deleting the job removes ", what,
                       ": copy what you need, and give --yes; nothing was "
                       "deleted"));
    }
    if (!IsConfirmed(absl::StrCat("Job [", request.job_id(),
                                  "] will be deleted, with ", what, "."))) {
      PrintTo(stderr, "Nothing was deleted.\n");
      return kExitJobFailed;
    }
  }
  VERNIER_RETURN_IF_ERROR(client->Call(&Jobs::DeleteJob, request).status());
  PrintTo(stderr, "Job [%s] has been deleted%s.\n", request.job_id().c_str(),
          goes.empty() ? "" : absl::StrCat(", with ", goes).c_str());
  return kExitDone;
}

}  // namespace

void DeclareDeleteVerb(CLI::App& jobs, Invocation& invocation) {
  CLI::App* verb = jobs.add_subcommand(
      "delete", "Remove a final job with its trials, logs and code");
  auto request = std::make_shared<v1::DeleteJobRequest>();
  auto is_agreed = std::make_shared<bool>(false);
  verb->add_option("JOB", *request->mutable_job_id(), "Name of the job")
      ->required();
  verb->add_flag("-y,--yes", *is_agreed,
                 "Do not ask, even if its trials left files");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request, is_agreed] {
    invocation.set_action([&invocation, request, is_agreed] {
      return DeleteJob(invocation, *request, *is_agreed);
    });
  });
}

}  // namespace vernier
