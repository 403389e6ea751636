#include "suggest/gp/output_warp.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>

#include "base/check.h"
#include "suggest/gp/normal_distribution.h"

namespace vernier {
namespace {

constexpr double kMaxInterquartileRanges = 1e6;
constexpr double kSafeMagnitude = 1e100;

// Interpolates linearly between order statistics; `sorted` is not empty.
double Quantile(const std::vector<double>& sorted, double p) {
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double weight = position - static_cast<double>(below);
  return sorted[below] + weight * (sorted[above] - sorted[below]);
}

// Scales the values to [-1, 1] about their median without changing their order,
// so that no later square overflows or vanishes. All zeros if all are equal.
// `other`, if there is one, is scaled likewise.
void Normalize(std::vector<double>* values, std::optional<double>* other) {
  double magnitude = 0;
  for (const double value : *values) {
    magnitude = std::max(magnitude, std::abs(value));
  }
  if (magnitude > kSafeMagnitude) {
    for (double& value : *values) value /= magnitude;
    if (other->has_value()) **other /= magnitude;
  }
  std::vector<double> sorted = *values;
  std::sort(sorted.begin(), sorted.end());
  const double q1 = Quantile(sorted, 0.25);
  const double q3 = Quantile(sorted, 0.75);
  const double reach = kMaxInterquartileRanges * (q3 - q1);
  double low = sorted.front();
  double high = sorted.back();
  if (reach > 0) {
    low = std::max(low, q1 - reach);
    high = std::min(high, q3 + reach);
  }
  const double range = high - low;
  const double median = Quantile(sorted, 0.5);
  const auto scaled = [&](double value) {
    return range > 0 ? (std::clamp(value, low, high) - median) / range : 0.0;
  };
  for (double& value : *values) value = scaled(value);
  if (other->has_value()) *other = scaled(**other);
}

// The sum is in units of a power of two near the largest deviation. Beside one
// disaster of -1e308, the other differences are so small that their squares
// vanish.
double RootMeanSquareFrom(double centre, const double* first,
                          const double* last) {
  double largest = 0;
  for (const double* value = first; value != last; ++value) {
    largest = std::max(largest, std::abs(*value - centre));
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  double sum = 0;
  for (const double* value = first; value != last; ++value) {
    const double share = std::ldexp(*value - centre, -exponent);
    sum += share * share;
  }
  return std::ldexp(std::sqrt(sum / static_cast<double>(last - first)),
                    exponent);
}

// The median, rounded as the other quantiles are.
double MedianQuantile(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return Quantile(values, 0.5);
}

double MedianOfFirst(const std::vector<double>& values) {
  const auto count =
      static_cast<std::ptrdiff_t>(std::min(values.size(), kNumFirstValues));
  return MedianQuantile({values.begin(), values.begin() + count});
}

// Replaces the values below `median`, which is at most the true median, by
// quantiles of a normal distribution whose scale is that of the better values.
void HalfRank(double median, std::vector<double>* values) {
  std::vector<double> sorted = *values;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const auto split = static_cast<std::size_t>(
      std::lower_bound(sorted.begin(), sorted.end(), median) - sorted.begin());
  const double* first = sorted.data();
  const double* last = first + sorted.size();
  double scale = RootMeanSquareFrom(median, first + split, last);
  // More than half of the values tie for the best, so the better half has no
  // scale.
  if (!(scale > 0)) scale = RootMeanSquareFrom(median, first, last);
  const double denominator =
      static_cast<double>(split) + (sorted[split] == median ? 0.5 : 0.0);
  for (double& value : *values) {
    if (!(value < median)) continue;
    const auto rank = std::lower_bound(sorted.begin(), sorted.end(), value) -
                      sorted.begin();  // From 0, the worst.
    value = median +
            scale * NormalQuantile(0.5 * (static_cast<double>(rank) + 0.5) /
                                   denominator);
  }
}

// Values below `least` fall with the logarithm of their distance from it only,
// in units of the better values' root mean square distance.
void ShortenBelow(double least, std::vector<double>* values) {
  std::vector<double> better;
  for (const double value : *values) {
    if (value >= least) better.push_back(value);
  }
  const double unit =
      RootMeanSquareFrom(least, better.data(), better.data() + better.size());
  if (!(unit > 0)) return;
  for (double& value : *values) {
    if (value < least) {
      value = least - unit * std::log1p((least - value) / unit);
    }
  }
}

// Maps the values onto [-0.5, 0.5], stretched near the best.
void LogStretch(std::vector<double>* values) {
  // Vizier's value (Song et al. 2024).
  constexpr double kOffset = 1.5;
  const auto [worst, best] =
      std::minmax_element(values->begin(), values->end());
  const double low = *worst;
  const double high = *best;
  if (!(high > low)) return;  // Differences below rounding were all there was.
  for (double& value : *values) {
    value = 0.5 - std::log1p((kOffset - 1) * (high - value) / (high - low)) /
                      std::log(kOffset);
  }
}

// Divides by the standard deviation, and returns the range that is left.
double Standardize(std::vector<double>* values) {
  const auto count = static_cast<double>(values->size());
  const double mean =
      std::accumulate(values->begin(), values->end(), 0.0) / count;
  const double deviation =
      RootMeanSquareFrom(mean, values->data(), values->data() + values->size());
  if (!(deviation > 0)) return 0;  // As in LogStretch.
  for (double& value : *values) value /= deviation;
  const auto [low, high] = std::minmax_element(values->begin(), values->end());
  return *high - *low;
}

// Returns the median size of the first values that are not 0; 0 if all are.
double TypicalSize(const std::vector<double>& values) {
  std::vector<double> sizes;
  for (const double value : values) {
    if (value != 0 && sizes.size() < kNumFirstValues) {
      sizes.push_back(std::abs(value));
    }
  }
  return sizes.empty() ? 0 : MedianQuantile(std::move(sizes));
}

// The map of slacks that keeps the sign of each, shortens the largest, and
// makes the root mean square of those that it was made from 1.
class SlackScale {
 public:
  explicit SlackScale(const std::vector<double>& slacks)
      : typical_(TypicalSize(slacks)) {
    std::vector<double> sizes;
    sizes.reserve(slacks.size());
    for (const double slack : slacks) sizes.push_back(Shortened(slack));
    const double size =
        RootMeanSquareFrom(0, sizes.data(), sizes.data() + sizes.size());
    if (size > 0) size_ = size;
  }

  double Map(double slack) const { return Shortened(slack) / size_; }

 private:
  double Shortened(double slack) const {
    if (!(typical_ > 0)) return slack;  // All are 0.
    double size = std::min(std::abs(slack) / typical_,
                           std::numeric_limits<double>::max());
    if (size > kMostSlackSizes) {
      size = kMostSlackSizes + std::log1p(size - kMostSlackSizes);
    }
    return std::copysign(size, slack);
  }

  const double typical_;
  double size_ = 1;
};

// A band has two bounds, and which one is near depends on the side of its
// middle: from there, the slack of the nearer bound counts in either direction.
WarpedObjectives WarpSlacks(
    const std::vector<std::optional<double>>& objectives,
    std::optional<double> half_band) {
  WarpedObjectives warped;
  std::vector<double> given;
  for (const auto& objective : objectives) {
    if (objective.has_value()) given.push_back(*objective);
  }
  std::vector<double> slacks = given;
  if (half_band.has_value()) {
    for (double& slack : slacks) slack = *half_band - std::abs(slack);
  }
  const SlackScale scale(slacks);
  const double half = half_band.has_value() ? scale.Map(*half_band) : 0;
  std::vector<double> values(slacks.size());
  double mean = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double slack = scale.Map(slacks[i]);
    values[i] =
        half_band.has_value() ? std::copysign(half - slack, given[i]) : slack;
    mean += values[i] / static_cast<double>(values.size());
  }
  warped.zero = -half - mean;
  if (half_band.has_value()) warped.upper = half - mean;
  warped.targets =
      Eigen::VectorXd::Zero(static_cast<Eigen::Index>(objectives.size()));
  std::size_t next = 0;
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    if (!objectives[i].has_value()) continue;
    warped.targets[static_cast<Eigen::Index>(i)] = values[next] - mean;
    warped.knots.emplace_back(given[next], values[next] - mean);
    ++next;
  }
  std::sort(warped.knots.begin(), warped.knots.end());
  warped.knots.erase(std::unique(warped.knots.begin(), warped.knots.end()),
                     warped.knots.end());
  warped.is_constant = warped.targets.size() == 0 ||
                       warped.targets.maxCoeff() == warped.targets.minCoeff();
  return warped;
}

}  // namespace

WarpedObjectives WarpObjectives(
    const std::vector<std::optional<double>>& objectives,
    WarpReference reference, std::optional<double> least_useful,
    std::optional<double> half_band) {
  if (reference == WarpReference::kSlack) {
    return WarpSlacks(objectives, half_band);
  }
  WarpedObjectives warped;
  warped.targets =
      Eigen::VectorXd::Zero(static_cast<Eigen::Index>(objectives.size()));
  std::vector<double> values;
  for (const auto& objective : objectives) {
    if (objective.has_value()) values.push_back(*objective);
  }
  if (values.empty()) return warped;

  Normalize(&values, &least_useful);
  const bool all_equal = *std::min_element(values.begin(), values.end()) ==
                         *std::max_element(values.begin(), values.end());
  if (all_equal && values.size() == objectives.size()) return warped;
  double range = 0;
  if (!all_equal) {
    double median = MedianQuantile(values);
    if (reference == WarpReference::kFirst) {
      median = std::min(median, MedianOfFirst(values));
    }
    if (least_useful.has_value()) median = std::min(median, *least_useful);
    if (reference == WarpReference::kUseful) {
      ShortenBelow(median, &values);
      range = Standardize(&values);
    } else {
      HalfRank(median, &values);
      LogStretch(&values);
      range = 1;
    }
  }
  const double worst = *std::min_element(values.begin(), values.end());
  const double infeasible = worst - (0.5 * range + 1);

  std::size_t next = 0;
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    warped.targets[static_cast<Eigen::Index>(i)] =
        objectives[i].has_value() ? values[next++] : infeasible;
  }
  warped.targets.array() -= warped.targets.mean();
  warped.is_constant = warped.targets.maxCoeff() == warped.targets.minCoeff();
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    if (!objectives[i].has_value()) continue;
    warped.knots.emplace_back(*objectives[i],
                              warped.targets[static_cast<Eigen::Index>(i)]);
  }
  std::sort(warped.knots.begin(), warped.knots.end());
  // Outliers too far out to tell apart share a target; the mildest one is the
  // knot.
  const auto last = std::unique(
      warped.knots.rbegin(), warped.knots.rend(),
      [](const auto& a, const auto& b) { return a.second == b.second; });
  warped.knots.erase(warped.knots.begin(), last.base());
  return warped;
}

namespace {

// Returns the y at x on the line through two points. Values are halved first,
// because differences of huge numbers overflow.
double Along(double x, double x0, double y0, double x1, double y1) {
  const double t = (x / 2 - x0 / 2) / (x1 / 2 - x0 / 2);
  const double y = y0 * (1 - t) + y1 * t;
  if (std::isfinite(y)) return y;
  constexpr double kMax = std::numeric_limits<double>::max();
  return (y1 > y0) == (t > 0) ? kMax : -kMax;
}

}  // namespace

double WarpedObjectives::Unwarp(double target) const {
  VERNIER_CHECK(!knots.empty());
  if (knots.size() == 1 || target <= knots.front().second) {
    return knots.front().first;
  }
  std::size_t i = 1;
  while (i + 1 < knots.size() && knots[i].second < target) ++i;
  return Along(target, knots[i - 1].second, knots[i - 1].first, knots[i].second,
               knots[i].first);
}

double WarpedObjectives::Furthest() const {
  VERNIER_CHECK(!knots.empty());
  const double best = knots.back().first;
  const double median = knots[(knots.size() - 1) / 2].first;
  const double furthest =
      std::min(best + 2 * (best - median), std::numeric_limits<double>::max());
  return best <= 0 ? std::min(furthest, 0.0) : furthest;
}

double WarpedObjectives::Warp(double objective) const {
  VERNIER_CHECK(!knots.empty());
  if (knots.size() == 1 || objective <= knots.front().first) {
    return knots.front().second;
  }
  std::size_t i = 1;
  while (i + 1 < knots.size() && knots[i].first < objective) ++i;
  return Along(objective, knots[i - 1].first, knots[i - 1].second,
               knots[i].first, knots[i].second);
}

double WarpedObjectives::Slope(double objective) const {
  if (knots.size() < 2) return 0;
  std::size_t i = 0;
  while (i + 1 < knots.size() && knots[i].first < objective) ++i;
  const std::size_t low = i == 0 ? 0 : i - 1;
  const std::size_t high = std::min(i + 1, knots.size() - 1);
  return (knots[high].second - knots[low].second) / 2 /
         (knots[high].first / 2 - knots[low].first / 2);
}

}  // namespace vernier
