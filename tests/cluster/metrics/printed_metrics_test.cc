#include "cluster/metrics/printed_metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

namespace vernier {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(PrintedNumberTest, ReadsEverySpellingOfANumber) {
  const struct {
    const char* text;
    double value;
  } kCases[] = {
      {"0.5", 0.5},       {"-2", -2},
      {"+3", 3},          {".25", 0.25},
      {"3.", 3},          {"1e-3", 1e-3},
      {"1E+3", 1000},     {"-1.5e10", -1.5e10},
      {"inf", kInf},      {"-Inf", -kInf},
      {"Infinity", kInf}, {"+INF", kInf},
      {"1e999", kInf},    {"0.5.", 0.5},
      {"0.5, lr=1", 0.5}, {"0.5\t1", 0.5},
      {"0.5)", 0.5},      {"0.5'", 0.5},
      {"93.5%", 93.5},    {"0.5 s", 0.5},
      {"0.5,", 0.5},      {"0.25(0.3)", 0.25},
      {"3.]", 3},         {"0.5|", 0.5},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(PrintedNumber(test.text), test.value) << test.text;
  }
  for (const char* text : {"nan", "NaN", "-nan", "nan, 3"}) {
    const auto value = PrintedNumber(text);
    ASSERT_TRUE(value.has_value()) << text;
    EXPECT_TRUE(std::isnan(*value)) << text;
  }
}

TEST(PrintedNumberTest, RefusesWhatIsPartOfSomethingElse) {
  for (const char* text : {"", "-", ".", "e5", "abc", "0.5s", "0x10", "1_000",
                           "1/2", "1,5", "1:30", "2024-01-01", "info", "nano",
                           "1.2.3", "1e5x", "0.5=", "--1", "1e"}) {
    EXPECT_EQ(PrintedNumber(text), std::nullopt) << text;
  }
}

TEST(PrintedMetricTest, FindsTheValueAfterItsName) {
  for (const char* line :
       {"loss=0.5", "loss: 0.5", "loss = 0.5", "loss:0.5", "[3] loss=0.5 s",
        "10/10 - 1s - loss: 0.5 - val_loss: 0.75", "INFO:root:loss=0.5",
        "{'loss': '0.5', 'epoch': '0.2'}", "{\"loss\": 0.5}", "(loss=0.5)",
        "[tune-metric]: {\"loss\":0.5}", "a=1,loss=0.5,b=2", "\tloss:\t0.5",
        "val_loss=0.7 loss=0.5", "loss: ? loss: 0.5"}) {
    EXPECT_EQ(FindPrintedMetric(line, "loss"), 0.5) << line;
  }
}

TEST(PrintedMetricTest, DoesNotFindItInAnotherWord) {
  for (const char* line :
       {"val_loss=1", "train-loss:1", "train/loss: 1", "top.loss=1", "losses=1",
        "loss", "loss 1", "loss=", "loss=abc", "loss=mse1", "--loss=1",
        "gl\xc3\xb6loss=1", "loss_1=1", "loss/x=1", "Loss=1", "loss==1"}) {
    EXPECT_EQ(FindPrintedMetric(line, "loss"), std::nullopt) << line;
  }
}

TEST(PrintedMetricTest, TakesTheLastOfALine) {
  EXPECT_EQ(FindPrintedMetric("loss=1 loss=2 loss=x", "loss"), 2);
  EXPECT_EQ(FindPrintedMetric("a=1 a=2", ""), std::nullopt);
}

TEST(PrintedMetricTest, ReadsTheLinesOfBoostingLibraries) {
  const char* xgboost = "[7]\ttrain-logloss:0.44573\tval-auc:1.00000";
  EXPECT_EQ(FindPrintedMetric(xgboost, "train-logloss"), 0.44573);
  EXPECT_EQ(FindPrintedMetric(xgboost, "val-auc"), 1);
  EXPECT_EQ(FindPrintedMetric(xgboost, "logloss"), std::nullopt);
  EXPECT_EQ(FindPrintedStep(xgboost), 7);
  const char* lightgbm = "[12]\tvalid_0's auc: 0.99905";
  EXPECT_EQ(FindPrintedMetric(lightgbm, "auc"), 0.99905);
  EXPECT_EQ(FindPrintedMetric(lightgbm, "valid_0's auc"), 0.99905);
  EXPECT_EQ(FindPrintedStep(lightgbm), 12);
  EXPECT_EQ(FindPrintedStep("3:\tlearn: 0.5\ttest: 0.6"), 3);
}

TEST(PrintedStepTest, FindsTheStepInItsForms) {
  const struct {
    const char* line;
    std::int64_t step;
  } kCases[] = {
      {"step=3 loss=1", 3},
      {"loss=1 step: 4", 4},
      {"Step 3", 3},
      {"Epoch 3/10", 3},
      {"Epoch [3/10], Step [40/90]", 40},
      {"Epoch: [3][10/500]", 3},
      {"epoch=003", 3},
      {"EPOCH #7 done", 7},
      {"epoch: 2.0", 2},
      {"step=1e3", 1000},
      {"{'step': 5, 'loss': 1}", 5},
      {"Epoch[4]: loss", 4},
      {"step=-1", -1},
      {"epoch 1 step 2 global_step 3", 3},
      {"step time: 3 step 9", 9},
      {"step=9223372036854775807", 9223372036854775807},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(FindPrintedStep(test.line), test.step) << test.line;
  }
}

TEST(PrintedStepTest, TakesNothingElseForAStep) {
  for (const char* line :
       {"", "loss=1", "epochs=3", "max_steps: 100", "step", "step=", "step=0.5",
        "epoch: 0.2", "footstep 3", "train/step=3", "step3", "step 3s",
        "step=1e30", "step=nan", "[3] loss=1", "3: loss=1", "[]\t",
        "step=5_0"}) {
    EXPECT_EQ(FindPrintedStep(line), std::nullopt) << line;
  }
}

}  // namespace
}  // namespace vernier
