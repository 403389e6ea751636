#include "cluster/machine/gpu_watch.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using Kind = GpuVerdict::Kind;

constexpr milliseconds kLongestPause{1000};

}  // namespace

GpuWatch::GpuWatch(const std::vector<std::string>& ids, GpuPolicy policy,
                   Periods periods)
    : policy_(policy), periods_(periods) {
  for (const std::string& id : ids) entries_.emplace(id, Entry());
}

bool GpuWatch::SetFree(const std::vector<std::string>& free, SteadyTime now) {
  bool is_due = false;
  for (auto& [id, entry] : entries_) {
    const bool is_free = std::find(free.begin(), free.end(), id) != free.end();
    if (is_free == entry.is_free) continue;
    entry.is_free = is_free;
    // A check that is under way began before the change, so its result is void.
    entry.is_stale = entry.look_began.has_value();
    entry.busy_since.reset();
    entry.pause = milliseconds(0);
    // A lease may leave something behind, so the GPU is checked before the
    // next.
    if (is_free) {
      entry.is_known = false;
      entry.next_look = now;
      is_due = true;
    }
  }
  return is_due;
}

std::optional<std::string> GpuWatch::Next(SteadyTime now) {
  std::pair<const std::string, Entry>* next = nullptr;
  for (auto& each : entries_) {
    if (each.second.look_began.has_value() || each.second.next_look > now) {
      continue;
    }
    if (next == nullptr || each.second.next_look < next->second.next_look) {
      next = &each;
    }
  }
  if (next == nullptr) return std::nullopt;
  next->second.look_began = now;
  next->second.is_stale = false;
  return next->first;
}

std::optional<SteadyTime> GpuWatch::NextTime() const {
  std::optional<SteadyTime> next;
  for (const auto& [id, entry] : entries_) {
    if (entry.look_began.has_value()) continue;
    next = std::min(next.value_or(entry.next_look), entry.next_look);
  }
  return next;
}

bool GpuWatch::Took(const std::string& id, const GpuCondition& condition,
                    SteadyTime now) {
  Entry& entry = entries_.at(id);
  const bool was_late = entry.look_began.has_value() &&
                        now - *entry.look_began >= periods_.look_limit;
  entry.look_began.reset();
  if (entry.is_stale) {
    entry.next_look = now;
    return was_late;
  }
  const milliseconds busy_for =
      entry.busy_since.has_value()
          ? duration_cast<milliseconds>(now - *entry.busy_since)
          : milliseconds(0);
  const GpuVerdict verdict = entry.is_free
                                 ? JudgeFreeGpu(condition, policy_, busy_for)
                                 : JudgeLeasedGpu(condition);
  const bool changes = was_late || verdict != entry.verdict || !entry.is_known;
  entry.verdict = verdict;
  entry.is_known = true;
  if (verdict.kind == Kind::kBusy) {
    if (!entry.busy_since.has_value()) entry.busy_since = now;
    entry.pause = std::clamp(entry.pause * 2, periods_.first,
                             std::min(periods_.calm, kLongestPause));
  } else {
    if (verdict.kind == Kind::kUsable) entry.busy_since.reset();
    entry.pause = periods_.calm;
  }
  entry.next_look = now + entry.pause;
  return changes;
}

std::vector<UnusableDevice> GpuWatch::Unusable(SteadyTime now) const {
  std::vector<UnusableDevice> unusable;
  for (const auto& [id, entry] : entries_) {
    if (entry.look_began.has_value() &&
        now - *entry.look_began >= periods_.look_limit) {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
          now - *entry.look_began);
      unusable.push_back({id,
                          absl::StrCat("has not answered for ", seconds.count(),
                                       " s, so its driver hangs"),
                          /*is_sick=*/true});
    } else if (!entry.is_known) {
      if (entry.is_free) unusable.push_back({id, "is being looked at"});
    } else if (entry.verdict.kind != Kind::kUsable) {
      unusable.push_back(
          {id, entry.verdict.reason, entry.verdict.kind == Kind::kSick});
    }
  }
  return unusable;
}

}  // namespace vernier
