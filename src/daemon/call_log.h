#ifndef VERNIER_DAEMON_CALL_LOG_H_
#define VERNIER_DAEMON_CALL_LOG_H_

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "daemon/server_log.h"
#include "edge/call_record.h"

namespace vernier {

/// The calls that get a line in the log.
enum class LoggedCalls {
  kNone,
  kFailed,  ///< Those that were not answered as their callers wished.
  kAll,
};

/// Parses "none", "failed" or "all"; else INVALID_ARGUMENT.
absl::StatusOr<LoggedCalls> ParseLoggedCalls(std::string_view text);

/// Returns the fields of a call's log line: its request id, method, caller,
/// status and subject. Pure.
std::vector<LogField> CallFields(const CallRecord& call);

/// Writes a line for each call that has ended: a warning if the service failed.
/// It writes no more than kMostPerSecond, so that a client that repeats a
/// mistake fills no disk; the others are counted. Thread-safe.
class CallLog {
 public:
  static constexpr int kMostPerSecond = 200;

  /// Borrows both; they must outlive this object.
  CallLog(ServerLog& log, const Clock& clock, LoggedCalls which)
      : log_(log), clock_(clock), which_(which) {}

  void Ended(const CallRecord& call);

 private:
  /// Returns whether there is room for a line, and stores in `left_out` how
  /// many had none since the last one.
  bool HasRoom(int* left_out);

  ServerLog& log_;
  const Clock& clock_;
  const LoggedCalls which_;
  Mutex mu_;
  SteadyTime window_ VERNIER_GUARDED_BY(mu_){};
  int lines_ VERNIER_GUARDED_BY(mu_) = 0;
  int left_out_ VERNIER_GUARDED_BY(mu_) = 0;
};

}  // namespace vernier

#endif  // VERNIER_DAEMON_CALL_LOG_H_
