#ifndef VERNIER_DAEMON_DATA_DIR_H_
#define VERNIER_DAEMON_DATA_DIR_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vernier {

/// The paths of everything that one service stores.
struct DataDir {
  std::string root;  ///< Absolute.

  std::string SocketPath() const { return root + "/vernier.sock"; }
  std::string DatabasePath() const { return root + "/vernier.db"; }
  std::string AccessPath() const { return root + "/access.db"; }
  std::string QuotaPath() const { return root + "/quotas.db"; }
  std::string RunRoot() const { return root + "/runs"; }
  std::string CodeRoot() const { return root + "/code"; }
  std::string SecretRoot() const { return root + "/secrets"; }
  std::string BucketRoot() const { return root + "/buckets"; }
  std::string ContainerRoot() const { return root + "/containers"; }
  std::string NoticeDir() const { return root + "/notices"; }
  std::string LogDir() const { return root + "/logs"; }
  /// Returns the path of a file that exists once all databases have been made.
  std::string MadePath() const { return root + "/databases_made"; }
  std::string HttpPortPath() const { return root + "/http_port"; }
};

/// Returns $VERNIER_HOME, else $XDG_DATA_HOME/vernier, else
/// ~/.local/share/vernier. FAILED_PRECONDITION if none of them is set.
absl::StatusOr<std::string> DefaultDataDir();

/// Returns the data directory at `path`, which is made absolute.
DataDir DataDirAt(const std::string& path);

/// Returns DataDirAt `root`, or the default one if it is empty. Errors as
/// DefaultDataDir.
absl::StatusOr<DataDir> FindDataDir(const std::string& root);

/// Makes the folder and its sub-folders, readable by this user only (mode
/// 0700).
///
/// Errors: PERMISSION_DENIED if it belongs to another user; FAILED_PRECONDITION
/// if it is not a folder, or has other contents that other users may read,
/// because a mistyped path must not lock them out; UNAVAILABLE or
/// RESOURCE_EXHAUSTED if it cannot be made.
absl::Status PrepareDataDir(const DataDir& data_dir);

/// Returns the port that HTTP had last, from a file of the data directory;
/// nullopt if there is none or it cannot be read as a port.
std::optional<int> ReadHttpPort(const DataDir& data_dir);

/// Replaces that file if it has another port.
absl::Status WriteHttpPort(const DataDir& data_dir, int port);

/// Returns DATA_LOSS if there are folders of jobs but no database. A service
/// that began with an empty one would reuse their numbers, and remove the code
/// of jobs that a restored database has.
absl::Status CheckDatabaseIsThere(const DataDir& data_dir);

}  // namespace vernier

#endif  // VERNIER_DAEMON_DATA_DIR_H_
