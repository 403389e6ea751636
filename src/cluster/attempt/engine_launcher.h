#ifndef VERNIER_CLUSTER_ATTEMPT_ENGINE_LAUNCHER_H_
#define VERNIER_CLUSTER_ATTEMPT_ENGINE_LAUNCHER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "cluster/attempt/engine.h"
#include "cluster/attempt/launch_preparation.h"
#include "cluster/process/wakeable_epoll.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Runs attempts in an engine. It has what all engines share: the table of
/// attempts, launches that start a gang only once, adoption after a restart,
/// requests to end, and the wait for news. It leases no devices, since the
/// engine does. Not thread-safe except for Wake: one orchestrator owns it.
class EngineLauncher final : public Launcher {
 public:
  struct Options {
    ResolveResources resolve;
    std::int64_t log_cap_bytes = 64 << 20;  ///< Per replica; >= 64 KiB.
    /// Called from another thread when Observe may have news; may be null.
    std::function<void()> on_change;
    /// The time that a gang may take to end, beyond the grace period of a Kill,
    /// before it is ended by force.
    std::chrono::milliseconds kill_margin{0};
  };
  /// Makes an engine that calls `on_change`, from any thread, when a look may
  /// find something new.
  using MakeEngine = std::function<absl::StatusOr<std::unique_ptr<Engine>>(
      std::function<void()> on_change)>;

  /// `clock` must outlive the launcher. Errors: INVALID_ARGUMENT; those of
  /// `make`; or an errno's code.
  static absl::StatusOr<std::unique_ptr<Launcher>> Create(
      Options options, const MakeEngine& make, const Clock& clock);

  absl::Status Launch(const LaunchRequest& request) override;
  absl::Status Kill(const LiveAttempt& attempt,
                    std::chrono::milliseconds grace) override;
  std::vector<AttemptObservation> Observe(
      const std::vector<LiveAttempt>& live) override;
  void Forget(const AttemptKey& attempt) override;
  std::vector<Device> Devices() const override { return {}; }
  void Wait(std::chrono::milliseconds timeout) override;
  void Wake() override;

 private:
  struct Attempt {
    EngineAttempt known;
    AttemptObservation observation;
    std::unique_ptr<EngineGang> gang;  ///< May be null; see AdoptedGang.
    /// Set once End was called: the time at which it is ended by force.
    std::optional<SteadyTime> kill_deadline;
    std::string phase;  ///< NoteLaunchPhase's last.
  };

  EngineLauncher(Options options, const Clock& clock);

  absl::Status Start(const LaunchRequest& request, Attempt& attempt);
  Attempt& Find(const LiveAttempt& identity);
  void Adopt(Attempt& attempt);
  void Look(Attempt& attempt, SteadyTime now);
  void NoteRuns(Attempt& attempt, SteadyTime now);
  void AskToEnd(Attempt& attempt, std::chrono::milliseconds grace);
  void TellPhase(Attempt& attempt, const std::string& phase);

  const Options options_;
  const Clock& clock_;  // Thread-safe.
  WakeableEpoll epoll_;
  std::unique_ptr<Engine> engine_;
  std::map<AttemptKey, Attempt> attempts_;  // After the engine, which they use.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_ATTEMPT_ENGINE_LAUNCHER_H_
