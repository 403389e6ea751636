#include "cluster/metrics/stdout_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Texts = std::vector<std::string>;

StdoutRules Metrics(Texts names) { return {std::move(names), {}}; }

StdoutRules Pattern(const std::string& expression, const std::string& metric) {
  auto pattern = MetricPattern::Compile(expression, metric);
  EXPECT_TRUE(pattern.ok()) << pattern.status();
  StdoutRules rules;
  rules.patterns.push_back(*std::move(pattern));
  return rules;
}

// "loss=0.5@3" each, then the problems.
Texts Found(const FileReading& reading) {
  Texts found;
  for (const Measurement& one : reading.measurements) {
    std::string value = std::to_string(one.value);
    value.erase(value.find_last_not_of('0') + 1);
    found.push_back(one.metric + "=" + value + "@" + std::to_string(one.step));
  }
  found.insert(found.end(), reading.problems.begin(), reading.problems.end());
  return found;
}

Texts FindAll(const StdoutRules& rules, const std::string& output) {
  StdoutMetricReader reader(rules);
  const FileReading reading = reader.Read(output, LastLine::kIsDone);
  EXPECT_EQ(reader.offset(), output.size());
  return Found(reading);
}

TEST(StdoutMetricsTest, FindsTheMetricsThatItKnows) {
  EXPECT_EQ(FindAll(Metrics({"loss", "accuracy"}),
                    "starting\nstep=3 loss=0.5 lr=0.1\naccuracy: 0.75\n"),
            (Texts{"loss=0.5@3", "accuracy=0.75@1"}));
}

TEST(StdoutMetricsTest, OtherLetterCaseCountsUntilTheOwnIsPrinted) {
  EXPECT_EQ(FindAll(Metrics({"reward"}), "Iteration: 7, Reward: 20.5\n"),
            Texts{"reward=20.5@7"});
  EXPECT_EQ(FindAll(Metrics({"Loss"}), "Loss=1\nloss=2 LOSS: 3\nLoss=4\n"),
            (Texts{"Loss=1.@1", "Loss=4.@2"}));
  EXPECT_EQ(FindAll(Metrics({"loss"}),
                    "Loss=1 val_Loss=9\nLoss: 2 loss: 3\n"
                    "Loss: 4\n"),
            (Texts{"loss=1.@1", "loss=3.@2"}));
}

TEST(StdoutMetricsTest, WhatHasNoStepGoesByOrder) {
  EXPECT_EQ(FindAll(Metrics({"loss"}), "loss=1\n\nloss=2\nx\nloss=3"),
            (Texts{"loss=1.@1", "loss=2.@2", "loss=3.@3"}));
  EXPECT_EQ(FindAll(Metrics({"loss"}),
                    "{'loss': 1, 'epoch': 0.4}\n{'loss': 2, 'epoch': 0.8}\n"),
            (Texts{"loss=1.@1", "loss=2.@2"}));
}

TEST(StdoutMetricsTest, TheLastThatIsPrintedIsTheLast) {
  EXPECT_EQ(FindAll(Metrics({"loss"}),
                    "step 1000 loss=0.9\nstep 5000 loss=0.5\nfinal loss=0.1\n"),
            (Texts{"loss=0.9@1000", "loss=0.5@5000", "loss=0.1@5001",
                   "the values of \"loss\" are counted on in their order from "
                   "line 3 of the output on, because it says step 5000, then "
                   "none: it stands at 5001"}));
  EXPECT_EQ(
      FindAll(Metrics({"loss"}),
              "epoch 1 step 50/100 loss=4\nepoch 1 step 100/100 loss=3\n"
              "epoch 2 step 50/100 loss=2\nepoch 2 step 100/100 loss=1\n"),
      (Texts{"loss=4.@50", "loss=3.@100", "loss=2.@150", "loss=1.@200"}));
}

TEST(StdoutMetricsTest, DoesNotSeeColours) {
  EXPECT_EQ(FindAll(Metrics({"loss"}),
                    "\x1b[1mEpoch 2\x1b[0m \x1b[32mloss\x1b[0m: "
                    "\x1b[1;31m0.5\x1b[0m\n"),
            Texts{"loss=0.5@2"});
}

TEST(StdoutMetricsTest, TakesTheLastStateOfAProgressBar) {
  const StdoutRules rules = Metrics({"loss"});
  EXPECT_EQ(FindAll(rules, "\r10% loss=3\r50% loss=2\r100% loss=1\n"),
            Texts{"loss=1.@1"});
  EXPECT_EQ(FindAll(rules, "loss=1\r\nloss=2\r\n"),
            (Texts{"loss=1.@1", "loss=2.@2"}));
  // A bar that erases itself.
  EXPECT_EQ(FindAll(rules, "50% loss=2\r100% loss=1\r          \r\n"),
            Texts{"loss=1.@1"});
  EXPECT_EQ(FindAll(rules, "50% loss=2\r\x1b[2K\x1b[0m\n"), Texts{"loss=2.@1"});
  EXPECT_EQ(FindAll(rules, "loss=2\x1b[1Gloss=1\n"), Texts{"loss=1.@1"});
}

TEST(StdoutMetricsTest, EachEpochOfALineThatIsPrintedOverCounts) {
  const StdoutRules rules = Metrics({"loss"});
  EXPECT_EQ(FindAll(rules,
                    "Epoch 0:  50% loss=4\rEpoch 0: 100% loss=3\r"
                    "Epoch 1:  50% loss=2\rEpoch 1: 100% loss=1\n"),
            (Texts{"loss=3.@0", "loss=1.@1"}));
}

TEST(StdoutMetricsTest, ReadsTheTablesOfEpochs) {
  EXPECT_EQ(FindAll(Metrics({"valid_loss"}),
                    "epoch     train_loss  valid_loss  accuracy  time    \n"
                    "0         0.9234      0.8123      0.7100    00:12     \n"
                    "1         0.5234      0.4123      0.8100    00:11     \n"),
            (Texts{"valid_loss=0.8123@0", "valid_loss=0.4123@1"}));
  EXPECT_EQ(FindAll(Metrics({"Train Loss"}),
                    "      Iter       Train Loss   Remaining Time \n"
                    "         1           1.2500            1.20s\n"
                    "         2           0.2500            0.10s\n"),
            (Texts{"Train Loss=1.25@1", "Train Loss=0.25@2"}));
  EXPECT_EQ(FindAll(Metrics({"val_loss"}),
                    "\u2502         val_acc           \u2502        0.9  "
                    "          \u2502\n"
                    "\u2502         val_loss          \u2502    "
                    "0.25          \u2502\n"),
            Texts{"val_loss=0.25@1"});
  // Prose is no table.
  EXPECT_EQ(FindAll(Metrics({"loss"}), "The loss went down\nIn 3 of 10\n"),
            Texts{});
}

// Where a value stands depends on the bytes before it.
TEST(StdoutMetricsTest, TheTimeIsWhereTheLineBegins) {
  const StdoutRules rules = Metrics({"loss"});
  StdoutMetricReader reader(rules);
  const FileReading reading = reader.Read(
      "loss=1\nx\nloss=2 loss=3\nEpoch 1"
      " loss=4\rEpoch 2 loss=5\n",
      LastLine::kIsDone);
  std::vector<std::int64_t> places;
  for (const Measurement& one : reading.measurements) {
    places.push_back(one.reported_at.time_since_epoch().count());
  }
  EXPECT_EQ(places, (std::vector<std::int64_t>{0, 9, 23, 38}));
}

TEST(StdoutMetricsTest, SaysWhereTheNameStoodWithoutAValue) {
  const struct {
    const char* output;
    const char* why;
  } kCases[] = {
      {"a\nloss=0,5\n",
       "line 2 of the output names \"loss\" without a value that can be read "
       "(its comma may be a decimal point or separate thousands; print a "
       "point): loss=0,5"},
      {"Loss 5 now\n",
       "line 1 of the output names \"loss\" without a value that can be read "
       "(no = or : stands behind the name): Loss 5 now"},
      {"loss=[0.5, 0.25]\n",
       "line 1 of the output names \"loss\" without a value that can be read "
       "(that is more than one number): loss=[0.5, 0.25]"},
      {"loss: improved\n",
       "line 1 of the output names \"loss\" without a value that can be read "
       "(that is no number): loss: improved"},
      {"loss=0.5k\n",
       "line 1 of the output names \"loss\" without a value that can be read "
       "(the number goes on with k): loss=0.5k"},
  };
  const StdoutRules rules = Metrics({"loss"});
  for (const auto& test : kCases) {
    StdoutMetricReader reader(rules);
    EXPECT_EQ(Found(reader.Read(test.output, LastLine::kIsDone)), Texts{});
    EXPECT_EQ(reader.Misses(), Texts{test.why});
    EXPECT_EQ(reader.LaterMisses()["loss"], "") << "there is no value";
  }
}

// The last mention decides, and nobody takes an older value for it.
TEST(StdoutMetricsTest, SaysThatALaterMentionCouldNotBeRead) {
  const StdoutRules rules = Metrics({"loss"});
  for (const char* last :
       {"loss=0,25", "loss=[0.1, 0.2]", "loss: 90/100", "loss: 1.2k",
        "mse 3 loss: 1 234.5", "final loss is 10 now", "cat loss: 0.1",
        "Model(loss=0.1)", "loss: see below", "Loss=0.1", "loss:\nthen more",
        "loss:", "{'loss': 0.5 -> 0.3}", "loss=0.5 loss=0,3"}) {
    SCOPED_TRACE(last);
    StdoutMetricReader reader(rules);
    const FileReading reading = reader.Read(
        "loss=0.75\n" + std::string(last) + "\n", LastLine::kIsDone);
    EXPECT_EQ(reading.measurements.front().value, 0.75);
    ASSERT_EQ(reader.Misses().size(), 1u);
    EXPECT_EQ(reader.LaterMisses()["loss"], reader.Misses()[0]);
    EXPECT_NE(reader.LaterMisses()["loss"].find("line 2 of the output names"),
              std::string::npos);
    reader.Read("loss=1\n", LastLine::kIsDone);
    EXPECT_EQ(reader.LaterMisses()["loss"], "") << "this is the last";
  }
  for (const char* last :
       {"The loss went down", "best loss 0.1", "losses: 0.1", "val_loss=x",
        "loss threshold: 0.01", "loss did not improve from 0.5",
        "target loss: a few", "<p>loss</p>"}) {
    StdoutMetricReader reader(rules);
    reader.Read("loss=0.75\n" + std::string(last) + "\n", LastLine::kIsDone);
    EXPECT_EQ(reader.Misses(), Texts{}) << last;
  }
}

TEST(StdoutMetricsTest, ValuesOfAnotherUnitAreMissed) {
  const StdoutRules rules = Metrics({"time"});
  StdoutMetricReader reader(rules);
  EXPECT_EQ(Found(reader.Read("time: 950ms\ntime: 900 ms\ntime: 1.2 s\n",
                              LastLine::kIsDone)),
            (Texts{"time=950.@1", "time=900.@2"}));
  EXPECT_EQ(reader.LaterMisses()["time"],
            "line 3 of the output names \"time\" without a value that can be "
            "read (earlier values have another unit): time: 1.2 s");
  EXPECT_EQ(FindAll(rules, "time: 2 sec\ntime: 1 s\ntime: 0.5\n"),
            (Texts{"time=2.@1", "time=1.@2", "time=0.5@3"}));
}

TEST(StdoutMetricsTest, FractionsAndPercentagesAreOfOneScale) {
  const StdoutRules rules = Metrics({"acc"});
  EXPECT_EQ(FindAll(rules, "acc: 0.5\nacc: 75%\nacc: 0.875\n"),
            (Texts{"acc=0.5@1", "acc=0.75@2", "acc=0.875@3",
                   "the values of \"acc\" are printed with and without % from "
                   "line 2 of the output on: they count as fractions"}));
  EXPECT_EQ(FindAll(rules, "acc: 50%\nacc: 0.75\n"),
            (Texts{"acc=50.@1", "acc=75.@2",
                   "the values of \"acc\" are printed with and without % from "
                   "line 2 of the output on: they count as percentages"}));
  EXPECT_EQ(FindAll(rules, "acc: 50\nacc: 75%\n"),
            (Texts{"acc=50.@1", "acc=75.@2"}));
  EXPECT_EQ(FindAll(rules, "acc: 50%\nacc: 0.5%\n"),
            (Texts{"acc=50.@1", "acc=0.5@2"}));
}

// "cat accuracy" is another quantity where "accuracy" stands by itself.
TEST(StdoutMetricsTest, AWordBeforeTheNameIsMissedBehindOnesWithout) {
  const StdoutRules rules = Metrics({"acc"});
  StdoutMetricReader reader(rules);
  EXPECT_EQ(Found(reader.Read("overall acc: 0.5\n  cat acc: 0.25\n",
                              LastLine::kIsDone)),
            Texts{"acc=0.5@1"});
  EXPECT_EQ(reader.LaterMisses()["acc"],
            "line 2 of the output names \"acc\" without a value that can be "
            "read (another word stands before the name):   cat acc: 0.25");
  EXPECT_EQ(FindAll(rules, "cat acc: 0.25\nacc: 0.5\ncat acc: 0.75\n"),
            (Texts{"acc=0.25@1", "acc=0.5@2", "acc=0.75@3"}));
}

TEST(StdoutMetricsTest, ANameMayBeSpokenWithBlanks) {
  EXPECT_EQ(FindAll(Metrics({"val_acc"}), "loss: 3, val acc: 0.5 (best 0.6)\n"),
            Texts{"val_acc=0.5@1"});
  EXPECT_EQ(FindAll(Metrics({"val_acc"}), "val_acc=0.5 Val Acc: 0.25\n"),
            Texts{"val_acc=0.5@1"});
}

TEST(StdoutMetricsTest, ReadsCommaSeparatedTables) {
  EXPECT_EQ(FindAll(Metrics({"loss"}),
                    ",epoch,acc,loss\n0,1,,0.5\n1,1,0.9,\n2,2,,0.25\n"),
            (Texts{"loss=0.5@1", "loss=0.25@2"}));
  EXPECT_EQ(FindAll(Metrics({"loss"}), "acc;loss\n0.5;0.25\n"),
            Texts{"loss=0.25@1"});
  // Of pandas, whose rows have a number in front.
  EXPECT_EQ(FindAll(Metrics({"loss"}),
                    "   epoch   loss\n0      1   0.50\n1      2   0.25\n"),
            (Texts{"loss=0.5@1", "loss=0.25@2"}));
  EXPECT_EQ(FindAll(Metrics({"loss"}), "loss,acc\nso it goes, well\n"),
            Texts{});
}

// What was printed over by a bar without the metric stays.
TEST(StdoutMetricsTest, TheLastStateWithTheMetricCounts) {
  const StdoutRules rules = Metrics({"loss"});
  EXPECT_EQ(FindAll(rules, "50%\r{'loss': 0.5}\r50%\r100%\n"),
            Texts{"loss=0.5@1"});
  EXPECT_EQ(FindAll(rules, "{'loss': 0.75}\r50%\r{'loss': 0.5}\r100%\nx\n"),
            Texts{"loss=0.5@1"});
}

TEST(StdoutMetricsTest, NamesEachKindOfMissOnce) {
  const StdoutRules rules = Metrics({"loss"});
  StdoutMetricReader reader(rules);
  std::string output = "loss=1\n";
  for (int i = 0; i < 100; ++i) output += "loss=0,5\nloss: as before\n";
  reader.Read(output, LastLine::kIsDone);
  EXPECT_EQ(reader.Misses().size(), 2u);
  EXPECT_EQ(reader.LaterMisses()["loss"],
            "line 201 of the output names \"loss\" without a value that can be "
            "read (that is no number): loss: as before");
}

TEST(StdoutMetricsTest, WhatSaysThatThereIsNoNumberIsTheLastValue) {
  const StdoutRules rules = Metrics({"loss"});
  for (const char* last :
       {"loss=None", "Loss is nan, stopping training", "loss: --",
        "epoch  loss  acc\n1  #na#  0.5", "| epoch | loss |\n| 3 | - |"}) {
    StdoutMetricReader reader(rules);
    const FileReading reading = reader.Read(
        "loss=0.75\n" + std::string(last) + "\n", LastLine::kIsDone);
    ASSERT_EQ(reading.measurements.size(), 2u) << last;
    EXPECT_TRUE(std::isnan(reading.measurements[1].value)) << last;
    EXPECT_EQ(reader.Misses(), Texts{}) << last;
  }
}

TEST(StdoutMetricsTest, AValueMayStandOnTheNextLine) {
  const StdoutRules rules = Metrics({"loss"});
  EXPECT_EQ(FindAll(rules, "{'loss':\n   0.25,\n 'epoch':\n 3}\n"),
            Texts{"loss=0.25@1"});
  EXPECT_EQ(FindAll(rules, "step 3 loss:\n\n[0.25]\n0.5\n"),
            Texts{"loss=0.25@3"});
  EXPECT_EQ(FindAll(rules, "loss:\n0.25 is not bad\n0.5\n"), Texts{});
}

TEST(StdoutMetricsTest, AnotherQuantityCountsOnlyIfItIsAll) {
  const StdoutRules rules = Metrics({"loss"});
  EXPECT_EQ(FindAll(rules,
                    "target loss=0.01\nstep 1 loss=0.5\nmax loss=9\n"
                    "step 2 loss=0.4 (best loss=0.3)\nbest loss=0.3\n"),
            (Texts{"loss=0.5@1", "loss=0.4@2"}));
  EXPECT_EQ(FindAll(rules, "step 1 best loss=0.5\nstep 2 best loss=0.4\n"),
            (Texts{"loss=0.5@1", "loss=0.4@2",
                   "\"loss\" is printed only as the best value, by another "
                   "process than the first, or the like, which counts "
                   "therefore"}));
}

TEST(StdoutMetricsTest, ReadsLongLines) {
  const std::string padding(100000, ' ');
  EXPECT_EQ(FindAll(Metrics({"loss"}),
                    "loss=1\n{'a': 1," + padding + "'loss': 0.25}\n"),
            (Texts{"loss=1.@1", "loss=0.25@2"}));
}

TEST(StdoutMetricsTest, RemembersWhatElseWasPrinted) {
  const StdoutRules rules = Metrics({"acuracy"});
  StdoutMetricReader reader(rules);
  reader.Read("epoch=1 accuracy=0.5 val/loss: tensor(2.)\naccuracy=0.75\n",
              LastLine::kIsDone);
  FileReading others;
  others.measurements = reader.Others();
  EXPECT_EQ(Found(others), (Texts{"accuracy=0.75@0", "val/loss=2.@1"}));
  reader.Read("acuracy=1\n", LastLine::kIsDone);
  EXPECT_TRUE(reader.Others().empty());
}

TEST(StdoutMetricsTest, WhatIsAskedForIsNoOtherMetric) {
  const StdoutRules rules = Metrics({"loss", "val_acc", "missing"});
  StdoutMetricReader reader(rules);
  reader.Read("loss=0.5 Loss=0.5 val_acc=0.75 lr=0.25\n", LastLine::kIsDone);
  FileReading others;
  others.measurements = reader.Others();
  EXPECT_EQ(Found(others), Texts{"lr=0.25@0"});
}

TEST(StdoutMetricsTest, ReadsTheSameHoweverTheBytesAreCut) {
  const StdoutRules rules = Metrics({"loss"});
  const std::string output =
      "a\nloss=0.25\n\x1b[31m5%\rloss=2 \rloss=3\x1b[0m\r \r\nloss=4";
  const Texts whole = FindAll(rules, output);
  EXPECT_EQ(whole, (Texts{"loss=0.25@1", "loss=3.@2", "loss=4.@3"}));
  for (std::size_t piece = 1; piece < output.size(); ++piece) {
    StdoutMetricReader reader(rules);
    Texts found;
    for (std::size_t at = 0; at < output.size(); at += piece) {
      ASSERT_EQ(reader.offset(), at);
      for (const std::string& one :
           Found(reader.Read(output.substr(at, piece), LastLine::kMayGrow))) {
        found.push_back(one);
      }
    }
    EXPECT_EQ(found, (Texts{"loss=0.25@1", "loss=3.@2"})) << piece;
    EXPECT_EQ(Found(reader.Read("", LastLine::kIsDone)), Texts{"loss=4.@3"});
  }
}

TEST(StdoutMetricsTest, CutsLongLinesBetweenWords) {
  const StdoutRules rules = Metrics({"loss"});
  const std::string padding(kMaxStdoutLine - 10, '.');
  // The bound lies within the number, so that the word does not count.
  EXPECT_EQ(FindAll(rules, "loss=1 " + padding + " loss=2345678\nloss=3\n"),
            (Texts{"loss=1.@1", "loss=3.@2"}));
  EXPECT_EQ(FindAll(rules, "loss=1" + padding + padding + "\n"), Texts{});
  // After a carriage return there is room again.
  EXPECT_EQ(FindAll(rules, padding + padding + "\rloss=2\n"),
            Texts{"loss=2.@1"});
}

TEST(StdoutMetricsTest, GoesOnWithTheLineAfterAGap) {
  const StdoutRules rules = Metrics({"loss"});
  StdoutMetricReader reader(rules);
  EXPECT_EQ(Found(reader.Read("loss=1\nlos", LastLine::kMayGrow)),
            Texts{"loss=1.@1"});
  reader.SkipTo(1000);
  EXPECT_EQ(reader.offset(), 1000u);
  EXPECT_EQ(Found(reader.Read("s=2\nloss=3\n", LastLine::kMayGrow)),
            Texts{"loss=3.@2"});
  EXPECT_EQ(reader.offset(), 1011u);
}

TEST(StdoutMetricsTest, BoundsAReading) {
  const StdoutRules rules = Metrics({"a"});
  std::string output;
  for (std::size_t i = 0; i < kMaxMeasurementsOfReading + 5; ++i) {
    output += "a=1\n";
  }
  StdoutMetricReader reader(rules);
  const auto first = reader.Read(output, LastLine::kIsDone);
  EXPECT_EQ(first.measurements.size(), kMaxMeasurementsOfReading);
  EXPECT_TRUE(first.has_more);
  const auto second =
      reader.Read(output.substr(reader.offset()), LastLine::kIsDone);
  EXPECT_EQ(second.measurements.size(), 5u);
  EXPECT_FALSE(second.has_more);
}

TEST(StdoutMetricsTest, FollowsTheJobsOwnPattern) {
  EXPECT_EQ(
      FindAll(Pattern(R"(Test set: .* \((?P<value>[\d.]+)%\))", "accuracy"),
              "Epoch 4\nTest set: 9/10 (90.5%)\nepoch=5 Test set: x "
              "(91%)\n"),
      (Texts{"accuracy=90.5@1", "accuracy=91.@5",
             "the values of \"accuracy\" are counted on in their order from "
             "line 3 of the output on, because it says none, then epoch 5: it "
             "stands at 5"}));
}

TEST(StdoutMetricsTest, TakesNameAndStepFromThePattern) {
  EXPECT_EQ(
      FindAll(
          Pattern(R"(<(?P<name>\w+) (?P<value>\S+?)(?: at (?P<step>\d+))?>)",
                  ""),
          "<a 1 at 007> <b -inf> <c 2.5 at 8>\n"),
      (Texts{"a=1.@7", "b=-inf@1", "c=2.5@8"}));
}

TEST(StdoutMetricsTest, NamesWhatAPatternFindsThatIsNone) {
  EXPECT_EQ(FindAll(Pattern("loss (?P<value>\\S+)", "loss"), "\nloss abc\n"),
            Texts{"the value of \"loss\" in line 2 of the output is not a "
                  "number: abc"});
  EXPECT_EQ(FindAll(Pattern("(?P<step>\\S+) loss (?P<value>\\S+)", "loss"),
                    "1.5 loss 3\n"),
            Texts{"the step in line 1 of the output is not a whole number of "
                  "64 bits: 1.5"});
  EXPECT_EQ(FindAll(Pattern("(?P<name>\\w+)! (?P<value>\\S+)", ""),
                    std::string(257, 'a') + "! 1\n")
                .size(),
            1u);
}

TEST(StdoutMetricsTest, FollowsPatternsAndNamesTogether) {
  StdoutRules rules = Pattern("acc (?P<value>\\S+)", "accuracy");
  rules.metrics = {"loss"};
  EXPECT_EQ(FindAll(rules, "acc 0.5 loss=2\n"),
            (Texts{"accuracy=0.5@1", "loss=2.@1"}));
}

TEST(StdoutMetricsTest, SurvivesAnyBytes) {
  constexpr unsigned kSeed = 9;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 rng(kSeed);
  StdoutRules rules = Pattern("(?P<name>\\w+) is (?P<value>\\S*)", "");
  rules.metrics = {"loss"};
  const std::string good = "\x1b[1mstep 3\x1b[0m\rloss=0.5 a is 3\n";
  for (int i = 0; i < 3000; ++i) {
    std::string text = good + good;
    for (unsigned k = rng() % 4 + 1; k > 0; --k) {
      text[rng() % text.size()] = static_cast<char>(rng());
    }
    EXPECT_LE(FindAll(rules, text).size(), 8u) << text;
  }
}

// Returns all that a reader says of an output.
std::vector<std::string> MessagesOf(const std::string& output) {
  const StdoutRules rules = Metrics({"loss"});
  StdoutMetricReader reader(rules);
  std::vector<std::string> messages =
      reader.Read(output, LastLine::kIsDone).problems;
  for (const std::string& miss : reader.Misses()) messages.push_back(miss);
  return messages;
}

TEST(StdoutMetricsTest, SaysWhatMayBeMeantInstead) {
  EXPECT_THAT(MessagesOf("loss: 0.5, val: 0.75\n"),
              ElementsAre(HasSubstr("such as val: 0.75 in line 1")));
  EXPECT_THAT(MessagesOf("loss: 0.5 | test 0.75\n"),
              ElementsAre(HasSubstr("such as test 0.75 in line 1")));
  EXPECT_THAT(MessagesOf("loss: 0.5, train: 0.75\n"), IsEmpty());
  EXPECT_THAT(MessagesOf("loss: 0.5 test 100\n"), IsEmpty());
}

TEST(StdoutMetricsTest, SaysWhatNumbersBeforeLinesAreTakenFor) {
  EXPECT_THAT(MessagesOf("0: loss 3.5\n1: loss 2.5\n2: loss 1.5\n"),
              ElementsAre(HasSubstr("are read as steps")));
  EXPECT_THAT(MessagesOf("0: loss 3.5\n1: loss 2.5\n"),
              ElementsAre(HasSubstr("may be of another process")));
  EXPECT_THAT(MessagesOf("0: loss 3.5\n1: loss 2.5\n0: loss 2.5\n"), IsEmpty());
}

TEST(StdoutMetricsTest, SaysThatATableHasNoRow) {
  const std::string table = "acc   loss\n----  ----\n0.81  0.31\n\n";
  EXPECT_THAT(MessagesOf(table + "acc   loss  time\n(none)\n"),
              ElementsAre(HasSubstr("no row that can be read follows")));
  EXPECT_THAT(MessagesOf(table + "acc   loss\n0.82  0.30\n"), IsEmpty());
  EXPECT_THAT(MessagesOf(table + "acc   loss\nloss: 0.5\n"), IsEmpty());
}

}  // namespace
}  // namespace vernier
