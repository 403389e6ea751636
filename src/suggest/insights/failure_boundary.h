#ifndef VERNIER_SUGGEST_INSIGHTS_FAILURE_BOUNDARY_H_
#define VERNIER_SUGGEST_INSIGHTS_FAILURE_BOUNDARY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "study/parameter.h"

namespace vernier {

/// A trial that died in the way in question, or that lives.
struct TrialFate {
  Parameters parameters;
  bool has_failed = false;
};

/// A rule on the parameters of a trial: trials inside it die, others live.
struct FailureBoundary {
  enum class Quantity { kValue, kProduct, kRatio };
  enum class Relation { kAbove, kBelow, kEqual };

  std::string first;
  std::string second;  ///< Empty: the rule is on `first` alone.
  Quantity quantity = Quantity::kValue;  ///< kRatio: first / second.
  Relation relation = Relation::kAbove;
  double threshold = 0;  ///< In the users' units; not with kEqual.
  std::string category;  ///< With kEqual only.

  /// The trials for which the rule holds, and those of them that died; and the
  /// same of the others.
  std::int64_t inside = 0;
  std::int64_t inside_failed = 0;
  std::int64_t outside = 0;
  std::int64_t outside_failed = 0;
};

/// Fewer failures or successes have no boundary.
inline constexpr std::size_t kFewestFates = 3;

/// Returns the simplest rule that separates failures from successes: a
/// threshold on a numeric parameter, a category, or a threshold on the product
/// or the ratio of two positive numeric parameters. A trial in which a
/// parameter is inactive is outside of a rule on it. nullopt if no rule holds
/// for enough more of the failures than of the successes, or if chance finds
/// such a rule too often: in one of 20 studies in which failures are unrelated
/// to the parameters, by Fisher's exact test and Bonferroni's correction for
/// the number of rules that differ, of which those on two parameters share a
/// tenth of the error.
///
/// `fates` have parameters of `space`. Deterministic. At most 500 failures and
/// 500 successes, evenly spread over `fates`, and pairs of at most 12
/// parameters are searched; the counts are of all fates. O(n d) beyond that.
std::optional<FailureBoundary> FindFailureBoundary(
    const std::vector<ParameterSpec>& space,
    const std::vector<TrialFate>& fates);

/// Returns "depth × width above 9000", "lr below 0.001" or "optimizer = sgd".
std::string DescribeRule(const FailureBoundary& boundary);

/// Returns the value that the rule looks at, as text: "4096" or "adam"; empty
/// if a parameter of it is inactive.
std::string DescribeValueAt(const FailureBoundary& boundary,
                            const Parameters& parameters);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_INSIGHTS_FAILURE_BOUNDARY_H_
