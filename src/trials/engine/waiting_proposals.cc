#include "trials/engine/waiting_proposals.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "store/present_space.h"
#include "suggest/algorithms/proposal_suggester.h"
#include "suggest/space/constrained_space.h"
#include "suggest/space/space_membership.h"

namespace vernier {
namespace {

// Returns the points of all trials, as text.
std::set<std::string> PointsOfTrials(const StudySnapshot& study,
                                     const PresentSpace& space) {
  std::set<std::string> points;
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const TrialId id{static_cast<std::int64_t>(n)};
    const auto parameters = space.Read(study.trials.ParametersOf(id));
    if (parameters.has_value()) points.insert(ParametersToJson(*parameters));
  }
  return points;
}

bool IsInSpace(const StudySpec& spec, const Parameters& parameters) {
  return CheckFitsSpace(spec.parameters, parameters).ok() &&
         CheckMeetsConstraints(spec.parameter_constraints, parameters).ok();
}

}  // namespace

absl::Status CheckTakesProposals(Algorithm algorithm) {
  if (algorithm == Algorithm::kDefault) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "proposals need the default algorithm; others choose their points by "
      "themselves");
}

std::vector<Proposal> WaitingProposals(const StudySnapshot& study) {
  std::vector<Proposal> waiting;
  if (study.proposed.empty()) return waiting;
  const PresentSpace space(study);
  const std::set<std::string> tried = PointsOfTrials(study, space);
  std::map<std::string, int> waiting_by_source;
  for (auto point = study.proposed.rbegin(); point != study.proposed.rend();
       ++point) {
    int& count = waiting_by_source[(*point)->source];
    if (count == kMostProposalsConsidered) continue;
    auto parameters = space.Read((*point)->parameters);
    if (!parameters.has_value() || !IsInSpace(*study.spec, *parameters) ||
        tried.contains(ParametersToJson(*parameters))) {
      continue;
    }
    waiting.push_back({(*point)->source, *std::move(parameters)});
    ++count;
  }
  std::reverse(waiting.begin(), waiting.end());
  return waiting;
}

}  // namespace vernier
