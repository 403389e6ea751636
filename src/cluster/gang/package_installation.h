#ifndef VERNIER_CLUSTER_GANG_PACKAGE_INSTALLATION_H_
#define VERNIER_CLUSTER_GANG_PACKAGE_INSTALLATION_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/clock.h"
#include "cluster/trial_environment.h"

namespace vernier {

/// A package, and the hash that its bytes must have to be installed.
struct PackageFile {
  std::string path;    ///< Absolute.
  std::string uri;     ///< As the job names it.
  std::string sha256;  ///< 64 lower-case hex digits; empty: refuse all.
};

/// The Python packages of one job.
struct PackageInstallation {
  std::string dir;  ///< Absolute, the job's own; made if missing.
  std::string python;
  std::vector<PackageFile> packages;  ///< Sdists or wheels.
  Environment environment;            ///< Of the installer; complete.
};

/// Installs the packages and their dependencies once: a later call finds it
/// done, even after a restart, and a concurrent call waits. Each package is
/// first copied into `dir`, and the copy is installed if it has the hash with
/// which the job was submitted, so nobody can exchange the file in between. The
/// first try uses no package index, which suffices if the machine has all
/// dependencies. If something is missing, the second try uses the index of
/// pip's own configuration. The log stays in `dir`/logs. The conditions of
/// GangRun hold.
///
/// Errors: CANCELLED after SIGTERM; FAILED_PRECONDITION if a package is not the
/// one that was submitted, or if the installer fails, with its last lines; that
/// failure is stored for the same packages. UNAVAILABLE if it cannot be
/// determined now whether they are installed; otherwise an errno's code.
absl::Status InstallPackages(const PackageInstallation& installation,
                             const Clock& clock);

/// Returns the installer's environment: the variables that the job's programs
/// inherit, pip's own variables in `environ`, vernier.environment, and the
/// job's secrets. Later ones win.
Environment InstallerEnvironment(const char* const* environ,
                                 const JobSpec& spec,
                                 const Environment& secrets);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_GANG_PACKAGE_INSTALLATION_H_
