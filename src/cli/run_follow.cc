#include "cli/run_follow.h"

#include <chrono>
#include <cstdio>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/screen.h"
#include "server/stop_signal.h"
#include "study/status_macros.h"

namespace vernier {
namespace {

constexpr std::chrono::milliseconds kLookPeriod{300};

absl::Status Look(JobClient& client, const std::string& name,
                  ProgressView* view, std::vector<std::string>* ended) {
  VERNIER_ASSIGN_OR_RETURN(const std::string job,
                           client.GetJobWithoutTrials(name));
  VERNIER_RETURN_IF_ERROR(view->TakeJob(job));
  TrialListQuery query;
  query.job_id = name;
  query.filter = absl::StrCat("trial>=", view->first_open());
  VERNIER_ASSIGN_OR_RETURN(const std::string trials, client.ListTrials(query));
  return view->TakeTrials(trials, ended);
}

}  // namespace

absl::StatusOr<bool> Follow(JobClient& client, const std::string& name,
                            Start start_kind, ProgressView* view) {
  StopSignal interrupted;
  Screen screen;
  const auto start = std::chrono::steady_clock::now();
  bool prints_ends = start_kind == Start::kNew;
  while (true) {
    std::vector<std::string> ended;
    VERNIER_RETURN_IF_ERROR(Look(client, name, view, &ended));
    if (prints_ends && !ended.empty()) screen.Print(ended);
    prints_ends = true;
    if (view->is_final() || (view->is_paused() && view->is_quiet())) {
      screen.Clear();
      return true;
    }
    screen.Draw(*view, std::chrono::duration_cast<std::chrono::seconds>(
                           std::chrono::steady_clock::now() - start));
    if (interrupted.WaitFor(kLookPeriod)) {
      screen.Clear();
      std::fflush(stdout);
      return false;
    }
  }
}

}  // namespace vernier
