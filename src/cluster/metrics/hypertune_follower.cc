#include "cluster/metrics/hypertune_follower.h"

#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <optional>
#include <utility>

#include "cluster/metrics/files/place_time.h"
#include "cluster/metrics/hypertune_file.h"
#include "cluster/trial_environment.h"

namespace vernier {
namespace {

constexpr std::int64_t kMaxBytes = 8 << 20;
// The library keeps 100 reports; a program's own writer may keep more.
constexpr std::size_t kMinRemembered = 4096;

// Returns how many leading elements of `next`, which is not empty, are known
// already: all if `known` contains them one after the other, else as many as
// form the longest suffix of `known` that is a prefix of `next`. O(n) (Knuth,
// Morris and Pratt 1977).
template <typename Report>
std::size_t CountKnown(const std::vector<Report>& known,
                       const std::vector<Report>& next) {
  std::vector<std::size_t> shorter(next.size(), 0);
  for (std::size_t i = 1, k = 0; i < next.size(); ++i) {
    while (k > 0 && next[i] != next[k]) k = shorter[k - 1];
    if (next[i] == next[k]) ++k;
    shorter[i] = k;
  }
  std::size_t matched = 0;
  for (const Report& report : known) {
    while (matched > 0 && report != next[matched]) {
      matched = shorter[matched - 1];
    }
    if (report == next[matched]) ++matched;
    if (matched == next.size()) break;
  }
  return matched;
}

// Returns a report's own time. Reports without one get a time that depends on
// the file, so that those of two files stay apart.
Timestamp TimeOf(std::size_t file, Timestamp time) {
  constexpr std::chrono::hours kApart{24};
  return time == Timestamp{} ? time + kApart * static_cast<int>(file) : time;
}

// Returns the last kMaxBytes of the file, from the beginning of a line on.
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

// Reads until two readings agree; returns nullopt if they never do. A single
// reading during a rewrite could combine the first half of an old line with the
// second half of a new one, which may be valid JSON with a wrong number.
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
    // Only the attempt's programs can enter the directory's parent folder.
    const MetricFile file =
        OpenMetricFile(directory, MetricFileName(kReporters[i]).c_str(),
                       "the metric file", FileOwner::kAnyone);
    fresh.is_partial |= file.is_shortage;
    is_unfinished |= file.is_shortage;
    if (!file.problem.empty()) AddProblem(file.problem, fresh.problems);
    if (!file.fd.is_open()) continue;
    if (may_skip && stamps_[i] == StateOf(file.info)) continue;
    if (!ReadFile(i, file.fd.get(), last_line, fresh)) {
      is_unfinished = true;
    }
  }
  return is_unfinished;
}

bool HypertuneFollower::ReadFile(std::size_t file, int fd, LastLine last_line,
                                 MetricReading& fresh) {
  const std::optional<StampedContents> settled = ReadSettled(fd);
  if (!settled) return false;
  stamps_[file] = StateOf(settled->info);
  HypertuneContents all = ParseHypertuneFile(settled->contents, last_line);
  seen_limit_ =
      std::max({seen_limit_, kMinRemembered, 2 * all.measurements.size()});
  is_truncated_ = all.is_truncated;
  TakeNew(file, std::move(all.measurements), fresh);
  ForgetOldest();
  for (const std::string& problem : all.problems) {
    AddProblem(problem, fresh.problems);
  }
  return true;
}

void HypertuneFollower::TakeNew(std::size_t file, std::vector<Measurement> all,
                                MetricReading& fresh) {
  std::map<GroupKey, std::vector<std::size_t>> groups;
  const auto report = [&](std::size_t i) {
    return Report(all[i].step, std::bit_cast<std::uint64_t>(all[i].value));
  };
  std::map<std::string, std::size_t> before;  // By metric.
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [last, is_first] = before.try_emplace(all[i].metric, i);
    // A report that repeats the one before it counts once.
    const bool is_said = !is_first && report(last->second) == report(i) &&
                         all[last->second].reported_at == all[i].reported_at;
    last->second = i;
    if (is_said) continue;
    groups[{file, all[i].reported_at, all[i].metric}].push_back(i);
  }
  std::vector<bool> is_new(all.size(), false);
  for (const auto& [key, indices] : groups) {
    std::vector<Report> next;
    for (const std::size_t i : indices) next.push_back(report(i));
    const auto [place, is_first] = seen_.try_emplace(key);
    if (is_first) seen_order_.push_back(key);
    std::vector<Report>& known = place->second;
    for (std::size_t i = CountKnown(known, next); i < next.size(); ++i) {
      is_new[indices[i]] = true;
      known.push_back(next[i]);
      ++seen_count_;
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_new[i]) continue;
    // Later positions in the file get later times, whatever their timestamps.
    const Timestamp own = TimeOf(file, all[i].reported_at);
    const std::pair key(file, all[i].metric);
    auto last = last_times_.find(key);
    if (last != last_times_.end()) {
      last->second = TimeBehind(last->second, own);
    } else if (last_times_.size() < kMaxMetricsOfRecord) {
      last = last_times_.emplace(key, own).first;
    }
    all[i].reported_at = last == last_times_.end() ? own : last->second;
    all[i].road = MetricRoad::kHypertuneFile;
    fresh.measurements.push_back(std::move(all[i]));
  }
}

void HypertuneFollower::ForgetOldest() {
  while (seen_count_ > seen_limit_ && seen_order_.size() > 1) {
    const auto oldest = seen_.find(seen_order_.front());
    seen_count_ -= oldest->second.size();
    seen_.erase(oldest);
    seen_order_.pop_front();
  }
}

}  // namespace vernier
