#include "cluster/kubernetes/pod_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/regular_file.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "base/timestamp_text.h"
#include "cluster/kubernetes/attempt_mark.h"

namespace vernier {
namespace {

// A log stream can only be resumed by time, with a resolution of a second, so
// the server sends some lines again. The position therefore has the time of the
// newest line, the number of lines with just that time, and the bytes of an
// unfinished line; a new stream skips what the position covers. The position is
// written after the log, so the bytes that the log has beyond it (skip_bytes_)
// are skipped, too.

// No time in a log is longer than this.
constexpr std::size_t kMaxTime = 48;
constexpr std::size_t kRecordBytes = 100;
constexpr std::int64_t kPerMicrosecond = 1000;
constexpr std::int64_t kPerSecond = 1000000000;

std::string FormatSecond(std::int64_t time) {
  const Timestamp second{
      std::chrono::microseconds(time / kPerSecond * 1000 * 1000)};
  // This is "2026-02-03T04:05:06.000000Z" without the fraction.
  return FormatTimestamp(second).substr(0, 19) + "Z";
}

}  // namespace

std::int64_t ParseLogTime(std::string_view text) {
  if (text.size() < 20 || text.size() > kMaxTime || text[10] != 'T') return 0;
  const std::optional<Timestamp> time = ParseTimestamp(text);
  if (!time.has_value()) return 0;
  std::int64_t nanoseconds = time->time_since_epoch().count() * kPerMicrosecond;
  // Adds the digits past microseconds.
  const std::size_t point = text.find('.');
  std::int64_t scale = 100;
  for (std::size_t i = point + 7;
       point != std::string_view::npos && i < text.size() && scale > 0 &&
       text[i] >= '0' && text[i] <= '9';
       ++i, scale /= 10) {
    nanoseconds += (text[i] - '0') * scale;
  }
  return nanoseconds;
}

absl::StatusOr<PodLog> PodLog::Open(const std::string& attempt_dir,
                                    ReplicaId replica, std::int64_t cap_bytes) {
  const std::string name = ReplicaName(replica);
  const std::string log_dir = LogDirectory(attempt_dir);
  VERNIER_RETURN_IF_ERROR(MakeDirectories(log_dir));
  VERNIER_RETURN_IF_ERROR(MakeDirectories(KubernetesFolder(attempt_dir)));
  VERNIER_ASSIGN_OR_RETURN(
      ReplicaLogWriter log,
      ReplicaLogWriter::Resume(attempt_dir, name, cap_bytes));
  VERNIER_ASSIGN_OR_RETURN(LogTimesWriter times,
                           LogTimesWriter::Resume(log_dir, name));
  const std::string path =
      absl::StrCat(KubernetesFolder(attempt_dir), "/", name, ".position");
  RegularFile position = OpenRegularFile(path, O_RDWR | O_CREAT, 0600);
  if (!position.fd.is_open()) {
    return absl::ErrnoToStatus(position.error, "cannot open " + path);
  }
  PodLog pod_log(std::move(log), std::move(times), std::move(position.fd));
  pod_log.ReadPosition();
  return pod_log;
}

void PodLog::ReadPosition() {
  std::array<char, kRecordBytes + 1> text{};
  const ssize_t size =
      ::pread(position_file_.get(), text.data(), kRecordBytes, 0);
  std::int64_t end = 0;
  PodLogPosition position;
  if (size <= 0 ||
      std::sscanf(text.data(), "%" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64,
                  &end, &position.time, &position.lines,
                  &position.bytes) != 4) {
    // The bytes in the log were written before the first position was noted.
    skip_bytes_ = log_.end();
    return;
  }
  position_ = position;
  skip_bytes_ = std::max<std::int64_t>(log_.end() - end, 0);
}

void PodLog::WritePosition() {
  std::array<char, kRecordBytes> text{};
  std::snprintf(text.data(), text.size(),
                "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", log_.end(),
                position_.time, position_.lines, position_.bytes);
  // One write, so that another process finds either the old record or the new
  // one. If it fails, lines may appear twice after a restart.
  [[maybe_unused]] const ssize_t written =
      ::pwrite(position_file_.get(), text.data(), text.size(), 0);
}

std::string PodLog::BeginStream() {
  skip_ = position_;
  lines_at_skip_time_ = 0;
  is_in_line_ = false;
  head_.clear();
  std::string query = "timestamps=true";
  // The server rounds the time down to a second.
  if (position_.time > 0) {
    absl::StrAppend(&query, "&sinceTime=", FormatSecond(position_.time));
  }
  return query;
}

void PodLog::Take(std::string_view data) {
  while (!data.empty()) {
    const std::size_t newline = data.find('\n');
    std::string_view part = data.substr(0, newline);
    if (!is_in_line_) {
      // The head of a line is its time and the blank after it.
      const std::size_t blank = part.find(' ');
      const std::size_t room = kMaxTime + 1 - head_.size();
      const std::size_t taken =
          std::min({part.size(), room,
                    blank == std::string_view::npos ? part.size() : blank + 1});
      head_.append(part.substr(0, taken));
      part.remove_prefix(taken);
      data.remove_prefix(taken);
      const bool is_whole = head_.size() > kMaxTime ||
                            (!head_.empty() && head_.back() == ' ') ||
                            (part.empty() && newline != std::string_view::npos);
      if (!is_whole) break;
      BeginLine();
    }
    TakeContent(part);
    data.remove_prefix(part.size());
    if (newline == std::string_view::npos) continue;
    data.remove_prefix(1);
    EndLine();
  }
  log_.Append(pending_.data(), pending_.size());
  pending_.clear();
  WritePosition();
}

void PodLog::BeginLine() {
  is_in_line_ = true;
  std::string_view word = head_;
  if (!word.empty() && word.back() == ' ') word.remove_suffix(1);
  const std::int64_t time = ParseLogTime(word);
  skip_in_line_ = 0;
  // Earlier lines were taken from an earlier stream. A line without a time
  // belongs to the line before it.
  const bool was_before = time != 0 && time < skip_.time;
  const bool is_at = time != 0 && time == skip_.time;
  skips_line_ = was_before || (is_at && lines_at_skip_time_ < skip_.lines);
  if (is_at && lines_at_skip_time_ == skip_.lines) skip_in_line_ = skip_.bytes;
  if (is_at) ++lines_at_skip_time_;
  if (!skips_line_) {
    if (time > position_.time) position_ = {time, 0, 0};
    // The two output streams of one program may be slightly out of order.
    counts_line_ = time == 0 || time == position_.time;
    if (counts_line_) position_.bytes = skip_in_line_;
    if (time != 0) {
      const std::int64_t end =
          log_.end() + static_cast<std::int64_t>(pending_.size());
      times_.Note(end,
                  Timestamp(std::chrono::microseconds(time / kPerMicrosecond)));
    }
  }
  const std::string content = time == 0 ? head_ : "";
  head_.clear();
  TakeContent(content);
}

void PodLog::TakeContent(std::string_view content) {
  if (skips_line_) return;
  // These bytes of the line came with an earlier stream.
  const std::size_t known = static_cast<std::size_t>(std::min<std::int64_t>(
      skip_in_line_, static_cast<std::int64_t>(content.size())));
  skip_in_line_ -= static_cast<std::int64_t>(known);
  content.remove_prefix(known);
  if (counts_line_) {
    position_.bytes += static_cast<std::int64_t>(content.size());
  }
  // These bytes were written by an earlier process that did not note them.
  const std::size_t written = static_cast<std::size_t>(std::min<std::int64_t>(
      skip_bytes_, static_cast<std::int64_t>(content.size())));
  skip_bytes_ -= static_cast<std::int64_t>(written);
  content.remove_prefix(written);
  pending_.append(content);
}

void PodLog::EndLine() {
  TakeContent("\n");
  is_in_line_ = false;
  if (skips_line_ || !counts_line_) return;
  ++position_.lines;
  position_.bytes = 0;
}

}  // namespace vernier
