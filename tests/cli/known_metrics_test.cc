#include "cli/verbs/known_metrics.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(KnownMetricsTest, AnotherNameIsAnErrorWithTheNearest) {
  EXPECT_TRUE(CheckIsMetric("loss", {"acc", "loss"}).ok());
  const absl::Status near = CheckIsMetric("los", {"acc", "loss"});
  EXPECT_EQ(near.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(near.message(),
            "--metric: the trial has no metric \"los\"; did you mean loss?; "
            "there are acc, loss");
  EXPECT_EQ(CheckIsMetric("time", {"acc"}).message(),
            "--metric: the trial has no metric \"time\"; there is acc");
  EXPECT_EQ(CheckIsMetric("time", {}).message(),
            "--metric: the trial has no metric \"time\"; there are none");
}

}  // namespace
}  // namespace vernier
