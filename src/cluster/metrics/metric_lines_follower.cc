#include "cluster/metrics/metric_lines_follower.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/regular_file.h"

namespace vernier {
namespace {

constexpr std::size_t kLinesChunk = std::size_t{1} << 20;
static_assert(kLinesChunk > kMaxMetricLine);

}  // namespace

bool MetricLinesFollower::Read(int directory, LastLine last_line, bool may_skip,
                               MetricReading& fresh) {
  // Only the attempt's programs can enter the directory's parent folder.
  const MetricFile file =
      OpenMetricFile(directory, name_.c_str(), "the file of VERNIER_METRICS",
                     FileOwner::kAnyone);
  fresh.is_partial |= file.is_shortage;
  if (!file.problem.empty()) AddProblem(file.problem, fresh.problems);
  if (!file.fd.is_open()) return file.is_shortage;
  const FileState stamp = StateOf(file.info);
  if (may_skip && stamp == stamp_) return false;
  // The program may have replaced the file, or started it again.
  const bool is_another =
      stamp_.size >= 0 &&
      (stamp.inode != stamp_.inode ||
       static_cast<std::uint64_t>(stamp.size) < reader_.offset());
  const bool is_final = last_line == LastLine::kIsDone;
  // Lines do not count if a process that outlived the attempt wrote them.
  if (is_final && end_ && is_another) return false;
  if (is_final && !end_) end_ = stamp;
  // The new contents are later than the old ones.
  if (is_another) reader_ = MetricLinesReader(0, reader_.time(), metrics_);
  stamp_ = stamp;

  const auto size = static_cast<std::uint64_t>(
      is_final ? std::min(stamp.size, end_->size) : stamp.size);
  FileReading reading = ReadPart(file.fd.get(), size, last_line);
  for (Measurement& measurement : reading.measurements) {
    measurement.metric = absl::StrCat(prefix_, measurement.metric);
    measurement.road = MetricRoad::kMetricFile;
    fresh.measurements.push_back(std::move(measurement));
  }
  for (std::string& problem : reading.problems) {
    AddProblem(std::move(problem), fresh.problems);
  }
  for (auto& [name, value] : reading.attributes) {
    fresh.attributes.insert_or_assign(absl::StrCat(prefix_, name),
                                      std::move(value));
  }
  if (is_final && prefix_.empty() && !reader_.later_miss().empty()) {
    for (const std::string& metric : metrics_) {
      fresh.later_misses.push_back(
          {metric, MetricRoad::kMetricFile, reader_.later_miss()});
    }
  }
  fresh.has_more |= reading.has_more;
  return reading.has_more;
}

// Continues in the file, of which the first `size` bytes count.
FileReading MetricLinesFollower::ReadPart(int fd, std::uint64_t size,
                                          LastLine last_line) {
  FileReading skipped;
  const std::uint64_t before = reader_.offset();
  if (before >= size) return skipped;
  if (last_line == LastLine::kIsDone) SkipBacklog(size, skipped);
  reader_.SkipHole(FindData(fd, reader_.offset(), size), skipped);
  const std::string bytes =
      ReadAt(fd, reader_.offset(),
             std::min<std::uint64_t>(kLinesChunk, size - reader_.offset()));
  if (last_line == LastLine::kIsDone) read_at_end_ += bytes.size();
  // Only the last line of the whole file may lack its newline.
  const bool is_end = reader_.offset() + bytes.size() >= size;
  FileReading reading =
      reader_.Read(bytes, is_end ? last_line : LastLine::kMayGrow);
  for (std::string& problem : skipped.problems) {
    AddProblem(std::move(problem), reading.problems);
  }
  reading.has_more |= !is_end && reader_.offset() > before;
  return reading;
}

void MetricLinesFollower::SkipBacklog(std::uint64_t size,
                                      FileReading& reading) {
  const std::uint64_t left = size - reader_.offset();
  if (read_at_end_ < max_backlog_ || left <= max_backlog_) return;
  const std::uint64_t skipped = left - max_backlog_;
  AddProblem(
      absl::StrCat("of the file of VERNIER_METRICS, ", skipped,
                   " bytes were left out: of what it has when the trial ends "
                   "and could not be read before, the first and the last ",
                   max_backlog_, " bytes are read"),
      reading.problems);
  reader_.SkipTo(reader_.offset() + skipped);
}

}  // namespace vernier
