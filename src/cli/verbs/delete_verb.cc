#include <unistd.h>
#include <vernier/v1/job_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/text/console.h"
#include "cli/verbs/verbs.h"
#include "client/client_connection.h"

namespace vernier {
namespace {

using Jobs = v1::JobService::Stub;

/// Returns "3 files (1.2 MiB) that its trials left"; empty if there are none.
std::string WhatGoes(const v1::DeleteJobResponse& answer) {
  if (answer.text().empty()) return "";
  return absl::StrCat(answer.text(), " that its trials left");
}

/// Asks on the terminal; without a clear answer the job is kept.
bool IsConfirmed(const std::string& question) {
  PrintTo(stderr, "%s Continue (y/N)? ", question.c_str());
  std::string answer;
  if (!std::getline(std::cin, answer)) PrintTo(stderr, "\n");
  answer = absl::AsciiStrToLower(absl::StripAsciiWhitespace(answer));
  return answer == "y" || answer == "yes";
}

absl::StatusOr<int> DeleteJob(Invocation& invocation,
                              v1::DeleteJobRequest request, bool is_agreed) {
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  request.set_validate_only(true);
  VERNIER_ASSIGN_OR_RETURN(const v1::DeleteJobResponse would_go,
                           client->Call(&Jobs::DeleteJob, request));
  if (!would_go.text().empty() && !is_agreed) {
    const std::string what =
        absl::StrCat(WhatGoes(would_go), " below ", would_go.output_dir());
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
  request.set_validate_only(false);
  request.set_with_outputs(true);
  VERNIER_ASSIGN_OR_RETURN(const v1::DeleteJobResponse answer,
                           client->Call(&Jobs::DeleteJob, request));
  const std::string goes = WhatGoes(answer);
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
