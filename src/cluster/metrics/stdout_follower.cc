#include "cluster/metrics/stdout_follower.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cluster/replica.h"
#include "cluster/replica_log.h"

namespace vernier {
namespace {

constexpr std::size_t kStdoutChunk = std::size_t{256} << 10;
// Used if the caller asks between chunks whether to stop.
constexpr std::size_t kSmallChunk = kMaxPatternLine;
// The bound of one Read, so that one program's output delays no other's.
constexpr std::size_t kMostOfRead = 16 * kStdoutChunk;
// At the attempt's end, this many unread bytes of the log are read. It has more
// only if the program itself lengthened it, or if its cap is gigabytes.
constexpr std::uint64_t kMostBytesAtEnd = std::uint64_t{1} << 30;
constexpr std::uint64_t kLastOfMore = std::uint64_t{64} << 20;

const std::string& Chief() {
  static const std::string kName = ReplicaName({ReplicaRole::kMaster, 0});
  return kName;
}

// Returns the offset at which the chief's log ends now.
std::uint64_t EndOfLog(const std::string& attempt_dir) {
  for (const ReplicaLogInfo& log : ListReplicaLogs(attempt_dir)) {
    if (log.replica == Chief()) return static_cast<std::uint64_t>(log.end);
  }
  return 0;
}

}  // namespace

void StdoutFollower::Finish(bool is_alone, std::vector<Measurement>& kept,
                            MetricReading& fresh) {
  thinner_.Finish(kept);
  for (auto& [metric, text] : reader_.LaterMisses()) {
    fresh.later_misses.push_back({metric, MetricRoad::kStdout, text});
  }
  if (!is_alone) return;
  for (std::string& miss : reader_.Misses()) {
    AddProblem(std::move(miss), fresh.problems);
  }
  for (Measurement& other : reader_.Others()) kept.push_back(std::move(other));
}

// Returns how many bytes to read next after the attempt's end, at most `most`.
std::size_t StdoutFollower::LeftAtEnd(const std::string& attempt_dir,
                                      std::size_t most, MetricReading& fresh) {
  if (!end_) end_ = EndOfLog(attempt_dir);
  const auto left = [&] { return *end_ - std::min(*end_, reader_.offset()); };
  if (read_at_end_ >= kMostBytesAtEnd && left() > kLastOfMore) {
    AddProblem(absl::StrCat("of the log, ", left() - kLastOfMore,
                            " bytes were left out: of what it has when the "
                            "trial ends and could not be read before, the "
                            "first ",
                            kMostBytesAtEnd, " and the last ", kLastOfMore,
                            " bytes are read"),
               fresh.problems);
    reader_.SkipTo(*end_ - kLastOfMore);
  }
  return static_cast<std::size_t>(std::min<std::uint64_t>(most, left()));
}

// Reads one part. Returns whether nothing is left for now.
bool StdoutFollower::ReadPart(const std::string& attempt_dir, std::size_t most,
                              LastLine last_line,
                              std::vector<Measurement>& kept,
                              MetricReading& fresh) {
  const auto part = ReadReplicaLog(
      attempt_dir, Chief(), static_cast<std::int64_t>(reader_.offset()), most);
  if (!part.ok()) return true;  // It is looked for again at the next interval.
  reader_.SkipTo(static_cast<std::uint64_t>(part->offset));
  const bool is_end = part->data.empty();
  if (end_) read_at_end_ += part->data.size();
  FileReading reading =
      reader_.Read(part->data, is_end ? last_line : LastLine::kMayGrow);
  for (Measurement& measurement : reading.measurements) {
    thinner_.Take(std::move(measurement), kept);
  }
  for (std::string& problem : reading.problems) {
    AddProblem(std::move(problem), fresh.problems);
  }
  return is_end && !reading.has_more;
}

void StdoutFollower::Read(const std::string& attempt_dir, LastLine last_line,
                          bool is_alone, MetricReading& fresh,
                          const std::function<bool()>& is_enough) {
  // Most logs are short, and most polls find nothing new.
  struct stat info;
  const std::string path =
      absl::StrCat(LogDirectory(attempt_dir), "/", Chief(), ".log");
  if (::stat(path.c_str(), &info) != 0) return;
  const FileState stamp = StateOf(info);
  const bool is_unchanged =
      stamp == stamp_ &&
      reader_.offset() == static_cast<std::uint64_t>(info.st_size);
  const bool is_over = last_line == LastLine::kIsDone;
  if (is_unchanged && !is_over) return;
  stamp_ = stamp;
  // If output was lost, the last line may be cut within a number.
  const LostOutput lost = ReadLostOutput(LogDirectory(attempt_dir), Chief());
  if (lost.bytes > 0 && is_over) {
    AddProblem(absl::StrCat("in the log, ",
                            DescribeLostOutput(lost.bytes, lost.error)),
               fresh.problems);
    last_line = LastLine::kMayGrow;
  }

  std::vector<Measurement> kept;
  bool is_all = false;
  const std::size_t chunk = is_enough ? kSmallChunk : kStdoutChunk;
  for (std::size_t read = 0; read < kMostOfRead && !is_all; read += chunk) {
    if (read > 0 && is_enough && is_enough()) break;
    const std::size_t most =
        is_over ? LeftAtEnd(attempt_dir, chunk, fresh) : chunk;
    is_all = ReadPart(attempt_dir, most, last_line, kept, fresh);
  }
  if (is_all && last_line == LastLine::kIsDone) Finish(is_alone, kept, fresh);
  for (Measurement& measurement : kept) {
    measurement.road = MetricRoad::kStdout;
    fresh.measurements.push_back(std::move(measurement));
  }
  fresh.has_more |= !is_all;
}

}  // namespace vernier
