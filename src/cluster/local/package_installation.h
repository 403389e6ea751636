#ifndef VERNIER_CLUSTER_LOCAL_PACKAGE_INSTALLATION_H_
#define VERNIER_CLUSTER_LOCAL_PACKAGE_INSTALLATION_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/clock.h"
#include "cluster/trial_environment.h"

namespace vernier {

/// A package, and the only bytes that may be installed for it.
struct PackageFile {
  std::string path;    ///< Absolute.
  std::string uri;     ///< As the job names it.
  std::string sha256;  ///< 64 lower-case hex digits; empty: none fits.
};

/// The Python packages of one job.
struct PackageInstallation {
  std::string dir;  ///< Absolute, the job's own; made if missing.
  std::string python;
  std::vector<PackageFile> packages;  ///< Sdists or wheels.
  Environment environment;            ///< Of the installer; complete.
};

/// Installs the packages and what they need, once: whoever comes later, also
/// after a restart, finds it done, and who comes meanwhile waits. Each is first
/// copied into `dir`, and the copy is installed if it has the hash that the job
/// was submitted with, so that nothing can come in between. First without
/// a package index, which is enough if the machine has all they need; then, if
/// something is missing, with the index of pip's own configuration. The log
/// stays in `dir`/logs. Must be called as GangRun is.
///
/// Errors: CANCELLED after SIGTERM; FAILED_PRECONDITION if a package is not the
/// one that was submitted, or, with the installer's last lines, if it fails,
/// then and ever after for the same packages; UNAVAILABLE if it cannot be told
/// now whether they are there; else an errno's code.
absl::Status InstallPackages(const PackageInstallation& installation,
                             const Clock& clock);

/// What the installer gets: what the job's programs inherit, pip's own
/// variables in `environ`, vernier.environment, and the job's secrets; the
/// later wins.
Environment InstallerEnvironment(const char* const* environ,
                                 const JobSpec& spec,
                                 const Environment& secrets);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOCAL_PACKAGE_INSTALLATION_H_
