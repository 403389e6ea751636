#include <unistd.h>
#include <vernier/v1/job_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/command/verb.h"
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

struct DeleteFlags {
  v1::DeleteJobRequest request;
  bool is_agreed = false;
};

absl::StatusOr<int> DeleteJob(const Call& call, const DeleteFlags& flags) {
  v1::DeleteJobRequest request = flags.request;
  request.set_validate_only(true);
  VERNIER_ASSIGN_OR_RETURN(const v1::DeleteJobResponse would_go,
                           call.client.Call(&Jobs::DeleteJob, request));
  if (!would_go.text().empty() && !flags.is_agreed) {
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
                           call.client.Call(&Jobs::DeleteJob, request));
  const std::string goes = WhatGoes(answer);
  PrintTo(stderr, "Job [%s] has been deleted%s.\n", request.job_id().c_str(),
          goes.empty() ? "" : absl::StrCat(", with ", goes).c_str());
  return kExitDone;
}

}  // namespace

void DeclareDeleteVerb(CLI::App& jobs, Invocation& invocation) {
  const Verb<DeleteFlags> verb(
      jobs, invocation, "delete",
      "Remove a final job with its trials, logs and code");
  DeleteFlags& flags = verb.words();
  verb.Needs("JOB", *flags.request.mutable_job_id(), "Name of the job");
  verb->add_flag("-y,--yes", flags.is_agreed,
                 "Do not ask, even if its trials left files");
  verb.Does(Flags::kJob, &DeleteJob);
}

}  // namespace vernier
