#ifndef VERNIER_DAEMON_STOP_SIGNAL_H_
#define VERNIER_DAEMON_STOP_SIGNAL_H_

#include <chrono>

namespace vernier {

/// Makes SIGTERM and SIGINT an event to wait for. At most one object at a time;
/// the destructor restores the handlers. Trigger is thread-safe.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// Returns true at a signal or a Trigger; false after `timeout`.
  bool WaitFor(std::chrono::milliseconds timeout);

  /// Returns a descriptor that is readable once a WaitFor would return true,
  /// for a poll that also waits for other things.
  int descriptor() const;

  /// Ends a WaitFor like a signal.
  void Trigger();
};

}  // namespace vernier

#endif  // VERNIER_DAEMON_STOP_SIGNAL_H_
