#include "trials/results/pareto_front.h"

#include <memory>
#include <optional>
#include <utility>

#include "suggest/front/pareto_front.h"
#include "trials/results/final_values.h"

namespace vernier {
std::vector<TrialId> OptimalTrials(const StudySnapshot& study) {
  std::vector<TrialId> candidates;
  std::vector<std::vector<double>> merits;
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const TrialId id{static_cast<std::int64_t>(n)};
    const TrialBrief brief = study.trials.Brief(id);
    if (brief.state != TrialState::kCompleted || IsDeleted(brief)) continue;
    const std::shared_ptr<const TrialRecord> trial = study.trials.Share(id);
    if (!MeetsConstraints(*study.spec, *trial)) continue;
    auto row = MeritsOf(*study.spec, *trial);
    if (!row.has_value()) continue;
    candidates.push_back(id);
    merits.push_back(*std::move(row));
  }
  std::vector<TrialId> ids;
  for (const std::size_t row : NondominatedRows(merits)) {
    ids.push_back(candidates[row]);
  }
  return ids;
}

}  // namespace vernier
