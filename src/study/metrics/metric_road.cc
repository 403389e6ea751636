#include "study/metrics/metric_road.h"

#include <algorithm>
#include <iterator>

namespace vernier {
namespace {

struct RoadName {
  MetricRoad road;
  std::string_view name;
};

// From the most to the least explicit source.
constexpr RoadName kRoads[] = {
    {MetricRoad::kReport, "REPORT"},
    {MetricRoad::kMetricFile, "METRIC_FILE"},
    {MetricRoad::kHypertuneFile, "HYPERTUNE_FILE"},
    {MetricRoad::kWandb, "WANDB"},
    {MetricRoad::kTrackio, "TRACKIO"},
    {MetricRoad::kValidationEvents, "TENSORBOARD (validation)"},
    {MetricRoad::kTestEvents, "TENSORBOARD (test)"},
    {MetricRoad::kEvents, "TENSORBOARD"},
    {MetricRoad::kTrainingEvents, "TENSORBOARD (training)"},
    {MetricRoad::kCsvFile, "CSV_FILE"},
    {MetricRoad::kStdout, "STDOUT"},
};

const RoadName* Find(MetricRoad road) {
  return std::find_if(std::begin(kRoads), std::end(kRoads),
                      [&](const RoadName& each) { return each.road == road; });
}

}  // namespace

bool IsClearer(MetricRoad a, MetricRoad b) { return Find(a) < Find(b); }

std::string_view ToString(MetricRoad road) {
  const RoadName* found = Find(road);
  return found == std::end(kRoads) ? "UNKNOWN" : found->name;
}

}  // namespace vernier
