#ifndef VERNIER_TESTS_FAKES_FAKE_LAUNCHER_H_
#define VERNIER_TESTS_FAKES_FAKE_LAUNCHER_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Launcher whose gangs are entries of a map. The test plays the training
/// programs: it says when a gang is up, how it ends, and what goes wrong. Gangs
/// outlive the "service": Restart() makes the launcher forget what it knew, but
/// the gangs continue. Wait never blocks. Not thread-safe but for Wake.
class FakeLauncher final : public Launcher {
 public:
  explicit FakeLauncher(std::vector<Device> devices = {});

  // These functions set what happens.

  /// Sets whether a launched gang is up at once (the default) or after
  /// SetRunning.
  void set_runs_at_once(bool runs_at_once) { runs_at_once_ = runs_at_once; }
  /// Sets whether a Kill ends the gang at once with SIGTERM (the default). If
  /// not, the gang lives on until the test ends it.
  void set_obeys_kill(bool obeys_kill) { obeys_kill_ = obeys_kill; }
  /// Called after each gang started, e.g. to end it: a very short program.
  void set_on_start(std::function<void(const LaunchRequest&)> on_start) {
    on_start_ = std::move(on_start);
  }
  /// Called by Wait, where time can pass in a test.
  void set_on_wait(std::function<void(std::chrono::milliseconds)> on_wait) {
    on_wait_ = std::move(on_wait);
  }
  /// The next `count` calls of Launch return `error` and start nothing.
  void FailNextLaunches(int count, absl::Status error);
  /// The next `count` calls of Launch start the gang but return `error`, as if
  /// the answer had got lost.
  void LoseNextAnswers(int count, absl::Status error);

  /// The next `count` calls of Kill return `error` and end nothing.
  void FailNextKills(int count, absl::Status error);

  void SetRunning(const AttemptKey& attempt);
  /// The primary calls exit(`exit_code`).
  void Exit(const AttemptKey& attempt, int exit_code,
            std::chrono::microseconds lasted = std::chrono::seconds(5));
  /// Any other end; `end.attempt` names the attempt.
  void End(const AttemptObservation& end);
  /// The gang is gone without an exit record.
  void Lose(const AttemptKey& attempt);
  /// Restarts the service, so that this launcher forgets what it knew.
  void Restart();

  // These functions return what has happened.

  /// Every request that started a gang, in order.
  const std::vector<LaunchRequest>& started() const { return started_; }
  /// Every attempt that a Kill reached, in order, repeats included.
  const std::vector<AttemptKey>& kills() const { return kills_; }
  const std::vector<AttemptKey>& forgotten() const { return forgotten_; }
  /// Attempts whose gang is alive, by key.
  std::vector<AttemptKey> Alive() const;
  /// Gangs started for this nonce: never more than 1.
  int StartsOf(const std::string& nonce) const;
  /// Largest number of gangs that were alive at once.
  int max_alive() const { return max_alive_; }
  int launch_calls() const { return launch_calls_; }
  int wakes() const { return wakes_.load(); }

  // Launcher.

  absl::Status Launch(const LaunchRequest& request) override;
  absl::Status Kill(const LiveAttempt& attempt,
                    std::chrono::milliseconds grace) override;
  std::vector<AttemptObservation> Observe(
      const std::vector<LiveAttempt>& live) override;
  void Forget(const AttemptKey& attempt) override;
  std::vector<Device> Devices() const override { return devices_; }
  std::vector<UnusableDevice> UnusableDevices(
      const std::vector<std::string>& free) override {
    std::vector<UnusableDevice> unusable;
    for (const UnusableDevice& device : unusable_) {
      if (std::count(free.begin(), free.end(), device.id) > 0) {
        unusable.push_back(device);
      }
    }
    return unusable;
  }
  void set_unusable(std::vector<UnusableDevice> unusable) {
    unusable_ = std::move(unusable);
  }
  void Wait(std::chrono::milliseconds timeout) override;
  void Wake() override;

 private:
  struct Gang {
    std::string nonce;
    AttemptObservation observation;
  };

  Gang* FindAlive(const AttemptKey& attempt);
  void Start(const LaunchRequest& request);

  const std::vector<Device> devices_;
  std::vector<UnusableDevice> unusable_;
  bool runs_at_once_ = true;
  bool obeys_kill_ = true;
  std::function<void(const LaunchRequest&)> on_start_;
  std::function<void(std::chrono::milliseconds)> on_wait_;
  int failing_launches_ = 0;
  int losing_answers_ = 0;
  absl::Status launch_error_;
  int failing_kills_ = 0;
  absl::Status kill_error_;

  std::map<AttemptKey, Gang> gangs_;  // The world outside: survives Restart.
  std::set<std::string> revoked_;     // Nonces; likewise.
  std::set<AttemptKey> known_;        // The launcher's memory.
  std::vector<LaunchRequest> started_;
  std::vector<AttemptKey> kills_;
  std::vector<AttemptKey> forgotten_;
  int max_alive_ = 0;
  int launch_calls_ = 0;
  std::atomic<int> wakes_{0};
};

}  // namespace vernier

#endif  // VERNIER_TESTS_FAKES_FAKE_LAUNCHER_H_
