#include "trials/results/pareto_front.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "suggest/front/pareto_front.h"
#include "trials/results/final_values.h"

namespace vernier {

std::vector<FrontCandidate> FrontCandidates(const StudySnapshot& study) {
  std::vector<FrontCandidate> candidates;
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const TrialId id{static_cast<std::int64_t>(n)};
    const TrialBrief brief = study.trials.Brief(id);
    if (brief.state != TrialState::kCompleted || IsDeleted(brief)) continue;
    const std::shared_ptr<const TrialRecord> trial = study.trials.Share(id);
    if (!MeetsConstraints(*study.spec, *trial)) continue;
    auto merits = MeritsOf(*study.spec, *trial);
    if (!merits.has_value()) continue;
    candidates.push_back(
        {id, trial->ended_at.value_or(Timestamp{}), *std::move(merits)});
  }
  return candidates;
}

std::vector<TrialId> OptimalTrials(const StudySnapshot& study) {
  const std::vector<FrontCandidate> candidates = FrontCandidates(study);
  std::vector<std::vector<double>> merits;
  merits.reserve(candidates.size());
  for (const FrontCandidate& one : candidates) merits.push_back(one.merits);
  std::vector<TrialId> ids;
  for (const std::size_t row : NondominatedRows(merits)) {
    ids.push_back(candidates[row].trial);
  }
  return ids;
}

}  // namespace vernier
