// Lines that programs of others print, in which something else than the metric
// stands beside its name or in its place: the value that is taken is the one
// that a person would read, or none, with a word about it.

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "cluster/metrics/stdout_metrics.h"

namespace vernier {
namespace {

struct ForeignLog {
  const char* output;
  const char* metric;
  std::optional<double> last;
};

// What the reader says of an output.
struct Outcome {
  std::optional<double> last;
  bool says_anything = false;
};

Outcome ReadOutput(const std::string& output, const std::string& metric) {
  const StdoutRules rules{{metric}, {}};
  StdoutMetricReader reader(rules);
  const FileReading reading = reader.Read(output, LastLine::kIsDone);
  Outcome outcome;
  if (!reading.measurements.empty()) {
    outcome.last = reading.measurements.back().value;
  }
  outcome.says_anything = !reading.problems.empty() ||
                          !reader.Misses().empty() ||
                          !reader.LaterMisses().empty();
  return outcome;
}

class ForeignLogsTest : public testing::TestWithParam<ForeignLog> {};

TEST_P(ForeignLogsTest, TheMetricsOwnValueIsTaken) {
  const ForeignLog& log = GetParam();
  const Outcome outcome = ReadOutput(log.output, log.metric);
  EXPECT_EQ(outcome.last, log.last) << log.output;
  if (!log.last) {
    EXPECT_TRUE(outcome.says_anything) << log.output;
  }
}

// A count, a step or a size behind the name is not its value.
INSTANTIATE_TEST_SUITE_P(
    Counts, ForeignLogsTest,
    testing::Values(
        ForeignLog{"    0.39 val_loss STEP=1000\n", "val_loss", std::nullopt},
        ForeignLog{"Episode 1 score 21 steps: 500\n", "score", 21},
        ForeignLog{"reward 200 epoch: 3\n", "reward", 200},
        ForeignLog{"correct 91 total: 100\n", "correct", 91},
        ForeignLog{"accuracy: 0.81\nEvaluating accuracy for epoch: 4\n",
                   "accuracy", 0.81},
        ForeignLog{"accuracy samples: 5000\n", "accuracy", std::nullopt},
        ForeignLog{"Reached val_acc at epoch: 7\n", "val_acc", std::nullopt},
        ForeignLog{"Loss after iteration 1000: 0.068947\n", "Loss", 0.068947},
        ForeignLog{"Cost after iteration 100: 5\n", "cost", 5},
        ForeignLog{"val_loss=0.5\nModelCheckpoint monitor=val_loss 3\n",
                   "val_loss", 0.5}));

// Words of counters that select data, and values behind them.
INSTANTIATE_TEST_SUITE_P(
    Descriptions, ForeignLogsTest,
    testing::Values(
        ForeignLog{"Accuracy of the network on the 10000 test images: 54 %\n",
                   "accuracy", 54},
        ForeignLog{"acc on the 10000 test images: 97 %\n"
                   "acc on the 10000 test images: 97.5 %\n"
                   "acc on the 10000 test images: 98 %\n",
                   "acc", 98},
        ForeignLog{"test accuracy after 5 epochs: 97%\n", "accuracy", 97},
        ForeignLog{"Return over last 10 samples: 200\n", "return", 200},
        ForeignLog{"Reward for this step: 7\n", "reward", 7},
        ForeignLog{"reward: 3\nMean reward for all samples: 7\n", "reward", 7},
        ForeignLog{"accuracy on test images: 87\n", "accuracy", 87},
        ForeignLog{"Total loss of epoch: 152\n", "loss", 152},
        ForeignLog{"Total time for 3 epochs: 120s\n", "total time", 120},
        ForeignLog{"recall [0.5]: 0.71\n", "recall", 0.71}));

// Rows of other tables, prose, and lines that do not end below names.
INSTANTIATE_TEST_SUITE_P(
    Tables, ForeignLogsTest,
    testing::Values(
        ForeignLog{
            "|   AP   |  AP50  |  AP75  |  APs   |  APm   |  APl  |\n"
            "|:------:|:------:|:------:|:------:|:------:|:-----:|\n"
            "| 65.410 | 66.672 | 66.171 | 65.322 | 62.996 | 0.000 |\n"
            "| category   | AP     | category   | AP     | category   | AP     "
            "|\n"
            "|:-----------|:-------|:-----------|:-------|:----------|:------"
            "|\n"
            "| tops       | 53.308 | trousers   | 46.216 | outerwear  | 77.182 "
            "|\n",
            "AP50", 66.672},
        ForeignLog{"a  loss\n1  0.5\nname  size\nfoo  64\n", "loss", 0.5},
        ForeignLog{"      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  "
                   "Instances       Size\n"
                   "        1/3      2.31G     0.9291      1.112      1.013    "
                   "     24        640\n"
                   "                   all        128        929      0.641    "
                   "  0.537      0.605      0.446\n",
                   "box_loss", 0.9291},
        ForeignLog{"  mtry  Accuracy  Kappa\n  2     0.95      0.93\n"
                   "  3     0.94      0.91\n\n"
                   "         FALSE TRUE\n  FALSE  3509     0\n  TRUE     40   "
                   "466\n",
                   "Accuracy", 0.94},
        ForeignLog{"minimizing loss\n5 120\n6 118\n", "loss", std::nullopt},
        ForeignLog{"loss=0.5\nSaving loss\n10 20\n", "loss", 0.5},
        ForeignLog{"loss=0.5\nCompiled with loss\n12:00:01 100% 3\n", "loss",
                   0.5},
        ForeignLog{"mtry Accuracy Kappa\n2 0.95 0.93\n", "Accuracy", 0.95},
        ForeignLog{"Epoch\tTrain\tLoss\n1\tNo log\t0.42\n2\t0.31\t0.39\n",
                   "Loss", 0.39},
        ForeignLog{"model  acc\nSVM    0.8\n1NN    0.7\n", "acc", 0.7},
        ForeignLog{"  Class  Images  mAP50\n  all  128  0.605\n"
                   "  person  128  0.764\n",
                   "mAP50", 0.605},
        ForeignLog{"epoch, val_loss\n1, 0.6\n2, 0.5\n", "val_loss", 0.5},
        ForeignLog{"epoch  loss\ninit  0.9\n1  0.5\n2  0.4\n", "loss", 0.4},
        ForeignLog{"epoch  loss\n1  0.5\n*2  0.4\n", "loss", 0.4},
        ForeignLog{"fold  acc\n1  0.80\n2  0.90\nmean  0.85\n", "acc", 0.85},
        ForeignLog{"max_features  score\nsqrt  0.80\n0.5  0.81\n", "score",
                   0.81},
        ForeignLog{"| model | acc |\n|---|---|\n| SVM | N/A |\n| RF | 0.8 |\n",
                   "acc", 0.8},
        ForeignLog{"alpha Score Time\n----- ----- ----\n0.1 0.8 3\n", "score",
                   0.8},
        ForeignLog{"epoch;loss;val_loss\n0;0,5;0,6\n", "val_loss",
                   std::nullopt},
        ForeignLog{"epoch loss\n1 0.5\n2 0.25\n", "loss", 0.25}));

// Names that go on, and progress bars.
INSTANTIATE_TEST_SUITE_P(
    Names, ForeignLogsTest,
    testing::Values(
        ForeignLog{"mAP@.5: 0.5\n   Class     Images     Labels          P     "
                   "     R     mAP@.5 mAP@.5:.95: 100%|###| 14/14 [00:28<00:00,"
                   "  2.03s/it]\n",
                   "mAP@.5", 0.5},
        ForeignLog{"mAP@.5: 0.5\nmAP@.5:.95: 0.243\n", "mAP@.5", 0.5},
        ForeignLog{"mAP@.5:.95: 0.243\n", "mAP@.5:.95", 0.243},
        ForeignLog{"loss:.25\n", "loss", 0.25},
        ForeignLog{"loss=0.2500: 100%|###| 10/10 [00:02<00:00, 4.6it/s]\n",
                   "loss", 0.25},
        ForeignLog{"val_loss=0.35: 3 epochs without improvement\n", "val_loss",
                   0.35},
        ForeignLog{"metric=acc 0.81\n", "acc", 0.81},
        ForeignLog{"==val_loss 0.35 ==\n", "val_loss", 0.35}));

// Values of a part beside the metric's own.
INSTANTIATE_TEST_SUITE_P(
    Parts, ForeignLogsTest,
    testing::Values(
        ForeignLog{"Test accuracy: 82.98%\nTest top 5 accuracy: 96.98%\n",
                   "accuracy", 82.98},
        ForeignLog{"Validation Accuracy: 70.1234%, Validation Loss: 1.2345, "
                   "Top-5 Accuracy: 90.1234%\n",
                   "accuracy", 70.1234},
        ForeignLog{" * Top-1 accuracy: 0.6827, Top-5 accuracy: 0.8836\n",
                   "accuracy", std::nullopt},
        ForeignLog{"Epoch: 0 | Iteration: 0 | Loss: 1.5 | Classification loss: "
                   "1.1 | Regression loss: 0.4 | Running loss: 1.8\n",
                   "loss", 1.5},
        ForeignLog{
            "Training Loss: 120.31, Recon Loss: 100.21, KL Loss: 20.10\n",
            "loss", std::nullopt},
        ForeignLog{"loss: 0.9\ndata loss: 0.8\nregularization loss: 0.1\n",
                   "loss", 0.9},
        ForeignLog{"Total Loss: 0.512\n  - Regularization Loss: 0.100\n",
                   "loss", 0.512},
        ForeignLog{"loss: 0.9 G loss: 0.2\n", "loss", 0.9},
        ForeignLog{"loss: 0.9\nL1 loss: 0.5\n", "loss", 0.9},
        ForeignLog{"[D loss: 0.693, acc.: 50%] [G loss: 0.712]\n", "loss",
                   std::nullopt},
        ForeignLog{"Total accuracy: 0.80\nclass 0 accuracy: 0.95\nclass 1 "
                   "accuracy: 0.20\n",
                   "accuracy", 0.80},
        ForeignLog{"accuracy: 0.80\ntrain_set accuracy: 0.99\n", "accuracy",
                   0.80},
        ForeignLog{"accuracy: 0.80\nfold1 accuracy: 0.99\n", "accuracy", 0.80},
        ForeignLog{"accuracy: 0.80\n5-shot accuracy: 0.99\n", "accuracy", 0.80},
        ForeignLog{"Obj: 0.090707, No Obj: 0.047867\n", "Obj", 0.090707},
        ForeignLog{"Epoch 1 loss: 1.0 [batch loss: 0.4]\n", "loss", 1.0},
        ForeignLog{"valid_1's auc: 0.81\ttrain_set's auc: 0.95\n", "auc", 0.81},
        ForeignLog{"epoch_1 loss: 0.5\nepoch_2 loss: 0.4\n", "loss", 0.4},
        ForeignLog{"loss: 2\nepoch 1 loss: 0.5\n12.5 s loss: 0.4\n", "loss",
                   0.4},
        ForeignLog{"epoch 1 loss=0.5\nSaved with args Namespace(epochs=3, "
                   "loss=2, lr=0.1)\n",
                   "loss", 0.5}));

// Values of the training data behind those of others.
INSTANTIATE_TEST_SUITE_P(
    Training, ForeignLogsTest,
    testing::Values(
        ForeignLog{"2020 | INFO | valid | epoch 002 | valid on 'valid' subset "
                   "| loss 6.346 | ppl 20.41\n"
                   "2020 | INFO | train | epoch 002 | loss 4.213 | ppl 4.06\n",
                   "loss", 6.346},
        ForeignLog{"Validation - loss: 0.5 accuracy: 0.81\n"
                   "Train - loss: 0.1 accuracy: 0.99\n",
                   "accuracy", 0.81},
        ForeignLog{"Epoch 1 | Val loss: 0.5, acc: 0.8 | Train loss: 0.1, acc: "
                   "0.99\n",
                   "acc", 0.8},
        ForeignLog{"{\"epoch\": 1, \"test\": {\"loss\": 0.5, \"acc\": 0.81}, "
                   "\"train\": {\"loss\": 0.01, \"acc\": 0.99}}\n",
                   "acc", 0.81},
        ForeignLog{"  validation loss: 0.51\n  training loss: 1.23\n", "loss",
                   0.51},
        ForeignLog{"train acc: 0.99, holdout acc: 0.80\n", "acc", 0.80},
        ForeignLog{"acc: 0.99 (train), acc: 0.80 (val)\n", "acc", 0.80},
        ForeignLog{"acc: 0.80 (val), acc: 0.99 (train)\n", "acc", 0.80},
        ForeignLog{"loss=0.10 [train] loss=0.50 [val]\n", "loss", 0.50},
        ForeignLog{"Validation Results - Epoch: 1  Avg accuracy: 0.80\n"
                   "Training Results - Epoch: 1  Avg accuracy: 0.99\n",
                   "accuracy", 0.80},
        ForeignLog{"Epoch[1], Val, accuracy: 0.80\n"
                   "Epoch[2], Train, accuracy: 0.995\n",
                   "accuracy", 0.80},
        ForeignLog{"<val> acc=0.80\n<train> acc=0.99\n", "acc", 0.80},
        ForeignLog{"Epoch 1 (val): acc=0.80\nEpoch 1 (train): acc=0.99\n",
                   "acc", 0.80},
        ForeignLog{"[train] loss=0.1, [valid] loss=0.5\n", "loss", 0.5},
        ForeignLog{"[Train] acc: 0.99 [Val] acc: 0.80\n", "acc", 0.80},
        ForeignLog{"[val] acc: 0.80\n[train] acc: 0.99\n", "acc", 0.80},
        ForeignLog{"[VAL] epoch 2 acc=0.8\n[TRAIN] epoch 2 acc=0.4\n", "acc",
                   0.8},
        ForeignLog{"train(acc=0.9) test(acc=0.8)\n", "acc", 0.8},
        ForeignLog{"phase=val acc=0.8\nphase=train acc=0.9\n", "acc", 0.8},
        ForeignLog{"{\"split\":\"val\",\"acc\":0.8}\n"
                   "{\"split\":\"train\",\"acc\":0.9}\n",
                   "acc", 0.8},
        ForeignLog{"Namespace(loss=2.0)\ntrain loss: 0.5\n", "loss", 0.5},
        ForeignLog{"Train acc: 0.65\nVal metrics: acc = 0.62\n"
                   "Train acc: 0.66\n",
                   "acc", 0.62},
        ForeignLog{"train loss: 0.7\ntrain loss: 0.5\n", "loss", 0.5},
        ForeignLog{"epoch 1 loss: 0.7\nTraining finished, loss: 0.5\n", "loss",
                   0.5},
        ForeignLog{"val_loss=0.5\nTrain: loss=0.1 val_loss=0.4\n", "val_loss",
                   0.4}));

// "train" is also the name of a program, and training an activity.
INSTANTIATE_TEST_SUITE_P(
    Trainers, ForeignLogsTest,
    testing::Values(
        ForeignLog{"acc: 0.7\n2024-01-01 | INFO | train:main:45 - acc: 0.75\n",
                   "acc", 0.75},
        ForeignLog{"acc: 0.7\nINFO:train:epoch 2 acc: 0.75\n", "acc", 0.75},
        ForeignLog{"acc: 0.7\n(train pid=7) acc: 0.75\n", "acc", 0.75},
        ForeignLog{"acc: 0.7\nTraining finished: acc: 0.75\n", "acc", 0.75},
        ForeignLog{"acc: 0.7\nAfter training: acc: 0.75\n", "acc", 0.75},
        ForeignLog{"acc: 0.7\nTraining duration: 12s, acc: 0.75\n", "acc",
                   0.75},
        ForeignLog{"acc: 0.7\nTraining - done - acc: 0.75\n", "acc", 0.75},
        ForeignLog{"acc: 0.7\nINFO:train:acc: 0.75\n", "acc", 0.75},
        ForeignLog{"acc: 0.7\n[2024-01-01 12:00:00,123][train][INFO] - acc: "
                   "0.75\n",
                   "acc", 0.75},
        ForeignLog{"acc: 0.7\n12:00:00 [train] INFO: acc: 0.75\n", "acc", 0.75},
        ForeignLog{"acc: 0.7\nTraining runtime: 12.3s, acc: 0.75\n", "acc",
                   0.75},
        ForeignLog{"acc: 0.7\nTrain rows: 1000, acc: 0.75\n", "acc", 0.75},
        ForeignLog{"acc: 0.7\nTraining: OK | acc: 0.75\n", "acc", 0.75},
        ForeignLog{"acc: 0.7\n{\"training\": false, \"acc\": 0.75}\n", "acc",
                   0.75},
        ForeignLog{"acc: 0.7\n{'lr': 0.1, 'mode': 'train'} acc: 0.75\n", "acc",
                   0.75},
        ForeignLog{"acc: 0.7\n{\"train\": {\"loss\": 0.1}, \"acc\": 0.75}\n",
                   "acc", 0.75}));

// What a line says of the best result is a repetition.
INSTANTIATE_TEST_SUITE_P(
    Best, ForeignLogsTest,
    testing::Values(
        ForeignLog{"ppocr INFO: cur metric, acc: 0.65123, fps: 3\n"
                   "ppocr INFO: best metric, acc: 0.72230, best_epoch: 1\n",
                   "acc", 0.65123},
        ForeignLog{"Epoch 20 val loss: 0.41\nBest epoch: 12, train loss: "
                   "1.2300e-01, val loss: 3.1200e-01\n",
                   "val loss", 0.41},
        ForeignLog{"acc: 0.65\n[best] acc: 0.72\n", "acc", 0.65},
        ForeignLog{"acc: 0.65\nbest: loss 0.3 acc 0.72\n", "acc", 0.65},
        ForeignLog{"acc: 0.65\nbest_model: acc=0.72\n", "acc", 0.65},
        ForeignLog{"acc: 0.65\nbest val/test acc: 0.93\n", "acc", 0.65},
        ForeignLog{"Trial 3 finished with value: 0.5 and parameters: {'x': 1}. "
                   "Best is trial 0 with value: 0.2.\n",
                   "value", 0.5},
        ForeignLog{"loss: 0.31\nbest loss: 0.31 loss: 0.35\n", "loss", 0.35},
        ForeignLog{"gap 12%\nBest bound 1.28, gap 0.5%\n", "gap", 0.5},
        ForeignLog{"acc: 0.7\nBest val acc so far: 0.72, acc: 0.65\n", "acc",
                   0.65},
        ForeignLog{"acc: 0.7\nbest (0.72), acc: 0.65\n", "acc", 0.65},
        ForeignLog{"acc: 0.7\nBest acc@1: 0.72, acc: 0.65\n", "acc", 0.65},
        ForeignLog{"acc: 0.7\nbest: tensor(0.72), acc: 0.65\n", "acc", 0.65},
        ForeignLog{"acc: 0.7\nBest acc is 0.72, acc: 0.65\n", "acc", 0.65},
        ForeignLog{"acc: 0.7\nBest epoch: 12, Epoch: 20, acc: 0.65\n", "acc",
                   0.65},
        ForeignLog{"acc: 0.7\nBest model found! acc: 0.75\n", "acc", 0.75},
        ForeignLog{"acc: 0.7\nBest model loaded, acc: 0.75\n", "acc", 0.75},
        ForeignLog{"loss: 1\nbest: None, loss: 0.9\n", "loss", 0.9},
        ForeignLog{"acc: 0.65\nepoch 2 [best] acc: 0.72\n", "acc", 0.72}));

// One output may have the lines of several processes.
INSTANTIATE_TEST_SUITE_P(
    Processes, ForeignLogsTest,
    testing::Values(
        ForeignLog{"[rank0]: step 2 loss: 0.4\n[rank1]: step 2 loss: 0.6\n",
                   "loss", 0.4},
        ForeignLog{"[default1]:loss: 0.6\n[default0]:loss: 0.4\n"
                   "[default10]:loss: 0.7\n",
                   "loss", 0.4},
        ForeignLog{"[1,0]<stdout>:loss: 0.4\n[1,3]<stdout>:loss: 0.6\n", "loss",
                   0.4},
        ForeignLog{"[rank1]: loss: 0.6\n", "loss", 0.6}));

// Several numbers, ranges, and numbers before their names.
INSTANTIATE_TEST_SUITE_P(
    Several, ForeignLogsTest,
    testing::Values(
        ForeignLog{"acc: [0.93548387 0.98130841]\n", "acc", std::nullopt},
        ForeignLog{"episodic_return=[25. 31.]\n", "episodic_return",
                   std::nullopt},
        ForeignLog{"Test loss, Test acc: 0.29 0.91\n", "test_acc",
                   std::nullopt},
        ForeignLog{"train_loss, val_acc: 0.29, 0.91\n", "val_acc",
                   std::nullopt},
        ForeignLog{"Train/Val acc: 0.99 | 0.80\n", "acc", std::nullopt},
        ForeignLog{"bbox_mAP_copypaste: 0.382 0.601 0.410\n",
                   "bbox_mAP_copypaste", std::nullopt},
        ForeignLog{"acc: 0.80 - 0.90\n", "acc", std::nullopt},
        ForeignLog{"acc: 0.80 .. 0.90\n", "acc", std::nullopt},
        ForeignLog{"acc: 0.80 ~ 0.90\n", "acc", std::nullopt},
        ForeignLog{"acc: 0.80 \xe2\x80\x93 0.90\n", "acc", std::nullopt},
        ForeignLog{"acc: 0.5 - 1s/epoch - 100ms/step\n", "acc", 0.5},
        ForeignLog{"acc: 0.5, 12.5 s\n", "acc", 0.5},
        ForeignLog{"Correctly Classified Instances  144   96 %\n",
                   "Correctly Classified Instances", std::nullopt},
        ForeignLog{"0.95 acc 0.20 loss 0.001 lr\n", "loss", std::nullopt},
        ForeignLog{"lr 0.001 loss 0.2 acc 0.9\n", "loss", 0.2},
        ForeignLog{"epoch 3 loss 0.5 done\n", "loss", 0.5},
        ForeignLog{"iter 100 loss 2.31 time 20 ms\n", "loss", 2.31},
        ForeignLog{"epoch 3 loss 0.25, acc 0.9, saving model\n", "loss", 0.25},
        ForeignLog{"lr 0.01 loss 0.5 saved\n", "loss", 0.5},
        ForeignLog{"100 loss 0.31 saved\n", "loss", 0.31},
        ForeignLog{"1  0.95 acc  0.20 loss\n", "acc", std::nullopt},
        ForeignLog{"loss: 2.31 | 45.6%\n", "loss", 2.31},
        ForeignLog{"time: 12.5 s, 250 ms per batch\n", "time", 12.5},
        ForeignLog{"reward: -20\nepisode_1 reward: 5\n", "reward", 5},
        ForeignLog{"loss: 2.31 | 12.34 tok/s\n", "loss", 2.31},
        ForeignLog{"loss: 0.25, 0.35 s/it\n", "loss", 0.25},
        ForeignLog{"Epoch 1, loss: 0.25, 0.98 accuracy\n", "loss", 0.25},
        ForeignLog{"val_loss: 0.6 - 12.3 s\n", "val_loss", 0.6},
        ForeignLog{"loss: 0.512 256 tok/s\n", "loss", 0.512},
        ForeignLog{"acc: 91.2%, 88.1%\n", "acc", std::nullopt},
        ForeignLog{"cat loss: abc, dog loss: 0.5\n", "loss", std::nullopt}));

// Parts of larger numbers, and units.
INSTANTIATE_TEST_SUITE_P(
    Wholes, ForeignLogsTest,
    testing::Values(
        ForeignLog{"loss = (2.50+/-0.10)e-05\n", "loss", std::nullopt},
        ForeignLog{"loss = 2.50(10)e-05\n", "loss", std::nullopt},
        ForeignLog{"loss = 2.5 \xc2\xb7 10\xe2\x81\xbb\xe2\x81\xb5\n", "loss",
                   std::nullopt},
        ForeignLog{"loss = 2.5 x 10-5\n", "loss", std::nullopt},
        ForeignLog{"loss = 2.5 * 10 ^ -5\n", "loss", std::nullopt},
        ForeignLog{"loss = 2.5 e-05\n", "loss", std::nullopt},
        ForeignLog{"loss = 0.123 456 789\n", "loss", std::nullopt},
        ForeignLog{"Wall time: 1min 3s\n", "Wall time", std::nullopt},
        ForeignLog{"took: 1 day, 3:04:05\n", "took", std::nullopt},
        ForeignLog{"rate: 12.3 K tokens/s\n", "rate", std::nullopt},
        ForeignLog{"rate: 1.2 million\n", "rate", std::nullopt},
        ForeignLog{"latency: 234 usec\nlatency: 1.2 msec\n", "latency", 234},
        ForeignLog{"Memory: 950 MB\nMemory: 1.2 GB\n", "memory", 950},
        ForeignLog{"rate: 941 Mbits/sec\nrate: 1.10 Gbits/sec\n", "rate",
                   941}));

TEST(ForeignLinesTest, WhatFollowsAValueThatCannotBeReadIsSaid) {
  for (const char* line : {"loss [0.4, 0.3]", "loss tensor([0.4, 0.3])",
                           "loss {0.3}", "loss | 0.2", "loss >0.3",
                           "loss is now 0.4", "loss \xe2\x86\x93 0.4"}) {
    const std::string output = std::string("epoch 1 loss 0.5\n") + line + "\n";
    const Outcome outcome = ReadOutput(output, "loss");
    EXPECT_TRUE(outcome.says_anything || outcome.last != 0.5) << line;
  }
  const Outcome average =
      ReadOutput("Test: [78/78] Acc@1: 31.2500 (11.9400)\n", "Acc@1");
  EXPECT_EQ(average.last, 31.25);
  EXPECT_TRUE(average.says_anything);
}

TEST(ForeignLinesTest, TrainingThatGoesOnBehindOtherValuesIsSaid) {
  EXPECT_FALSE(
      ReadOutput("val loss: 0.5\ntrain loss: 0.1\n", "loss").says_anything);
  EXPECT_TRUE(
      ReadOutput("loss: 1.0\ntrain loss: 0.5\ntrain loss: 0.4\n", "loss")
          .says_anything);
  EXPECT_FALSE(
      ReadOutput("val_loss: 0.71 (+0.01)\n", "val_loss").says_anything);
}

// Work on a line is bounded by its length.
TEST(ForeignLinesTest, ALongLineOfMentionsIsReadInLinearTime) {
  for (const char* piece :
       {"loss=1,", "(loss=1,", "loss=1%|", "loss=1min,", "loss 1 K ", "loss,",
        "loss'\"", "best loss ", "train ", "0.5 loss "}) {
    std::string line;
    while (line.size() < kMaxStdoutLine) line += piece;
    ReadOutput(line + "\n", "loss");
  }
}

TEST(ForeignLinesTest, StepsMayHaveThousandsAndOtherWordsBefore) {
  const struct {
    const char* line;
    std::int64_t step;
  } kCases[] = {{"step 2,000/10,000: loss 0.5", 2000},
                {"step 1'234 loss: 0.5", 1234},
                {"Step 1,234,567 loss: 0.5", 1234567},
                {"max epoch: 100, epoch: 3, loss 0.5", 3},
                {"best epoch 3 | epoch 7 | loss 0.5", 7},
                {"tokens per step: 524288 | iter 100 | loss 0.5", 100},
                {"warmup step 10 / step 250 loss 0.5", 250},
                {"End of epoch 2: loss 0.5", 2},
                {"last epoch 5 loss: 0.5", 5},
                {"fps step: 12000 epoch: 1/500 loss 0.5", 1}};
  for (const auto& test : kCases) {
    const StdoutRules rules{{"loss"}, {}};
    StdoutMetricReader reader(rules);
    const FileReading reading =
        reader.Read(std::string(test.line) + "\n", LastLine::kIsDone);
    ASSERT_EQ(reading.measurements.size(), 1u) << test.line;
    EXPECT_EQ(reading.measurements[0].step, test.step) << test.line;
  }
}

// A label says that a line is of the training data: before a counter, in a
// bracket, as the name of a progress bar, or as the value of a key.
INSTANTIATE_TEST_SUITE_P(
    TrainingLabels, ForeignLogsTest,
    testing::Values(
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "Train Epoch 2: loss 0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "TRAIN EPOCH 2 loss=0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "Training epoch 2/10: loss = 0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "train @ epoch 2: loss 0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "train iter 20 loss 0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "Train step 20 loss: 0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "train[2] loss: 0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "Train [2/10] loss: 0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "train, epoch 2, loss: 0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "(train 2) loss: 0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "[train 2] loss: 0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "[train epoch 2] loss: 0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "[Train|2] loss: 0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "[Epoch 2 train] loss: 0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "Epoch 2 [Train] loss: 0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "Epoch 2 (train) loss: 0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "Epoch 2 <train> loss: 0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "Epoch 2 Training: 100%|##########| 10/10 [00:01<00:00, "
                   "9.12it/s, loss=0.1]\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "Epoch 2 Train 100%|##########| 10/10 [00:01<00:00, "
                   "9.12it/s, loss=0.1]\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "train | 100%|##########| 10/10 [00:01<00:00, 9.12it/s, "
                   "loss=0.1]\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "data=train loss=0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "name=train loss=0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "tag=train loss=0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "type=train loss=0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "partition=train loss=0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "loader=train loss=0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "job=train loss=0.1\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "{\"name\": \"train\", \"loss\": 0.1}\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "{\"kind\": \"train\", \"loss\": 0.1}\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "{\"event\": \"train\", \"loss\": 0.1}\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "{\"loss\": 0.1, \"split\": \"train\"}\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "{\"loss\": 0.1, \"phase\": \"train\"}\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "loss=0.1 split=train\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "loss: 0.1 | train\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "loss: 0.1 on train\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1 val loss: 0.5\n"
                   "loss: 0.1 for the training set\n",
                   "loss", 0.5},
        ForeignLog{"epoch 1: tst acc: 0.8012\n"
                   "epoch 1: trn acc: 0.9912\n",
                   "acc", 0.8012},
        ForeignLog{"Train Epoch: 1 [0/60000 (0%)]\tLoss: 550.123456\n"
                   "Train Epoch: 1 [59520/60000 (99%)]\tLoss: 120.123456\n"
                   "====> Epoch: 1 Average loss: 165.1234\n"
                   "====> Test set loss: 127.1234\n"
                   "Train Epoch: 2 [0/60000 (0%)]\tLoss: 130.123456\n"
                   "====> Epoch: 2 Average loss: 121.1234\n"
                   "====> Test set loss: 115.1234\n",
                   "loss", 115.1234},
        ForeignLog{"Test set accuracy: 0.8012\n"
                   "Training set accuracy: 0.9912\n",
                   "accuracy", 0.8012},
        ForeignLog{"epoch 1 loss: 0.9012\n"
                   "Validation set loss: 0.6012\n"
                   "epoch 2 loss: 0.8012\n"
                   "Validation set loss: 0.5012\n",
                   "loss", 0.5012},
        ForeignLog{"accuracy (train set) = 0.9912\n"
                   "accuracy (test set) = 0.8012\n",
                   "accuracy", 0.8012},
        ForeignLog{"val: 100%|\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "| 10/10 [00:01<00:00,  9.12it/s, loss=0.5012]\n"
                   "train: 100%|\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "| 10/10 [00:01<00:00,  9.12it/s, loss=0.1012]\n",
                   "loss", 0.5012},
        ForeignLog{"Validation: 100%|\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "| 10/10 [00:01<00:00,  9.12it/s, loss=0.5012, acc=0.8]\n"
                   "Training: 100%|\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "| 10/10 [00:01<00:00,  9.12it/s, loss=0.1012, acc=0.9]\n",
                   "loss", 0.5012},
        ForeignLog{"Evaluating: 100%|\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "| 10/10 [00:01<00:00,  9.12it/s, loss=0.5012]\n"
                   "Epoch 2 training: 100%|\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "\xe2\x96\x88"
                   "| 10/10 [00:01<00:00,  9.12it/s, loss=0.1012]\n",
                   "loss", 0.5012},
        ForeignLog{"json_stats: {\"_type\": \"train_epoch\", \"epoch\": "
                   "\"1/100\", \"loss\": 1.1, \"top1_err\": 45.1}\n"
                   "json_stats: {\"_type\": \"test_epoch\", \"epoch\": "
                   "\"1/100\", \"min_top1_err\": 40.1, \"top1_err\": 41.1}\n"
                   "json_stats: {\"_type\": \"train_epoch\", \"epoch\": "
                   "\"2/100\", \"loss\": 0.9, \"top1_err\": 30.1}\n",
                   "top1_err", 41.1}));

// A label says that a line is of the training data: before a counter, in a
// bracket, as the name of a progress bar, or as the value of a key.
INSTANTIATE_TEST_SUITE_P(
    TrainingLabels2, ForeignLogsTest,
    testing::Values(
        ForeignLog{"Valid Epoch: 1 loss: 0.5\n"
                   "Train Epoch: 2 loss: 0.1\n",
                   "loss", 0.5},
        ForeignLog{"Epoch 1 [val] loss: 0.5\n"
                   "Epoch 2 [train] loss: 0.1\n",
                   "loss", 0.5},
        ForeignLog{"[Val][Epoch 1] acc: 0.80\n"
                   "[Train][Epoch 2] acc: 0.99\n",
                   "acc", 0.8},
        ForeignLog{"valid: 100%|##| 10/10 [00:01<00:00, 9.1it/s, loss=0.5]\n"
                   "train: 100%|##| 10/10 [00:01<00:00, 9.1it/s, loss=0.1]\n",
                   "loss", 0.5},
        ForeignLog{"{\"loss\": 0.5, \"split\": \"val\"}\n"
                   "{\"loss\": 0.1, \"split\": \"train\"}\n",
                   "loss", 0.5},
        ForeignLog{"{\"type\": \"val\", \"loss\": 0.5}\n"
                   "{\"type\": \"train\", \"loss\": 0.1}\n",
                   "loss", 0.5},
        ForeignLog{"Test set accuracy: 0.80\n"
                   "Training set accuracy: 0.99\n",
                   "accuracy", 0.8},
        ForeignLog{"valid (1/2) acc: 0.80\n"
                   "train (1/2) acc: 0.99\n",
                   "acc", 0.8},
        ForeignLog{"[1000] collection=eval acc=0.80\n"
                   "[1000] collection=train acc=0.99\n",
                   "acc", 0.8},
        ForeignLog{"loss: 0.9\n"
                   "Validation set loss: 0.5\n",
                   "loss", 0.5}));

// Values of several parts of the data stand behind one name.
INSTANTIATE_TEST_SUITE_P(
    PartsBehindNames, ForeignLogsTest,
    testing::Values(
        ForeignLog{"acc: 0.99 train / 0.80 val\n", "acc", 0.8},
        ForeignLog{"acc: 0.99 train, 0.80 val\n", "acc", 0.8},
        ForeignLog{"acc (tr): 0.99 (te): 0.80\n", "acc", 0.8},
        ForeignLog{"acc (train): 0.99 (val): 0.80\n", "acc", 0.8},
        ForeignLog{"acc train=0.99 val=0.80\n", "acc", 0.8},
        ForeignLog{"acc on train: 0.99, on val: 0.80\n", "acc", 0.8},
        ForeignLog{"acc train: 0.99 | test: 0.80\n", "acc", 0.8},
        ForeignLog{"acc training: 0.99 validation: 0.80\n", "acc", 0.8},
        ForeignLog{"acc: 0.99 (train) | 0.80 (val)\n", "acc", 0.8},
        ForeignLog{"acc: 0.99 (train), 0.80 (test)\n", "acc", 0.8},
        ForeignLog{"acc: 0.99 [train] 0.80 [val]\n", "acc", 0.8},
        ForeignLog{"acc = 0.99 (training) 0.80 (validation)\n", "acc", 0.8},
        ForeignLog{"acc: 0.99 (val: 0.80)\n", "acc", 0.8},
        ForeignLog{"train acc 0.99 val 0.80\n", "acc", 0.8},
        ForeignLog{"acc\ttrain: 0.99\tval: 0.80\n", "acc", 0.8},
        ForeignLog{"acc      train=0.99   val=0.80\n", "acc", 0.8},
        ForeignLog{"epoch 1 acc train: 0.9012 val: 0.7012\n"
                   "epoch 2 acc train: 0.9912 val: 0.8012\n",
                   "acc", 0.8012},
        ForeignLog{"Epoch 2 - Loss: 0.1012 (train), 0.5012 (val) - Acc: 0.9912 "
                   "(train), 0.8012 (val)\n",
                   "loss", 0.5012},
        ForeignLog{"loss: 0.10 (val: 0.50)\n"
                   "acc: 0.99 (val 0.80)\n",
                   "loss", 0.5},
        ForeignLog{"acc train: 0.99 val: 0.80\n", "acc", 0.8},
        ForeignLog{"acc: 0.7\n"
                   "acc train: 0.99 val: 0.80\n",
                   "acc", 0.8},
        ForeignLog{"loss: 0.10 (train), 0.50 (val)\n", "loss", 0.5},
        ForeignLog{"MSE train: 0.10, test: 0.50\n", "MSE", 0.5}));

// A heading, or the key of a mapping, says which data its lines are of.
INSTANTIATE_TEST_SUITE_P(
    Sections, ForeignLogsTest,
    testing::Values(
        ForeignLog{"{\n"
                   "  \"epoch\": 3,\n"
                   "  \"test\": {\n"
                   "    \"acc\": 0.8012,\n"
                   "    \"loss\": 0.5012\n"
                   "  },\n"
                   "  \"train\": {\n"
                   "    \"acc\": 0.9912,\n"
                   "    \"loss\": 0.1012\n"
                   "  }\n"
                   "}\n",
                   "acc", 0.8012},
        ForeignLog{"epoch 1\n"
                   "{\n"
                   "    \"val\": {\n"
                   "        \"loss\": 0.6012,\n"
                   "        \"accuracy\": 0.7012\n"
                   "    },\n"
                   "    \"train\": {\n"
                   "        \"loss\": 0.2012,\n"
                   "        \"accuracy\": 0.9512\n"
                   "    }\n"
                   "}\n"
                   "epoch 2\n"
                   "{\n"
                   "    \"val\": {\n"
                   "        \"loss\": 0.5012,\n"
                   "        \"accuracy\": 0.8012\n"
                   "    },\n"
                   "    \"train\": {\n"
                   "        \"loss\": 0.1012,\n"
                   "        \"accuracy\": 0.9912\n"
                   "    }\n"
                   "}\n",
                   "accuracy", 0.8012},
        ForeignLog{"{'epoch': 3,\n"
                   " 'test': {'acc': 0.8012, 'loss': 0.5012, 'f1': 0.7912},\n"
                   " 'train': {'acc': 0.9912,\n"
                   "           'f1': 0.9812,\n"
                   "           'loss': 0.1012}}\n",
                   "f1", 0.7912},
        ForeignLog{"epoch: 2\n"
                   "val:\n"
                   "  loss: 0.5012\n"
                   "  acc: 0.8012\n"
                   "train:\n"
                   "  loss: 0.1012\n"
                   "  acc: 0.9912\n",
                   "acc", 0.8012},
        ForeignLog{"Epoch 1/2\n"
                   "Test set:\n"
                   "  Accuracy: 0.7012\n"
                   "  Loss: 0.6012\n"
                   "Training set:\n"
                   "  Accuracy: 0.9012\n"
                   "  Loss: 0.2012\n"
                   "Epoch 2/2\n"
                   "Test set:\n"
                   "  Accuracy: 0.8012\n"
                   "  Loss: 0.5012\n"
                   "Training set:\n"
                   "  Accuracy: 0.9912\n"
                   "  Loss: 0.1012\n",
                   "accuracy", 0.8012},
        ForeignLog{"===== Validation =====\n"
                   "loss = 0.5012\n"
                   "f1 = 0.8012\n"
                   "===== Train =====\n"
                   "loss = 0.1012\n"
                   "f1 = 0.9912\n",
                   "f1", 0.8012},
        ForeignLog{"***** eval metrics *****\n"
                   "  epoch                   =        3.0\n"
                   "  loss                    =     0.3801\n"
                   "  accuracy                =     0.8627\n"
                   "***** train metrics *****\n"
                   "  epoch                   =        3.0\n"
                   "  loss                    =     0.0812\n"
                   "  accuracy                =     0.9912\n",
                   "accuracy", 0.8627},
        ForeignLog{"Results on validation set:\n"
                   "Precision: 0.8112\n"
                   "Recall: 0.8012\n"
                   "F1: 0.8062\n"
                   "Results on training set:\n"
                   "Precision: 0.9912\n"
                   "Recall: 0.9812\n"
                   "F1: 0.9862\n",
                   "F1", 0.8062},
        ForeignLog{"val:\n"
                   "  acc: 0.80\n"
                   "train:\n"
                   "  acc: 0.99\n",
                   "acc", 0.8},
        ForeignLog{"***** eval metrics *****\n"
                   "  f1 = 0.80\n"
                   "***** train metrics *****\n"
                   "  f1 = 0.99\n",
                   "f1", 0.8},
        ForeignLog{"{\n"
                   "  \"test\": {\n"
                   "    \"acc\": 0.80\n"
                   "  },\n"
                   "  \"train\": {\n"
                   "    \"acc\": 0.99\n"
                   "  }\n"
                   "}\n",
                   "acc", 0.8},
        ForeignLog{"{'test': {'acc': 0.80},\n"
                   " 'train': {'loss': 0.1,\n"
                   "           'acc': 0.99}}\n",
                   "acc", 0.8}));

// Rows of the training data, of parts and of another table, empty cells, and
// cells and names with marks.
INSTANTIATE_TEST_SUITE_P(
    MoreTables, ForeignLogsTest,
    testing::Values(
        ForeignLog{"epoch  loss  acc\n"
                   "1      0.50  0.80\n"
                   "2      0.40  0.82\n"
                   "\n"
                   "fold  prec  rec\n"
                   "1     0.99  0.71\n"
                   "2     0.95  0.72\n",
                   "loss", 0.4},
        ForeignLog{"epoch  loss  acc\n"
                   "1      0.50  0.80\n"
                   "2      0.40  0.82\n"
                   "Confusion matrix:\n"
                   "50  2  3\n"
                   "1  40  2\n"
                   "2  3  45\n",
                   "loss", 0.4},
        ForeignLog{"epoch  loss  acc\n"
                   "1      0.50  0.80\n"
                   "2      0.40  0.82\n"
                   "\n"
                   "Memory  used  free\n"
                   "10      4     6\n",
                   "loss", 0.4},
        ForeignLog{"              precision    recall  f1-score   support\n"
                   "\n"
                   "           0       0.95      0.97      0.96       500\n"
                   "           1       0.97      0.94      0.95       500\n"
                   "\n"
                   "    accuracy                           0.96      1000\n"
                   "   macro avg       0.96      0.96      0.96      1000\n"
                   "weighted avg       0.96      0.96      0.96      1000\n"
                   "\n"
                   "Feature importances:\n"
                   "x1  0.1  0.2  0.3  0.4\n",
                   "f1-score", 0.96},
        ForeignLog{"              precision    recall  f1-score   support\n"
                   "\n"
                   "           0       0.95      0.97      0.96       500\n"
                   "weighted avg       0.96      0.96      0.96      1000\n"
                   "\n"
                   "        name     min       max      mean   n\n"
                   "          x1     0.1       0.2      0.3      4\n",
                   "f1-score", 0.96},
        ForeignLog{"shape: (2, 3)\n"
                   "\xe2\x94\x8c"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\xac"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\xac"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x90"
                   "\n"
                   "\xe2\x94\x82"
                   " epoch \xe2\x94\x86"
                   " train_loss \xe2\x94\x86"
                   " val_loss \xe2\x94\x82"
                   "\n"
                   "\xe2\x94\x82"
                   " ---   \xe2\x94\x86"
                   " ---        \xe2\x94\x86"
                   " ---      \xe2\x94\x82"
                   "\n"
                   "\xe2\x94\x82"
                   " i64   \xe2\x94\x86"
                   " f64        \xe2\x94\x86"
                   " f64      \xe2\x94\x82"
                   "\n"
                   "\xe2\x95\x9e"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\xaa"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\xaa"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\x90"
                   "\xe2\x95\xa1"
                   "\n"
                   "\xe2\x94\x82"
                   " 1     \xe2\x94\x86"
                   " 0.9        \xe2\x94\x86"
                   " 0.9123   \xe2\x94\x82"
                   "\n"
                   "\xe2\x94\x82"
                   " 2     \xe2\x94\x86"
                   " 0.8        \xe2\x94\x86"
                   " 0.8123   \xe2\x94\x82"
                   "\n"
                   "\xe2\x94\x94"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\xb4"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\xb4"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x80"
                   "\xe2\x94\x98"
                   "\n",
                   "val_loss", 0.8123},
        ForeignLog{"split  loss    acc\n"
                   "val    0.5012  0.8012\n"
                   "train  0.1012  0.9912\n",
                   "loss", 0.5012},
        ForeignLog{"epoch  phase  loss    acc\n"
                   "1      train  0.2012  0.9012\n"
                   "1      val    0.6012  0.7012\n"
                   "2      val    0.5012  0.8012\n"
                   "2      train  0.1012  0.9912\n",
                   "loss", 0.5012},
        ForeignLog{"| epoch | train_loss | val_loss | acc |\n"
                   "|-------|------------|----------|-----|\n"
                   "| 1     | 0.9        | 0.6012   | 0.7012 |\n"
                   "| 2     | 0.8        |          | 0.7112 |\n"
                   "| 3     | 0.7        | 0.5012   |     |\n",
                   "val_loss", 0.5012},
        ForeignLog{"|        | loss   | acc    |\n"
                   "|--------|--------|--------|\n"
                   "| model1 | 0.5012 |        |\n"
                   "| model2 | 0.4012 | 0.8012 |\n",
                   "acc", 0.8012},
        ForeignLog{"|        | train_loss | val_loss |\n"
                   "|--------|--------|--------|\n"
                   "| 1 | 0.5012 |        |\n"
                   "| 2 | 0.4012 |        |\n",
                   "val_loss", std::nullopt},
        ForeignLog{"epoch  train_loss  val_loss  acc\n"
                   "1      0.9         0.6012    0.7012\n"
                   "2      0.8                   0.7112\n"
                   "3      0.7         0.5012    0.7212\n"
                   "4      0.6                   0.7312\n",
                   "acc", 0.7312},
        ForeignLog{"split  acc\n"
                   "val    0.80\n"
                   "train  0.99\n",
                   "acc", 0.8},
        ForeignLog{"| epoch | train_loss | val_loss | acc |\n"
                   "|---|---|---|---|\n"
                   "| 1 | 0.9 | 0.6 | 0.70 |\n"
                   "| 2 | 0.8 |  | 0.80 |\n",
                   "acc", 0.8},
        ForeignLog{"|        | train_loss | val_loss |\n"
                   "|--------|------------|----------|\n"
                   "| ep1 | 0.9 |   |\n",
                   "val_loss", std::nullopt},
        ForeignLog{"| AP | AP50 |\n"
                   "| 74.8 | 83.2 |\n"
                   "| category | AP | category | AP |\n"
                   "| cat | 53.3 | dog | 46.2 |\n",
                   "AP", 74.8},
        ForeignLog{"epoch  acc\n"
                   "1      0.80\n"
                   "\n"
                   "fold   prec\n"
                   "1      0.99\n",
                   "acc", 0.8},
        ForeignLog{"precision  recall\n"
                   "0.95  0.96\n"
                   "\n"
                   "name  size\n"
                   "10  20\n",
                   "recall", 0.96},
        ForeignLog{"Class  Box(P  mAP50  mAP50-95)\n"
                   "all  0.6  0.7  0.45\n",
                   "mAP50-95", 0.45},
        ForeignLog{"# epoch val_loss\n"
                   "1 0.5\n",
                   "val_loss", 0.5},
        ForeignLog{"\"epoch\",\"val_loss\"\n"
                   "1,0.5\n",
                   "val_loss", 0.5},
        ForeignLog{"| model | acc |\n"
                   "|---|---|\n"
                   "| A | 0.71 \xc2\xb1"
                   " 0.02 |\n",
                   "acc", 0.71},
        ForeignLog{"name   Time\n"
                   "foo    12.3 ms\n",
                   "Time", 12.3},
        ForeignLog{"epoch  a    acc\n"
                   "1      0.9  0.70\n"
                   "2           0.80\n",
                   "acc", 0.8},
        ForeignLog{"| latency | 12.5 ms |\n"
                   "| acc | 0.81 |\n",
                   "latency", 12.5},
        ForeignLog{"| latency | 12.5 ms |\n", "latency", 12.5},
        ForeignLog{"\xe2\x94\x83"
                   " Epoch \xe2\x94\x83"
                   " Val Loss \xe2\x94\x83"
                   "\n"
                   "\xe2\x94\x82"
                   " 1     \xe2\x94\x82"
                   " 0.9      \xe2\x94\x82"
                   "\n",
                   "val_loss", 0.9},
        ForeignLog{"| **val_loss** | 0.5 |\n", "val_loss", 0.5},
        ForeignLog{"\xe2\x94\x82"
                   " epoch \xe2\x94\x86"
                   " val_loss \xe2\x94\x82"
                   "\n"
                   "\xe2\x94\x82"
                   " 1     \xe2\x94\x86"
                   " 0.5      \xe2\x94\x82"
                   "\n",
                   "val_loss", 0.5}));

// Other processes of the trial print the same lines.
INSTANTIATE_TEST_SUITE_P(
    ForeignProcesses, ForeignLogsTest,
    testing::Values(ForeignLog{"0: epoch 1 loss: 0.5012\n"
                               "1: epoch 1 loss: 0.7012\n",
                               "loss", 0.5012},
                    ForeignLog{"worker-0: epoch 1 loss: 0.5012\n"
                               "worker-1: epoch 1 loss: 0.7012\n",
                               "loss", 0.5012},
                    ForeignLog{"[Rank 0] epoch 1 loss: 0.5012\n"
                               "[Rank 1] epoch 1 loss: 0.7012\n",
                               "loss", 0.5012},
                    ForeignLog{"Rank 0: epoch 1 loss: 0.5012\n"
                               "Rank 1: epoch 1 loss: 0.7012\n",
                               "loss", 0.5012},
                    ForeignLog{"epoch=1 rank=0 loss=0.5012\n"
                               "epoch=1 rank=1 loss=0.7012\n",
                               "loss", 0.5012},
                    ForeignLog{"[GPU0] Epoch 1 | Loss: 0.5012\n"
                               "[GPU1] Epoch 1 | Loss: 0.7012\n",
                               "loss", 0.5012},
                    ForeignLog{"0: loss: 0.5\n"
                               "1: loss: 0.7\n",
                               "loss", 0.5}));

// Records, lists, signs, and numbers of which none is clear.
INSTANTIATE_TEST_SUITE_P(
    ForeignForms, ForeignLogsTest,
    testing::Values(
        ForeignLog{"OrderedDict([('val_loss', 0.5012), ('val_acc', 0.8012)])\n",
                   "val_loss", 0.5012},
        ForeignLog{"[('loss', 0.5012), ('accuracy', 0.8012)]\n", "loss",
                   0.5012},
        ForeignLog{"dice: [np.float32(0.8123), np.float32(0.7212)]\n"
                   "iou: [tensor(0.5), tensor(0.6)]\n"
                   "x: (tensor(0.5), tensor(0.6))\n"
                   "y: [array(0.5), array(0.6)]\n",
                   "dice", std::nullopt},
        ForeignLog{"epoch 9 acc: 0.70\n"
                   "epoch 10 acc: 0.80\n"
                   "std. acc: 0.02\n",
                   "acc", 0.8},
        ForeignLog{"Throughput: 12.5 MB/s 812 req/s 99.1 qps\n", "req/s",
                   std::nullopt},
        ForeignLog{"metric=val_loss value=0.31 step=3\n", "val_loss", 0.31},
        ForeignLog{"{\"metric\": \"val_loss\", \"value\": 0.31}\n"
                   "{\"metric\": \"val_loss\", \"step\": 4, \"value\": 0.21}\n",
                   "val_loss", 0.21},
        ForeignLog{"accuracy: 0.96; FB1: 80.01\n"
                   "  LOC: precision: 0.85; FB1: 85.62\n",
                   "FB1", 80.01},
        ForeignLog{"dice: [np.float32(0.81), np.float32(0.72)]\n", "dice",
                   std::nullopt},
        ForeignLog{"{\"metric\": \"val_loss\", \"value\": 0.4}\n"
                   "{\"metric\": \"val_loss\", \"step\": 2, \"value\": 0.3}\n",
                   "val_loss", 0.3},
        ForeignLog{"metric=val_loss value=0.4\n", "val_loss", 0.4},
        ForeignLog{"fillrandom: 3.2 micros/op 311412 ops/sec 4.2 seconds\n",
                   "ops/sec", std::nullopt},
        ForeignLog{"TOTAL      100   19   81%\n", "TOTAL", std::nullopt},
        ForeignLog{"BenchmarkFoo-8   \t 1000000\t      1234 ns/op\n",
                   "BenchmarkFoo-8", std::nullopt},
        ForeignLog{"Total:   1   8   2.1   8   20\n", "Total", std::nullopt},
        ForeignLog{"val_loss => 0.5\n", "val_loss", 0.5},
        ForeignLog{"acc: 0.91!\n", "acc", 0.91},
        ForeignLog{" Accuracy \n"
                   "0.9533333 \n",
                   "Accuracy", 0.9533333},
        ForeignLog{"valid: 9.5it/s, iou_score - 0.84]\n", "iou_score", 0.84},
        ForeignLog{"OrderedDict([('acc', 0.80)])\n", "acc", 0.8},
        ForeignLog{"acc: 0.70\n"
                   "test result: OrderedDict([('acc', 0.80)])\n",
                   "acc", 0.8}));

// Several numbers, of which none is the value, and sums and sizes.
INSTANTIATE_TEST_SUITE_P(
    SeveralNumbers, ForeignLogsTest,
    testing::Values(
        ForeignLog{"acc: ['0.91', '0.93']\n", "acc", std::nullopt},
        ForeignLog{"acc: ('0.91', '0.93')\n", "acc", std::nullopt},
        ForeignLog{"acc: [91.1% 92.1%]\n", "acc", std::nullopt},
        ForeignLog{"latency: [12.1 ms, 13.1 ms]\n", "latency", std::nullopt},
        ForeignLog{
            "time:   [26.029 \xc2\xb5s 26.251 \xc2\xb5s 26.505 \xc2\xb5s]\n",
            "time", std::nullopt},
        ForeignLog{"Avg episode reward: [(0, '4.320')]\n", "Avg episode reward",
                   std::nullopt},
        ForeignLog{"Throughput: 0: 1024.0. Samples: 10240\n", "Throughput",
                   std::nullopt},
        ForeignLog{"Tests:       1 failed, 10 passed, 11 total\n", "Tests",
                   std::nullopt},
        ForeignLog{"loss = 0.3 + 0.2 = 0.5\n", "loss", std::nullopt},
        ForeignLog{"[10]\tcv_agg's auc: 0.97 + 0.011\n", "cv_agg's auc", 0.97},
        ForeignLog{"size: 3 x 224\n", "size", std::nullopt},
        ForeignLog{"time: 1h 2m 3s\n", "time", std::nullopt},
        ForeignLog{
            "python train.py  10.12s user 0.34s system 99% cpu 10.5 total\n",
            "user", std::nullopt},
        ForeignLog{"Throughput:     2.31MB/s\n", "Throughput", 2.31}));

// Numbers before the lines: of steps, rows or processes.
INSTANTIATE_TEST_SUITE_P(
    NumberedLines, ForeignLogsTest,
    testing::Values(
        ForeignLog{"0: loss 2.31\n"
                   "1: loss 1.21\n"
                   "2: loss 0.91\n",
                   "loss", 0.91},
        ForeignLog{"0: loss 2.31\n"
                   "100: loss 1.21\n"
                   "200: loss 0.91\n",
                   "loss", 0.91},
        ForeignLog{"0: loss 0.5\n"
                   "1: loss 0.7\n"
                   "0: loss 0.4\n"
                   "1: loss 0.6\n",
                   "loss", 0.4},
        ForeignLog{"0: start\n"
                   "2: start\n"
                   "1: start\n"
                   "0: loss 0.4\n"
                   "1: loss 0.6\n"
                   "2: loss 0.5\n",
                   "loss", 0.4},
        ForeignLog{"     pcost       dcost       gap    pres   dres\n"
                   " 0: -8.1000e+00 -1.8300e+01  4e+00  0e+00  8e-01\n"
                   " 1: -8.8055e+00 -9.4357e+00  2e-01  1e-16  4e-02\n",
                   "gap", 0.2},
        ForeignLog{"[1,mpirank:0,algo-1]<stdout>:loss: 0.25\n"
                   "[1,mpirank:1,algo-2]<stdout>:loss: 0.35\n",
                   "loss", 0.25},
        ForeignLog{"[worker 0] loss=0.25\n"
                   "[worker 1] loss=0.35\n",
                   "loss", 0.25},
        ForeignLog{"local_rank=0 loss=0.25\n"
                   "local_rank=1 loss=0.35\n",
                   "loss", 0.25},
        ForeignLog{"loss=0.25 (rank 0)\n"
                   "loss=0.35 (rank 1)\n",
                   "loss", 0.25},
        ForeignLog{"INFO [train.py:938] (0/2) Epoch 1, validation: loss=0.50\n"
                   "INFO [train.py:938] (1/2) Epoch 1, validation: loss=0.70\n",
                   "loss", 0.5}));

// What stands under "best", settings and the like, and headings at the end of a
// line or in the names of loggers.
INSTANTIATE_TEST_SUITE_P(
    SectionsOfOthers, ForeignLogsTest,
    testing::Values(
        ForeignLog{"{\"epoch\": 3, \"loss\": 0.5, \"best\": {\"loss\": 0.4}}\n",
                   "loss", 0.5},
        ForeignLog{"{\"loss\": 0.5, \"previous\": {\"loss\": 0.6}}\n", "loss",
                   0.5},
        ForeignLog{"{\"loss\": 0.5, \"weights\": {\"loss\": 1.0}}\n", "loss",
                   0.5},
        ForeignLog{"{\"source\": {\"acc\": 0.9}, \"target\": {\"acc\": 0.8}}\n",
                   "acc", 0.8},
        ForeignLog{"{\n"
                   "  \"valid\": {\"loss\": 0.5},\n"
                   "  \"best\": {\n"
                   "    \"loss\": 0.4\n"
                   "  }\n"
                   "}\n",
                   "loss", 0.5},
        ForeignLog{"last:\n"
                   "  loss: 0.5\n"
                   "best:\n"
                   "  loss: 0.4\n"
                   "  epoch: 2\n",
                   "loss", 0.5},
        ForeignLog{"loss: 0.5\n"
                   "Best results:\n"
                   "  loss: 0.4\n",
                   "loss", 0.5},
        ForeignLog{"best:\n"
                   "loss: 0.4\n",
                   "loss", 0.4},
        ForeignLog{"loss: 0.5\n"
                   "best:\n"
                   "  val:\n"
                   "    loss: 0.4\n",
                   "loss", 0.5},
        ForeignLog{"{\"loss\": 0.5,\n"
                   " \"best\": {\n"
                   "  \"val\": {\n"
                   "   \"loss\": 0.4\n"
                   "}}}\n",
                   "loss", 0.5},
        ForeignLog{"config:\n"
                   "  loss: 1.0\n"
                   "  lr: 0.1\n"
                   "final loss: 0.5\n",
                   "loss", 0.5},
        ForeignLog{"[metrics.valid]\n"
                   "acc = 0.8\n"
                   "[metrics.train]\n"
                   "acc = 0.99\n"
                   "[model]\n"
                   "depth = 3\n",
                   "acc", 0.8},
        ForeignLog{"Epoch[1] - time: 10.12 - Test metrics:\n"
                   "\tAcc: 0.65\n"
                   "Epoch[2] - time: 10.12 - Train metrics:\n"
                   "\tAcc: 0.80\n",
                   "Acc", 0.65},
        ForeignLog{"\xf0\x9f\x93\x8a Validation results:\n"
                   "  loss: 0.5\n"
                   "\xf0\x9f\x93\x8a Training results:\n"
                   "  loss: 0.1\n",
                   "loss", 0.5},
        ForeignLog{"***** train metrics *****\n"
                   "  eval_loss = 0.5\n",
                   "eval_loss", 0.5},
        ForeignLog{"[2021-01-01][valid][INFO] - loss: 0.5\n"
                   "[2021-01-01][train][INFO] - loss: 0.1\n",
                   "loss", 0.5},
        ForeignLog{"[2021-01-01][train][INFO] - loss: 0.5\n"
                   "[2021-01-01][train][INFO] - loss: 0.4\n",
                   "loss", 0.4}));

// Mentions in a sentence about something else, labels that lead, and full-width
// signs.
INSTANTIATE_TEST_SUITE_P(
    OtherMentions, ForeignLogsTest,
    testing::Values(
        ForeignLog{"Iteration 2: HR = 0.60, NDCG = 0.33\n"
                   "End. Best Iteration 1:  HR = 0.61, NDCG = 0.34. \n",
                   "NDCG", 0.33},
        ForeignLog{"epoch 3 acc 0.5\n"
                   "Loaded best model from epoch 2 (acc=0.6)\n",
                   "acc", 0.5},
        ForeignLog{"recall: 0.8\n"
                   "precision @ recall 0.9: 0.7\n",
                   "recall", 0.8},
        ForeignLog{"TPR: 0.8\n"
                   "FPR at TPR 0.95: 0.3\n",
                   "TPR", 0.8},
        ForeignLog{"[eval] loss 0.5 [train] loss 0.1\n", "loss", 0.5},
        ForeignLog{"(val) loss: 0.5 acc: 0.8 (train) loss: 0.1 acc: 0.9\n",
                   "acc", 0.8},
        ForeignLog{"acc for train: 0.99 and val: 0.80\n", "acc", 0.8},
        ForeignLog{
            "\xe7\xac\xac"
            "4\xe8\xbd\xae\xef\xbc\x8c\xe6\x8d\x9f\xe5\xa4\xb1\xef\xbc\x9a"
            "0.55\xef\xbc\x8c\xe5\x87\x86\xe7\xa1\xae\xe7\x8e\x87\xef\xbc\x9a"
            "92.2%\xe3\x80\x82\n",
            "\xe5\x87\x86\xe7\xa1\xae\xe7\x8e\x87", 92.2},
        ForeignLog{"\xe6\x90\x8d\xe5\xa4\xb1=0.24 "
                   "\xe6\xad\xa3\xe8\xa7\xa3\xe7\x8e\x87=0."
                   "92\xef\xbc\x88\xe6\x9c\x80\xe9\xab\x98 0.93\xef\xbc\x89\n",
                   "\xe6\xad\xa3\xe8\xa7\xa3\xe7\x8e\x87", 0.92},
        ForeignLog{"\xef\xbb\xbfval_loss:\xc2\xa0"
                   "0.25\n",
                   "val_loss", 0.25}));

// Rows with fewer blanks than their names, without a last cell, or led by a
// name, and a table without a row.
INSTANTIATE_TEST_SUITE_P(
    RowsOfTables, ForeignLogsTest,
    testing::Values(ForeignLog{"     R      mAP50  mAP50-95): 100% "
                               "\xe2\x94\x81\xe2\x94\x81\xe2\x94\x81\xe2\x94"
                               "\x81 4/4 2.1it/s 1.9s\n"
                               "   0.5      0.607      0.447\n",
                               "mAP50-95", 0.447},
                    ForeignLog{"Mean latency (ns)               : 2000\n"
                               "99.00 percentile latency (ns)   : 5000\n",
                               "Mean latency (ns)", 2000},
                    ForeignLog{"File      | % Lines | Uncovered\n"
                               "----------|---------|----------\n"
                               "All files |   85.71 |          \n"
                               " a.js     |   90.01 | 3        \n",
                               "% Lines", 85.71},
                    ForeignLog{"cycle cells dofs     L2          H1      \n"
                               "    1    64   81 3.1e-02 1.9 2.5e-01 0.9 \n",
                               "L2", std::nullopt},
                    ForeignLog{"  Time Epoch Iteration Progress    (%Epoch)   "
                               "Loss   Dev/Loss     Accuracy  Dev/Accuracy\n"
                               "     5     0        50    50/17168 (  0%) "
                               "1.0987                 33.5123             \n",
                               "Loss", std::nullopt},
                    ForeignLog{"    exps   loss  ppl\n"
                               "    1200  3.212  9.1\n"
                               "\n"
                               "    exps   loss  ppl\n"
                               "  1200.0 3.012  8.1\n",
                               "loss", 3.012},
                    ForeignLog{"         Estimate   SE\n"
                               "elpd_loo    -83.5  4.3\n"
                               "looic       167.0 18.6\n",
                               "SE", 18.6},
                    ForeignLog{"  model   rmse  mae\n"
                               "1    lm 1.2345 0.91\n"
                               "2    rf 1.1345 0.81\n",
                               "rmse", 1.1345},
                    ForeignLog{"model,split,acc\n"
                               "resnet,val,0.8\n"
                               "resnet,train,0.99\n",
                               "acc", 0.8},
                    ForeignLog{"name,accuracy\n"
                               "modelA,0.9\n"
                               "modelB,0.8\n",
                               "accuracy", 0.8},
                    ForeignLog{"                 TP Rate  MCC      Class\n"
                               "                 0.980    0.940    a\n"
                               "                 0.940    0.910    b\n"
                               "Weighted Avg.    0.960    0.925    \n",
                               "MCC", 0.925},
                    ForeignLog{
                        "2024-01-01 10:00:12 INFO: Prec.\tRec.\tF1\n"
                        "2024-01-01 10:00:12 INFO: 80.12\t79.12\t79.61\n",
                        "F1", 79.61}));

// What speech toolkits, Caffe, H2O and skeleton-based recognition say of
// training data, of processes and of counts in places of their own.
INSTANTIATE_TEST_SUITE_P(
    WordsInOtherPlaces, ForeignLogsTest,
    testing::Values(
        ForeignLog{"INFO CV Batch 4/0 loss 28.25 history loss 27.5 rank 0\n"
                   "INFO CV Batch 4/0 loss 28.75 history loss 27.75 rank 1\n",
                   "loss", 28.25},
        ForeignLog{"[RANK:0] loss=0.25\n"
                   "[RANK:1] loss=0.35\n",
                   "loss", 0.25},
        // It may be a value.
        ForeignLog{"loss 0.5, mean rank 0\n"
                   "loss 0.4, mean rank 12\n",
                   "loss", 0.4},
        ForeignLog{"INFO CV Batch 78/0 loss 20.5 acc 0.25\n"
                   "INFO TRAIN Batch 79/0 loss 27.5 acc 0.125\n",
                   "acc", 0.25},
        ForeignLog{"    Test net output #0: accuracy = 0.5\n"
                   "    Train net output #0: accuracy = 0.9\n",
                   "accuracy", 0.5},
        ForeignLog{"val loss: 0.5\n"
                   "Training finished: loss 0.25\n",
                   "loss", 0.25},
        ForeignLog{"** Reported on cross-validation data. **\n\n"
                   "AUC:  0.75\n\n"
                   "** Reported on training data. **\n\n"
                   "AUC:  0.9\n",
                   "AUC", 0.75},
        ForeignLog{"** Reported on training data. **\n\n"
                   "AUC:  0.9\n\n"
                   "** Reported on cross-validation data. **\n\n"
                   "AUC:  0.75\n",
                   "AUC", 0.75},
        ForeignLog{"Mean test loss of 8 batches: 0.25.\n", "loss", 0.25},
        ForeignLog{"latency of 99 percentile: 12.5\n", "latency", std::nullopt},
        ForeignLog{"loss at batch: 500\n", "loss", std::nullopt}));

// A name in brackets behind the words that it abbreviates is the metric's, and
// what stands before these words counts. Another name in brackets is not.
INSTANTIATE_TEST_SUITE_P(
    Abbreviations, ForeignLogsTest,
    testing::Values(
        ForeignLog{"Mean Absolute Error (MAE): 0.5\n", "MAE", 0.5},
        ForeignLog{"mean average precision (mAP@0.50) = 0.5, or 50 %\n",
                   "mAP@0.50", 0.5},
        ForeignLog{"Area Under the Curve (AUC) on the test set: 0.75\n", "AUC",
                   0.75},
        ForeignLog{"Mean Intersection-over-Union (mIoU): 0.5\n", "mIoU", 0.5},
        ForeignLog{"Test word error rate (WER): 12.5%\n"
                   "Train word error rate (WER): 2.5%\n",
                   "WER", 12.5},
        ForeignLog{"Mean Absolute Error (MAE): 0.5\n"
                   "Best Mean Absolute Error (MAE): 0.25\n",
                   "MAE", 0.5},
        ForeignLog{"Patience (loss): 5\n", "loss", std::nullopt},
        ForeignLog{"{metricName: acc, metricValue: 0.75};"
                   "{metricName: loss, metricValue: 0.25}\n",
                   "acc", 0.75}));

// What stands before a line does not hide the words that lead it: prefixes of
// Ray, of launchers behind a time, and of loggers before a drawn heading.
INSTANTIATE_TEST_SUITE_P(
    Prefixes, ForeignLogsTest,
    testing::Values(ForeignLog{"(train pid=12) cur metric, hmean: 0.5\n"
                               "(train pid=12) best metric, hmean: 0.75\n",
                               "hmean", 0.5},
                    ForeignLog{
                        "(RayTrainWorker pid=12, ip=10.0.0.1) loss: 0.5\n"
                        "(RayTrainWorker pid=12, ip=10.0.0.1) \n"
                        "(RayTrainWorker pid=12, ip=10.0.0.1) loss: 0.25\n",
                        "loss", 0.25},
                    ForeignLog{"2024-01-01 10:00:00 [1,0]<stdout>:loss: 0.5\n"
                               "2024-01-01 10:00:00 [1,1]<stdout>:loss: 0.75\n",
                               "loss", 0.5},
                    ForeignLog{"[10:00:00] [Rank 0] loss: 0.5\n"
                               "[10:00:00] [Rank 1] loss: 0.75\n",
                               "loss", 0.5},
                    ForeignLog{"10:00:00 INFO === Error on test split ===\n"
                               "10:00:01 INFO kappa: 0.75\n"
                               "10:00:02 INFO === Error on training data ===\n"
                               "10:00:03 INFO kappa: 0.875\n",
                               "kappa", 0.75},
                    ForeignLog{"INFO:root:** Reported on validation data. **\n"
                               "INFO:root:AUC: 0.75\n"
                               "INFO:root:** Reported on training data. **\n"
                               "INFO:root:AUC: 0.875\n",
                               "AUC", 0.75},
                    ForeignLog{"[1,0]<stdout>:val: epoch 1: loss: 0.5\n"
                               "[1,0]<stdout>:train: epoch 2: loss: 0.25\n",
                               "loss", 0.5},
                    ForeignLog{"val: epoch 01: 523.5 (523.5) Hz loss: 0.5\n"
                               "train: epoch 02: 123.5 (123.5) Hz loss: 0.25\n",
                               "loss", 0.5}));

// Rows below a name that ends with "/" may be called with it or without it.
INSTANTIATE_TEST_SUITE_P(
    GroupsOfRows, ForeignLogsTest,
    testing::Values(ForeignLog{"| rollout/      |       |\n"
                               "|    rew_mean   | 24.5  |\n"
                               "| train/        |       |\n"
                               "|    loss       | 0.25  |\n"
                               "-------------------------\n",
                               "rollout/rew_mean", 24.5},
                    ForeignLog{"| rollout/      |       |\n"
                               "|    rew_mean   | 24.5  |\n"
                               "-------------------------\n",
                               "rew_mean", 24.5},
                    ForeignLog{"| eval/         |       |\n"
                               "|    reward     | 24.5  |\n"
                               "| rollout/      |       |\n"
                               "|    reward     | 12.5  |\n"
                               "-------------------------\n",
                               "eval/reward", 24.5},
                    ForeignLog{"| eval/         |       |\n"
                               "|    reward     | 24.5  |\n"
                               "-------------------------\n"
                               "|    reward     | 12.5  |\n",
                               "eval/reward", 24.5}));

// As many numbers as parts of the data, with a slash between them: the one that
// is not of the training data counts.
INSTANTIATE_TEST_SUITE_P(
    JoinedParts, ForeignLogsTest,
    testing::Values(
        ForeignLog{"Epoch: 030 | Train/Valid ACC: 0.90/0.75\n", "ACC", 0.75},
        ForeignLog{"val/train loss: 0.5/0.25\n", "loss", 0.5},
        ForeignLog{"train/val loss: 0.25/0.5\n"
                   "best train/val loss: 0.125/0.25\n",
                   "loss", 0.5},
        ForeignLog{"Train/Valid acc: 90.5%/75.5%\n", "acc", 75.5},
        ForeignLog{"Train/Valid/Test acc: 0.9/0.8/0.7\n", "acc", std::nullopt},
        ForeignLog{"Train/Valid acc: 0.9/0.8/0.7\n", "acc", std::nullopt},
        ForeignLog{"Gen/Dis Loss: 0.9/0.8\n", "Loss", std::nullopt}));

}  // namespace
}  // namespace vernier
