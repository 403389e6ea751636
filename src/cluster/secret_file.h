#ifndef VERNIER_CLUSTER_SECRET_FILE_H_
#define VERNIER_CLUSTER_SECRET_FILE_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"

namespace vernier {

/// Writes a job's secret variables to `path`, durably and readable by this user
/// only; its folder is made in the same way. Returns true if the file is new;
/// an existing file with the same contents is kept.
///
/// INVALID_ARGUMENT if it exists with other contents; otherwise the errno's
/// code.
absl::StatusOr<bool> WriteSecretFile(
    const std::string& path, const std::map<std::string, std::string>& secrets);

/// Reads a file of WriteSecretFile; an empty path has no secrets. Errors name
/// the file, but none of its contents.
absl::StatusOr<std::map<std::string, std::string>> ReadSecretFile(
    const std::string& path);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SECRET_FILE_H_
