#include "study/metrics/reserved_name.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

using Kind = MetricSourceKind;

TEST(ReservedNameTest, ANameIsHeardWhereItIsNothingElse) {
  const struct {
    const char* name;
    std::vector<Kind> sources;
    bool is_heard;
  } kCases[] = {
      {"loss", {}, true},
      {"time", {}, false},
      {"step", {}, false},
      {"timestamp", {}, false},
      {"trial", {}, false},
      {"global_step", {}, false},
      {"checkpoint_path", {}, false},
      {"time", {Kind::kStdout}, true},
      {"time", {Kind::kHypertuneFile, Kind::kTensorBoard}, true},
      {"time", {Kind::kStdout, Kind::kMetricFile}, false},
      {"trial", {Kind::kReport, Kind::kMetricFile}, true},
      {"Time", {}, true},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(WhyNotHeard(test.name, test.sources).empty(), test.is_heard)
        << test.name;
  }
}

TEST(ReservedNameTest, SaysWhereAndWhatToDo) {
  EXPECT_EQ(
      WhyNotHeard("time", {}),
      "is \"time\", which is no metric in REPORT and METRIC_FILE but says "
      "something of the others there; name the metric otherwise "
      "(\"my_time\"), or listen elsewhere alone: vernier.metricSources: "
      "[HYPERTUNE_FILE, TENSORBOARD, WANDB, TRACKIO, CSV_FILE, STDOUT]");
}

}  // namespace
}  // namespace vernier
