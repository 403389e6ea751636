#include "cluster/gang/package_preparation.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cluster/gang/package_installation.h"
#include "cluster/gang/try_with_retries.h"
#include "cluster/secret_file.h"

namespace vernier {
namespace {

std::vector<PackageFile> PackagesOf(const LaunchFile& launch,
                                    const JobSpec& spec) {
  const std::vector<std::string>& uris = spec.training_input.package_uris;
  // Without a hash a package must not be installed.
  const PackageHashes& hashes = spec.vernier.package_sha256;
  std::vector<PackageFile> packages;
  for (std::size_t i = 0;
       i < std::min(uris.size(), launch.resources.packages.size()); ++i) {
    const auto hash = hashes.find(uris[i]);
    packages.push_back({launch.resources.packages[i], uris[i],
                        hash == hashes.end() ? "" : hash->second});
  }
  return packages;
}

}  // namespace

std::optional<ExitRecord> PreparePackages(const LaunchFile& launch,
                                          const JobSpec& spec) {
  if (launch.resources.packages.empty()) return std::nullopt;
  const auto secrets = ReadSecretFile(spec.vernier.secrets_file);
  if (!secrets.ok()) return FailedLaunch(secrets.status());
  const SystemClock clock;
  const PackageInstallation packages{
      launch.package_dir, launch.resources.python, PackagesOf(launch, spec),
      InstallerEnvironment(environ, spec, *secrets)};
  absl::Status installed = absl::OkStatus();
  TryWithRetries([&] {
    installed = InstallPackages(packages, clock);
    return absl::IsUnavailable(installed) ? installed : absl::OkStatus();
  }).IgnoreError();
  if (installed.ok()) return std::nullopt;
  if (absl::IsCancelled(installed)) return StoppedBeforeStart();
  return FailedLaunch(installed);
}

}  // namespace vernier
