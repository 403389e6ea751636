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
    : WrappingSuggester(std::move(inner)) {}

bool RepeatingSuggester::Concerns(const StudyView& view) const {
  return view.repeats.policy == RepeatPolicy::kFixed;
}

absl::StatusOr<std::vector<Suggestion>> RepeatingSuggester::FirstPoints(
    const StudyView& view, int count) const {
  VERNIER_RETURN_IF_ERROR(CheckSuggestArguments(view, count));
  const PointTable points = PointsOf(view);
  std::vector<int> running = RunningAt(points, view.pending);
  std::vector<Suggestion> repeats;
  while (std::ssize(repeats) < count) {
    std::optional<Suggestion> repeat =
        NextRepeat(points, running, view.repeats.trials);
    if (!repeat.has_value()) break;
    repeat->record.num_completed = std::ssize(view.completed);
    repeat->record.num_pending = std::ssize(view.pending) + std::ssize(repeats);
    ++running[*points.Find(repeat->parameters)];
    repeats.push_back(*std::move(repeat));
  }
  return repeats;
}

StudyView RepeatingSuggester::After(
    const StudyView& view, const std::vector<Suggestion>& first) const {
  StudyView rest = view;
  for (const Suggestion& repeat : first) {
    rest.pending.push_back(repeat.parameters);
  }
  // New points are numbered without the repeats, so that a sequence or a grid
  // leaves none of its points out.
  rest.trials_created += std::ssize(first) - CountRepeats(rest);
  return rest;
}

}  // namespace vernier
