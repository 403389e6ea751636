#ifndef VERNIER_STUDY_METRIC_REPORT_H_
#define VERNIER_STUDY_METRIC_REPORT_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

struct MetricValue {
  std::string metric;
  double value = 0;  ///< May be NaN or infinite.

  friend bool operator==(const MetricValue&, const MetricValue&) = default;
};

/// Metrics that were reported at once.
struct MetricReport {
  std::int64_t step = 0;
  /// The time since the trial began, by its reporter's measure; 0 if it is not
  /// given. >= 0.
  std::chrono::microseconds elapsed{0};
  std::vector<MetricValue> metrics;  ///< Names are distinct.
};

/// Returns a JSON list of the reports; "[]" for none.
std::string MetricReportsToJson(const std::vector<MetricReport>& reports);

/// Reads the text that MetricReportsToJson wrote. INVALID_ARGUMENT for anything
/// else.
absl::StatusOr<std::vector<MetricReport>> MetricReportsFromJson(
    std::string_view text);

/// Returns one line of JSON for storage. Each value is written as its 64 bits,
/// so that NaN is read back, too.
std::string MetricReportToJson(const MetricReport& report);

/// Reads the text that MetricReportToJson wrote. INVALID_ARGUMENT for anything
/// else.
absl::StatusOr<MetricReport> MetricReportFromJson(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_STUDY_METRIC_REPORT_H_
