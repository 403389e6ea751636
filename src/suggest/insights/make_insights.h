#ifndef VERNIER_SUGGEST_INSIGHTS_MAKE_INSIGHTS_H_
#define VERNIER_SUGGEST_INSIGHTS_MAKE_INSIGHTS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "suggest/insights/examined_study.h"
#include "suggest/insights/insights.h"
#include "suggest/space/search_space_encoding.h"

namespace vernier {

/// The number of the most important parameters that have a slice.
inline constexpr std::size_t kMostSlices = 32;

/// Returns OK if every requested contour is of two different parameters that
/// can vary; else INVALID_ARGUMENT names the fault.
absl::Status CheckContours(const SearchSpaceEncoding& encoding,
                           const InsightsRequest& request);

/// Computes everything in Insights from a fitted model. A contour of two
/// parameters that no result has together is left out. Deterministic: the same
/// study gives the same bits on one kind of processor. The model has at most
/// 2,000 rows, so the cost grows with n^2 up to 2,000 results and hardly
/// beyond.
///
/// Errors: those of CheckContours.
absl::StatusOr<Insights> MakeInsights(const ExaminedStudy& study,
                                      const InsightsRequest& request);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_INSIGHTS_MAKE_INSIGHTS_H_
