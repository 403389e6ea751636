#include <vernier/v1/job_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/display/job_lookup.h"
#include "cli/display/resource_paths.h"
#include "cli/display/resource_tables.h"
#include "cli/display/terminal.h"
#include "cli/display/trial_json.h"
#include "cli/live/progress_view.h"
#include "cli/submission/error_place.h"
#include "cli/submission/run_follow.h"
#include "cli/submission/run_start.h"
#include "cli/submission/run_submission.h"
#include "cli/text/console.h"
#include "cli/text/terminal_text.h"
#include "cli/verbs/recommendation_line.h"
#include "cli/verbs/verbs.h"
#include "client/client_connection.h"

namespace vernier {
namespace {

constexpr int kBestAtEnd = 10;

absl::Status PrintBest(const Invocation& invocation,
                       const ClientConnection& client,
                       const std::string& name) {
  v1::ListTrialsRequest request;
  request.set_job_id(name);
  request.set_filter("objective:* AND state=completed");
  request.set_sort("best");
  request.set_limit(kBestAtEnd);
  VERNIER_ASSIGN_OR_RETURN(
      const std::string answer,
      client.CallForJson(&v1::JobService::Stub::ListTrials, request));
  VERNIER_ASSIGN_OR_RETURN(const std::string trials, TypedTrials(answer));
  if (trials == "[]" && invocation.wants_table()) {
    PrintTo(stdout, "No trial has completed with a value.\n");
    return absl::OkStatus();
  }
  if (invocation.wants_table()) {
    PrintTo(stdout, "\nBest trials of %s:\n", name.c_str());
  }
  VERNIER_RETURN_IF_ERROR(
      PrintTrials(invocation, client, name, trials, TrialFiles::kWith));
  if (invocation.wants_table()) {
    PrintTo(stdout, "%s",
            RecommendationLine(client, name, Patience::kNone).c_str());
  }
  return absl::OkStatus();
}

// What the service found at its start, such as a library that is missing.
void PrintServiceNotes(const ClientConnection& client) {
  const auto info = client.Call(&v1::JobService::Stub::GetServiceInfo, {});
  if (!info.ok()) return;
  for (const std::string& note : info->notes()) {
    PrintTo(stderr, "vernier: note: when the service started, %s\n",
            Printable(note, LineBreaks::kToBlanks).c_str());
  }
}

// Who does not follow the job asks for it in a form of their own, or not.
absl::StatusOr<int> PrintStarted(const Invocation& invocation,
                                 const ClientConnection& client,
                                 const std::string& name) {
  if (invocation.wants_table()) return kExitDone;
  VERNIER_ASSIGN_OR_RETURN(const std::string job,
                           GetJobWithoutTrials(client, name));
  VERNIER_RETURN_IF_ERROR(invocation.Print(
      job, JobFieldTable(job, invocation.digits()), PathsOfJob(job)));
  return kExitDone;
}

absl::StatusOr<int> Run(Invocation& invocation, const RunFlags& flags) {
  if (!flags.submit.config.has_value()) {
    return absl::InvalidArgumentError(
        "run needs --config FILE, e.g. vernier run --config study.yaml -- "
        "python3 train.py");
  }
  VERNIER_ASSIGN_OR_RETURN(const ParsedJob job, MergeRun(flags, invocation));
  const JobReference reference{invocation.WholeJobName(job.spec.job_id),
                               invocation.FlagsForHints()};
  const std::string& name = reference.name;
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  const absl::StatusOr<Start> start =
      StartOrGoOn(*client, job, reference, flags.restart);
  if (!start.ok()) {
    return WithPlaceInFile(start.status(), *job.document);
  }

  PrintServiceNotes(*client);
  if (flags.detach) return PrintStarted(invocation, *client, name);
  PrintTo(stderr, "vernier: to watch it in the browser: vernier ui %s%s\n",
          name.c_str(), reference.flags.c_str());
  ProgressView view(StandardOutput().palette);
  VERNIER_ASSIGN_OR_RETURN(const bool followed,
                           Follow(invocation, name, *start, &view));
  if (!followed) {
    PrintTo(stderr,
            "\nvernier: detached; job %s goes on. To follow it again, run "
            "the same command; to stop it: vernier jobs cancel %s%s\n",
            name.c_str(), name.c_str(), reference.flags.c_str());
    return kExitDetached;
  }
  // It is a new client if the service was lost meanwhile.
  VERNIER_ASSIGN_OR_RETURN(client, invocation.Client());
  if (view.is_tuning()) {
    VERNIER_RETURN_IF_ERROR(PrintBest(invocation, *client, name));
  }
  if (view.state() == "SUCCEEDED") return kExitDone;
  PrintTo(stderr, "vernier: job %s: %s\n", name.c_str(),
          view.EndText().c_str());
  return kExitJobFailed;
}

}  // namespace

void DeclareRunVerb(CLI::App& app, Invocation& invocation) {
  CLI::App* verb = app.add_subcommand(
      "run", "Submit a job and follow it; what follows -- is the program");
  auto flags = std::make_shared<RunFlags>();
  verb->add_option("-c,--config", flags->submit.config,
                   "Job file, YAML or JSON");
  verb->add_option("--name", flags->name,
                   "Name of the job (default: the file's jobId, else its name)")
      ->check([](const std::string& name) {
        return std::string(name.empty() ? "must not be empty" : "");
      });
  verb->add_option("--job-dir", flags->submit.job_dir,
                   "Folder for what the trials write; each gets DIR/TRIAL");
  verb->add_option("--max-trials", flags->max_trials, "Instead of the file's");
  verb->add_option("--max-parallel-trials", flags->max_parallel_trials,
                   "Instead of the file's");
  verb->add_option("--labels", flags->submit.labels, "KEY=VALUE,...");
  DeclareEnvironmentFlags(*verb, &flags->submit.environment);
  verb->add_flag("--no-copy", flags->no_copy,
                 "Run the program in place instead of a copy of its folder");
  verb->add_flag("--restart", flags->restart,
                 "Of a job that runs: apply what changed, and start its "
                 "running trials again");
  verb->add_flag("--detach", flags->detach,
                 "Submit it, or go on with it, and do not follow it");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, flags] {
    invocation.set_action(
        [&invocation, flags] { return Run(invocation, *flags); });
  });
}

}  // namespace vernier
