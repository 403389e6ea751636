#ifndef VERNIER_SUGGEST_INSIGHTS_ADVICE_H_
#define VERNIER_SUGGEST_INSIGHTS_ADVICE_H_

#include <Eigen/Core>
#include <vector>

#include "suggest/insights/examined_study.h"
#include "suggest/insights/importance.h"
#include "suggest/insights/insights.h"

namespace vernier {

/// Returns changes that a user could make to the search, the most useful first;
/// at most kMostAdvice sentences, each with the numbers behind it. `best` is
/// the row of the predicted best. Pure.
std::vector<Advice> GiveAdvice(const ExaminedStudy& study,
                               const CoordinateShares& shares,
                               const Eigen::RowVectorXd& best);
inline constexpr std::size_t kMostAdvice = 8;

}  // namespace vernier

#endif  // VERNIER_SUGGEST_INSIGHTS_ADVICE_H_
