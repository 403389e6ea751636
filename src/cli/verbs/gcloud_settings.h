#ifndef VERNIER_CLI_VERBS_GCLOUD_SETTINGS_H_
#define VERNIER_CLI_VERBS_GCLOUD_SETTINGS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/job_client.h"

namespace vernier {

/// The settings of gcloud for this service.
struct GcloudTarget {
  std::string http_url;  ///< "http://HOST:PORT".
  std::string project;
  std::string token_file;  ///< Holds a token alone; mode 0600.
  std::string config_dir;  ///< Gcloud's own, apart from the user's.
};

/// The environment that makes Google Cloud CLI use this service only, in order
/// (docs/gcloud.md). Pure.
std::vector<std::pair<std::string, std::string>> GcloudVariables(
    const GcloudTarget& target);

/// `export NAME='VALUE'` lines for a shell of POSIX. Pure.
std::string ExportLines(
    const std::vector<std::pair<std::string, std::string>>& variables);

/// Asks the service for its addresses, and ensures that the token file in its
/// data directory holds a valid token; a revoked one is replaced.
/// FAILED_PRECONDITION if HTTP is off.
absl::StatusOr<GcloudTarget> PrepareGcloud(JobClient& client,
                                           const std::string& project);

}  // namespace vernier

#endif  // VERNIER_CLI_VERBS_GCLOUD_SETTINGS_H_
