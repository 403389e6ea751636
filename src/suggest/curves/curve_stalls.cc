#include "suggest/curves/curve_stalls.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace vernier {
namespace {

// A curve that has covered this part of its first distance from the best value
// has begun to learn. Noise counts for two standard deviations.
constexpr double kLeastProgress = 0.03;
constexpr double kMostByNoise = 2;

// A curve that began at less than this part of the usual distance from the best
// value had learnt before it first reported.
constexpr double kBeginning = 0.5;

// Before any stalled training was seen at a level, one in two hundred is
// thought to have left it at the next; that counts as much as two trainings.
constexpr double kPriorToLeave = 0.005;
constexpr double kPriorCount = 2;

// The inverse of CurveScale, without its unit.
double Distance(double scaled) { return std::expm1(-scaled); }

double MedianBeginning(const std::vector<CurveLesson>& lessons) {
  std::vector<double> beginnings;
  for (const CurveLesson& lesson : lessons) {
    if (lesson.levels.values.empty()) continue;
    beginnings.push_back(Distance(lesson.levels.values.front()));
  }
  if (beginnings.empty()) return 0;
  const auto middle =
      beginnings.begin() + static_cast<std::ptrdiff_t>(beginnings.size() / 2);
  std::nth_element(beginnings.begin(), middle, beginnings.end());
  return *middle;
}

}  // namespace

CurveStalls::CurveStalls(const std::vector<CurveLesson>& lessons,
                         std::size_t num_levels, double noise)
    : noise_(noise),
      usual_beginning_(MedianBeginning(lessons)),
      stays_(num_levels) {
  double stays = 1;
  for (std::size_t level = num_levels; level-- > 0;) {
    stays *= ProbabilityOfNext(lessons, level);
    stays_[level] = stays;
  }
}

double CurveStalls::ProbabilityOfNext(const std::vector<CurveLesson>& lessons,
                                      std::size_t level) const {
  double seen = kPriorCount;
  double left = kPriorCount * kPriorToLeave;
  for (const CurveLesson& lesson : lessons) {
    const LevelValues& curve = lesson.levels;
    if (level == curve.first || !curve.Has(level) ||
        !IsStalled(curve, curve.at(level))) {
      continue;
    }
    const std::optional<double> next = ValueAfter(lesson, level, stays_.size());
    if (!next.has_value()) continue;
    seen += 1;
    if (!IsStalled(curve, *next)) left += 1;
  }
  return 1 - left / seen;
}

bool CurveStalls::IsStalled(const LevelValues& curve, double value) const {
  const double beginning = Distance(curve.values.front());
  return beginning > kBeginning * usual_beginning_ &&
         Distance(value) >=
             (1 - kLeastProgress) * beginning - kMostByNoise * noise_;
}

double CurveStalls::ProbabilityToStay(const LevelValues& curve) const {
  // A first value alone tells nothing.
  if (curve.values.size() < 2 || curve.end() > stays_.size() ||
      !IsStalled(curve, curve.values.back())) {
    return 0;
  }
  return stays_[curve.end() - 1];
}

}  // namespace vernier
