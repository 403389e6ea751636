#include <vernier/v1/job_service.pb.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/command/verb.h"
#include "cli/display/job_lookup.h"
#include "cli/submission/error_place.h"
#include "cli/submission/job_submission.h"
#include "cli/submission/submit_flags.h"
#include "cli/text/console.h"
#include "cli/verbs/verbs.h"
#include "client/message_reader.h"
#include "edge/message_json.h"
#include "study/words/end_words.h"

namespace vernier {
namespace {

struct Submission {
  std::string job_id;
  SubmitFlags flags;
};

absl::StatusOr<ParsedJob> Merge(const Submission& submission,
                                const Invocation& invocation,
                                const std::optional<PackageStaging>& staging) {
  VERNIER_ASSIGN_OR_RETURN(
      std::vector<FieldOverride> overrides,
      OverridesOf(submission.flags, submission.job_id, invocation.tail()));
  if (staging.has_value()) {
    overrides.push_back({{"vernier", "codeDir"},
                         DumpJson(Json(staging->folder())),
                         "--package-path"});
  }
  std::string text;
  const std::string file = submission.flags.config.value_or("");
  if (submission.flags.config.has_value()) {
    VERNIER_ASSIGN_OR_RETURN(text, ReadJobFile(file));
  }
  // Output that is only printed must not depend on the caller's environment.
  const bool inherits =
      !submission.flags.validate_only && invocation.SpeaksToOwnService();
  return MergeWithEnvironment(DocumentOfFile(text, file), std::move(overrides),
                              submission.flags.environment,
                              Caller::ThisProcess(inherits));
}

/// Prints the merged job as it would be sent.
absl::Status PrintMerged(const Invocation& invocation, const ParsedJob& job) {
  v1::Job message;
  VERNIER_RETURN_IF_ERROR(ReadMessage("job", job.json, &message));
  VERNIER_ASSIGN_OR_RETURN(const std::string json, JsonOf(message));
  if (!invocation.wants_table()) return PrintJob(invocation, json);
  // A job has no table form, and gcloud's default is YAML.
  Invocation as_yaml(std::nullopt);
  as_yaml.set_format("yaml");
  return as_yaml.Print(json, TextTable());
}

/// gcloud prints the job's first fields on standard output and hints beside.
absl::Status PrintSubmitted(const Invocation& invocation,
                            const std::string& text) {
  if (!invocation.wants_table()) return PrintJob(invocation, text);
  VERNIER_ASSIGN_OR_RETURN(const Json job, ParseJson(text));
  const std::string id = job.value("jobId", "");
  const std::string name = invocation.WholeJobName(id);
  const std::string flags = invocation.FlagsForHints();
  PrintTo(stderr,
          "Job [%s] submitted successfully.\n"
          "Your job is still active. You may view the status of your job "
          "with the command\n\n  $ vernier jobs describe %s%s\n\n"
          "or continue streaming the logs with the command\n\n"
          "  $ vernier jobs stream-logs %s%s\n",
          id.c_str(), name.c_str(), flags.c_str(), name.c_str(), flags.c_str());
  PrintTo(stdout, "jobId: %s\nstate: %s\n", id.c_str(),
          job.value("state", "").c_str());
  return absl::OkStatus();
}

absl::StatusOr<int> FinishStreaming(const ClientConnection& client,
                                    const std::string& job_id) {
  v1::ReadLogRequest request;
  request.set_job_id(job_id);
  request.set_follow(true);
  VERNIER_RETURN_IF_ERROR(
      PrintLog(client, request, LogPrinter::Style::kColumns));
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           GetJobWithoutTrials(client, job_id));
  VERNIER_ASSIGN_OR_RETURN(const Json job, ParseJson(text));
  const std::string state = job.value("state", "");
  if (state == "SUCCEEDED") return kExitDone;
  PrintTo(stderr, "vernier: job %s: %s %s\n", job_id, state,
          PlainEnd(job.value("errorMessage", "")));
  return kExitJobFailed;
}

absl::StatusOr<int> Submit(Invocation& invocation,
                           const Submission& submission) {
  const SubmitFlags& flags = submission.flags;
  if (flags.stream_logs && flags.async) {
    return absl::InvalidArgumentError(
        "--stream-logs and --async exclude each other");
  }
  if (flags.package_path.has_value() && !flags.module_name.has_value()) {
    return absl::InvalidArgumentError(
        "--package-path needs --module-name, e.g. --module-name trainer.task");
  }
  std::optional<PackageStaging> staging;
  if (flags.package_path.has_value()) {
    VERNIER_ASSIGN_OR_RETURN(PackageStaging copy,
                             PackageStaging::Create(*flags.package_path));
    staging.emplace(std::move(copy));
  }
  VERNIER_ASSIGN_OR_RETURN(const ParsedJob job,
                           Merge(submission, invocation, staging));
  if (flags.validate_only) {
    VERNIER_RETURN_IF_ERROR(PrintMerged(invocation, job));
    return kExitDone;
  }
  NoteIgnoredFields(job);
  if (flags.staging_bucket.has_value()) {
    PrintTo(stderr,
            "vernier: note: --staging-bucket is accepted and has no "
            "effect\n");
  }
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  const absl::StatusOr<std::string> created = SubmitJob(*client, job);
  if (!created.ok()) {
    return WithPlaceInFile(created.status(), *job.document);
  }
  // A staged package is a copy already.
  if (!staging.has_value()) NoteCode(*created);
  VERNIER_RETURN_IF_ERROR(PrintSubmitted(invocation, *created));
  if (!flags.stream_logs) return kExitDone;
  return FinishStreaming(*client, job.spec.job_id);
}

}  // namespace

void DeclareSubmitVerb(CLI::App& jobs, Invocation& invocation) {
  CLI::App* submit = jobs.add_subcommand("submit", "Submit a job");
  submit->require_subcommand(1);
  const Verb<Submission> verb(
      *submit, invocation, "training",
      "Submit a training or tuning job; what follows -- goes to the program");
  verb.Needs("JOB", verb.words().job_id, "Name of the job");
  DeclareSubmitFlags(verb.app(), &verb.words().flags);
  verb.Does(Flags::kJob, &Submit);
}

}  // namespace vernier
