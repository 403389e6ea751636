#include "cluster/metrics/printed_metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/metrics/printed_mark.h"

namespace vernier {
namespace {

std::optional<double> Find(std::string_view line, std::string_view name) {
  return FindPrintedMetric(line, name).value;
}

TEST(PrintedMetricTest, FindsTheValueAfterItsName) {
  for (const char* line :
       {"loss=0.5", "loss: 0.5", "loss = 0.5", "loss:0.5", "[3] loss=0.5 s",
        "10/10 - 1s - loss: 0.5 - val_loss: 0.75", "INFO:root:loss=0.5",
        "{'loss': '0.5', 'epoch': '0.2'}", "{\"loss\": 0.5}", "(loss=0.5)",
        "[tune-metric]: {\"loss\":0.5}", "a=1,loss=0.5,b=2", "\tloss:\t0.5",
        "val_loss=0.7 loss=0.5", "loss: ? loss: 0.5"}) {
    EXPECT_EQ(Find(line, "loss"), 0.5) << line;
  }
}

TEST(PrintedMetricTest, DoesNotFindItInAnotherWord) {
  for (const char* line :
       {"val_loss=1", "train-loss:1", "train/loss: 1", "top.loss=1", "losses=1",
        "loss", "loss 1 of 3", "loss 2 times", "loss=", "loss=abc", "loss=mse1",
        "--loss=1", "gl\xc3\xb6loss=1", "loss_1=1", "loss/x=1", "Loss=1"}) {
    EXPECT_EQ(Find(line, "loss"), std::nullopt) << line;
  }
}

TEST(PrintedMetricTest, FindsWhatASentenceSays) {
  for (const char* line : {"loss 0.25",
                           "loss\t0.25",
                           "| loss 0.25 | ppl 20",
                           "loss 0.25, acc 1",
                           "the loss is 0.25",
                           "loss was 0.25 at last",
                           "a loss of 0.25",
                           "loss -> 0.25",
                           "'loss' reached 0.25 (best 0.2)",
                           "loss == 0.25",
                           "loss := 0.25",
                           "loss ....... 0.25",
                           "loss.....: 0.25",
                           "Time 0.1 (0.2) loss 0.25 (0.4)",
                           "loss for final step: 0.25.",
                           "loss of the network on the 10000 test images: 0.25",
                           "loss on the test set is 0.25",
                           "loss value: 0.25",
                           "loss 0.2500: 100%|###",
                           "loss: 0.25: 100%|###",
                           "loss:0.25+0.01\tx:1",
                           "loss: 2.5D-01",
                           "loss 0.25 best loss 0.1"}) {
    EXPECT_EQ(Find(line, "loss"), 0.25) << line;
  }
  EXPECT_EQ(Find(" * Acc@1 76 Acc@5 92.862", "Acc@5"), 92.862);
  EXPECT_EQ(Find("accuracy 93%", "accuracy"), 93);
  EXPECT_EQ(Find("accuracy on training data: 0.99 accuracy: 0.5", "accuracy"),
            0.5);
  EXPECT_EQ(Find("accuracy: 0.5 accuracy on training data: 0.99", "accuracy"),
            0.5);
  for (const char* line :
       {"loss of plane: 0.25", "loss did not improve from 0.25",
        "loss improved by 0.25", "loss decreased", "loss went from 3 to bad",
        "loss was not in top 1", "loss at step 3: see 0.25",
        "loss: 50/200 (30%)", "loss[1]: 0.25", "loss (0.25 in all)",
        "loss 10 s after",
        "loss 3"
        " layers"}) {
    EXPECT_EQ(Find(line, "loss"), std::nullopt) << line;
  }
}

TEST(PrintedMetricTest, SaysTheUnitAndTheWordBeforeTheName) {
  const struct {
    const char* line;
    const char* unit;
    const char* before;
  } kCases[] = {
      {"time: 12.5ms", "ms", ""},
      {"time: 12.5 s, x", "s", ""},
      {"time=93.5%", "%", ""},
      {"time 12.5 steps", "", ""},
      {"cat time: 12.5", "", "cat"},
      {"Final val time: 12.5", "", ""},
      {"[trainer] time: 12.5", "", ""},
      {"a: time=12.5", "", ""},
      {"Model(time=12.5)", "", "model("},
      {"(time=12.5)", "", ""},
      {"epoch 3 time=12.5", "", ""},
      {"time (cat): 12.5", "", "cat"},
      {"time (ms): 12.5", "", ""},
      {"time: 25/200 (12.5%)", "%", ""},
  };
  for (const auto& test : kCases) {
    const PrintedMetric found = FindPrintedMetric(test.line, "time");
    EXPECT_TRUE(found.value.has_value()) << test.line;
    EXPECT_EQ(found.unit, test.unit) << test.line;
    EXPECT_EQ(found.before, test.before) << test.line;
  }
}

TEST(PrintedMetricTest, TakesTheLastOfALine) {
  EXPECT_EQ(Find("loss=1 loss=2 loss=x", "loss"), 2);
  EXPECT_EQ(Find("a=1 a=2", ""), std::nullopt);
}

TEST(PrintedMetricTest, ReadsTheLinesOfBoostingLibraries) {
  const char* xgboost = "[7]\ttrain-logloss:0.44573\tval-auc:1.00000";
  EXPECT_EQ(Find(xgboost, "train-logloss"), 0.44573);
  EXPECT_EQ(Find(xgboost, "val-auc"), 1);
  EXPECT_EQ(Find(xgboost, "logloss"), std::nullopt);
  EXPECT_EQ(ToText(FindPrintedMark(xgboost)), "round 7");
  const char* lightgbm = "[12]\tvalid_0's auc: 0.99905";
  EXPECT_EQ(Find(lightgbm, "auc"), 0.99905);
  EXPECT_EQ(Find(lightgbm, "valid_0's auc"), 0.99905);
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
    EXPECT_EQ(Find(line, "loss"), 0.25) << line;
  }
  EXPECT_EQ(Find("cost: 1,234.5", "cost"), 1234.5);
  EXPECT_EQ(Find("cost=-1,234,567, x=2", "cost"), -1234567);
  for (const char* line :
       {"loss=[0.25, 0.5]", "loss=tensor([1., 2.])", "loss=tensor(",
        "loss=1,234", "loss=12,34.5", "loss=f(g(h(i(j(1)))))", "loss=[]"}) {
    EXPECT_EQ(Find(line, "loss"), std::nullopt) << line;
  }
}

// What stands before the name may make it another quantity.
TEST(PrintedMetricTest, OfALineTheMentionThatIsTheMetricCounts) {
  for (const char* line :
       {"loss=0.5 (previous best loss=0.6)", "loss: 0.5 (best loss: 0.4)",
        "loss=0.5 best val loss=0.4", "best: {'loss': 0.4} now {'loss': 0.5}",
        "val loss: 0.5 train loss: 0.1", "train loss: 0.1, val loss: 0.5",
        "validation's loss: 0.5\ttraining's loss: 0.1",
        "Train: loss=0.1 Val: loss=0.5", "max loss: 9 loss: 0.5 min loss: 0.1",
        "loss: 0.7 loss: 0.5 target loss 0.1", "train loss: 0.5",
        "New best loss: 0.5", "the best epoch (loss=0.5)", "best=0.1, loss=0.5",
        "epoch 3 [best] loss=0.5"}) {
    const PrintedMetric found = FindPrintedMetric(line, "loss");
    EXPECT_EQ(found.value, 0.5) << line;
    EXPECT_FALSE(found.is_other) << line;
    EXPECT_FALSE(found.miss.has_value()) << line;
  }
  for (const char* line :
       {"best loss=0.5", "target loss: 0.5", "delta loss: 0.5",
        "Initial training loss: 0.5", "max loss=0.5", "previous loss=0.5",
        "Best: loss=0.5", "the best mean val loss: 0.5",
        "loss improved from 0.75 to 0.5, saving", "loss dropped to 0.5",
        "Validation loss decreased (0.750000 --> 0.500000).  Saving model",
        "val loss increased -> 0.5"}) {
    const PrintedMetric found = FindPrintedMetric(line, "loss");
    EXPECT_EQ(found.value, 0.5) << line;
    EXPECT_TRUE(found.is_other) << line;
  }
}

TEST(PrintedMetricTest, WhatSaysThatThereIsNoNumberIsNotANumber) {
  for (const char* line : {"loss=None",
                           "loss: null",
                           "{\"loss\": null, \"a\": 1}",
                           "loss=N/A",
                           "loss: NA",
                           "loss=<NA>",
                           "loss: --",
                           "loss: 1.#QNAN",
                           "loss=-1.#IND",
                           "loss=diverged",
                           "loss: diverged at epoch 3",
                           "loss=#na#",
                           "loss: None acc: 0.5",
                           "loss: nan",
                           "loss is nan, stopping",
                           "step 2 loss nan",
                           "loss nan | lr 0.1",
                           "loss nan acc 0.1",
                           "'loss': 'None'}",
                           "loss=-nan(ind)"}) {
    const auto value = Find(line, "loss");
    ASSERT_TRUE(value.has_value()) << line;
    EXPECT_TRUE(std::isnan(*value)) << line;
  }
  EXPECT_EQ(Find("loss=\xe2\x88\x9e", "loss"), HUGE_VAL);
  EXPECT_EQ(Find("loss=-1.#INF", "loss"), -HUGE_VAL);
  for (const char* line :
       {"loss: none of them fell", "loss: see below", "loss: - 0.5",
        "loss nan values found", "loss: ---", "loss: NATO", "loss: nullable"}) {
    EXPECT_EQ(Find(line, "loss"), std::nullopt) << line;
  }
}

TEST(PrintedMetricTest, APartOfANumberIsNone) {
  for (const char* line :
       {"mse: 1 234.5", "mse: 12 345", "mse: 90 / 100", "mse: 90 of 100",
        "mse: 90 out of 100", "mse: 0.5 -> 0.3", "mse: 1.2 x 10^-3",
        "mse: 1.2\xc3\x97"
        "10^-3",
        "mse: 1.2D3", "mse: 1.2k", "mse: 1.234,5"}) {
    const PrintedMetric found = FindPrintedMetric(line, "mse");
    EXPECT_EQ(found.value, std::nullopt) << line;
    EXPECT_TRUE(found.miss.has_value()) << line;
  }
  const struct {
    const char* line;
    double value;
  } kCases[] = {{"mse: 1'234.5", 1234.5},
                {"mse: 1\xe2\x80\xaf"
                 "234\xe2\x80\xaf"
                 "567",
                 1234567},
                {"mse: 1_234.5", 1234.5},
                {"mse: \xe2\x88\x92"
                 "0.4",
                 -0.4},
                {"mse: 0.4\xc2\xb1"
                 "0.1",
                 0.4},
                {"mse: 0.4 +/- 0.1", 0.4},
                {"mse: 3 200000", 3},
                {"mse: 12 ms", 12},
                {"mse: 0.3 / Test mae: 0.9", 0.3},
                {"**mse**: 0.5", 0.5}};
  for (const auto& test : kCases) {
    EXPECT_EQ(Find(test.line, "mse"), test.value) << test.line;
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
      {"Iter(train) [ 100/1000] loss: 0.5", "iteration 100"},
      {"Epoch(val) [3][625/625] loss: 0.5", "epoch 3"},
      {"Epoch no. 3, loss: 0.5", "epoch 3"},
      {"Epoch-3 loss: 0.5", "epoch 3"},
      {"step#:     200  loss: 0.5", "step 200"},
      {"resume epoch 5, epoch 6 loss 0.5", "epoch 6"},
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
