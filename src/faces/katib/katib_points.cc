#include "faces/katib/katib_points.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/calls/call_meter.h"
#include "base/status_macros.h"
#include "suggest/suggester_factory.h"

namespace vernier {
namespace {

// A call that must end does so between pieces of this size. Points do not
// depend on how they are grouped.
constexpr int kPiece = 16;

// Returns the best results, best first, then the points that are tried now.
std::vector<Parameters> PointsToRepeat(const StudyView& view) {
  std::vector<std::pair<double, const Parameters*>> ranked;
  for (const Observation& observation : view.completed) {
    const std::optional<double> merit = FullObjective(observation, view.goal);
    if (merit.has_value()) ranked.emplace_back(*merit, &observation.parameters);
  }
  std::stable_sort(
      ranked.begin(), ranked.end(),
      [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Parameters> points;
  points.reserve(ranked.size() + view.pending.size());
  for (const auto& [merit, parameters] : ranked) points.push_back(*parameters);
  points.insert(points.end(), view.pending.begin(), view.pending.end());
  if (!points.empty()) return points;
  // All that was tried had no result.
  for (const Observation& observation : view.completed) {
    points.push_back(observation.parameters);
  }
  points.insert(points.end(), view.given_up.begin(), view.given_up.end());
  return points;
}

// Asks for points without a model if the model fails, as studies do.
absl::StatusOr<std::vector<Suggestion>> SuggestSomehow(
    const Suggester& suggester, const StudyView& view, int count) {
  VERNIER_RETURN_IF_ERROR(UseInCall(CallCost{}));
  auto suggestions = suggester.Suggest(view, count);
  if (suggestions.ok() || absl::IsResourceExhausted(suggestions.status()) ||
      absl::IsInvalidArgument(suggestions.status())) {
    return suggestions;
  }
  // The error may be that the call must end.
  VERNIER_RETURN_IF_ERROR(UseInCall(CallCost{}));
  return MakeSuggester(Algorithm::kRandomSearch)->Suggest(view, count);
}

}  // namespace

absl::StatusOr<std::vector<Parameters>> ChooseKatibPoints(
    const Suggester& suggester, StudyView view, int count) {
  std::vector<Parameters> points;
  while (std::ssize(points) < count) {
    const int missing = count - static_cast<int>(std::ssize(points));
    auto suggestions =
        SuggestSomehow(suggester, view, std::min(missing, kPiece));
    if (absl::IsResourceExhausted(suggestions.status())) break;
    VERNIER_RETURN_IF_ERROR(suggestions.status());
    for (Suggestion& suggestion : *suggestions) {
      view.pending.push_back(suggestion.parameters);
      ++view.trials_created;
      points.push_back(std::move(suggestion.parameters));
    }
  }
  const std::vector<Parameters> again = PointsToRepeat(view);
  for (std::size_t i = 0; std::ssize(points) < count && !again.empty(); ++i) {
    points.push_back(again[i % again.size()]);
  }
  return points;
}

std::shared_ptr<const Suggester> KatibSuggesters::Of(
    const std::string& experiment, Algorithm algorithm) {
  const MutexLock lock(mu_);
  auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        return entry.experiment == experiment && entry.algorithm == algorithm;
      });
  if (found == entries_.end()) {
    if (entries_.size() == kMost) entries_.erase(entries_.begin());
    entries_.push_back({experiment, algorithm, MakeSuggester(algorithm)});
  } else {
    std::rotate(found, found + 1, entries_.end());
  }
  return entries_.back().suggester;
}

}  // namespace vernier
