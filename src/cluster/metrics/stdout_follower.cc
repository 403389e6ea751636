#include "cluster/metrics/stdout_follower.h"

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cluster/replica.h"
#include "cluster/replica_log.h"

namespace vernier {
namespace {

constexpr std::size_t kChunk = std::size_t{256} << 10;
// Of one Read, so that a talkative program does not hold up the others.
constexpr int kMaxChunks = 16;

}  // namespace

void StdoutFollower::Finish(bool is_alone, std::vector<Measurement>& kept,
                            MetricReading& fresh) {
  thinner_.Finish(kept);
  if (!is_alone) return;
  for (std::string& miss : reader_.Misses()) {
    AddProblem(std::move(miss), fresh.problems);
  }
  for (Measurement& other : reader_.Others()) kept.push_back(std::move(other));
}

void StdoutFollower::Read(const std::string& attempt_dir, LastLine last_line,
                          bool is_alone, MetricReading& fresh) {
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
  // Where output is lost, the last line may be cut within a number.
  const LostOutput lost = ReadLostOutput(LogDirectory(attempt_dir), chief);
  if (lost.bytes > 0 && last_line == LastLine::kIsDone) {
    AddProblem(absl::StrCat("in the log, ",
                            DescribeLostOutput(lost.bytes, lost.error)),
               fresh.problems);
    last_line = LastLine::kMayGrow;
  }

  std::vector<Measurement> kept;
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
    FileReading reading =
        reader_.Read(part->data, is_end ? last_line : LastLine::kMayGrow);
    for (Measurement& measurement : reading.measurements) {
      thinner_.Take(std::move(measurement), kept);
    }
    for (std::string& problem : reading.problems) {
      AddProblem(std::move(problem), fresh.problems);
    }
    is_all = is_end && !reading.has_more;
  }
  if (is_all && last_line == LastLine::kIsDone) Finish(is_alone, kept, fresh);
  for (Measurement& measurement : kept) {
    measurement.road = MetricRoad::kStdout;
    fresh.measurements.push_back(std::move(measurement));
  }
  fresh.has_more |= !is_all;
}

}  // namespace vernier
