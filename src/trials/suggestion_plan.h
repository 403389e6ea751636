#ifndef VERNIER_TRIALS_SUGGESTION_PLAN_H_
#define VERNIER_TRIALS_SUGGESTION_PLAN_H_

#include <string>
#include <utility>
#include <vector>

#include "store/store.h"
#include "study/suggestion.h"

namespace vernier {

/// A client's request for trials.
struct SuggestRequest {
  int count = 1;  ///< >= 1.
  std::string client_id;
};

/// The assignment of a study's trials to clients.
struct SuggestionPlan {
  /// Requested trials, and the clients that get them; by trial.
  std::vector<std::pair<TrialId, std::string>> given;
  /// Clients that get new points, with an entry for every point, in the order
  /// of the points. The points become the study's next trials.
  std::vector<std::string> points_for;
  /// For each request, the trials that its client then has, by id: at most as
  /// many as it wants, and without new points.
  std::vector<std::vector<TrialId>> trials;
};

/// Plans which trials the clients get. A client gets its active trials, then
/// requested trials, then new points. Requests of one client get the same
/// trials, because it is one worker. Clients are served in the order of their
/// first requests. Pure. O(open trials + requests).
SuggestionPlan PlanSuggestions(const StudySnapshot& study,
                               const std::vector<SuggestRequest>& requests);

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUGGESTION_PLAN_H_
