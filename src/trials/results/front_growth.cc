#include "trials/results/front_growth.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "suggest/front/pareto_front.h"
#include "suggest/space/study_view.h"
#include "trials/results/pareto_front.h"

namespace vernier {
namespace {

using Merits = std::vector<std::vector<double>>;

// The volumes of larger fronts are estimates, whose errors would look like
// steps.
std::size_t MostResults(std::size_t num_metrics) {
  if (num_metrics > kMostExactMetrics) return 0;
  if (num_metrics <= 2) return 5000;
  return num_metrics == 3 ? 500 : 100;
}

// Returns whether `row` is nowhere better than `other`.
bool IsNoBetter(const std::vector<double>& row,
                const std::vector<double>& other) {
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (row[k] > other[k]) return false;
  }
  return true;
}

}  // namespace

std::vector<FrontStep> GrowthOf(const StudySnapshot& study,
                                const Front& front) {
  const StudySpec& spec = *study.spec;
  std::vector<FrontStep> steps;
  std::vector<FrontCandidate> results = FrontCandidates(study);
  if (results.size() > MostResults(spec.metrics.size())) return steps;
  std::stable_sort(results.begin(), results.end(),
                   [](const FrontCandidate& a, const FrontCandidate& b) {
                     return a.ended_at < b.ended_at;
                   });
  std::vector<double> reference;
  for (std::size_t k = 0; k < front.reference.size(); ++k) {
    reference.push_back(MeritOf(spec.metrics[k].goal, front.reference[k]));
  }
  Merits merits;  // Of the front so far.
  double volume = 0;
  for (FrontCandidate& result : results) {
    std::vector<double>& own = result.merits;
    const bool is_beaten =
        std::any_of(merits.begin(), merits.end(),
                    [&](const auto& row) { return IsNoBetter(own, row); });
    if (is_beaten) continue;
    std::erase_if(merits,
                  [&](const auto& row) { return IsNoBetter(row, own); });
    merits.push_back(std::move(own));
    const double wider = Hypervolume(merits, reference);
    if (!std::isfinite(wider)) break;  // It cannot be told any more.
    if (wider > volume) steps.push_back({result.trial, wider});
    volume = std::max(volume, wider);
  }
  return steps;
}

}  // namespace vernier
