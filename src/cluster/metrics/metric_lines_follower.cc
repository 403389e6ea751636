#include "cluster/metrics/metric_lines_follower.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
static_assert(kChunk > kMaxMetricLine);

}  // namespace

bool MetricLinesFollower::Read(int directory, LastLine last_line, bool may_skip,
                               MetricReading& fresh) {
  // Nobody else can enter the folder that the directory is in.
  const MetricFile file =
      OpenMetricFile(directory, name_.c_str(), "the file of VERNIER_METRICS",
                     FileOwner::kAnyone);
  fresh.is_partial |= file.is_shortage;
  if (!file.problem.empty()) AddProblem(file.problem, fresh.problems);
  if (!file.fd.is_open()) return file.is_shortage;
  const FileState stamp = StateOf(file.info);
  if (may_skip && stamp == stamp_) return false;
  // The program may have replaced the file, or begun it anew.
  const bool is_another =
      stamp_.size >= 0 &&
      (stamp.inode != stamp_.inode ||
       static_cast<std::uint64_t>(stamp.size) < reader_.offset());
  // What stands in it now came later than what stood in it before.
  if (is_another) reader_ = MetricLinesReader(0, reader_.time());
  stamp_ = stamp;

  const std::string bytes = ReadAt(file.fd.get(), reader_.offset(), kChunk);
  const std::uint64_t before = reader_.offset();
  // Only the file's very end can be a line without its newline.
  const bool is_end =
      before + bytes.size() >= static_cast<std::uint64_t>(file.info.st_size);
  FileReading reading =
      reader_.Read(bytes, is_end ? last_line : LastLine::kMayGrow);
  for (Measurement& measurement : reading.measurements) {
    measurement.metric = absl::StrCat(prefix_, measurement.metric);
    measurement.road = MetricRoad::kMetricFile;
    fresh.measurements.push_back(std::move(measurement));
  }
  for (std::string& problem : reading.problems) {
    AddProblem(std::move(problem), fresh.problems);
  }
  const bool has_more =
      reading.has_more || (!is_end && reader_.offset() > before);
  fresh.has_more |= has_more;
  return has_more;
}

}  // namespace vernier
