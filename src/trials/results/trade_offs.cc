#include "trials/results/trade_offs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "trials/results/final_values.h"

namespace vernier {
namespace {

struct Candidate {
  TrialId trial{};
  double distance = 0;  // From the knee, scaled.
  std::vector<double> gains;
};

double ExtentOf(const std::vector<std::vector<double>>& merits,
                std::size_t metric) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const std::vector<double>& row : merits) {
    low = std::min(low, row[metric]);
    high = std::max(high, row[metric]);
  }
  return high - low;
}

std::string Amounts(const StudySpec& spec, const std::vector<double>& gains,
                    double sign) {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < gains.size(); ++k) {
    if (!(sign * gains[k] > 0)) continue;
    parts.push_back(absl::StrCat(ShortNumber(std::fabs(gains[k]), 3), " of ",
                                 ShowText(spec.metrics[k].name)));
  }
  if (parts.size() < 2) return absl::StrJoin(parts, "");
  const std::string last = parts.back();
  parts.pop_back();
  return absl::StrCat(absl::StrJoin(parts, ", "), " and ", last);
}

}  // namespace

std::vector<TradeOff> TradeOffsOf(const StudySnapshot& study,
                                  const Front& front) {
  std::vector<TradeOff> found;
  if (!front.knee.has_value()) return found;
  const StudySpec& spec = *study.spec;
  std::vector<std::vector<double>> merits;
  std::size_t knee = 0;
  for (std::size_t i = 0; i < front.trials.size(); ++i) {
    merits.push_back(*MeritsOf(spec, *study.trials.Share(front.trials[i])));
    if (front.trials[i] == *front.knee) knee = i;
  }
  std::vector<double> extents;
  for (std::size_t k = 0; k < spec.metrics.size(); ++k) {
    extents.push_back(ExtentOf(merits, k));
  }
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < merits.size(); ++i) {
    if (merits[i] == merits[knee]) continue;
    Candidate candidate{front.trials[i], 0, {}};
    for (std::size_t k = 0; k < merits[i].size(); ++k) {
      candidate.gains.push_back(merits[i][k] - merits[knee][k]);
      const double part = candidate.gains.back() / extents[k];
      if (std::isfinite(part)) candidate.distance += part * part;
    }
    candidates.push_back(std::move(candidate));
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) {
                     return a.distance < b.distance;
                   });
  constexpr std::size_t kMost = 2;
  for (const Candidate& one : candidates) {
    // With two metrics, one trial on either side of the knee is taken.
    const bool is_same_side =
        spec.metrics.size() == 2 && !found.empty() &&
        (found.front().gains.front() > 0) == (one.gains.front() > 0);
    if (is_same_side) continue;
    found.push_back({*front.knee, one.trial, one.gains});
    if (found.size() == kMost) break;
  }
  return found;
}

std::string DescribeTradeOff(const StudySpec& spec, const TradeOff& trade_off) {
  return absl::StrCat("Against trial ", ToInt(trade_off.from),
                      ", the most balanced one, trial ", ToInt(trade_off.to),
                      " gains ", Amounts(spec, trade_off.gains, 1),
                      " and loses ", Amounts(spec, trade_off.gains, -1), ".");
}

}  // namespace vernier
