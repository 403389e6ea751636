#ifndef VERNIER_CLI_LIVE_LIVE_TRIAL_H_
#define VERNIER_CLI_LIVE_LIVE_TRIAL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "cli/text/terminal_text.h"

namespace vernier {

/// The data of a trial that a display shows. All functions are pure.
struct LiveTrial {
  std::int64_t number = 0;
  std::string state;       ///< E.g. "ACTIVE", or "PAUSED", as people read it.
  bool has_ended = false;  ///< In whatever way.
  bool has_live_attempt = false;
  bool runs = false;  ///< It is not paused, nor waits for anything else.
  std::optional<Timestamp> started_at;
  std::optional<Timestamp> ended_at;
  std::optional<double> value;     ///< Its result, once it has ended with one.
  bool breaks_constraint = false;  ///< Of its study; it cannot be the best.
  std::string measurement;         ///< "0.93 at step 12": its newest, or empty.
  std::string parameters;          ///< "lr=0.1 opt=adam", in few digits.
  std::string reason;       ///< "user error: why"; empty unless it went wrong.
  std::string waiting_for;  ///< Of one whose program does not run yet.
};

/// Returns whether the trial may be the best of its study, if it has a value;
/// like trials/results/best_trials.h for the service's record.
inline bool MayBeBest(const LiveTrial& trial) {
  return trial.state == "COMPLETED" && !trial.breaks_constraint;
}

/// Returns the trials of ListTrials' answer, in its order. INVALID_ARGUMENT if
/// it is not such an answer.
absl::StatusOr<std::vector<LiveTrial>> ReadLiveTrials(std::string_view answer);

/// Returns "trial 3  completed  0.93 at step 12  lr=0.1", and the reason of an
/// end or what it waits for. The parameters come late, so a narrow screen cuts
/// them off first.
std::vector<Span> LineOf(const LiveTrial& trial);

/// Returns "trial 3  user error: why" for a trial that failed or could not be
/// evaluated; empty for any other.
std::string FailureText(const LiveTrial& trial);

}  // namespace vernier

#endif  // VERNIER_CLI_LIVE_LIVE_TRIAL_H_
