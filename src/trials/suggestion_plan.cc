#include "trials/suggestion_plan.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace vernier {

SuggestionPlan PlanSuggestions(const StudySnapshot& study,
                               const std::vector<SuggestRequest>& requests) {
  struct Client {
    std::size_t wanted = 0;
    std::vector<TrialId> trials;
  };
  std::map<std::string, Client> clients;
  std::vector<std::string> order;
  for (const SuggestRequest& request : requests) {
    const auto [place, is_new] = clients.try_emplace(request.client_id);
    if (is_new) order.push_back(request.client_id);
    place->second.wanted =
        std::max(place->second.wanted, static_cast<std::size_t>(request.count));
  }
  std::vector<TrialId> requested;
  for (const TrialId id : study.open) {
    const TrialRecord& trial = study.trials.Get(id);
    if (trial.state == TrialState::kRequested) requested.push_back(id);
    if (trial.state != TrialState::kActive) continue;
    const auto client = clients.find(trial.client_id);
    if (client != clients.end()) client->second.trials.push_back(id);
  }

  SuggestionPlan plan;
  std::size_t next = 0;
  for (const std::string& id : order) {
    Client& client = clients.at(id);
    while (client.trials.size() < client.wanted && next < requested.size()) {
      plan.given.emplace_back(requested[next], id);
      client.trials.push_back(requested[next++]);
    }
    std::sort(client.trials.begin(), client.trials.end());
    for (std::size_t n = client.trials.size(); n < client.wanted; ++n) {
      plan.points_for.push_back(id);
    }
  }
  for (const SuggestRequest& request : requests) {
    std::vector<TrialId> trials = clients.at(request.client_id).trials;
    trials.resize(
        std::min(trials.size(), static_cast<std::size_t>(request.count)));
    plan.trials.push_back(std::move(trials));
  }
  return plan;
}

}  // namespace vernier
