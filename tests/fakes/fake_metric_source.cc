#include "tests/fakes/fake_metric_source.h"

#include <utility>

namespace vernier {

void FakeMetricSource::Report(const AttemptKey& attempt,
                              Measurement measurement) {
  std::vector<Measurement>& reports = reports_[attempt];
  // As if it stood in a file, which is read again after a restart.
  if (measurement.road == MetricRoad::kReport) {
    measurement.road = MetricRoad::kMetricFile;
  }
  reports.push_back(std::move(measurement));
}

void FakeMetricSource::HoldUntilFinal(const AttemptKey& attempt) {
  held_.insert(attempt);
}

void FakeMetricSource::ReportProblem(const AttemptKey& attempt,
                                     std::string problem) {
  problems_[attempt].push_back(std::move(problem));
}

MetricReading FakeMetricSource::Read(const LiveAttempt& attempt,
                                     const JobSpec& /*spec*/, bool final) {
  ++reads_;
  if (failing_reads_ > 0) {
    --failing_reads_;
    MetricReading nothing;
    nothing.is_partial = true;
    return nothing;
  }
  if (pending_reads_ > 0) {
    --pending_reads_;
    MetricReading nothing;
    nothing.is_pending = true;
    return nothing;
  }
  if (final) final_reads_.push_back(attempt.attempt);
  if (!final && held_.count(attempt.attempt) > 0) return {};
  const std::vector<Measurement>& reports = reports_[attempt.attempt];
  std::size_t& next = next_[attempt.attempt];
  MetricReading fresh;
  fresh.measurements.assign(reports.begin() + static_cast<std::ptrdiff_t>(next),
                            reports.end());
  next = reports.size();
  fresh.problems = problems_[attempt.attempt];
  fresh.attributes = said_[attempt.attempt];
  return fresh;
}

void FakeMetricSource::Forget(const AttemptKey& attempt) {
  next_.erase(attempt);
  forgotten_.push_back(attempt);
}

}  // namespace vernier
