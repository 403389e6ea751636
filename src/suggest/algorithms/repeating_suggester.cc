#include "suggest/algorithms/repeating_suggester.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "base/status_macros.h"
#include "suggest/space/space_membership.h"

namespace vernier {
namespace {

// Returns how many of the study's trials in `view` tried a point that an
// earlier one had tried.
std::int64_t CountRepeats(const StudyView& view) {
  std::set<std::string> points;
  std::int64_t repeats = 0;
  const auto count = [&](const Parameters& parameters) {
    if (!points.insert(ParametersToJson(parameters)).second) ++repeats;
  };
  for (const Observation& observation : view.completed) {
    if (observation.trial > 0) count(observation.parameters);
  }
  for (const Parameters& parameters : view.pending) count(parameters);
  return repeats;
}

}  // namespace

std::optional<Suggestion> NextRepeat(const PointTable& points,
                                     const std::vector<int>& running,
                                     int trials) {
  const std::optional<std::size_t> best = points.Best();
  if (!best.has_value()) return std::nullopt;
  std::optional<std::size_t> next;
  for (std::size_t i = 0; i < points.points().size(); ++i) {
    const PointResults& point = points.points()[i];
    if (point.is_ruled_out || point.count() == 0 ||
        point.count() + running[i] >= trials ||
        points.IsWorse(point, points.points()[*best])) {
      continue;
    }
    if (next.has_value() && !(point.mean > points.points()[*next].mean)) {
      continue;
    }
    next = i;
  }
  if (!next.has_value()) return std::nullopt;
  return RepeatOf(points.points()[*next], running[*next], trials);
}

RepeatingSuggester::RepeatingSuggester(std::unique_ptr<Suggester> inner)
    : inner_(std::move(inner)) {}

absl::StatusOr<std::vector<Suggestion>> RepeatingSuggester::Suggest(
    const StudyView& view, int count) const {
  if (view.repeats.policy != RepeatPolicy::kFixed) {
    return inner_->Suggest(view, count);
  }
  VERNIER_RETURN_IF_ERROR(CheckSuggestArguments(view, count));
  const PointTable points = PointsOf(view);
  std::vector<int> running = RunningAt(points, view.pending);
  StudyView rest = view;
  std::vector<Suggestion> suggestions;
  while (std::ssize(suggestions) < count) {
    std::optional<Suggestion> repeat =
        NextRepeat(points, running, view.repeats.trials);
    if (!repeat.has_value()) break;
    repeat->record.num_completed = std::ssize(view.completed);
    repeat->record.num_pending = std::ssize(rest.pending);
    ++running[*points.Find(repeat->parameters)];
    rest.pending.push_back(repeat->parameters);
    suggestions.push_back(*std::move(repeat));
  }
  const int missing = count - static_cast<int>(suggestions.size());
  if (missing == 0) return suggestions;
  // New points are numbered without the repeats, so that a sequence or a grid
  // leaves none of its points out.
  rest.trials_created += std::ssize(suggestions) - CountRepeats(rest);
  absl::StatusOr<std::vector<Suggestion>> others =
      inner_->Suggest(rest, missing);
  if (!others.ok()) {
    if (suggestions.empty() || !absl::IsResourceExhausted(others.status())) {
      return others.status();
    }
    return suggestions;
  }
  std::move(others->begin(), others->end(), std::back_inserter(suggestions));
  return suggestions;
}

absl::StatusOr<std::optional<Recommendation>> RepeatingSuggester::Recommend(
    const StudyView& view) const {
  return inner_->Recommend(view);
}

absl::StatusOr<std::vector<Prediction>> RepeatingSuggester::Predict(
    const StudyView& view, const std::vector<Parameters>& points) const {
  return inner_->Predict(view, points);
}

absl::StatusOr<Insights> RepeatingSuggester::Examine(
    const StudyView& view, const InsightsRequest& request) const {
  return inner_->Examine(view, request);
}

}  // namespace vernier
