#ifndef VERNIER_BASE_SMALL_FILE_H_
#define VERNIER_BASE_SMALL_FILE_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vernier {

/// Says whether a write must survive a power cut or only the end of this
/// process.
enum class Durability { kVolatile, kSynced };

/// Reads a whole regular file. Never waits for another process.
///
/// Errors: NOT_FOUND if there is none, and only then; DATA_LOSS if it is not a
/// regular file; OUT_OF_RANGE if it is longer than `limit` bytes. Any other
/// code means that it could not be read now, which tells nothing about its
/// contents.
absl::StatusOr<std::string> ReadSmallFile(const std::string& path,
                                          std::size_t limit = 64u << 20);

/// Returns the last bytes of a regular file, at most `limit`; all of it if it
/// is shorter. Errors as ReadSmallFile, but never OUT_OF_RANGE.
absl::StatusOr<std::string> ReadFileEnd(const std::string& path,
                                        std::size_t limit);

/// Writes all of `data` to `fd`; continues after short writes and signals.
absl::Status WriteAll(int fd, const char* data, std::size_t size);

/// Replaces `path` in one step: a reader sees the old or the new contents,
/// never a part. Uses `path`.tmp, so there must be one writer at a time.
absl::Status ReplaceFile(const std::string& path, const std::string& contents,
                         Durability durability);

/// Writes `path` in place, and makes it if it is missing. Anyone who opens it
/// after this sees the new contents, even on another machine. A reader may see
/// a part.
absl::Status OverwriteFile(const std::string& path,
                           const std::string& contents);

/// Makes the entries of a directory durable.
absl::Status SyncDirectory(const std::string& path);

/// Makes everything durable that was written to the file system of the folder
/// `path`. For many files this is cheaper than an fsync of each.
absl::Status SyncFileSystem(const std::string& path);

/// Makes `path` and its missing parents, mode 0700. OK if it exists.
absl::Status MakeDirectories(const std::string& path);

}  // namespace vernier

#endif  // VERNIER_BASE_SMALL_FILE_H_
