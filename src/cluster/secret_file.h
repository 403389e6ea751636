#ifndef VERNIER_CLUSTER_SECRET_FILE_H_
#define VERNIER_CLUSTER_SECRET_FILE_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"

namespace vernier {

/// Writes a job's secret variables to `path`, durably and for this user's eyes
/// only; its folder is made, likewise. True if it was not there before; what is
/// there and holds the same is left.
///
/// INVALID_ARGUMENT if it is there and holds others; else the errno's code.
absl::StatusOr<bool> WriteSecretFile(
    const std::string& path, const std::map<std::string, std::string>& secrets);

/// Reads what WriteSecretFile wrote; an empty path has none. Errors name the
/// file and nothing that is in it.
absl::StatusOr<std::map<std::string, std::string>> ReadSecretFile(
    const std::string& path);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SECRET_FILE_H_
