#include "cluster/metrics/printed_metrics.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vernier {
namespace {

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
  EXPECT_EQ(ToText(FindPrintedMark(xgboost)), "round 7");
  const char* lightgbm = "[12]\tvalid_0's auc: 0.99905";
  EXPECT_EQ(FindPrintedMetric(lightgbm, "auc"), 0.99905);
  EXPECT_EQ(FindPrintedMetric(lightgbm, "valid_0's auc"), 0.99905);
  EXPECT_EQ(ToText(FindPrintedMark(lightgbm)), "round 12");
}

TEST(PrintedMetricTest, ReadsTheFormsThatLibrariesPrint) {
  for (const char* line :
       {"loss=tensor(0.25)", "loss: tensor(0.2500, device='cuda:0')",
        "loss=tensor([0.25], grad_fn=<MseLossBackward0>)",
        "loss=np.float64(0.25)", "loss=[0.25]", "loss = [[ 0.25 ]]",
        "{'loss': array(0.25, dtype=float32)}", "loss=Decimal('0.25')",
        "loss: <tf.Tensor: shape=(), dtype=float32, numpy=0.25>",
        "loss: tf.Tensor(0.25, shape=(), dtype=float32)", "loss=(0.25)",
        "loss=Array(0.25, dtype=float32, weak_type=True)"}) {
    EXPECT_EQ(FindPrintedMetric(line, "loss"), 0.25) << line;
  }
  EXPECT_EQ(FindPrintedMetric("cost: 1,234.5", "cost"), 1234.5);
  EXPECT_EQ(FindPrintedMetric("cost=-1,234,567, x=2", "cost"), -1234567);
  for (const char* line :
       {"loss=[0.25, 0.5]", "loss=tensor([1., 2.])", "loss=tensor(",
        "loss=1,234", "loss=12,34.5", "loss=f(g(h(i(j(1)))))", "loss=[]"}) {
    EXPECT_EQ(FindPrintedMetric(line, "loss"), std::nullopt) << line;
  }
}

TEST(PrintedMetricTest, FindsAllPairsOfALine) {
  const auto pairs = PrintedPairs("step=3 a=1, 'b/c': '2' d=x 10:30 e: [4]", 9);
  EXPECT_EQ(pairs, (std::vector<std::pair<std::string, double>>{
                       {"a", 1}, {"b/c", 2}, {"e", 4}}));
  EXPECT_EQ(PrintedPairs("a=1 b=2 c=3", 2).size(), 2u);
}

TEST(PrintedMarkTest, FindsTheStepInItsForms) {
  const struct {
    const char* line;
    const char* mark;
  } kCases[] = {
      {"step=3 loss=1", "step 3"},
      {"loss=1 step: 4", "step 4"},
      {"Step 3", "step 3"},
      {"Epoch 3/10", "epoch 3"},
      {"Epoch [3/10], Step [40/90]", "epoch 3, step 40"},
      {"epoch 2 batch 30/100", "epoch 2, batch 30"},
      {"Epoch: [3][10/500]", "epoch 3"},
      {"epoch=003", "epoch 3"},
      {"EPOCH #7 done", "epoch 7"},
      {"epoch: 2.0", "epoch 2"},
      {"{'loss': 0.5, 'epoch': 0.8}", "epoch 0.8"},
      {"{'loss': '0.5', 'epoch': '1.25'}", "epoch 1.25"},
      {"step=1e3", "step 1000"},
      {"{'step': 5, 'loss': 1}", "step 5"},
      {"Epoch[4]: loss", "epoch 4"},
      {"step=-1", "step -1"},
      {"epoch 1 step 2 global_step 3", "epoch 1, step 3"},
      {"step time: 3 step 9", "step 9"},
      {"step=9223372036854775807", "step 9223372036854775807"},
      {"Iteration 7, loss = 0.5", "iteration 7"},
      {"[99] train-rmse:0.1 eval-rmse:0.2", "round 99"},
      {"[7]\ttrain-rmse:0.1", "round 7"},
      {"[3/100] 1 tree, train loss: 0.5", "round 3"},
      {"3:\tlearn: 0.5\ttest: 0.6", "round 3"},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(ToText(FindPrintedMark(test.line)), test.mark) << test.line;
  }
}

TEST(PrintedMarkTest, TakesNothingElseForAStep) {
  for (const char* line : {"",
                           "loss=1",
                           "epochs=3",
                           "max_steps: 100",
                           "step",
                           "step=",
                           "step=0.5",
                           "footstep 3",
                           "train/step=3",
                           "step3",
                           "step 3s",
                           "step=1e30",
                           "step=nan",
                           "epoch=nan",
                           "epoch=1e300",
                           "[3]loss=1",
                           "3: loss=1",
                           "[]\t",
                           "step=5_0",
                           "[LightGBM] [Info] 3"}) {
    EXPECT_EQ(ToText(FindPrintedMark(line)), "") << line;
  }
}

}  // namespace
}  // namespace vernier
