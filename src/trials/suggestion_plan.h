#ifndef VERNIER_TRIALS_SUGGESTION_PLAN_H_
#define VERNIER_TRIALS_SUGGESTION_PLAN_H_

#include <string>
#include <utility>
#include <vector>

#include "store/store.h"
#include "study/suggestion.h"

namespace vernier {

/// What a client wants.
struct SuggestRequest {
  int count = 1;  ///< >= 1.
  std::string client_id;
};

/// Which client gets which trials of a study.
struct SuggestionPlan {
  /// Requested trials, and the clients that get them; by trial.
  std::vector<std::pair<TrialId, std::string>> given;
  /// Clients that get new points: each once for every point, in the order of
  /// the points, which become the next trials.
  std::vector<std::string> points_for;
  /// By request: the trials that the client then has, at most as many as it
  /// wants, without new points. By id.
  std::vector<std::vector<TrialId>> trials;
};

/// A client gets its active trials, then requested trials, then new points.
/// Requests of one client get the same trials, since it is one worker; earlier
/// requests are served first. Pure. O(open trials + requests).
SuggestionPlan PlanSuggestions(const StudySnapshot& study,
                               const std::vector<SuggestRequest>& requests);

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUGGESTION_PLAN_H_
