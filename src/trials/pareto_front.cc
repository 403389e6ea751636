#include "trials/pareto_front.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace vernier {
namespace {

// A trial's values, signed so that larger is better.
struct Candidate {
  TrialId id{};
  std::vector<double> merits;
};

std::optional<std::vector<double>> MeritsOf(
    const std::vector<MetricGoal>& metrics, const TrialRecord& trial) {
  if (!trial.final_report.has_value()) return std::nullopt;
  std::vector<double> merits;
  for (const MetricGoal& metric : metrics) {
    for (const MetricValue& value : trial.final_report->metrics) {
      if (value.metric != metric.name || !std::isfinite(value.value)) continue;
      merits.push_back(metric.goal == Goal::kMaximize ? value.value
                                                      : -value.value);
      break;
    }
  }
  if (merits.size() != metrics.size()) return std::nullopt;
  return merits;
}

bool Dominates(const std::vector<double>& a, const std::vector<double>& b) {
  bool is_better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] < b[i]) return false;
    is_better = is_better || a[i] > b[i];
  }
  return is_better;
}

}  // namespace

std::vector<TrialId> OptimalTrials(const StudySnapshot& study) {
  std::vector<Candidate> candidates;
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const TrialId id{static_cast<std::int64_t>(n)};
    const TrialBrief brief = study.trials.Brief(id);
    if (brief.state != TrialState::kCompleted || IsDeleted(brief)) continue;
    auto merits = MeritsOf(study.spec->metrics, *study.trials.Share(id));
    if (merits.has_value()) candidates.push_back({id, *merits});
  }
  // A candidate that dominates another one comes before it, so none leaves the
  // front.
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) {
                     return a.merits > b.merits;
                   });
  std::vector<const Candidate*> front;
  for (const Candidate& candidate : candidates) {
    if (std::none_of(front.begin(), front.end(), [&](const Candidate* other) {
          return Dominates(other->merits, candidate.merits);
        })) {
      front.push_back(&candidate);
    }
  }
  std::vector<TrialId> ids;
  ids.reserve(front.size());
  for (const Candidate* candidate : front) ids.push_back(candidate->id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace vernier
