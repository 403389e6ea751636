#ifndef VERNIER_BUCKETS_CONFINED_FOLDER_H_
#define VERNIER_BUCKETS_CONFINED_FOLDER_H_

#include <sys/stat.h>

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/folder_stream.h"
#include "base/unique_fd.h"

namespace vernier {

/// A folder and everything below it. No name leads out, whether by "..", by an
/// absolute name or by a link (OpenBeneath). No link leads into kReservedFolder
/// either, and names below that must not pass one. Names are relative, without
/// '/' at the end; "" is the folder itself. Thread-safe.
///
/// Errors of all methods: NOT_FOUND; FAILED_PRECONDITION if a name leads out of
/// the folder, into the reserved folder, or through a file; RESOURCE_EXHAUSTED
/// for a full disk; otherwise the errno's code.
class ConfinedFolder {
 public:
  static absl::StatusOr<ConfinedFolder> Open(const std::string& path);

  /// Does the same as open(2), with O_CLOEXEC added.
  absl::StatusOr<UniqueFd> OpenFile(const std::string& name, int flags,
                                    mode_t mode = 0) const;
  /// Opens a regular file to read; NOT_FOUND if it is anything else.
  absl::StatusOr<UniqueFd> OpenToRead(const std::string& name) const;
  /// Opens a folder.
  absl::StatusOr<UniqueFd> OpenFolder(const std::string& name) const;
  /// Opens a folder; it and its missing parents are made and synced.
  absl::StatusOr<UniqueFd> MakeFolder(const std::string& name) const;

  /// Removes a file; OK if there is none.
  absl::Status RemoveFile(const std::string& name) const;
  /// Removes a folder that holds nothing but empty folders.
  /// FAILED_PRECONDITION if it holds more.
  absl::Status RemoveEmptyTree(const std::string& name) const;

  /// Replaces a small file in one step, synced: readers see the old or the new
  /// text. `temporary` names a file beside it that nobody else uses at the
  /// time.
  absl::Status ReplaceFile(const std::string& name,
                           const std::string& temporary,
                           std::string_view text) const;
  absl::StatusOr<std::string> ReadFile(const std::string& name) const;

  const std::string& path() const { return path_; }
  int fd() const { return fd_.get(); }

 private:
  ConfinedFolder(std::string path, UniqueFd fd)
      : path_(std::move(path)), fd_(std::move(fd)) {}

  std::string path_;
  UniqueFd fd_;
};

/// Splits a name: "a/b" and "c" of "a/b/c"; "" and "c" of "c".
struct SplitName {
  std::string folder;
  std::string file;
};
SplitName SplitAtLastSlash(std::string_view name);

/// Writes all of `data`; continues after short writes and signals.
absl::Status WriteFully(int fd, std::string_view data);

/// Does the same as absl::ErrnoToStatus, with the codes that ConfinedFolder
/// documents.
absl::Status FileError(int error, const std::string& what);

/// Returns the entries of an open folder. Null, with errno set, if it cannot be
/// read.
FolderStream EntriesOf(UniqueFd folder);

}  // namespace vernier

#endif  // VERNIER_BUCKETS_CONFINED_FOLDER_H_
