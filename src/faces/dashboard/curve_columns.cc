#include "faces/dashboard/curve_columns.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <set>

#include "base/calls/call_meter.h"
#include "base/status_macros.h"
#include "study/metrics/metric_road.h"
#include "trials/results/best_trials.h"

namespace vernier {
namespace {

constexpr std::size_t kBestCurves = 200;
constexpr std::size_t kNewestCurves = 100;
constexpr std::size_t kMostRunningCurves = 300;
constexpr std::size_t kMostMeasurements = 100000;
constexpr std::size_t kMostNames = 100;
// The memory of a point that is held in a curve, in the columns and in the
// answer.
constexpr std::size_t kBytesOfPoint = 3 * (sizeof(double) + sizeof(float));
constexpr std::size_t kTrialsWithNames = 300;

}  // namespace

std::vector<ShownCurvePoint> Downsample(
    const std::vector<ShownCurvePoint>& curve, std::size_t points) {
  if (curve.size() <= points || curve.size() <= 2) return curve;
  const std::size_t inner = curve.size() - 2;
  const std::size_t stretches = std::max<std::size_t>(1, (points - 2) / 2);
  std::vector<ShownCurvePoint> kept = {curve.front()};
  for (std::size_t i = 0; i < stretches && points > 2; ++i) {
    const auto begin =
        curve.begin() + 1 + static_cast<std::ptrdiff_t>(inner * i / stretches);
    const auto end = curve.begin() + 1 +
                     static_cast<std::ptrdiff_t>(inner * (i + 1) / stretches);
    const auto [low, high] = std::minmax_element(
        begin, end, [](const ShownCurvePoint& a, const ShownCurvePoint& b) {
          return a.value < b.value;
        });
    kept.push_back(*std::min(low, high));
    // A stretch with one point, or equal ones, keeps one; so does each with
    // `points` = 3.
    if (low != high && points > 3) kept.push_back(*std::max(low, high));
  }
  kept.push_back(curve.back());
  return kept;
}

std::vector<ShownCurvePoint> CurveOf(
    const std::vector<Measurement>& measurements) {
  if (measurements.empty()) return {};
  MetricRoad road = measurements.front().road;
  for (const Measurement& each : measurements) {
    if (IsClearer(each.road, road)) road = each.road;
  }
  std::map<std::int64_t, const Measurement*> by_step;
  for (const Measurement& each : measurements) {
    if (each.road != road || !std::isfinite(each.value)) continue;
    const Measurement*& known = by_step[each.step];
    if (known == nullptr || each.attempt >= known->attempt) known = &each;
  }
  std::vector<ShownCurvePoint> curve;
  curve.reserve(by_step.size());
  for (const auto& [step, each] : by_step) {
    curve.push_back(
        {static_cast<double>(step), static_cast<float>(each->value)});
  }
  return curve;
}

std::vector<TrialId> TrialsWithCurves(const StudySnapshot& study) {
  std::vector<TrialId> best = BestFirst(study);
  if (best.size() > kBestCurves) best.resize(kBestCurves);
  std::set<TrialId> trials(best.begin(), best.end());
  const std::size_t running = std::min(study.open.size(), kMostRunningCurves);
  trials.insert(study.open.begin(),
                study.open.begin() + static_cast<std::ptrdiff_t>(running));
  const std::size_t count = study.trials.size();
  for (std::size_t n = count; n > 0 && n + kNewestCurves > count; --n) {
    const auto id = TrialId(static_cast<std::int64_t>(n));
    if (!IsDeleted(study.trials.Brief(id))) trials.insert(id);
  }
  return {trials.begin(), trials.end()};
}

absl::Status WriteCurveColumns(const Store& store, const StudySnapshot& study,
                               const std::vector<TrialId>& trials,
                               const std::string& metric, std::size_t points,
                               ColumnWriter* columns) {
  std::vector<std::int32_t> ids;
  std::vector<std::int32_t> starts = {0};
  std::vector<double> steps;
  std::vector<float> values;
  for (const TrialId trial : trials) {
    VERNIER_ASSIGN_OR_RETURN(
        const std::vector<Measurement> measurements,
        store.ListMeasurements(study.id, trial, metric, kMostMeasurements));
    VERNIER_RETURN_IF_ERROR(
        UseInCall({std::ssize(measurements) + 1, points * kBytesOfPoint}));
    const std::vector<ShownCurvePoint> curve =
        Downsample(CurveOf(measurements), points);
    if (curve.empty()) continue;
    ids.push_back(static_cast<std::int32_t>(ToInt(trial)));
    for (const ShownCurvePoint& point : curve) {
      steps.push_back(point.step);
      values.push_back(point.value);
    }
    starts.push_back(static_cast<std::int32_t>(steps.size()));
  }
  columns->Add("trial", ids);
  columns->Add("start", starts);
  columns->Add("step", steps);
  columns->Add("value", values);
  return absl::OkStatus();
}

std::vector<std::string> MetricNames(const StudySnapshot& study) {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& name) {
    if (names.size() < kMostNames &&
        std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  };
  for (const MetricGoal& metric : study.spec->metrics) add(metric.name);
  const std::size_t count = study.trials.size();
  for (std::size_t n = count; n > 0 && n + kTrialsWithNames > count; --n) {
    const auto id = TrialId(static_cast<std::int64_t>(n));
    const std::shared_ptr<const TrialRecord> trial = study.trials.Share(id);
    for (const SeenMetric& metric : trial->metrics_seen) add(metric.name);
  }
  return names;
}

}  // namespace vernier
