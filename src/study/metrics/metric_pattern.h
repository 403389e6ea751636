#ifndef VERNIER_STUDY_METRICS_METRIC_PATTERN_H_
#define VERNIER_STUDY_METRICS_METRIC_PATTERN_H_

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace re2 {
class RE2;
}  // namespace re2

namespace vernier {

/// Longest pattern, in bytes.
inline constexpr std::size_t kMaxMetricPattern = 1000;
/// Most matches that are looked for in one line.
inline constexpr std::size_t kMaxPatternMatches = 100;

/// What a pattern found in a line, as it stands there; views into the line.
struct PatternMatch {
  std::string_view name;  ///< Empty unless the pattern has that group.
  std::string_view value;
  std::string_view step;  ///< Empty if there is none.
};

/// A job's own regular expression for the metrics in what its program prints.
/// Its named groups are `value`, which it must have, `name` for the metric's
/// name, which it must have unless the job names the metric, and `step`. Others
/// are refused, lest a misspelt one be overlooked; groups without a name may
/// be.
///
/// The syntax is RE2's: time and memory are bounded whatever the expression and
/// the line. Thread-compatible.
class MetricPattern {
 public:
  /// `metric` is what is measured, or empty if the group `name` says it.
  ///
  /// INVALID_ARGUMENT says what is wrong with the expression.
  static absl::StatusOr<MetricPattern> Compile(std::string_view expression,
                                               std::string_view metric);

  MetricPattern(MetricPattern&&) noexcept;
  MetricPattern& operator=(MetricPattern&&) noexcept;
  ~MetricPattern();

  /// The metric's name, or empty if the group `name` says it.
  const std::string& metric() const { return metric_; }

  /// The matches, which do not overlap, from left to right: at most
  /// kMaxPatternMatches. A match without a value is left out. Some patterns
  /// take seconds for a line of 16 KiB; once `stop` is asked for, no further
  /// match is looked for.
  std::vector<PatternMatch> FindAll(std::string_view line,
                                    const std::stop_token& stop = {}) const;

 private:
  MetricPattern(std::unique_ptr<const re2::RE2> expression,
                std::string_view metric);

  std::unique_ptr<const re2::RE2> expression_;
  std::string metric_;
  int name_group_ = 0;  // 0 if there is none.
  int value_group_ = 0;
  int step_group_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_STUDY_METRICS_METRIC_PATTERN_H_
