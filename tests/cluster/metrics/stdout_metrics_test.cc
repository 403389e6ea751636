#include "cluster/metrics/stdout_metrics.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace vernier {
namespace {

using Texts = std::vector<std::string>;
constexpr Timestamp kReadAt{std::chrono::seconds(1700000000)};

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
  const FileReading reading = reader.Read(output, LastLine::kIsDone, kReadAt);
  EXPECT_EQ(reader.offset(), output.size());
  for (const Measurement& one : reading.measurements) {
    EXPECT_EQ(one.reported_at, kReadAt);
  }
  return Found(reading);
}

TEST(StdoutMetricsTest, FindsTheMetricsThatItKnows) {
  EXPECT_EQ(FindAll(Metrics({"loss", "accuracy"}),
                    "starting\nstep=3 loss=0.5 lr=0.1\naccuracy: 0.75\n"),
            (Texts{"loss=0.5@3", "accuracy=0.75@3"}));
}

TEST(StdoutMetricsTest, OtherLetterCaseCountsUntilTheOwnIsPrinted) {
  EXPECT_EQ(FindAll(Metrics({"reward"}), "Iteration: 7, Reward: 20.5\n"),
            Texts{"reward=20.5@1"});
  EXPECT_EQ(FindAll(Metrics({"Loss"}), "Loss=1\nloss=2 LOSS: 3\nLoss=4\n"),
            (Texts{"Loss=1.@1", "Loss=4.@3"}));
  EXPECT_EQ(FindAll(Metrics({"loss"}),
                    "Loss=1 val_Loss=9\nLoss: 2 loss: 3\n"
                    "Loss: 4\n"),
            (Texts{"loss=1.@1", "loss=3.@2"}));
}

TEST(StdoutMetricsTest, CountsTheLinesWhereNoneSaysItsStep) {
  EXPECT_EQ(
      FindAll(Metrics({"loss"}), "loss=1\n\nloss=2\nloss=3 step 9\nloss=4"),
      (Texts{"loss=1.@1", "loss=2.@3", "loss=3.@9", "loss=4.@5"}));
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

TEST(StdoutMetricsTest, ReadsTheSameHoweverTheBytesAreCut) {
  const StdoutRules rules = Metrics({"loss"});
  const std::string output =
      "a\nstep 1 loss=0.25\n\x1b[31m5%\rloss=2 \rloss=3\x1b[0m\r \r\nloss=4";
  const Texts whole = FindAll(rules, output);
  EXPECT_EQ(whole, (Texts{"loss=0.25@1", "loss=3.@3", "loss=4.@4"}));
  for (std::size_t piece = 1; piece < output.size(); ++piece) {
    StdoutMetricReader reader(rules);
    Texts found;
    for (std::size_t at = 0; at < output.size(); at += piece) {
      ASSERT_EQ(reader.offset(), at);
      for (const std::string& one : Found(reader.Read(
               output.substr(at, piece), LastLine::kMayGrow, kReadAt))) {
        found.push_back(one);
      }
    }
    EXPECT_EQ(found, (Texts{"loss=0.25@1", "loss=3.@3"})) << piece;
    EXPECT_EQ(Found(reader.Read("", LastLine::kIsDone, kReadAt)),
              Texts{"loss=4.@4"});
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
  EXPECT_EQ(Found(reader.Read("loss=1\nlos", LastLine::kMayGrow, kReadAt)),
            Texts{"loss=1.@1"});
  reader.SkipTo(1000);
  EXPECT_EQ(reader.offset(), 1000u);
  EXPECT_EQ(Found(reader.Read("s=2\nloss=3\n", LastLine::kMayGrow, kReadAt)),
            Texts{"loss=3.@3"});
  EXPECT_EQ(reader.offset(), 1011u);
}

TEST(StdoutMetricsTest, BoundsAReading) {
  const StdoutRules rules = Metrics({"a"});
  std::string output;
  for (std::size_t i = 0; i < kMaxMeasurementsOfReading + 5; ++i) {
    output += "a=1\n";
  }
  StdoutMetricReader reader(rules);
  const auto first = reader.Read(output, LastLine::kIsDone, kReadAt);
  EXPECT_EQ(first.measurements.size(), kMaxMeasurementsOfReading);
  EXPECT_TRUE(first.has_more);
  const auto second =
      reader.Read(output.substr(reader.offset()), LastLine::kIsDone, kReadAt);
  EXPECT_EQ(second.measurements.size(), 5u);
  EXPECT_FALSE(second.has_more);
}

TEST(StdoutMetricsTest, FollowsTheJobsOwnPattern) {
  EXPECT_EQ(
      FindAll(Pattern(R"(Test set: .* \((?P<value>[\d.]+)%\))", "accuracy"),
              "Epoch 4\nTest set: 9/10 (90.5%)\nepoch=5 Test set: x "
              "(91%)\n"),
      (Texts{"accuracy=90.5@2", "accuracy=91.@5"}));
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

}  // namespace
}  // namespace vernier
