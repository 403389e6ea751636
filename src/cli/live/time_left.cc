#include "cli/live/time_left.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vernier {
namespace {

// Old trials are poor predictors, because the search has moved to other
// parameters.
constexpr std::size_t kMostRemembered = 32;
constexpr double kLongest = 1e9;  // 30 years.

}  // namespace

void TimeLeft::Add(Seconds length) {
  lengths_.push_back(std::max(length, Seconds(0)));
  if (lengths_.size() > kMostRemembered) lengths_.pop_front();
}

std::optional<std::chrono::seconds> TimeLeft::Estimate(
    std::int64_t waiting, const std::vector<Seconds>& ages,
    std::int64_t slots) const {
  if (lengths_.empty() || (waiting <= 0 && ages.empty())) return std::nullopt;
  const Seconds sum =
      std::accumulate(lengths_.begin(), lengths_.end(), Seconds(0));
  const Seconds mean = sum / static_cast<double>(lengths_.size());
  Seconds work = mean * static_cast<double>(std::max<std::int64_t>(waiting, 0));
  Seconds longest{0};  // Nothing ends before the youngest of them does.
  for (const Seconds age : ages) {
    const Seconds left = std::max(mean - age, Seconds(0));
    work += left;
    longest = std::max(longest, left);
  }
  const Seconds left = std::max(
      work / static_cast<double>(std::max<std::int64_t>(slots, 1)), longest);
  return std::chrono::seconds(
      std::llround(std::min(std::ceil(left.count()), kLongest)));
}

}  // namespace vernier
