#include "trials/metric_reports.h"

#include <cstdint>
#include <tuple>
#include <utility>

namespace vernier {

std::map<TrialId, std::vector<MetricReport>> ReportsByTrial(
    const std::vector<TrialMeasurement>& measurements) {
  std::map<std::tuple<TrialId, Timestamp, std::int64_t>, MetricReport> reports;
  for (const TrialMeasurement& one : measurements) {
    const Measurement& measurement = one.measurement;
    MetricReport& report =
        reports[{one.trial, measurement.reported_at, measurement.step}];
    report.step = measurement.step;
    report.elapsed = measurement.elapsed;
    report.metrics.push_back({measurement.metric, measurement.value});
  }
  std::map<TrialId, std::vector<MetricReport>> by_trial;
  for (auto& [key, report] : reports) {
    by_trial[std::get<0>(key)].push_back(std::move(report));
  }
  return by_trial;
}

}  // namespace vernier
