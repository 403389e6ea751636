#ifndef VERNIER_CLI_IMPORTS_FOREIGN_FILE_H_
#define VERNIER_CLI_IMPORTS_FOREIGN_FILE_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"

namespace vernier {

/// Reads a whole file of another tool, of at most `limit` bytes. Errors:
/// OUT_OF_RANGE for a longer one, else INVALID_ARGUMENT, as for any file that a
/// user names and that cannot be read.
absl::StatusOr<std::string> ReadForeignFile(const std::string& path,
                                            std::size_t limit);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_FOREIGN_FILE_H_
