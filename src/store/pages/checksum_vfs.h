#ifndef VERNIER_STORE_PAGES_CHECKSUM_VFS_H_
#define VERNIER_STORE_PAGES_CHECKSUM_VFS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "store/pages/sealed_log.h"

namespace vernier {

/// A SQLite VFS on top of another one. It puts a checksum into the last 8 bytes
/// of each page that is written to a database file, and refuses with
/// SQLITE_IOERR_DATA to read a page that does not match. These bytes are
/// reserved (SQLITE_FCNTL_RESERVE_BYTES), so SQLite itself never uses them, and
/// any program can read such a database.
///
/// A file that reserves another number of bytes was made by an older release
/// and passes through unchanged. So do journals, which have SQLite's own
/// checksums. Pages in a write-ahead log are sealed like those in the file
/// (SealedLog).
///
/// It is registered while it lives, under a unique name; it must outlive the
/// connections that use it. Not thread-safe: one connection owns it.
class ChecksumVfs {
 public:
  /// `base` is the name of the VFS below; empty: the system's. `name` is empty
  /// if there is no such VFS.
  explicit ChecksumVfs(const std::string& base);
  ~ChecksumVfs();
  ChecksumVfs(const ChecksumVfs&) = delete;
  ChecksumVfs& operator=(const ChecksumVfs&) = delete;

  const std::string& name() const { return name_; }

  /// The page that did not match, and its file; empty: all matched so far.
  const std::string& fault() const { return fault_; }

  /// The newest frame of the log that was written; page 0: none.
  const SealedFrame& newest_frame() const { return newest_frame_; }

  /// For the VFS's own functions.
  void set_newest_frame(const SealedFrame& frame) { newest_frame_ = frame; }
  void ReportFault(const char* path, std::int64_t page);
  /// Room for one page.
  unsigned char* Buffer(std::size_t size);

 private:
  struct Registration;

  std::string name_;
  std::string fault_;
  SealedFrame newest_frame_;
  std::vector<unsigned char> buffer_;
  std::unique_ptr<Registration> registration_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_PAGES_CHECKSUM_VFS_H_
