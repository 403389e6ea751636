#include "cluster/metrics/hypertune_follower.h"

#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "cluster/metrics/hypertune_file.h"
#include "cluster/trial_environment.h"

namespace vernier {
namespace {

constexpr std::int64_t kMaxBytes = 8 << 20;
// The library keeps 100 reports; a program's own writer may keep more.
constexpr std::size_t kMinRemembered = 4096;

// Identifies a report. Every part but the metric has a fixed length.
std::string KeyOf(const Measurement& measurement) {
  std::string key;
  const auto append = [&](std::uint64_t bits) {
    key.append(reinterpret_cast<const char*>(&bits), sizeof(bits));
  };
  append(static_cast<std::uint64_t>(
      measurement.reported_at.time_since_epoch().count()));
  append(static_cast<std::uint64_t>(measurement.step));
  append(std::bit_cast<std::uint64_t>(measurement.value));
  return key + measurement.metric;
}

// The end of the file, at most kMaxBytes.
std::string ReadEnd(int fd, off_t size) {
  const off_t begin = std::max<off_t>(0, size - kMaxBytes);
  std::string contents = ReadAt(fd, static_cast<std::uint64_t>(begin),
                                static_cast<std::size_t>(size - begin));
  if (begin > 0) contents.erase(0, contents.find('\n'));  // Drop half a line.
  return contents;
}

struct StampedContents {
  std::string contents;
  struct stat info;
};

// Reads until two readings agree, or returns nullopt. A reading during a
// rewrite could combine the first half of an old line with the second half of a
// new one, which may be valid JSON with a wrong number.
std::optional<StampedContents> ReadSettled(int fd) {
  constexpr int kTries = 16;
  std::optional<std::string> before;
  for (int i = 0; i < kTries; ++i) {
    struct stat info;
    if (::fstat(fd, &info) != 0) return std::nullopt;
    std::string now = ReadEnd(fd, info.st_size);
    if (before == now) return StampedContents{std::move(now), info};
    before = std::move(now);
  }
  return std::nullopt;
}

}  // namespace

bool HypertuneFollower::Read(int directory, LastLine last_line, bool may_skip,
                             MetricReading& fresh) {
  constexpr ReplicaId kReporters[] = {{ReplicaRole::kMaster, 0},
                                      {ReplicaRole::kEvaluator, 0}};
  bool is_unfinished = false;
  for (std::size_t i = 0; i < stamps_.size(); ++i) {
    // Nobody else can enter the folder that the directory is in.
    const MetricFile file =
        OpenMetricFile(directory, MetricFileName(kReporters[i]).c_str(),
                       "the metric file", FileOwner::kAnyone);
    fresh.is_partial |= file.is_shortage;
    is_unfinished |= file.is_shortage;
    if (!file.problem.empty()) AddProblem(file.problem, fresh.problems);
    if (!file.fd.is_open()) continue;
    if (may_skip && stamps_[i] == StateOf(file.info)) continue;
    if (!ReadFile(file.fd.get(), last_line, stamps_[i], fresh)) {
      is_unfinished = true;
    }
  }
  return is_unfinished;
}

bool HypertuneFollower::ReadFile(int fd, LastLine last_line, FileState& stamp,
                                 MetricReading& fresh) {
  const std::optional<StampedContents> settled = ReadSettled(fd);
  if (!settled) return false;
  stamp = StateOf(settled->info);
  const HypertuneContents all =
      ParseHypertuneFile(settled->contents, last_line);
  seen_limit_ =
      std::max({seen_limit_, kMinRemembered, 2 * all.measurements.size()});
  for (const Measurement& measurement : all.measurements) {
    if (!Remember(measurement)) continue;
    fresh.measurements.push_back(measurement);
    fresh.measurements.back().road = MetricRoad::kHypertuneFile;
  }
  for (const std::string& problem : all.problems) {
    AddProblem(problem, fresh.problems);
  }
  return true;
}

bool HypertuneFollower::Remember(const Measurement& measurement) {
  const auto [place, is_new] = seen_.insert(KeyOf(measurement));
  if (!is_new) return false;
  seen_order_.push_back(&*place);
  if (seen_order_.size() > seen_limit_) {
    seen_.erase(*seen_order_.front());
    seen_order_.pop_front();
  }
  return true;
}

}  // namespace vernier
