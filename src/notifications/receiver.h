#ifndef VERNIER_NOTIFICATIONS_RECEIVER_H_
#define VERNIER_NOTIFICATIONS_RECEIVER_H_

#include <chrono>
#include <string>

#include "absl/status/status.h"
#include "notifications/job_end_notice.h"

namespace vernier {

/// Takes notices: a program on another machine, or a command on this one. Not
/// thread-safe, except for Stop: one thread owns it.
class Receiver {
 public:
  virtual ~Receiver() = default;

  enum class Result {
    kTaken,
    kFailed,   ///< May work later.
    kRefused,  ///< For good.
    kStopped,  ///< By Stop; says nothing about the notice.
  };
  struct Answer {
    Result result = Result::kFailed;
    std::string why =
        "";  ///< In words, without secrets; empty if it was taken.
    std::chrono::milliseconds wait{0};  ///< That it asks for; 0: it does not.
  };

  /// Passes a notice on, and waits until it was taken, within a time limit.
  virtual Answer Deliver(const JobEndNotice& notice) = 0;
  /// Cancels the running delivery, and any later one. Thread-safe.
  virtual void Stop() = 0;

  /// Returns a name for logs and metrics: "webhook https://h:1" or "command
  /// /a/b".
  virtual std::string name() const = 0;
  /// Returns "webhook" or "command".
  virtual std::string kind() const = 0;
  /// Returns a name for its deliveries on the disk; it stays the same across
  /// restarts.
  virtual std::string key() const = 0;
  /// Returns the number of failures after which a notice is given up.
  virtual int most_attempts() const = 0;
};

}  // namespace vernier

#endif  // VERNIER_NOTIFICATIONS_RECEIVER_H_
