#include "cli/submission/run_start.h"

#include <vernier/v1/job_service.grpc.pb.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/random_bits.h"
#include "base/status_macros.h"
#include "cli/display/job_lookup.h"
#include "cli/display/revision_text.h"
#include "cli/text/console.h"
#include "client/client_connection.h"
#include "client/message_reader.h"
#include "daemon/stop_signal.h"

namespace vernier {
namespace {

/// The properties of a job that decide how it continues.
struct Standing {
  std::string state;
  bool is_paused = false;

  bool is_open() const {
    return !is_paused && state != "FAILED" && state != "CANCELLED" &&
           state != "SUCCEEDED";
  }
};

absl::StatusOr<Standing> StandingOf(const std::string& job) {
  VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(job));
  Standing standing;
  standing.state = document.value("state", "");
  standing.is_paused =
      document.value("vernier", Json::object()).value("wanted", "") == "PAUSE";
  return standing;
}

absl::StatusOr<RevisionNews> Revise(const ClientConnection& client,
                                    const v1::ReviseJobRequest& request) {
  VERNIER_ASSIGN_OR_RETURN(
      const std::string answer,
      client.CallForJson(&v1::JobService::Stub::ReviseJob, request));
  return ReadRevision(answer);
}

absl::StatusOr<StartedJob> Submit(const ClientConnection& client,
                                  const ParsedJob& job,
                                  const std::string& name) {
  VERNIER_ASSIGN_OR_RETURN(const std::string created, SubmitJob(client, job));
  NoteIgnoredFields(job);
  NoteCode(created);
  return StartedJob{Start::kNew, absl::StrCat("job ", name, " submitted")};
}

absl::StatusOr<StartedJob> GoOn(const ClientConnection& client,
                                v1::ReviseJobRequest request) {
  request.set_goes_on(true);
  request.set_validate_only(false);
  VERNIER_ASSIGN_OR_RETURN(const RevisionNews news, Revise(client, request));
  if (news.has_new_code()) NoteCode(news.record);
  return StartedJob{news.is_replaced ? Start::kNew : Start::kTakenUp,
                    GoesOnText(request.job_id(), news)};
}

/// Joins a running job, after a check of what the request would change.
absl::StatusOr<StartedJob> JoinRunning(const ClientConnection& client,
                                       const JobReference& reference,
                                       v1::ReviseJobRequest request) {
  request.set_validate_only(true);
  VERNIER_ASSIGN_OR_RETURN(const RevisionNews news, Revise(client, request));
  if (news.is_replaced) return GoOn(client, std::move(request));
  return StartedJob{Start::kTakenUp, RunsAlreadyText(reference, news)};
}

absl::StatusOr<StartedJob> GoBeyondSuccess(const ClientConnection& client,
                                           const JobReference& reference,
                                           v1::ReviseJobRequest request) {
  request.set_validate_only(true);
  VERNIER_ASSIGN_OR_RETURN(const RevisionNews news, Revise(client, request));
  if (news.has_more_trials) return GoOn(client, std::move(request));
  return StartedJob{Start::kOver, SucceededText(reference, news)};
}

/// Waits until a job that is being cancelled can be continued.
absl::StatusOr<Standing> AwaitEndOfCancel(const ClientConnection& client,
                                          const std::string& name,
                                          Standing standing) {
  if (standing.state != "CANCELLING") return standing;
  StopSignal interrupted;
  PrintTo(stderr, "vernier: job %s is being cancelled; waiting for its end\n",
          name.c_str());
  while (standing.state == "CANCELLING") {
    if (interrupted.WaitFor(kLookPeriod)) {
      return absl::CancelledError("interrupted; nothing was changed");
    }
    VERNIER_ASSIGN_OR_RETURN(const std::string job,
                             GetJobWithoutTrials(client, name));
    VERNIER_ASSIGN_OR_RETURN(standing, StandingOf(job));
  }
  return standing;
}

}  // namespace

absl::StatusOr<StartedJob> StartOrGoOn(const ClientConnection& client,
                                       const ParsedJob& job,
                                       const JobReference& reference,
                                       bool restart) {
  const std::string& name = reference.name;
  absl::StatusOr<std::string> stored = GetJobWithoutTrials(client, name);
  if (absl::IsNotFound(stored.status())) {
    absl::StatusOr<StartedJob> started = Submit(client, job, name);
    if (!absl::IsAlreadyExists(started.status())) return started;
    // Somebody else has just submitted it.
    stored = GetJobWithoutTrials(client, name);
  }
  VERNIER_RETURN_IF_ERROR(stored.status());
  VERNIER_ASSIGN_OR_RETURN(Standing standing, StandingOf(*stored));
  VERNIER_ASSIGN_OR_RETURN(standing, AwaitEndOfCancel(client, name, standing));
  v1::ReviseJobRequest request;
  request.set_job_id(name);
  VERNIER_RETURN_IF_ERROR(ReadMessage("job", job.json, request.mutable_job()));
  request.mutable_secrets()->insert(job.secrets.begin(), job.secrets.end());
  request.set_restart(restart);
  request.set_request_id(RandomHex());
  if (standing.state == "SUCCEEDED") {
    return GoBeyondSuccess(client, reference, std::move(request));
  }
  if (standing.is_open() && !restart) {
    return JoinRunning(client, reference, std::move(request));
  }
  return GoOn(client, std::move(request));
}

}  // namespace vernier
