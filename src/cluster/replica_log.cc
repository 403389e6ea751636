#include "cluster/replica_log.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/folder_stream.h"
#include "base/regular_file.h"
#include "base/small_file.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

// A log consists of a head file, which is never dropped, and a ring of segments
// behind it, of which Roll deletes the oldest. Positions count the whole
// output, so a reader that finds a gap continues at the next file. A program
// can lengthen the file of its log to any size; therefore readers skip holes by
// SEEK_DATA instead of reading zeros.

constexpr std::size_t kTailBytes = 16384;
constexpr std::size_t kKeptSegments = 4;
constexpr std::int64_t kLookBack = 1 << 20;
constexpr char kSuffix[] = ".log";
constexpr int kNewFile = O_WRONLY | O_CREAT | O_TRUNC;

std::string SegmentPath(const std::string& head, std::int64_t offset) {
  char digits[32];
  std::snprintf(digits, sizeof(digits), ".%020lld",
                static_cast<long long>(offset));
  return head + digits;
}

// Returns where the last `max_lines` lines of `text` begin. A newline at the
// very end closes the last line; it does not begin another.
std::size_t BeginOfLastLines(const std::string& text, std::size_t max_lines) {
  std::size_t at = text.size();
  if (at > 0 && text[at - 1] == '\n') --at;
  for (std::size_t lines = 0; at > 0; --at) {
    if (text[at - 1] == '\n' && ++lines == max_lines) return at;
  }
  return 0;
}

// The files of one log, by the offset of their first byte.
struct Pieces {
  std::map<std::int64_t, std::string> paths;
};

std::map<std::string, Pieces> ListPieces(const std::string& log_dir) {
  std::map<std::string, Pieces> logs;
  const FolderStream dir(::opendir(log_dir.c_str()));
  if (dir == nullptr) return logs;
  while (const dirent* entry = ::readdir(dir.get())) {
    const std::string name = entry->d_name;
    const std::size_t suffix = name.find(kSuffix);
    if (suffix == std::string::npos) continue;
    const std::string rest = name.substr(suffix + sizeof(kSuffix) - 1);
    std::int64_t offset = 0;
    if (!rest.empty()) {
      const char* end = rest.data() + rest.size();
      if (rest.front() != '.' ||
          std::from_chars(rest.data() + 1, end, offset).ptr != end) {
        continue;
      }
    }
    logs[name.substr(0, suffix)].paths[offset] =
        absl::StrCat(log_dir, "/", name);
  }
  return logs;
}

bool IsReplicaName(const std::string& name) {
  return !name.empty() && name.front() != '.' &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") ==
             std::string::npos;
}

// Returns whether the file may have holes; also true for a file that its file
// system compresses.
bool HasHoles(const struct stat& info) {
  constexpr std::int64_t kBlock = 512;  // Of st_blocks.
  return info.st_blocks * kBlock < info.st_size;
}

// Reads up to `limit` bytes from `position`; fewer at the file's end.
absl::StatusOr<std::string> ReadBytes(int fd, const std::string& path,
                                      std::int64_t position,
                                      std::size_t limit) {
  std::string data(limit, '\0');
  std::size_t size = 0;
  while (size < limit) {
    const ssize_t n =
        ::pread(fd, data.data() + size, limit - size,
                static_cast<off_t>(position + static_cast<off_t>(size)));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return absl::ErrnoToStatus(errno, "cannot read " + path);
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
  }
  data.resize(size);
  return data;
}

// Reads likewise from `*position`. The writer leaves no holes, so a hole comes
// from a program that has lengthened the file: a position in a hole is moved to
// the data behind it. Until there are such data, further output of the writer
// precedes the hole.
absl::StatusOr<std::string> ReadAt(const std::string& path,
                                   std::int64_t* position, std::size_t limit) {
  const RegularFile file = OpenRegularFile(path, O_RDONLY | O_NOFOLLOW);
  if (!file.fd.is_open()) {
    return absl::ErrnoToStatus(file.error, "cannot open " + path);
  }
  const int fd = file.fd.get();
  if (!HasHoles(file.info)) return ReadBytes(fd, path, *position, limit);
  const auto end = static_cast<std::uint64_t>(file.info.st_size);
  auto from = static_cast<std::uint64_t>(*position);
  constexpr int kMostParts = 1000;
  for (int i = 0; i < kMostParts && from < end; ++i) {
    from = FindData(fd, from, end);
    if (from == end) break;
    VERNIER_ASSIGN_OR_RETURN(
        std::string data,
        ReadBytes(fd, path, static_cast<std::int64_t>(from), limit));
    // Files have data in blocks: the unwritten part of a block reads as zeros,
    // too.
    data.resize(data.find_last_not_of('\0') + 1);
    if (!data.empty()) {
      *position = static_cast<std::int64_t>(from);
      return data;
    }
    const off_t hole = ::lseek(fd, static_cast<off_t>(from), SEEK_HOLE);
    if (hole < 0) break;
    from = static_cast<std::uint64_t>(hole);
  }
  return std::string();
}

// Returns the end of a file's data; a program may have lengthened the file to
// terabytes without any.
std::int64_t EndOfData(const std::string& path) {
  const RegularFile file = OpenRegularFile(path, O_RDONLY | O_NOFOLLOW);
  if (!file.fd.is_open()) return 0;
  const std::int64_t size = file.info.st_size;
  if (!HasHoles(file.info)) return size;
  constexpr int kMostHoles = 10'000;
  std::int64_t end = 0;
  for (int i = 0; i < kMostHoles; ++i) {
    const off_t data = ::lseek(file.fd.get(), end, SEEK_DATA);
    if (data < 0) return errno == ENXIO ? end : size;
    const off_t hole = ::lseek(file.fd.get(), data, SEEK_HOLE);
    if (hole < 0) return size;
    end = hole;
  }
  return size;
}

// Reads the pieces that exist now. NOT_FOUND if one vanished during the read,
// because the writer dropped it; the caller tries again.
absl::StatusOr<ReplicaLogPart> ReadPieces(const Pieces& pieces,
                                          std::int64_t offset,
                                          std::size_t limit) {
  ReplicaLogPart part;
  part.offset = offset;
  for (auto piece = pieces.paths.begin(); piece != pieces.paths.end();
       ++piece) {
    const auto next = std::next(piece);
    const std::int64_t position =
        part.offset + static_cast<std::int64_t>(part.data.size());
    if (next != pieces.paths.end() && next->first <= position) continue;
    if (piece->first > position) {
      // There is a gap. The bytes before it are returned by themselves.
      if (!part.data.empty()) break;
      part.offset = piece->first;
    }
    const std::int64_t begin =
        part.offset + static_cast<std::int64_t>(part.data.size());
    std::int64_t in_piece = begin - piece->first;
    VERNIER_ASSIGN_OR_RETURN(
        const std::string data,
        ReadAt(piece->second, &in_piece, limit - part.data.size()));
    if (piece->first + in_piece > begin) {
      // A hole is treated like a gap.
      if (!part.data.empty()) break;
      part.offset = piece->first + in_piece;
    }
    part.data += data;
    if (part.data.size() == limit) break;
  }
  part.next_offset = part.offset + static_cast<std::int64_t>(part.data.size());
  return part;
}

}  // namespace

std::string LogDirectory(const std::string& attempt_dir) {
  return attempt_dir + "/logs";
}

absl::StatusOr<ReplicaLogWriter> ReplicaLogWriter::Create(
    const std::string& log_dir, const std::string& name,
    std::int64_t cap_bytes) {
  const std::string path = log_dir + "/" + name + kSuffix;
  RegularFile file = OpenRegularFile(path, kNewFile, 0600);
  if (!file.fd.is_open()) {
    return absl::ErrnoToStatus(file.error, "cannot create " + path);
  }
  VERNIER_ASSIGN_OR_RETURN(LostOutputFile lost,
                           LostOutputFile::Open(log_dir, name));
  return ReplicaLogWriter(path, cap_bytes, std::move(file.fd), std::move(lost));
}

ReplicaLogWriter::ReplicaLogWriter(std::string path, std::int64_t cap_bytes,
                                   UniqueFd file, LostOutputFile lost)
    : path_(std::move(path)),
      head_bytes_(cap_bytes / 2),
      segment_bytes_(std::max<std::int64_t>(
          cap_bytes / 2 / static_cast<std::int64_t>(kKeptSegments), 1)),
      file_(std::move(file)),
      lost_(std::move(lost)),
      file_end_(head_bytes_) {}

absl::StatusOr<ReplicaLogWriter> ReplicaLogWriter::Resume(
    const std::string& attempt_dir, const std::string& name,
    std::int64_t cap_bytes) {
  const std::string log_dir = LogDirectory(attempt_dir);
  const std::map<std::string, Pieces> logs = ListPieces(log_dir);
  const auto found = logs.find(name);
  if (found == logs.end() || found->second.paths.begin()->first != 0) {
    return Create(log_dir, name, cap_bytes);
  }
  const auto& [offset, path] = *found->second.paths.rbegin();
  RegularFile file = OpenRegularFile(path, O_WRONLY);
  if (!file.fd.is_open()) {
    return absl::ErrnoToStatus(file.error, "cannot open " + path);
  }
  const off_t size = ::lseek(file.fd.get(), 0, SEEK_END);
  if (size < 0) return absl::ErrnoToStatus(errno, "cannot open " + path);
  VERNIER_ASSIGN_OR_RETURN(LostOutputFile lost,
                           LostOutputFile::Open(log_dir, name));
  ReplicaLogWriter writer(log_dir + "/" + name + kSuffix, cap_bytes,
                          std::move(file.fd), std::move(lost));
  writer.end_ = offset + size;
  writer.is_line_lost_ = writer.lost().unmarked > 0;
  if (offset > 0) writer.file_end_ = offset + writer.segment_bytes_;
  // An earlier writer with another cap may have written more than this part.
  writer.file_end_ = std::max(writer.file_end_, writer.end_);
  for (const auto& [begin, piece] : found->second.paths) {
    if (begin > 0) writer.segments_.push_back(piece);
  }
  const std::int64_t tail = static_cast<std::int64_t>(kTailBytes);
  VERNIER_ASSIGN_OR_RETURN(
      ReplicaLogPart part,
      ReadReplicaLog(attempt_dir, name,
                     std::max<std::int64_t>(writer.end_ - tail, 0),
                     kTailBytes));
  writer.tail_ = std::move(part.data);
  return writer;
}

// Starts a new segment. Returns false if there is no room for another file now.
bool ReplicaLogWriter::Roll() {
  if (segments_.size() == kKeptSegments) {
    ::unlink(segments_.front().c_str());
    segments_.pop_front();
  }
  const std::string path = SegmentPath(path_, end_);
  RegularFile file = OpenRegularFile(path, kNewFile, 0600);
  if (!file.fd.is_open()) {
    errno = file.error;
    return false;
  }
  file_ = std::move(file.fd);
  segments_.push_back(path);
  file_end_ = end_ + segment_bytes_;
  return true;
}

// Returns how many bytes were written; if not all, errno has the reason.
std::size_t ReplicaLogWriter::Write(const char* data, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    if (end_ == file_end_ && !Roll()) break;
    const auto part = static_cast<std::size_t>(std::min<std::int64_t>(
        file_end_ - end_, static_cast<std::int64_t>(size - done)));
    const ssize_t written = ::write(file_.get(), data + done, part);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    end_ += written;
    done += static_cast<std::size_t>(written);
  }
  return done;
}

void ReplicaLogWriter::Lose(const char* data, std::size_t size) {
  if (size == 0) return;
  lost_.Add(static_cast<std::int64_t>(size), errno);
  is_line_lost_ = data[size - 1] != '\n' && data[size - 1] != '\r';
}

void ReplicaLogWriter::Mark() {
  if (lost().unmarked == 0) return;
  const std::string mark = absl::StrCat(
      "[vernier: ", DescribeLostOutput(lost().unmarked, lost().error), "]\n");
  // A part of a mark would be useless, so a mark is written whole, except that
  // it may continue in the next file.
  if (end_ == file_end_ && !Roll()) return;
  const std::int64_t begin = end_;
  const std::int64_t room = file_end_ - end_;
  const std::size_t written = Write(mark.data(), mark.size());
  if (written == mark.size()) {
    lost_.SetMarked();
  } else if (static_cast<std::int64_t>(written) < room) {
    TakeBack(begin);
  }
}

// Shortens the current file to its size when the log ended at `end`.
void ReplicaLogWriter::TakeBack(std::int64_t end) {
  const off_t size =
      ::lseek(file_.get(), 0, SEEK_CUR) - static_cast<off_t>(end_ - end);
  if (size < 0 || ::ftruncate(file_.get(), size) != 0) return;
  ::lseek(file_.get(), size, SEEK_SET);
  end_ = end;
}

void ReplicaLogWriter::Append(const char* data, std::size_t size) {
  if (size >= kTailBytes) {
    tail_.assign(data + size - kTailBytes, kTailBytes);
  } else {
    tail_.append(data, size);
    if (tail_.size() > 2 * kTailBytes) {
      tail_.erase(0, tail_.size() - kTailBytes);
    }
  }
  if (is_line_lost_) {
    // The rest of a line whose beginning was lost would look like a complete
    // line.
    const std::string_view text(data, size);
    const std::size_t end = std::min(text.find_first_of("\r\n"), size - 1) + 1;
    Lose(data, end);
    data += end;
    size -= end;
    if (is_line_lost_) return;
  }
  Mark();
  const std::size_t written = lost().unmarked == 0 ? Write(data, size) : 0;
  Lose(data + written, size - written);
}

std::string ReplicaLogWriter::LastLines(std::size_t max_lines,
                                        std::size_t max_bytes) const {
  const std::size_t longest = std::min(max_bytes, kTailBytes);
  const std::string tail =
      tail_.size() > longest ? tail_.substr(tail_.size() - longest) : tail_;
  return tail.substr(BeginOfLastLines(tail, max_lines));
}

void MarkLostOutput(const std::string& attempt_dir, std::int64_t cap_bytes) {
  for (const ReplicaLogInfo& log : ListReplicaLogs(attempt_dir)) {
    if (ReadLostOutput(LogDirectory(attempt_dir), log.replica).unmarked == 0)
      continue;
    auto writer = ReplicaLogWriter::Resume(attempt_dir, log.replica, cap_bytes);
    if (writer.ok()) writer->Mark();
  }
}

std::vector<ReplicaLogInfo> ListReplicaLogs(const std::string& attempt_dir) {
  std::vector<ReplicaLogInfo> logs;
  for (const auto& [name, pieces] : ListPieces(LogDirectory(attempt_dir))) {
    ReplicaLogInfo info;
    info.replica = name;
    const auto& [offset, path] = *pieces.paths.rbegin();
    info.end = offset + EndOfData(path);
    logs.push_back(std::move(info));
  }
  return logs;
}

absl::StatusOr<ReplicaLogPart> ReadReplicaLog(const std::string& attempt_dir,
                                              const std::string& replica,
                                              std::int64_t offset,
                                              std::size_t limit) {
  if (!IsReplicaName(replica) || offset < 0) {
    return absl::InvalidArgumentError(
        "not a position in a replica's log: replica=" + replica +
        " offset=" + std::to_string(offset));
  }
  // A piece may be dropped between the listing and the read; then both are
  // repeated.
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    const std::map<std::string, Pieces> logs =
        ListPieces(LogDirectory(attempt_dir));
    const auto found = logs.find(replica);
    if (found == logs.end()) {
      return absl::NotFoundError("there is no log of " + replica);
    }
    absl::StatusOr<ReplicaLogPart> part =
        ReadPieces(found->second, offset, limit);
    if (!absl::IsNotFound(part.status())) return part;
  }
  return absl::UnavailableError("the log is written faster than it is read");
}

absl::StatusOr<std::int64_t> FindLastLines(const std::string& attempt_dir,
                                           const std::string& replica,
                                           int lines) {
  std::int64_t end = 0;
  for (const ReplicaLogInfo& info : ListReplicaLogs(attempt_dir)) {
    if (info.replica == replica) end = info.end;
  }
  VERNIER_ASSIGN_OR_RETURN(
      ReplicaLogPart part,
      ReadReplicaLog(attempt_dir, replica,
                     std::max<std::int64_t>(0, end - kLookBack),
                     static_cast<std::size_t>(kLookBack)));
  if (lines <= 0) return part.next_offset;
  return part.offset + static_cast<std::int64_t>(BeginOfLastLines(
                           part.data, static_cast<std::size_t>(lines)));
}

}  // namespace vernier
