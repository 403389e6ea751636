#ifndef VERNIER_CLI_VERBS_GCLOUD_SETTINGS_H_
#define VERNIER_CLI_VERBS_GCLOUD_SETTINGS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vernier {

class ClientConnection;

/// The service that gcloud should use.
struct GcloudTarget {
  std::string http_url;  ///< "http://HOST:PORT".
  std::string project;
  std::string token_file;  ///< Holds a token alone; mode 0600.
  std::string config_dir;  ///< Gcloud's own, apart from the user's.
};

/// Returns the environment that makes Google Cloud CLI use this service only,
/// in order (docs/gcloud.md). Pure.
std::vector<std::pair<std::string, std::string>> GcloudVariables(
    const GcloudTarget& target);

/// Returns `export NAME='VALUE'` lines for a POSIX shell. Pure.
std::string ExportLines(
    const std::vector<std::pair<std::string, std::string>>& variables);

/// Asks the service for its address, and makes sure that the token file below
/// its data directory holds a valid token: a revoked one is replaced.
/// FAILED_PRECONDITION if HTTP is off.
absl::StatusOr<GcloudTarget> PrepareGcloud(const ClientConnection& client,
                                           const std::string& project);

}  // namespace vernier

#endif  // VERNIER_CLI_VERBS_GCLOUD_SETTINGS_H_
