#include <vernier/v1/job_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/command/verb.h"
#include "cli/display/job_lookup.h"
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
#include "cli/verbs/best_trials_request.h"
#include "cli/verbs/recommendation_line.h"
#include "cli/verbs/verbs.h"
#include "client/client_connection.h"
#include "daemon/stop_signal.h"

namespace vernier {
namespace {

constexpr int kBestAtEnd = 10;

absl::Status PrintBest(const Invocation& invocation,
                       const ClientConnection& client,
                       const std::string& name) {
  VERNIER_ASSIGN_OR_RETURN(const v1::ListTrialsRequest request,
                           BestTrialsRequest(client, name, kBestAtEnd));
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
            RecommendationLine(client, name, ModelWait::kNo).c_str());
  }
  return absl::OkStatus();
}

// Prints the service's findings at its start, such as a missing library.
void PrintServiceNotes(const ClientConnection& client) {
  const auto info = client.Call(&v1::JobService::Stub::GetServiceInfo, {});
  if (!info.ok()) return;
  for (const std::string& note : info->notes()) {
    PrintTo(stderr, "vernier: note: when the service started, %s\n",
            Printable(note, LineBreaks::kToBlanks).c_str());
  }
}

void PrintNews(const ClientConnection& client, const StartedJob& started) {
  PrintTo(stderr, "vernier: %s\n", started.news.c_str());
  PrintServiceNotes(client);
}

// Returns false after Ctrl-C, which whoever reads the news may press at once.
absl::StatusOr<bool> PrintNewsAndFollow(Invocation& invocation,
                                        const ClientConnection& client,
                                        const JobReference& reference,
                                        const StartedJob& started,
                                        ProgressView* view) {
  StopSignal interrupted;
  PrintNews(client, started);
  PrintTo(stderr, "vernier: to watch it in the browser: vernier ui %s%s\n",
          reference.name.c_str(), reference.flags.c_str());
  return Follow(invocation, reference.name, started.start, &interrupted, view);
}

// Prints the job for a caller that does not follow it and asked for a format.
absl::StatusOr<int> PrintStarted(const Invocation& invocation,
                                 const ClientConnection& client,
                                 const std::string& name) {
  if (invocation.wants_table()) return kExitDone;
  VERNIER_RETURN_IF_ERROR(
      PrintJob(invocation, GetJobWithoutTrials(client, name)));
  return kExitDone;
}

// Returns the study file that the flags describe, after printing it, and saving
// it if that is requested; empty if there is a file already.
absl::StatusOr<std::string> StudyOfFlags(const RunFlags& flags,
                                         const Invocation& invocation) {
  const bool has_file = flags.submit.config.has_value();
  if (!IsGiven(flags.study)) {
    if (has_file) return std::string();
    return absl::InvalidArgumentError(
        "run needs a study file, or parameters and a metric: vernier run "
        "--config study.yaml, or vernier run -p lr=log:1e-5..1 -m loss:min -n "
        "20 -- python3 train.py");
  }
  if (has_file) {
    return absl::InvalidArgumentError(
        "-p, -m, --seed and --save describe a study without a file; with "
        "--config they stand in the file");
  }
  VERNIER_ASSIGN_OR_RETURN(
      std::string text,
      StudyFileText(flags.study,
                    invocation.tail().value_or(std::vector<std::string>()),
                    flags.max_trials, flags.max_parallel_trials));
  PrintTo(stderr, "%s",
          Printable(absl::StrCat("vernier: this study:\n\n", text, "\n"),
                    LineBreaks::kKeep)
              .c_str());
  if (flags.study.save.has_value()) {
    VERNIER_RETURN_IF_ERROR(SaveStudy(*flags.study.save, text));
  }
  return text;
}

absl::StatusOr<int> Run(Invocation& invocation, const RunFlags& flags) {
  VERNIER_ASSIGN_OR_RETURN(const std::string study,
                           StudyOfFlags(flags, invocation));
  VERNIER_ASSIGN_OR_RETURN(const ParsedJob job,
                           MergeRun(flags, study, invocation));
  const JobReference reference{invocation.WholeJobName(job.spec.job_id),
                               invocation.FlagsForHints()};
  const std::string& name = reference.name;
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  const absl::StatusOr<StartedJob> started =
      StartOrGoOn(*client, job, reference, flags.restart);
  if (!started.ok()) {
    return WithPlaceInFile(started.status(), *job.document);
  }

  if (flags.detach) {
    PrintNews(*client, *started);
    return PrintStarted(invocation, *client, name);
  }
  ProgressView view(StandardOutput().palette);
  VERNIER_ASSIGN_OR_RETURN(
      const bool followed,
      PrintNewsAndFollow(invocation, *client, reference, *started, &view));
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
  const Verb<RunFlags> verb(
      app, invocation, "run",
      "Submit a job and follow it; what follows -- is the program");
  RunFlags& flags = verb.words();
  verb->add_option("-c,--config", flags.submit.config,
                   "Study file or job file, YAML or JSON");
  verb->add_option("--name", flags.name,
                   "Name of the job (default: the file's jobId, else its name)")
      ->check([](const std::string& name) {
        return std::string(name.empty() ? "must not be empty" : "");
      });
  verb->add_option("--job-dir", flags.submit.job_dir,
                   "Folder for what the trials write; each gets DIR/TRIAL");
  DeclareStudyFlags(verb.app(), &flags.study);
  verb->add_option("-n,--max-trials", flags.max_trials,
                   "How many trials; instead of the file's");
  verb->add_option("-j,--max-parallel-trials", flags.max_parallel_trials,
                   "How many at once; instead of the file's");
  verb->add_option("--labels", flags.submit.labels, "KEY=VALUE,...");
  DeclareEnvironmentFlags(verb.app(), &flags.submit.environment);
  verb->add_flag("--no-copy", flags.no_copy,
                 "Run the program in its folder, which all trials then share, "
                 "instead of a copy for each");
  verb->add_flag("--restart", flags.restart,
                 "Of a job that runs: apply what changed, and start its "
                 "running trials again");
  verb->add_flag("--detach", flags.detach,
                 "Submit it, or go on with it, and do not follow it");
  verb.Does(Flags::kJob, &Run);
}

}  // namespace vernier
