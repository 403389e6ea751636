#include "suggest/algorithms/wrapping_suggester.h"

#include <iterator>
#include <utility>

#include "base/status_macros.h"

namespace vernier {

WrappingSuggester::WrappingSuggester(std::unique_ptr<Suggester> inner)
    : inner_(std::move(inner)) {}

absl::StatusOr<std::vector<Suggestion>> WrappingSuggester::Suggest(
    const StudyView& view, int count) const {
  if (!Concerns(view)) return inner_->Suggest(view, count);
  VERNIER_ASSIGN_OR_RETURN(std::vector<Suggestion> suggestions,
                           FirstPoints(view, count));
  const int missing = count - static_cast<int>(suggestions.size());
  if (missing == 0 && !suggestions.empty()) return suggestions;
  absl::StatusOr<std::vector<Suggestion>> others =
      inner_->Suggest(After(view, suggestions), missing);
  if (!others.ok()) {
    if (suggestions.empty() || !absl::IsResourceExhausted(others.status())) {
      return others.status();
    }
    return suggestions;
  }
  std::move(others->begin(), others->end(), std::back_inserter(suggestions));
  return suggestions;
}

absl::StatusOr<std::optional<Recommendation>> WrappingSuggester::Recommend(
    const StudyView& view) const {
  return inner_->Recommend(view);
}

absl::StatusOr<std::vector<Prediction>> WrappingSuggester::Predict(
    const StudyView& view, const std::vector<Parameters>& points) const {
  return inner_->Predict(view, points);
}

absl::StatusOr<Insights> WrappingSuggester::Examine(
    const StudyView& view, const InsightsRequest& request) const {
  return inner_->Examine(view, request);
}

}  // namespace vernier
