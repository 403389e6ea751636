#include "trials/results/front.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "suggest/front/pareto_front.h"
#include "suggest/space/study_view.h"
#include "trials/results/final_values.h"
#include "trials/results/pareto_front.h"

namespace vernier {
namespace {

using Merits = std::vector<std::vector<double>>;

// Returns the row nearest to the point that has the best of each column.
std::size_t NearestToIdeal(const Merits& merits) {
  const std::size_t num_metrics = merits.front().size();
  std::vector<double> distances(merits.size(), 0);
  for (std::size_t k = 0; k < num_metrics; ++k) {
    double worst = std::numeric_limits<double>::infinity();
    double best = -worst;
    for (const std::vector<double>& row : merits) {
      worst = std::min(worst, row[k]);
      best = std::max(best, row[k]);
    }
    // Halves are used, because the extent of huge values overflows.
    const double extent = best / 2 - worst / 2;
    if (!(extent > 0)) continue;
    for (std::size_t i = 0; i < merits.size(); ++i) {
      const double lost = (best / 2 - merits[i][k] / 2) / extent;
      distances[i] += lost * lost;
    }
  }
  return static_cast<std::size_t>(
      std::min_element(distances.begin(), distances.end()) - distances.begin());
}

bool IsQuick(std::size_t num_trials, std::size_t num_metrics) {
  constexpr std::size_t kMostOfFew = 2000;
  constexpr std::size_t kMostOfMany = 200;
  return num_trials <= (num_metrics <= 3 ? kMostOfFew : kMostOfMany);
}

}  // namespace

std::optional<Front> FrontOf(const StudySnapshot& study) {
  constexpr std::size_t kFewestWithKnee = 3;
  Front front;
  front.trials = OptimalTrials(study);
  if (front.trials.empty()) return std::nullopt;
  const StudySpec& spec = *study.spec;
  Merits merits;
  for (const TrialId id : front.trials) {
    merits.push_back(*MeritsOf(spec, *study.trials.Share(id)));
  }
  Merits all;
  for (FrontCandidate& candidate : FrontCandidates(study)) {
    all.push_back(std::move(candidate.merits));
  }
  std::vector<double> reference = InferReference(merits, all);
  for (std::size_t k = 0; k < reference.size(); ++k) {
    const MetricGoal& metric = spec.metrics[k];
    if (metric.reference.has_value()) {
      reference[k] = MeritOf(metric.goal, *metric.reference);
    }
    front.reference.push_back(MeritOf(metric.goal, reference[k]));
  }
  if (IsQuick(merits.size(), spec.metrics.size())) {
    const double volume = Hypervolume(merits, reference);
    if (std::isfinite(volume)) front.hypervolume = volume;
  }
  if (!front.hypervolume.has_value()) {
    front.why_no_hypervolume =
        IsQuick(merits.size(), spec.metrics.size())
            ? "it is larger than the largest number"
            : "the front has so many trials that it would take long";
  }
  if (front.trials.size() >= kFewestWithKnee) {
    front.knee = front.trials[NearestToIdeal(merits)];
  }
  return front;
}

}  // namespace vernier
