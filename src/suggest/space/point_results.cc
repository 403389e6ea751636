#include "suggest/space/point_results.h"

#include <cmath>
#include <set>

#include "suggest/space/student_quantile.h"

namespace vernier {
namespace {

constexpr double kConfidence = 0.95;  // One-sided.

}  // namespace

void PointTable::Add(const Parameters& point, std::int64_t trial,
                     std::optional<double> merit) {
  const auto [place, is_new] =
      positions_.try_emplace(ParametersToJson(point), points_.size());
  if (is_new) points_.emplace_back().parameters = point;
  PointResults& results = points_[place->second];
  if (!merit.has_value()) {
    results.is_ruled_out = true;
    return;
  }
  // Welford's update, since a difference of sums of squares would cancel.
  results.trials.push_back(trial);
  const double deviation = *merit - results.mean;
  results.mean += deviation / results.count();
  const double square = deviation * (*merit - results.mean);
  results.sum_of_squares += square;
  sum_of_squares_ += square;
  degrees_ += results.count() > 1 ? 1 : 0;
}

std::optional<std::size_t> PointTable::Find(const Parameters& point) const {
  const auto found = positions_.find(ParametersToJson(point));
  if (found == positions_.end()) return std::nullopt;
  return found->second;
}

double PointTable::noise_variance() const {
  return degrees_ == 0 ? 0 : sum_of_squares_ / degrees_;
}

std::optional<double> PointTable::StandardError(
    const PointResults& point) const {
  if (degrees_ == 0 || point.count() == 0) return std::nullopt;
  return std::sqrt(noise_variance() / point.count());
}

std::optional<double> PointTable::HalfInterval(
    const PointResults& point) const {
  const std::optional<double> error = StandardError(point);
  if (!error.has_value()) return std::nullopt;
  return *error * StudentQuantile(0.5 + kConfidence / 2, degrees_);
}

double PointTable::Bound(const PointResults& point) const {
  return point.mean - StandardError(point).value_or(0);
}

std::optional<std::size_t> PointTable::Best() const {
  std::optional<std::size_t> best;
  double best_bound = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const PointResults& point = points_[i];
    if (point.is_ruled_out || point.count() == 0) continue;
    const double bound = Bound(point);
    if (best.has_value() && !(bound > best_bound)) continue;
    best = i;
    best_bound = bound;
  }
  return best;
}

bool PointTable::IsWorse(const PointResults& point,
                         const PointResults& best) const {
  if (degrees_ == 0 || point.count() == 0 || best.count() == 0) return false;
  const double error =
      std::sqrt(noise_variance() * (1.0 / point.count() + 1.0 / best.count()));
  return best.mean - point.mean >
         error * StudentQuantile(kConfidence, degrees_);
}

PointTable PointsOf(const StudyView& view) {
  PointTable table;
  for (const Observation& observation : view.completed) {
    if (observation.trial == 0) continue;
    std::optional<double> merit = FullObjective(observation, view.goal);
    if (!MeetsConstraints(observation)) merit.reset();
    table.Add(observation.parameters, observation.trial, merit);
  }
  return table;
}

std::vector<int> RunningAt(const PointTable& points,
                           const std::vector<Parameters>& pending) {
  std::vector<int> running(points.points().size(), 0);
  for (const Parameters& parameters : pending) {
    const std::optional<std::size_t> place = points.Find(parameters);
    if (place.has_value()) ++running[*place];
  }
  return running;
}

Suggestion RepeatOf(const PointResults& point, int running, int wanted) {
  Suggestion suggestion{point.parameters, {}};
  suggestion.record.method = SuggestionMethod::kRepeat;
  suggestion.record.repeat =
      PointRepeat{point.trials.front(), point.count() + running + 1, wanted};
  return suggestion;
}

std::size_t NumPoints(const StudyView& view) {
  if (!IsRepeating(view.repeats)) return view.completed.size();
  std::set<std::string> points;
  for (const Observation& observation : view.completed) {
    points.insert(ParametersToJson(observation.parameters));
  }
  return points.size();
}

}  // namespace vernier
