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
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/regular_file.h"
#include "cluster/small_file.h"

namespace vernier {
namespace {

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

// Where the last `max_lines` lines of `text` begin. A newline at the very end
// closes the last line; it does not begin another.
std::size_t BeginOfLastLines(const std::string& text, std::size_t max_lines) {
  std::size_t at = text.size();
  if (at > 0 && text[at - 1] == '\n') --at;
  for (std::size_t lines = 0; at > 0; --at) {
    if (text[at - 1] == '\n' && ++lines == max_lines) return at;
  }
  return 0;
}

// The files of each log below a directory: offset of the first byte -> size.
struct Pieces {
  std::map<std::int64_t, std::string> paths;
};

std::map<std::string, Pieces> ListPieces(const std::string& log_dir) {
  std::map<std::string, Pieces> logs;
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(log_dir.c_str()),
                                                &::closedir);
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

// Reads up to `limit` bytes from `position`; shorter at the file's end.
absl::StatusOr<std::string> ReadAt(const std::string& path,
                                   std::int64_t position, std::size_t limit) {
  const RegularFile file = OpenRegularFile(path, O_RDONLY | O_NOFOLLOW);
  if (!file.fd.is_open()) {
    return absl::ErrnoToStatus(file.error, "cannot open " + path);
  }
  std::string data(limit, '\0');
  std::size_t size = 0;
  while (size < limit) {
    const ssize_t n =
        ::pread(file.fd.get(), data.data() + size, limit - size,
                static_cast<off_t>(position + static_cast<off_t>(size)));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return absl::ErrnoToStatus(errno, "cannot read " + path);
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
  }
  data.resize(size);
  return data;
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
      // There is a gap. The bytes before it are an answer of their own.
      if (!part.data.empty()) break;
      part.offset = piece->first;
    }
    const std::int64_t begin =
        part.offset + static_cast<std::int64_t>(part.data.size());
    VERNIER_ASSIGN_OR_RETURN(
        const std::string data,
        ReadAt(piece->second, begin - piece->first, limit - part.data.size()));
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
  return ReplicaLogWriter(path, cap_bytes, std::move(file.fd));
}

ReplicaLogWriter::ReplicaLogWriter(std::string path, std::int64_t cap_bytes,
                                   UniqueFd file)
    : path_(std::move(path)),
      head_bytes_(cap_bytes / 2),
      segment_bytes_(std::max<std::int64_t>(
          cap_bytes / 2 / static_cast<std::int64_t>(kKeptSegments), 1)),
      file_(std::move(file)),
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
  ReplicaLogWriter writer(log_dir + "/" + name + kSuffix, cap_bytes,
                          std::move(file.fd));
  writer.end_ = offset + size;
  if (offset > 0) writer.file_end_ = offset + writer.segment_bytes_;
  // With another cap it may hold more than its part.
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

void ReplicaLogWriter::Roll() {
  if (segments_.size() == kKeptSegments) {
    ::unlink(segments_.front().c_str());
    segments_.pop_front();
  }
  const std::string path = SegmentPath(path_, end_);
  file_ = std::move(OpenRegularFile(path, kNewFile, 0600).fd);
  segments_.push_back(path);
  file_end_ = end_ + segment_bytes_;
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
  while (size > 0) {
    if (end_ == file_end_) Roll();
    const std::size_t part = static_cast<std::size_t>(std::min<std::int64_t>(
        file_end_ - end_, static_cast<std::int64_t>(size)));
    // A failed write leaves a hole in the file instead of the lost bytes, so
    // that later ones keep their position.
    const ssize_t written =
        file_.is_open() ? ::write(file_.get(), data, part) : -1;
    if (written != static_cast<ssize_t>(part) && file_.is_open()) {
      const std::int64_t lost =
          static_cast<std::int64_t>(part) - std::max<ssize_t>(written, 0);
      ::lseek(file_.get(), static_cast<off_t>(lost), SEEK_CUR);
    }
    end_ += static_cast<std::int64_t>(part);
    data += part;
    size -= part;
  }
}

std::string ReplicaLogWriter::LastLines(std::size_t max_lines,
                                        std::size_t max_bytes) const {
  const std::size_t longest = std::min(max_bytes, kTailBytes);
  const std::string tail =
      tail_.size() > longest ? tail_.substr(tail_.size() - longest) : tail_;
  return tail.substr(BeginOfLastLines(tail, max_lines));
}

std::vector<ReplicaLogInfo> ListReplicaLogs(const std::string& attempt_dir) {
  std::vector<ReplicaLogInfo> logs;
  for (const auto& [name, pieces] : ListPieces(LogDirectory(attempt_dir))) {
    ReplicaLogInfo info;
    info.replica = name;
    const auto& [offset, path] = *pieces.paths.rbegin();
    struct stat status;
    info.end = offset;
    if (::stat(path.c_str(), &status) == 0) info.end += status.st_size;
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
  // A piece may be dropped between the listing and the read; then look again.
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
