#include "cli/live/best_history.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace vernier {
namespace {

// A loss often falls by decades, so that on a linear scale all but the first
// values would be at the bottom.
constexpr double kLogFrom = 100;
constexpr const char* kAsciiHeights[] = {"_", ".", "-", "=", "+", "*", "#"};
constexpr const char* kBlockHeights[] = {"\u2581", "\u2582", "\u2583",
                                         "\u2584", "\u2585", "\u2586",
                                         "\u2587", "\u2588"};

}  // namespace

bool BestHistory::Add(double value, bool minimize) {
  const std::int64_t ordinal = count_;
  if (!std::isfinite(value)) {
    // Before the first finite result there is no best value to show.
    if (has_best()) ++count_;
    return false;
  }
  ++count_;
  if (has_best() && !(minimize ? value < best() : value > best())) {
    return false;
  }
  improvements_.push_back({ordinal, value});
  return true;
}

std::vector<double> BestHistory::Sample(std::size_t most) const {
  std::vector<double> values;
  if (!has_best() || most == 0) return values;
  const auto size = static_cast<std::size_t>(std::min<std::int64_t>(
      count_,
      static_cast<std::int64_t>(std::min<std::size_t>(most, 1'000'000))));
  values.reserve(size);
  auto next = improvements_.begin();
  for (std::size_t i = 0; i < size; ++i) {
    const auto ordinal = static_cast<std::int64_t>(i + 1) * count_ /
                             static_cast<std::int64_t>(size) -
                         1;
    while (std::next(next) != improvements_.end() &&
           std::next(next)->ordinal <= ordinal) {
      ++next;
    }
    values.push_back(next->value);
  }
  return values;
}

std::string Sparkline(const std::vector<double>& values, Glyphs glyphs) {
  std::string text;
  if (values.empty()) return text;
  const bool has_blocks = glyphs == Glyphs::kBlocks;
  const std::size_t heights =
      has_blocks ? std::size(kBlockHeights) : std::size(kAsciiHeights);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const bool is_log = *low > 0 && *high / *low > kLogFrom;
  // Values are halved, because the difference of two finite numbers may be
  // infinite.
  const auto scaled = [is_log](double value) {
    return is_log ? std::log(value) : value / 2;
  };
  const double least = scaled(*low);
  const double range = scaled(*high) - least;
  for (const double value : values) {
    std::size_t height = heights / 2;
    if (range > 0) {
      const double part = (scaled(value) - least) / range;
      height = std::min(
          static_cast<std::size_t>(part * static_cast<double>(heights)),
          heights - 1);
    }
    text += has_blocks ? kBlockHeights[height] : kAsciiHeights[height];
  }
  return text;
}

}  // namespace vernier
