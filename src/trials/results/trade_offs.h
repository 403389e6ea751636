#ifndef VERNIER_TRIALS_RESULTS_TRADE_OFFS_H_
#define VERNIER_TRIALS_RESULTS_TRADE_OFFS_H_

#include <string>
#include <vector>

#include "store/store.h"
#include "trials/results/front.h"

namespace vernier {

/// The gains and losses of one trial of a front against another one.
struct TradeOff {
  TrialId from{};
  TrialId to{};
  /// For each metric: the value of `to` less that of `from`, signed so that
  /// more is better. Some are > 0 and some < 0.
  std::vector<double> gains;
};

/// Returns the trade-offs between the knee of `front`, which must be FrontOf
/// the study, and other trials of the front: with two metrics, its neighbours
/// on either side; with more, the two trials nearest to it, each metric scaled
/// by its extent. Empty without a knee. Pure.
std::vector<TradeOff> TradeOffsOf(const StudySnapshot& study,
                                  const Front& front);

/// "Against trial 7, the most balanced one, trial 12 gains 0.01 of accuracy and
/// loses 12 of latency."
std::string DescribeTradeOff(const StudySpec& spec, const TradeOff& trade_off);

}  // namespace vernier

#endif  // VERNIER_TRIALS_RESULTS_TRADE_OFFS_H_
