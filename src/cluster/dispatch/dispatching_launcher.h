#ifndef VERNIER_CLUSTER_DISPATCH_DISPATCHING_LAUNCHER_H_
#define VERNIER_CLUSTER_DISPATCH_DISPATCHING_LAUNCHER_H_

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "study/engines/launcher_name.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Runs each attempt with the launcher that its job names: vernier.launcher. An
/// attempt stays with the launcher that started it, which a file in its folder
/// names, even after a restart or a revision of the job. The texts of an end
/// are prepared for storage: TellEnd. Not thread-safe except for Wake: one
/// orchestrator owns it.
class DispatchingLauncher final : public Launcher {
 public:
  /// Makes the launcher of an engine when it is first needed. An error means
  /// that it is not available now; the next attempt tries again.
  using Factory = std::function<absl::StatusOr<std::unique_ptr<Launcher>>()>;

  /// `local` has the devices and does the waiting: a factory must see to it
  /// that the news of its launcher wake this one. Borrowed.
  DispatchingLauncher(Launcher& local, std::map<LauncherName, Factory> engines);

  /// Makes an engine's launcher now. Errors: the factory's.
  absl::Status Prepare(LauncherName name);

  /// Returns INVALID_ARGUMENT or UNAVAILABLE also if the engine is not
  /// available.
  absl::Status Launch(const LaunchRequest& request) override;
  absl::Status Kill(const LiveAttempt& attempt,
                    std::chrono::milliseconds grace) override;
  std::vector<AttemptObservation> Observe(
      const std::vector<LiveAttempt>& live) override;
  void Forget(const AttemptKey& attempt) override;
  std::vector<Device> Devices() const override { return local_.Devices(); }
  bool ChecksDevices() const override { return local_.ChecksDevices(); }
  std::vector<UnusableDevice> UnusableDevices(
      const std::vector<std::string>& free) override {
    return local_.UnusableDevices(free);
  }
  void Wait(std::chrono::milliseconds timeout) override {
    local_.Wait(timeout);
  }
  void Wake() override { local_.Wake(); }

 private:
  absl::StatusOr<Launcher*> Get(LauncherName name);
  /// Returns the launcher that started an attempt. UNAVAILABLE if it is unknown
  /// now, or not available.
  absl::StatusOr<Launcher*> OwnerOf(const LiveAttempt& attempt);

  Launcher& local_;
  const std::map<LauncherName, Factory> factories_;
  std::map<LauncherName, std::unique_ptr<Launcher>> engines_;
  std::map<AttemptKey, LauncherName> owners_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_DISPATCH_DISPATCHING_LAUNCHER_H_
