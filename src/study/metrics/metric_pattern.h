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

/// The largest size of a pattern in bytes.
inline constexpr std::size_t kMaxMetricPattern = 1000;
/// The largest number of matches that are searched for in one line.
inline constexpr std::size_t kMaxPatternMatches = 100;

/// The groups of one match in a line, as written there; views into the line.
struct PatternMatch {
  std::string_view name;  ///< Empty unless the pattern has that group.
  std::string_view value;
  std::string_view step;  ///< Empty if there is none.
};

/// A job's own regular expression for the metrics in its program's output. Its
/// named groups are `value`, which it must have, `name` for the metric's name,
/// which it must have unless the job names the metric, and `step`. Other named
/// groups are refused, so that a misspelt one is not overlooked; groups without
/// a name are allowed.
///
/// The syntax is RE2's: time and memory are bounded whatever the expression and
/// the line. Thread-compatible.
class MetricPattern {
 public:
  /// `metric` is the name of the metric, or empty if the group `name` gives it.
  ///
  /// INVALID_ARGUMENT names the fault of the expression.
  static absl::StatusOr<MetricPattern> Compile(std::string_view expression,
                                               std::string_view metric);

  MetricPattern(MetricPattern&&) noexcept;
  MetricPattern& operator=(MetricPattern&&) noexcept;
  ~MetricPattern();

  /// Returns the metric's name, or empty if the group `name` gives it.
  const std::string& metric() const { return metric_; }

  /// Returns the matches, which do not overlap, from left to right: at most
  /// kMaxPatternMatches. A match without a value is left out. Some patterns
  /// take seconds for a line of 16 KiB; after a request to `stop`, no further
  /// match is searched for.
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
