#include "suggest/algorithms/source_trust.h"

#include <algorithm>
#include <cstddef>

namespace vernier {
namespace {

constexpr int kNewestOfSearch = 10;

// Before the first trial, a source wins with a probability of a half and the
// search with that of a quarter, each with the weight of one trial.
constexpr double kWinOfSource = 0.5;
constexpr double kWinOfSearch = 0.25;

constexpr int kWeightOfLoss = 4;

constexpr double kLeastTrustInSearch = 0.08;

// True if the result could be the best, or on the front: it has all values, of
// a whole training, and breaks no constraint.
bool MayBeBest(const Observation& result, const StudyView& view) {
  if (!FullObjective(result, view.goal).has_value() ||
      !MeetsConstraints(result)) {
    return false;
  }
  for (std::size_t k = 0; k < view.metrics.size(); ++k) {
    if (k >= result.values.size() || !result.values[k].has_value()) {
      return false;
    }
  }
  return true;
}

bool IsBetterValue(double value, double than, Goal goal) {
  return goal == Goal::kMaximize ? value > than : value < than;
}

// `result` may be the best.
bool Beats(const Observation& result, const Observation& other,
           const StudyView& view) {
  if (!MayBeBest(other, view)) return true;
  if (view.metrics.size() < 2) {
    return IsBetterValue(*result.objective, *other.objective, view.goal);
  }
  for (std::size_t k = 0; k < view.metrics.size(); ++k) {
    if (IsBetterValue(*result.values[k], *other.values[k],
                      view.metrics[k].goal)) {
      return true;
    }
  }
  return false;
}

bool Wins(std::size_t position, const StudyView& view) {
  const Observation& result = view.completed[position];
  if (position < kFewestBeaten || !MayBeBest(result, view)) return false;
  for (std::size_t i = 0; i < position; ++i) {
    if (!Beats(result, view.completed[i], view)) return false;
  }
  return true;
}

}  // namespace

SourceScore ScoreOf(const StudyView& view, const std::string& source) {
  SourceScore score;
  score.tried = static_cast<int>(std::count(
      view.pending_sources.begin(), view.pending_sources.end(), source));
  for (std::size_t i = 0; i < view.completed.size(); ++i) {
    if (view.completed[i].source != source) continue;
    ++score.tried;
    score.wins += Wins(i, view);
  }
  return score;
}

SourceScore ScoreOfSearch(const StudyView& view) {
  SourceScore score;
  for (std::size_t i = view.completed.size();
       i-- > 0 && score.tried < kNewestOfSearch;) {
    if (!view.completed[i].source.empty()) continue;
    ++score.tried;
    score.wins += Wins(i, view);
  }
  return score;
}

double TrustIn(const SourceScore& score) {
  const int losses = score.tried - score.wins;
  return (score.wins + kWinOfSource) /
         (score.wins + kWeightOfLoss * losses + 1);
}

double TrustInSearch(const SourceScore& score) {
  return std::max(kLeastTrustInSearch,
                  (score.wins + kWinOfSearch) / (score.tried + 1));
}

}  // namespace vernier
