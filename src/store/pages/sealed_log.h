#ifndef VERNIER_STORE_PAGES_SEALED_LOG_H_
#define VERNIER_STORE_PAGES_SEALED_LOG_H_

#include <cstdint>
#include <optional>
#include <vector>

struct sqlite3_file;

namespace vernier {

/// The newest frame that was written to a log; page 0: none.
struct SealedFrame {
  std::int64_t page = 0;
  std::uint64_t seal = 0;

  friend bool operator==(const SealedFrame&, const SealedFrame&) = default;
};

/// Writes a write-ahead log whose pages are sealed like those of the database
/// (SealPage). SQLite computes the checksum of a frame before it writes the
/// page, so this class computes it again over the sealed page; the log on disk
/// has SQLite's own format. A page is thus sealed from its commit on, even if
/// another program moves it into the database, and it is checked each time that
/// it is read.
///
/// It relies on how SQLite writes a frame: the header, then the page
/// (src/wal.c, walWriteOneFrame), the header alone (walRewriteChecksums) or the
/// page alone (sqlite3WalFrames, a page that was written before in the same
/// transaction). Any other write passes through.
///
/// Not thread-safe: one connection's. Borrows the file below.
class SealedLog {
 public:
  explicit SealedLog(sqlite3_file* file) : file_(*file) {}

  /// As xWrite and xRead; the value is SQLite's code. Read answers
  /// SQLITE_IOERR_DATA for a page that does not match.
  int Write(const void* data, int size, std::int64_t offset);
  int Read(void* data, int size, std::int64_t offset);

  /// Writes the held-back bytes. Call it before any other use of the file.
  int Flush();

  /// The newest frame; of this connection only.
  const SealedFrame& newest() const { return newest_; }

 private:
  struct Sum {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
  };

  bool IsFrame(std::int64_t offset) const;
  int ReadHeader();
  int WriteHeader(const unsigned char* header);
  int WriteFrame(const unsigned char* page);
  int WritePage(const unsigned char* page, std::int64_t offset);
  int FindSum(std::int64_t frame, Sum* sum);
  void Add(const unsigned char* bytes, std::int64_t size, Sum* sum) const;

  sqlite3_file& file_;
  std::int64_t page_size_ = 0;  // 0: the header was not read yet.
  bool is_big_endian_ = false;
  std::int64_t next_frame_ = -1;  // The frame that sum_ leads to; -1: unknown.
  Sum sum_;
  std::optional<std::int64_t> held_offset_;  // The offset of a frame's header.
  unsigned char held_[24] = {};
  std::vector<unsigned char> buffer_;
  SealedFrame newest_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_PAGES_SEALED_LOG_H_
