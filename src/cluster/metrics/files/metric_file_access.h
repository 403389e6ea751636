#ifndef VERNIER_CLUSTER_METRICS_FILES_METRIC_FILE_ACCESS_H_
#define VERNIER_CLUSTER_METRICS_FILES_METRIC_FILE_ACCESS_H_

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/unique_fd.h"

namespace vernier {

/// A file's stamp; if two of them are equal, the file has probably not changed.
struct FileState {
  ino_t inode = 0;
  off_t size = -1;
  std::int64_t changed_ns = 0;

  friend bool operator==(const FileState&, const FileState&) = default;
};

FileState StateOf(const struct stat& info);

/// A file that a training program wrote, or the reason not to read it.
struct MetricFile {
  UniqueFd fd;  ///< Closed if it is not there or must not be read.
  struct stat info {};
  /// The reason not to read it: "the metric file is a symbolic link, ...".
  /// Empty if it may be read, or does not exist.
  std::string problem;
  /// It could not be opened for lack of descriptors or memory; a later attempt
  /// may succeed.
  bool is_shortage = false;
};

/// Returns whether the error means that the process lacks descriptors or memory
/// now, so that a later open may succeed.
bool IsShortage(int error);

/// The owners whose files are read.
enum class FileOwner {
  kService,  ///< The service's user and root: others may write to the folder.
  /// Any user, because only the attempt's programs can write there. In
  /// containers they run as any user of this machine, or as a subordinate one
  /// of the service's.
  kAnyone,
};

/// Opens a regular file of the given owner for reading. Never blocks or follows
/// a link, although the program may have put a symbolic link or a pipe there.
/// `what` names the file in the problem ("the metric file").
MetricFile OpenMetricFile(int directory, const char* name, const char* what,
                          FileOwner owner);

/// Returns the file's bytes from `offset` on, at most `limit`; fewer at its
/// end, or if they cannot be read.
std::string ReadAt(int fd, std::uint64_t offset, std::size_t limit);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_FILES_METRIC_FILE_ACCESS_H_
