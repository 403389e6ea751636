#include "cluster/metrics/stdout_follower.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cluster/metrics/thinning.h"
#include "cluster/replica.h"
#include "cluster/replica_log.h"

namespace vernier {
namespace {

constexpr std::size_t kChunk = std::size_t{256} << 10;
// Of one Read, so that a talkative program does not hold up the others.
constexpr int kMaxChunks = 16;

}  // namespace

void StdoutFollower::Give(std::vector<Measurement> measurements, SteadyTime now,
                          MetricReading& fresh) {
  if (measurements.empty()) return;
  if (last_given_) {
    const double seconds =
        std::chrono::duration<double>(now - *last_given_).count();
    allowance_ =
        std::min(kPrintedAtFirst, allowance_ + seconds * kPrintedPerSecond);
  }
  last_given_ = now;
  for (Measurement& measurement :
       Thinned(std::move(measurements), static_cast<std::size_t>(allowance_))) {
    allowance_ = std::max(0.0, allowance_ - 1);
    measurement.road = MetricRoad::kStdout;
    fresh.measurements.push_back(std::move(measurement));
  }
}

void StdoutFollower::Read(const std::string& attempt_dir, LastLine last_line,
                          const Clock& clock, MetricReading& fresh) {
  const std::string chief = ReplicaName({ReplicaRole::kMaster, 0});
  // Most logs are short, and most looks at them find nothing new.
  struct stat info;
  const std::string path =
      absl::StrCat(LogDirectory(attempt_dir), "/", chief, ".log");
  if (::stat(path.c_str(), &info) != 0) return;
  const FileState stamp = StateOf(info);
  const bool is_unchanged =
      stamp == stamp_ &&
      reader_.offset() == static_cast<std::uint64_t>(info.st_size);
  if (is_unchanged && last_line == LastLine::kMayGrow) return;
  stamp_ = stamp;

  std::vector<Measurement> measurements;
  bool is_all = false;
  for (int i = 0; i < kMaxChunks && !is_all; ++i) {
    const auto part =
        ReadReplicaLog(attempt_dir, chief,
                       static_cast<std::int64_t>(reader_.offset()), kChunk);
    if (!part.ok()) {
      is_all = true;  // It is looked for again at the next interval.
      break;
    }
    reader_.SkipTo(static_cast<std::uint64_t>(part->offset));
    const bool is_end = part->data.empty();
    FileReading reading = reader_.Read(
        part->data, is_end ? last_line : LastLine::kMayGrow, clock.Now());
    std::move(reading.measurements.begin(), reading.measurements.end(),
              std::back_inserter(measurements));
    for (std::string& problem : reading.problems) {
      AddProblem(std::move(problem), fresh.problems);
    }
    is_all = is_end && !reading.has_more;
  }
  Give(std::move(measurements), clock.Steady(), fresh);
  fresh.has_more |= !is_all;
}

}  // namespace vernier
