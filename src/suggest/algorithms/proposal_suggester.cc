#include "suggest/algorithms/proposal_suggester.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "base/status_macros.h"
#include "suggest/algorithms/source_trust.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/tried_points.h"

namespace vernier {
namespace {

// A point may have to be better than predicted by so many standard deviations
// in order to be the best.
constexpr double kSurprise = 1;

// Before so many results of its own, the search has no model that could object.
constexpr std::size_t kFirstOwnResults = 4;

// A proposal that may be tried.
struct Candidate {
  Parameters parameters;
  std::optional<Prediction> prediction;
};

// What is known of one source in a study.
struct Source {
  std::string name;
  SourceScore score;
  std::vector<Candidate> candidates;  // By their age.
  bool is_predicted = false;  // The candidates are, if there is a model.
};

// Returns the newest proposals of each source that were not tried yet.
std::vector<Source> SourcesOf(const StudyView& view) {
  const SearchSpaceEncoding encoding(view.space);
  const TriedPoints tried(view, encoding);
  std::map<std::string, std::vector<Candidate>> found;
  for (auto proposal = view.proposals.rbegin();
       proposal != view.proposals.rend(); ++proposal) {
    std::vector<Candidate>& candidates = found[proposal->source];
    const auto is_same = [&](const Candidate& other) {
      return other.parameters == proposal->parameters;
    };
    if (std::ssize(candidates) < kMostProposalsConsidered &&
        std::none_of(candidates.begin(), candidates.end(), is_same) &&
        !tried.Contains(encoding.Encode(proposal->parameters))) {
      candidates.push_back({proposal->parameters, std::nullopt});
    }
  }
  std::vector<Source> sources;
  for (auto& [name, candidates] : found) {
    if (candidates.empty()) continue;
    std::reverse(candidates.begin(), candidates.end());
    sources.push_back({name, ScoreOf(view, name), std::move(candidates)});
  }
  return sources;
}

absl::Status AddPredictions(const Suggester& inner, const StudyView& view,
                            Source* source) {
  if (source->is_predicted) return absl::OkStatus();
  source->is_predicted = true;
  std::vector<Parameters> points;
  for (const Candidate& candidate : source->candidates) {
    points.push_back(candidate.parameters);
  }
  VERNIER_ASSIGN_OR_RETURN(const std::vector<Prediction> predictions,
                           inner.Predict(view, points));
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    source->candidates[i].prediction = predictions[i];
  }
  return absl::OkStatus();
}

// Returns the value that is better than the prediction by kSurprise standard
// deviations, with its sign changed, if necessary, so that larger is better.
double Optimistic(const Prediction& prediction, Goal goal) {
  return goal == Goal::kMaximize
             ? prediction.mean + kSurprise * (prediction.high - prediction.mean)
             : kSurprise * (prediction.mean - prediction.low) - prediction.mean;
}

// Returns the position of the candidate that could be best, the oldest of ties;
// nullopt if the model objects to all.
std::optional<std::size_t> MostPromising(const Source& source,
                                         std::optional<double> best,
                                         Goal goal) {
  const bool is_believed = 2 * source.score.wins > source.score.tried;
  std::optional<std::size_t> found;
  double highest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < source.candidates.size(); ++i) {
    const auto& prediction = source.candidates[i].prediction;
    if (!prediction.has_value() || !best.has_value()) return 0;
    const double value = Optimistic(*prediction, goal);
    if (!is_believed && !(value > *best)) continue;
    if (!(value > highest) && found.has_value()) continue;
    highest = value;
    found = i;
  }
  return found;
}

// Chooses among the proposals of a view, one after the other, as if those
// before were pending.
class ProposalChoice {
 public:
  ProposalChoice(const StudyView& view, const Suggester& inner)
      : view_(view),
        inner_(inner),
        sources_(SourcesOf(view)),
        trust_in_search_(TrustInSearch(ScoreOfSearch(view))) {
    const std::optional<Recommendation> best = BestObserved(view);
    if (best.has_value()) {
      best_ = FullObjective(view.completed[best->completed], view.goal);
    }
  }

  // Returns the proposal to try next; nullopt if none is worth a trial.
  absl::StatusOr<std::optional<Suggestion>> Next() {
    std::stable_sort(sources_.begin(), sources_.end(),
                     [](const Source& a, const Source& b) {
                       return TrustIn(a.score) > TrustIn(b.score);
                     });
    for (Source& source : sources_) {
      if (!(TrustIn(source.score) > trust_in_search_)) break;
      if (source.candidates.empty()) continue;
      VERNIER_RETURN_IF_ERROR(AddPredictions(inner_, view_, &source));
      const auto found = MostPromising(source, best_, view_.goal);
      if (found.has_value()) return Take(*found, &source);
    }
    return std::nullopt;
  }

 private:
  static Suggestion Take(std::size_t position, Source* source) {
    const auto taken =
        source->candidates.begin() + static_cast<std::ptrdiff_t>(position);
    Suggestion suggestion;
    suggestion.parameters = std::move(taken->parameters);
    suggestion.record.method = SuggestionMethod::kProposal;
    suggestion.record.source = source->name;
    suggestion.record.acquisition = TrustIn(source->score);
    suggestion.record.prediction = taken->prediction;
    source->candidates.erase(taken);
    ++source->score.tried;
    return suggestion;
  }

  const StudyView& view_;
  const Suggester& inner_;
  std::vector<Source> sources_;
  const double trust_in_search_;
  std::optional<double> best_;  // Larger is better.
};

}  // namespace

ProposalSuggester::ProposalSuggester(std::unique_ptr<Suggester> inner)
    : WrappingSuggester(std::move(inner)) {}

bool ProposalSuggester::Concerns(const StudyView& view) const {
  return !view.proposals.empty() || view.trials_proposed > 0;
}

absl::StatusOr<std::vector<Suggestion>> ProposalSuggester::FirstPoints(
    const StudyView& view, int count) const {
  std::vector<Suggestion> suggestions;
  if (view.proposals.empty() || NumOwnResults(view) < kFirstOwnResults) {
    return suggestions;
  }
  ProposalChoice choice(view, inner());
  while (std::ssize(suggestions) < count) {
    VERNIER_ASSIGN_OR_RETURN(std::optional<Suggestion> next, choice.Next());
    if (!next.has_value()) break;
    next->record.num_completed = std::ssize(view.completed);
    next->record.num_pending =
        std::ssize(view.pending) + std::ssize(suggestions);
    suggestions.push_back(*std::move(next));
  }
  return suggestions;
}

StudyView ProposalSuggester::After(const StudyView& view,
                                   const std::vector<Suggestion>& first) const {
  StudyView rest = view;
  for (const Suggestion& suggestion : first) {
    rest.pending.push_back(suggestion.parameters);
    rest.pending_sources.push_back(suggestion.record.source);
  }
  rest.trials_proposed += std::ssize(first);
  // The points of the search are numbered without proposals, so that it has its
  // own first ones.
  rest.trials_created -= view.trials_proposed;
  return rest;
}

}  // namespace vernier
