#include "cluster/metrics/trackio/trackio_row.h"

#include <cstddef>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/json_bounds.h"
#include "base/python_json.h"
#include "base/timestamp_text.h"
#include "cluster/metrics/files/place_time.h"

namespace vernier {
namespace {

constexpr std::int64_t kMaxStep = 9'000'000'000'000'000;  // Below 2^53.
constexpr std::size_t kMaxTimeText = 40;

// The library describes tables, histograms, images and the like by mappings
// that say so, and whose numbers are no metrics.
bool IsLibrarysObject(const Json& mapping) {
  const auto type = mapping.find("_type");
  return type != mapping.end() && type->is_string() &&
         absl::StartsWith(type->get_ref<const std::string&>(), "trackio.");
}

struct LoggedValues {
  Measurement sample;  // What all of them have in common.
  std::string where;
  std::size_t taken = 0;
  FileReading& reading;
};

// ParseJson has bounded the depth.
void TakeMapping(const Json& mapping,  // NOLINT(misc-no-recursion)
                 const std::string& prefix, LoggedValues& values) {
  for (const auto& [key, value] : mapping.items()) {
    if (prefix.size() + key.size() > 2 * kMaxMetricName) continue;
    const std::string name = absl::StrCat(prefix, key);
    if (value.is_object()) {
      if (!IsLibrarysObject(value)) {
        TakeMapping(value, absl::StrCat(name, "."), values);
      }
      continue;
    }
    const std::optional<double> number = PythonNumberOrWord(value);
    if (!number || ++values.taken > kMaxMetricsOfRecord) continue;
    Measurement measurement = values.sample;
    measurement.metric = name;
    measurement.value = *number;
    AddMeasurement(std::move(measurement), values.where, values.reading);
  }
}

}  // namespace

void TrackioRows::Take(const TrackioRow& row, FileReading& reading) {
  const bool has_step = row.step && *row.step >= 0 && *row.step < kMaxStep;
  last_step_ = has_step ? *row.step : last_step_ + 1;
  std::optional<Timestamp> time;
  if (row.time.size() <= kMaxTimeText) time = ParseTimestamp(row.time);
  last_time_ = TimeBehind(last_time_, time.value_or(last_time_));
  const absl::Status bounds = CheckJsonBounds(row.metrics, kMaxTrackioValues);
  const absl::StatusOr<Json> metrics =
      bounds.ok() ? ParseJson(row.metrics) : bounds;
  if (!metrics.ok() || !metrics->is_object()) {
    AddProblem(absl::StrCat("the metrics of row ", row.id,
                            " of the Trackio database are no JSON object that "
                            "can be read"),
               reading.problems);
    return;
  }
  Measurement sample;
  sample.step = last_step_;
  sample.reported_at = last_time_;
  sample.road = MetricRoad::kTrackio;
  LoggedValues values{sample, "the Trackio database", 0, reading};
  TakeMapping(*metrics, "", values);
}

}  // namespace vernier
