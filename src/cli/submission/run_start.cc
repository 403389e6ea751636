#include "cli/submission/run_start.h"

#include <chrono>
#include <cstdio>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/random_bits.h"
#include "base/status_macros.h"
#include "cli/display/revision_text.h"
#include "daemon/stop_signal.h"

namespace vernier {
namespace {

void Say(const std::string& line) {
  std::fprintf(stderr, "vernier: %s\n", line.c_str());
}

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

absl::StatusOr<RevisionNews> Revise(JobClient& client,
                                    const RevisionOrder& order) {
  VERNIER_ASSIGN_OR_RETURN(const std::string answer, client.ReviseJob(order));
  return ReadRevision(answer);
}

absl::StatusOr<Start> Submit(JobClient& client, const ParsedJob& job,
                             const std::string& name) {
  VERNIER_RETURN_IF_ERROR(SubmitJob(client, job).status());
  NoteIgnoredFields(job);
  Say(absl::StrCat("job ", name, " submitted"));
  return Start::kNew;
}

absl::StatusOr<Start> GoOn(JobClient& client, RevisionOrder order) {
  order.goes_on = true;
  order.validate_only = false;
  VERNIER_ASSIGN_OR_RETURN(const RevisionNews news, Revise(client, order));
  Say(GoesOnText(order.job_id, news));
  return news.is_replaced ? Start::kNew : Start::kTakenUp;
}

/// For a running job: what was asked for may differ from what it does.
absl::StatusOr<Start> JoinRunning(JobClient& client,
                                  const JobReference& reference,
                                  RevisionOrder order) {
  order.validate_only = true;
  VERNIER_ASSIGN_OR_RETURN(const RevisionNews news, Revise(client, order));
  if (news.is_replaced) return GoOn(client, std::move(order));
  Say(RunsAlreadyText(reference, news));
  return Start::kTakenUp;
}

absl::StatusOr<Start> GoBeyondSuccess(JobClient& client,
                                      const JobReference& reference,
                                      RevisionOrder order) {
  order.validate_only = true;
  VERNIER_ASSIGN_OR_RETURN(const RevisionNews news, Revise(client, order));
  if (news.has_more_trials) return GoOn(client, std::move(order));
  Say(SucceededText(reference, news));
  return Start::kOver;
}

/// Waits for a cancelled job to end, after which it can continue.
absl::StatusOr<Standing> AwaitEndOfCancel(JobClient& client,
                                          const std::string& name,
                                          Standing standing) {
  if (standing.state != "CANCELLING") return standing;
  Say(absl::StrCat("job ", name, " is being cancelled; waiting for its end"));
  StopSignal interrupted;
  while (standing.state == "CANCELLING") {
    if (interrupted.WaitFor(kLookPeriod)) {
      return absl::CancelledError("interrupted; nothing was changed");
    }
    VERNIER_ASSIGN_OR_RETURN(const std::string job,
                             client.GetJobWithoutTrials(name));
    VERNIER_ASSIGN_OR_RETURN(standing, StandingOf(job));
  }
  return standing;
}

}  // namespace

absl::StatusOr<Start> StartOrGoOn(JobClient& client, const ParsedJob& job,
                                  const JobReference& reference, bool restart) {
  const std::string& name = reference.name;
  absl::StatusOr<std::string> stored = client.GetJobWithoutTrials(name);
  if (absl::IsNotFound(stored.status())) {
    const absl::StatusOr<Start> start = Submit(client, job, name);
    if (!absl::IsAlreadyExists(start.status())) return start;
    // Another client has just submitted it.
    stored = client.GetJobWithoutTrials(name);
  }
  VERNIER_RETURN_IF_ERROR(stored.status());
  VERNIER_ASSIGN_OR_RETURN(Standing standing, StandingOf(*stored));
  VERNIER_ASSIGN_OR_RETURN(standing, AwaitEndOfCancel(client, name, standing));
  RevisionOrder order;
  order.job_id = name;
  order.job_json = job.json;
  order.secrets = job.secrets;
  order.restart = restart;
  order.request_id = RandomHex();
  if (standing.state == "SUCCEEDED") {
    return GoBeyondSuccess(client, reference, std::move(order));
  }
  if (standing.is_open() && !restart) {
    return JoinRunning(client, reference, std::move(order));
  }
  return GoOn(client, std::move(order));
}

}  // namespace vernier
