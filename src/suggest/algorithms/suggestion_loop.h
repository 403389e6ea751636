#ifndef VERNIER_SUGGEST_ALGORITHMS_SUGGESTION_LOOP_H_
#define VERNIER_SUGGEST_ALGORITHMS_SUGGESTION_LOOP_H_

#include <cstdint>
#include <iterator>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/rng.h"
#include "base/status_macros.h"
#include "suggest/algorithms/suggester.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/space_membership.h"
#include "suggest/space/tried_points.h"

namespace vernier {

/// Chooses points for the next `count` trials one after the other.
///
/// `choose(trial, points, rng)` returns a StatusOr<std::optional<Suggestion>>,
/// given the points that were chosen before; nullopt ends the loop. `rng`
/// depends only on the study's seed and the trial's number. The loop fills in
/// the record's counts. Errors: those of `choose`.
template <typename Choose>
absl::StatusOr<std::vector<Suggestion>> SuggestForTrials(const StudyView& view,
                                                         int count,
                                                         Choose choose) {
  std::vector<Suggestion> points;
  for (int k = 1; k <= count; ++k) {
    const std::int64_t trial = view.trials_created + k;
    std::mt19937_64 rng = MakeRng(view.seed, static_cast<std::uint64_t>(trial));
    VERNIER_ASSIGN_OR_RETURN(std::optional<Suggestion> suggestion,
                             choose(trial, std::as_const(points), rng));
    if (!suggestion.has_value()) break;
    suggestion->record.num_completed = std::ssize(view.completed);
    suggestion->record.num_pending = std::ssize(view.pending) + k - 1;
    points.push_back(*std::move(suggestion));
  }
  return points;
}

/// The same with the tried points of the study. Each chosen one is pending for
/// the next, so one call for two points gives the same points as two calls for
/// one.
///
/// `choose(trial, tried, rng)` returns a StatusOr<Suggestion>. Errors: those of
/// `choose`; TriedPoints::Exhaustion if a small finite space has no untried
/// point left at the first call.
template <typename Choose>
absl::StatusOr<std::vector<Suggestion>> SuggestOneByOne(
    const StudyView& view, const SearchSpaceEncoding& encoding, int count,
    Choose choose) {
  TriedPoints tried(view, encoding);
  return SuggestForTrials(
      view, count,
      [&](std::int64_t trial, const std::vector<Suggestion>& points,
          std::mt19937_64& rng) -> absl::StatusOr<std::optional<Suggestion>> {
        if (tried.IsExhausted()) {
          if (!points.empty()) return std::nullopt;
          return tried.Exhaustion();
        }
        VERNIER_ASSIGN_OR_RETURN(Suggestion suggestion,
                                 choose(trial, tried, rng));
        tried.Add(suggestion.parameters);
        return suggestion;
      });
}

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_SUGGESTION_LOOP_H_
