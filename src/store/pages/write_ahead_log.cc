#include "store/pages/write_ahead_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/big_endian.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"
#include "store/pages/store_file_error.h"

namespace vernier {
namespace {

// Frames are read like in SQLite's own recovery: they count as long as salt and
// running checksum match, up to the last one that ends a transaction. SQLite
// forgets all frames behind the first mismatch. LogReader looks at them,
// because an unfinished last write is normal after a loss of power, but a
// transaction that others follow had been synced: then acknowledged data is
// damaged.

constexpr std::int64_t kHeaderBytes = 32;
constexpr std::int64_t kFrameHeaderBytes = 24;
constexpr std::uint32_t kLogMagic =
    0x377f0682;  // The last bit: big-endian sums.

std::uint64_t SaltAt(const unsigned char* bytes) {
  return (std::uint64_t{ReadBigEndian(bytes)} << 32) | ReadBigEndian(bytes + 4);
}

// The running checksum of a log.
class LogSum {
 public:
  explicit LogSum(bool is_big_endian) : is_big_endian_(is_big_endian) {}

  void Add(const unsigned char* bytes, std::int64_t size) {
    for (std::int64_t i = 0; i < size; i += 8) {
      first_ += Word(bytes + i) + second_;
      second_ += Word(bytes + i + 4) + first_;
    }
  }
  bool Is(const unsigned char* stored) const {
    return ReadBigEndian(stored) == first_ &&
           ReadBigEndian(stored + 4) == second_;
  }

 private:
  std::uint32_t Word(const unsigned char* bytes) const {
    const std::uint32_t word = ReadBigEndian(bytes);
    return is_big_endian_ ? word : __builtin_bswap32(word);
  }

  bool is_big_endian_;
  std::uint32_t first_ = 0;
  std::uint32_t second_ = 0;
};

// Reads exactly `size` bytes.
absl::Status ReadAt(int file, const std::string& path, std::int64_t offset,
                    std::int64_t size, unsigned char* out) {
  while (size > 0) {
    const ssize_t count =
        pread(file, out, static_cast<std::size_t>(size), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      return absl::InternalError(absl::StrCat(
          "cannot read ", path, ": ",
          count < 0 ? std::strerror(errno) : "it ends while being read"));
    }
    out += count;
    offset += count;
    size -= count;
  }
  return absl::OkStatus();
}

// Walks the frames of an open log.
class LogReader {
 public:
  LogReader(int file, const std::string& path, LogContents* contents)
      : file_(file), path_(path), contents_(*contents) {}

  absl::Status Read(std::int64_t page_size) {
    if (contents_.bytes < kHeaderBytes) {
      contents_.damaged_offset = 0;
      return absl::OkStatus();
    }
    unsigned char header[kHeaderBytes];
    VERNIER_RETURN_IF_ERROR(ReadAt(file_, path_, 0, kHeaderBytes, header));
    const std::uint32_t magic = ReadBigEndian(header);
    LogSum sum((magic & 1) != 0);
    sum.Add(header, kHeaderBytes - 8);
    contents_.salt = SaltAt(header + 16);
    contents_.page_size = ReadBigEndian(header + 8);
    contents_.has_valid_header = (magic & ~1u) == kLogMagic &&
                                 sum.Is(header + 24) &&
                                 contents_.page_size == page_size;
    contents_.page_size = page_size;
    frame_.resize(static_cast<std::size_t>(kFrameHeaderBytes + page_size));
    if (contents_.has_valid_header) return ReadFrames(sum);
    contents_.damaged_offset = 0;
    // The frames contain the salt, too.
    if (contents_.FrameOffset(1) > contents_.bytes) return absl::OkStatus();
    VERNIER_RETURN_IF_ERROR(ReadFrame(0, kFrameHeaderBytes));
    contents_.salt = SaltAt(frame_.data() + 8);
    return ReadWhatFollows(0);
  }

 private:
  absl::Status ReadFrame(std::int64_t frame, std::int64_t size) {
    return ReadAt(file_, path_, contents_.FrameOffset(frame), size,
                  frame_.data());
  }

  // Reads like SQLite's recovery, up to the first frame that does not match.
  absl::Status ReadFrames(LogSum sum) {
    std::map<std::int64_t, std::int64_t> uncommitted;
    std::int64_t frame = 0;
    for (; contents_.FrameOffset(frame + 1) <= contents_.bytes; ++frame) {
      VERNIER_RETURN_IF_ERROR(
          ReadFrame(frame, kFrameHeaderBytes + contents_.page_size));
      const unsigned char* const bytes = frame_.data();
      const std::uint32_t page = ReadBigEndian(bytes);
      sum.Add(bytes, 8);
      sum.Add(bytes + kFrameHeaderBytes, contents_.page_size);
      if (page == 0 || SaltAt(bytes + 8) != contents_.salt ||
          !sum.Is(bytes + 16)) {
        contents_.damaged_offset = contents_.FrameOffset(frame);
        return ReadWhatFollows(frame);
      }
      // A frame counts only once a later one, or itself, ends its transaction
      // with a commit.
      uncommitted[page] = frame;
      const std::uint32_t size_after_commit = ReadBigEndian(bytes + 4);
      if (size_after_commit == 0) continue;
      contents_.committed_frames = frame + 1;
      contents_.database_pages = size_after_commit;
      for (const auto& [number, at] : uncommitted) {
        contents_.pages[number] = at;
      }
      uncommitted.clear();
    }
    if (contents_.FrameOffset(frame) < contents_.bytes) {
      contents_.damaged_offset = contents_.FrameOffset(frame);
    }
    return absl::OkStatus();
  }

  // Searches for frames of this filling of the log behind one that does not
  // match.
  absl::Status ReadWhatFollows(std::int64_t frame) {
    bool has_commit = false;
    for (; contents_.FrameOffset(frame + 1) <= contents_.bytes; ++frame) {
      VERNIER_RETURN_IF_ERROR(ReadFrame(frame, kFrameHeaderBytes));
      const unsigned char* const bytes = frame_.data();
      if (SaltAt(bytes + 8) != contents_.salt) continue;
      // A frame behind a commit was written after the sync of that commit, so
      // the commit was acknowledged.
      if (has_commit) {
        contents_.lost_synced_commit = true;
        return absl::OkStatus();
      }
      has_commit = ReadBigEndian(bytes + 4) != 0;
    }
    return absl::OkStatus();
  }

  const int file_;
  const std::string& path_;
  LogContents& contents_;
  std::vector<unsigned char> frame_;
};

std::string Early(const std::string& path, const std::string& what) {
  return absl::StrCat("the write-ahead log ends early: ", path, ": ", what);
}

}  // namespace

absl::StatusOr<LogContents> ReadWriteAheadLog(const std::string& path,
                                              std::int64_t page_size) {
  LogContents contents;
  contents.page_size = page_size;
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    if (errno == ENOENT) return contents;
    return StoreFileError("cannot read", path, errno);
  }
  struct stat entry {};
  if (fstat(file.get(), &entry) != 0) {
    return StoreFileError("cannot look at", path, errno);
  }
  contents.bytes = entry.st_size;
  if (contents.bytes == 0) return contents;
  VERNIER_RETURN_IF_ERROR(
      LogReader(file.get(), path, &contents).Read(page_size));
  return contents;
}

std::optional<LogNote> JudgeLog(const std::string& path,
                                const LogContents& contents,
                                const std::optional<LogMark>& mark) {
  // The mark is written after the sync, so it never claims too much.
  const bool is_promised = mark.has_value() && mark->frames > 0;
  if (is_promised && (contents.bytes == 0 || contents.salt != mark->salt ||
                      contents.committed_frames < mark->frames)) {
    const std::int64_t found = contents.bytes > 0 && contents.salt == mark->salt
                                   ? contents.committed_frames
                                   : 0;
    return LogNote{
        true, Early(path, absl::StrCat(
                              mark->frames, " pages were acknowledged, ", found,
                              " of them are there: the last writes before ",
                              "the service ended are lost, or a backup was ",
                              "restored"))};
  }
  if (!contents.damaged_offset.has_value()) return std::nullopt;
  const std::string place =
      absl::StrCat("it does not match its checksum from byte ",
                   *contents.damaged_offset, " of ", contents.bytes, " on");
  if (contents.lost_synced_commit) {
    return LogNote{
        true, Early(path, absl::StrCat(place, ", and what lies behind was ",
                                       "acknowledged: those writes are lost"))};
  }
  // All acknowledged frames are there. The rest was never acknowledged.
  if (is_promised) return std::nullopt;
  return LogNote{
      false,
      Early(path,
            absl::StrCat(place, ". That is normal after a loss of power, for ",
                         "a write that nobody was told of"))};
}

}  // namespace vernier
