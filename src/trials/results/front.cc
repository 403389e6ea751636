#include "trials/results/front.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

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
  const std::vector<FrontCandidate> candidates = FrontCandidates(study);
  if (candidates.empty()) return std::nullopt;
  const StudySpec& spec = *study.spec;
  Merits all;
  all.reserve(candidates.size());
  for (const FrontCandidate& one : candidates) all.push_back(one.merits);
  Front front;
  Merits merits;
  for (const std::size_t row : NondominatedRows(all)) {
    front.trials.push_back(candidates[row].trial);
    merits.push_back(all[row]);
  }
  std::vector<double> reference = InferReference(merits, all);
  for (std::size_t k = 0; k < reference.size(); ++k) {
    const MetricGoal& metric = spec.metrics[k];
    if (metric.reference.has_value()) {
      reference[k] = MeritOf(metric.goal, *metric.reference);
    }
    front.reference.push_back(MeritOf(metric.goal, reference[k]));
  }
  if (!IsQuick(merits.size(), spec.metrics.size())) {
    front.why_no_hypervolume =
        "the front has so many trials that it would take long";
  } else if (const double volume = Hypervolume(merits, reference);
             std::isfinite(volume)) {
    front.hypervolume = volume;
  } else {
    front.why_no_hypervolume = "it is larger than the largest number";
  }
  if (front.trials.size() >= kFewestWithKnee) {
    front.knee = front.trials[NearestToIdeal(merits)];
  }
  return front;
}

}  // namespace vernier
