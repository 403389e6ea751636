#include "cli/submission/run_follow.h"

#include <vernier/v1/job_service.grpc.pb.h>

#include <chrono>
#include <cstdio>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/status_macros.h"
#include "cli/display/job_lookup.h"
#include "cli/display/service_trouble.h"
#include "cli/live/screen.h"
#include "cli/text/console.h"
#include "client/client_connection.h"

namespace vernier {
namespace {

using Jobs = v1::JobService::Stub;

constexpr std::chrono::milliseconds kReachPeriod{500};
// This is checked rarely: a full disk need not be noticed within a second.
constexpr std::chrono::seconds kTroublePeriod{2};
// The most failed starts in a row.
constexpr int kMostFailures = 5;

absl::Status Look(const ClientConnection& client, const std::string& name,
                  ProgressView* view, std::vector<std::string>* ended) {
  VERNIER_ASSIGN_OR_RETURN(const std::string job,
                           GetJobWithoutTrials(client, name));
  VERNIER_RETURN_IF_ERROR(view->TakeJob(job));
  v1::ListTrialsRequest request;
  request.set_job_id(name);
  request.set_filter(absl::StrCat("trial>=", view->first_open()));
  VERNIER_ASSIGN_OR_RETURN(const std::string trials,
                           client.CallForJson(&Jobs::ListTrials, request));
  return view->TakeTrials(trials, ended);
}

/// Reconnects to a service that went away, and reports it. Returns false after
/// Ctrl-C.
absl::StatusOr<bool> ReachAgain(Invocation& invocation, const std::string& name,
                                StopSignal* interrupted) {
  const bool is_named = invocation.has_named_service();
  PrintTo(stderr,
          "vernier: the service has gone away; trials that run go on. "
          "%s\n",
          is_named ? "Waiting for it to answer again."
                   : "Looking for it, or starting it again.");
  for (int failures = 0;;) {
    // The service may be starting again by itself.
    if (interrupted->WaitFor(kReachPeriod)) return false;
    const absl::StatusOr<const ClientConnection*> client =
        invocation.Reconnect();
    absl::Status status = client.status();
    if (status.ok()) {
      status = GetJobWithoutTrials(**client, name).status();
    }
    if (status.ok()) {
      PrintTo(stderr, "vernier: the service answers again; following job %s\n",
              name.c_str());
      return true;
    }
    if (!absl::IsUnavailable(status)) return status;
    if (!is_named && ++failures == kMostFailures) return status;
  }
}

/// Says on standard error when the service's trouble begins or ends. A service
/// that does not answer is noticed elsewhere.
void WatchForTrouble(const ClientConnection& client, ServiceTrouble* trouble,
                     Screen* screen) {
  const absl::StatusOr<std::string> info =
      client.CallForJson(&Jobs::GetServiceInfo, {});
  const std::string line = info.ok() ? trouble->Take(*info) : "";
  if (line.empty()) return;
  screen->Clear();
  std::fflush(stdout);
  PrintTo(stderr, "vernier: %s\n", line.c_str());
}

}  // namespace

absl::StatusOr<bool> Follow(Invocation& invocation, const std::string& name,
                            Start start_kind, StopSignal* interrupted,
                            ProgressView* view) {
  Screen screen;
  const auto start = std::chrono::steady_clock::now();
  auto next_watch = start;
  ServiceTrouble trouble;
  bool prints_ends = start_kind == Start::kNew;
  while (true) {
    std::vector<std::string> ended;
    VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client,
                             invocation.Client());
    const absl::Status looked = Look(*client, name, view, &ended);
    if (absl::IsUnavailable(looked)) {
      screen.Clear();
      std::fflush(stdout);
      VERNIER_ASSIGN_OR_RETURN(const bool is_reached,
                               ReachAgain(invocation, name, interrupted));
      if (!is_reached) return false;
      continue;
    }
    VERNIER_RETURN_IF_ERROR(looked);
    if (prints_ends && !ended.empty()) screen.Print(ended);
    prints_ends = true;
    const bool is_over =
        view->is_final() || (view->is_paused() && view->is_quiet());
    const auto now = std::chrono::steady_clock::now();
    if (is_over ? trouble.is_there() : now >= next_watch) {
      WatchForTrouble(*client, &trouble, &screen);
      next_watch = now + kTroublePeriod;
    }
    if (is_over) {
      screen.Clear();
      return true;
    }
    screen.Draw(view->Lines(
        std::chrono::duration_cast<std::chrono::seconds>(now - start),
        screen.Area()));
    if (interrupted->WaitFor(kLookPeriod)) {
      screen.Clear();
      std::fflush(stdout);
      return false;
    }
  }
}

}  // namespace vernier
