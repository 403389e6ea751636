#ifndef VERNIER_CLUSTER_METRICS_FILES_METRIC_FILE_ACCESS_H_
#define VERNIER_CLUSTER_METRICS_FILES_METRIC_FILE_ACCESS_H_

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/unique_fd.h"

namespace vernier {

/// Shows whether a file can have changed.
struct FileState {
  ino_t inode = 0;
  off_t size = -1;
  std::int64_t changed_ns = 0;

  friend bool operator==(const FileState&, const FileState&) = default;
};

FileState StateOf(const struct stat& info);

/// A file that a training program wrote, or why it is not read.
struct MetricFile {
  UniqueFd fd;  ///< Closed if it is not there or must not be read.
  struct stat info {};
  /// Why it must not be read: "the metric file is a symbolic link, ...". Empty
  /// if it may, or is not there.
  std::string problem;
  /// It could not be opened for lack of descriptors or memory; it can later.
  bool is_shortage = false;
};

/// Whether the process lacks descriptors or memory now, so that an open may
/// succeed later.
bool IsShortage(int error);

/// Whose files are read.
enum class FileOwner {
  kService,  ///< The service's user and root: others may write to the folder.
  /// Everybody: only the attempt's programs can write there. In containers they
  /// run as any user of this machine, or as a subordinate one of the service's.
  kAnyone,
};

/// Opens a file for reading: a regular file of the owner given. The program may
/// have put a link or a pipe there: neither is followed nor waited for. `what`
/// names it in the problem ("the metric file").
MetricFile OpenMetricFile(int directory, const char* name, const char* what,
                          FileOwner owner);

/// The file's bytes from `offset` on, at most `limit`: fewer at its end, and
/// where they cannot be read.
std::string ReadAt(int fd, std::uint64_t offset, std::size_t limit);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_FILES_METRIC_FILE_ACCESS_H_
