#ifndef VERNIER_DAEMON_LAUNCHERS_H_
#define VERNIER_DAEMON_LAUNCHERS_H_

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "cluster/dispatch/dispatching_launcher.h"
#include "cluster/kubernetes/kubernetes_settings.h"
#include "cluster/local/local_launcher.h"
#include "cluster/slurm/slurm_settings.h"
#include "daemon/data_dir.h"
#include "study/engines/launcher_name.h"

namespace vernier {

/// The launchers of one service: that of its own machine, and those of engines,
/// which are made when a job first asks for them. Not thread-safe.
class Launchers {
 public:
  struct Options {
    LocalLauncherOptions local;
    SlurmSettings slurm;  ///< An empty `program` means this process's own.
    KubernetesSettings kubernetes;  ///< Its data_dir is `data_dir`'s.
    /// The address by which programs on other machines reach the HTTP
    /// interface; may be empty.
    std::string advertise_url;
    LauncherName launcher = LauncherName::kLocal;  ///< The default of jobs.
    /// Receives one line for the service's log; any thread.
    std::function<void(const std::string&)> log;
  };

  /// Also makes the launcher of the default engine. `clock` must outlive the
  /// launchers.
  ///
  /// Errors: INVALID_ARGUMENT; NOT_FOUND if the machine lacks the commands of
  /// the default engine; or an errno's code.
  static absl::StatusOr<std::unique_ptr<Launchers>> Open(
      Options options, const DataDir& data_dir, const Clock& clock);

  LocalLauncher& local() { return *local_; }
  /// Returns all of them as one launcher.
  Launcher& all() { return *all_; }

 private:
  Launchers(Options options, const DataDir& data_dir, const Clock& clock);

  absl::StatusOr<std::unique_ptr<Launcher>> MakeSlurm();
  absl::StatusOr<std::unique_ptr<Launcher>> MakeKubernetes();

  const Options options_;
  const DataDir data_dir_;
  const Clock& clock_;
  std::unique_ptr<LocalLauncher> local_;
  std::unique_ptr<DispatchingLauncher> all_;
};

}  // namespace vernier

#endif  // VERNIER_DAEMON_LAUNCHERS_H_
