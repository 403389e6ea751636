#include "cluster/metrics/metric_lines.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace vernier {
namespace {

using Texts = std::vector<std::string>;

FileReading ReadAll(const std::string& text) {
  MetricLinesReader reader;
  FileReading reading = reader.Read(text, LastLine::kIsDone);
  EXPECT_EQ(reader.offset(), text.size());
  return reading;
}

Texts Problems(const std::string& text) { return ReadAll(text).problems; }

TEST(MetricLinesTest, TakesEachNumberButStepAndTime) {
  const auto reading = ReadAll(
      R"({"step": 7, "loss": 0.5, "accuracy": 9e-1, "time": 1700000001.25})"
      "\n");
  ASSERT_EQ(reading.measurements.size(), 2u);
  const Measurement& loss = reading.measurements[0];
  EXPECT_EQ(loss.metric, "loss");
  EXPECT_EQ(loss.step, 7);
  EXPECT_EQ(loss.value, 0.5);
  EXPECT_EQ(loss.reported_at,
            Timestamp(std::chrono::milliseconds(1700000001250)));
  EXPECT_EQ(loss.elapsed.count(), 0);
  EXPECT_EQ(reading.measurements[1].metric, "accuracy");
  EXPECT_EQ(reading.measurements[1].value, 0.9);
  EXPECT_TRUE(reading.problems.empty());
}

// A hole of a file, read or not, is a line that is too long, or a part of one.
TEST(MetricLinesTest, WhatAProgramSaysAboutItsTrialIsNoMetric) {
  const auto reading = ReadAll(
      R"({"attributes": {"checkpoint": "a.pt", "layers": [64, 32]}})"
      "\n"
      R"({"step": 2, "loss": 0.5, "attributes": {"checkpoint": "b.pt"}})"
      "\n"
      R"({"attributes": 3})"
      "\n");
  EXPECT_EQ(reading.attributes,
            (std::map<std::string, std::string>{{"checkpoint", "\"b.pt\""},
                                                {"layers", "[64,32]"}}));
  EXPECT_EQ(reading.problems, Texts{});
  ASSERT_EQ(reading.measurements.size(), 2u);
  EXPECT_EQ(reading.measurements[0].metric, "loss");
  EXPECT_EQ(reading.measurements[1].metric, "attributes") << "a number is one";
}

TEST(MetricLinesTest, AHoleIsALineThatIsTooLong) {
  const std::string hole(kMaxMetricLine + 1, '\0');
  for (const std::string before : {"", "{\"a\": 1}\n", "{\"a\": 1"}) {
    SCOPED_TRACE(before);
    const std::string all = before + hole + "{\"a\": 5}\n{\"a\": 2}\n";
    const FileReading whole = ReadAll(all);
    MetricLinesReader reader;
    FileReading reading = reader.Read(before, LastLine::kMayGrow);
    // What stands before the hole in its line is read with some of it.
    if (reader.offset() < before.size()) {
      reading =
          reader.Read(all.substr(0, kMaxMetricLine + 4), LastLine::kMayGrow);
    }
    reader.SkipHole(before.size() + hole.size(), reading);
    const FileReading rest =
        reader.Read(all.substr(reader.offset()), LastLine::kIsDone);
    ASSERT_EQ(rest.measurements.size(), 1u);
    EXPECT_EQ(rest.measurements[0].value, 2);
    EXPECT_EQ(rest.measurements[0].step, whole.measurements.back().step);
    EXPECT_EQ(reading.problems, whole.problems);
    EXPECT_EQ(reading.problems.size(), 1u);
  }
}

TEST(MetricLinesTest, WhatComesBehindWhatWasLeftOutIsLater) {
  MetricLinesReader reader;
  reader.Read("{\"a\": 1}\n{\"a\": 2}\n", LastLine::kMayGrow);
  reader.SkipTo(1000);
  const FileReading rest =
      reader.Read("half}\n{\"a\": 3}\nnothing\n", LastLine::kIsDone);
  ASSERT_EQ(rest.measurements.size(), 1u);
  EXPECT_EQ(rest.measurements[0].step, 1001);
  EXPECT_EQ(rest.measurements[0].reported_at,
            Timestamp(std::chrono::microseconds(1001)));
  ASSERT_EQ(rest.problems.size(), 1u);
  EXPECT_EQ(rest.problems[0],
            "line 2 behind byte 1000 of VERNIER_METRICS is not a JSON object: "
            "nothing");
}

TEST(MetricLinesTest, ASmallTimeIsSinceTrainingBegan) {
  const auto reading = ReadAll(R"({"step": 7, "loss": 0.5, "time": 12.25})");
  ASSERT_EQ(reading.measurements.size(), 1u);
  EXPECT_EQ(reading.measurements[0].elapsed, std::chrono::milliseconds(12250));
  EXPECT_EQ(reading.measurements[0].reported_at,
            Timestamp(std::chrono::microseconds(1)))
      << "no time";
}

TEST(MetricLinesTest, WhatHasNoStepStandsBehindTheOneBefore) {
  const auto reading = ReadAll(
      "{\"a\": 1}\n\n{\"a\": 2, \"step\": null, \"time\": null}\n"
      "{\"b\": 1}\n{\"a\": 3, \"step\": 9}\n{\"a\": 4}\n");
  std::vector<std::int64_t> steps;
  for (const Measurement& one : reading.measurements) {
    steps.push_back(one.step);
  }
  EXPECT_EQ(steps, (std::vector<std::int64_t>{1, 2, 1, 9, 10}));
  EXPECT_EQ(
      reading.problems,
      Texts{"the values of \"a\" have a step in some lines of "
            "VERNIER_METRICS and none in others, line 5 for one; what has "
            "none stands one behind the value before it"});
}

// So of two lines of one step the later one counts, whenever they are read.
TEST(MetricLinesTest, EachLineIsLaterThanTheOneBefore) {
  const auto reading = ReadAll(
      "{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3, \"time\": 1700000000}\n"
      "{\"a\": 4, \"b\": 4, \"time\": 1700000000}\n{\"a\": 5}\n"
      "{\"a\": 6, \"time\": 1600000000}\n");
  std::vector<std::int64_t> times;
  for (const Measurement& one : reading.measurements) {
    times.push_back(one.reported_at.time_since_epoch().count());
  }
  const std::int64_t noon = 1700000000000000;
  EXPECT_EQ(times, (std::vector<std::int64_t>{1, 2, noon, noon + 1, noon + 1,
                                              noon + 2, noon + 3}));
}

TEST(MetricLinesTest, LinesMayGoOnBehindOthers) {
  const Timestamp before{std::chrono::seconds(1700000000)};
  MetricLinesReader reader(7, before);
  const auto reading =
      reader.Read("{\"a\": 1}\n{\"a\": 2}\n", LastLine::kIsDone);
  ASSERT_EQ(reading.measurements.size(), 2u);
  EXPECT_EQ(reading.measurements[0].step, 8);
  EXPECT_EQ(reading.measurements[1].step, 9);
  EXPECT_EQ(reading.measurements[0].reported_at,
            before + std::chrono::microseconds(1));
  EXPECT_TRUE(reading.problems.empty());
}

TEST(MetricLinesTest, TakesNumbersThatJsonHasNone) {
  const auto reading = ReadAll(
      "{\"a\": NaN, \"b\": -Infinity, \"c\": \"inf\", \"d\": \"0.5\", "
      "\"e1e999\": -1e999, \"f\": 1.5e+400}\n");
  ASSERT_EQ(reading.measurements.size(), 6u);
  EXPECT_EQ(reading.measurements[4].metric, "e1e999");
  EXPECT_EQ(reading.measurements[4].value,
            -std::numeric_limits<double>::infinity());
  EXPECT_EQ(reading.measurements[5].value,
            std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(reading.measurements[0].value));
  EXPECT_EQ(reading.measurements[1].value,
            -std::numeric_limits<double>::infinity());
  EXPECT_EQ(reading.measurements[2].value,
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(reading.measurements[3].value, 0.5);
}

TEST(MetricLinesTest, PassesOverOtherValues) {
  const auto reading = ReadAll(
      R"({"phase": "train", "a": null, "b": true, "c": [1], "d": {"e": 1}})");
  EXPECT_TRUE(reading.measurements.empty());
  EXPECT_TRUE(reading.problems.empty());
}

TEST(MetricLinesTest, NamesBadLinesByNumber) {
  const auto reading =
      ReadAll("{\"a\": 1}\nloss=1\n[1]\n{\"a\": 2\n{\"a\": 3}\n");
  EXPECT_EQ(reading.measurements.size(), 2u);
  EXPECT_EQ(reading.problems,
            (Texts{"line 2 of VERNIER_METRICS is not a JSON object: loss=1",
                   "line 3 of VERNIER_METRICS is not a JSON object: [1]",
                   "line 4 of VERNIER_METRICS is not a JSON object: "
                   "{\"a\": 2"}));
}

// Of what is tuned nothing is passed over in silence.
TEST(MetricLinesTest, NamesWhatIsNoValueOfWhatIsTuned) {
  const struct {
    const char* line;
    const char* problem;
  } kCases[] = {
      {R"({"step": 2, "loss": "0,25"})",
       R"(the value of "loss" in line 2 of the report is not a number: "0,25")"},
      {R"({"step": 2, "loss": [0.1]})",
       R"(the value of "loss" in line 2 of the report is not a number: a list)"},
      {R"({"step": 2, "metrics": {"loss": 0.2}})",
       R"(in line 2 of the report, "loss" stands within "metrics", where no )"
       "metrics are looked for"},
      {R"({"step": 2, "loss": 0.)",
       R"(line 2 of the report is not a JSON object: {"step": 2, "loss": 0.)"},
      {R"({"step": 2.5, "loss": 0.2})",
       "the step in line 2 of the report is not a whole number of 64 bits: "
       "2.5"},
  };
  for (const auto& test : kCases) {
    MetricLinesReader reader(0, {}, {"loss"}, "the report");
    const std::string file =
        std::string("{\"step\": 1, \"loss\": 0.5}\n") + test.line;
    const FileReading reading = reader.Read(file, LastLine::kIsDone);
    EXPECT_EQ(reading.measurements.size(), 1u);
    EXPECT_EQ(reading.problems, Texts{test.problem});
    EXPECT_EQ(reader.later_miss(), test.problem);
    EXPECT_EQ(reader.is_truncated(),
              test.line[std::string(test.line).size() - 1] != '}');
    reader.Read("\n{\"loss\": 0.25}\n", LastLine::kIsDone);
    EXPECT_EQ(reader.later_miss(), "");
    EXPECT_FALSE(reader.is_truncated());
  }
}

TEST(MetricLinesTest, OfWhatIsTunedNullIsNotANumber) {
  for (const char* value : {"null", "\"None\"", "\"N/A\"", "NaN"}) {
    MetricLinesReader reader(0, {}, {"loss"});
    const FileReading reading =
        reader.Read(std::string("{\"loss\": ") + value + ", \"note\": null}",
                    LastLine::kIsDone);
    ASSERT_EQ(reading.measurements.size(), 1u) << value;
    EXPECT_TRUE(std::isnan(reading.measurements[0].value)) << value;
    EXPECT_EQ(reading.problems, Texts{}) << value;
  }
}

TEST(MetricLinesTest, NamesStepsAndTimesThatAreNone) {
  for (const std::string step : {"1.5", "\"one\"", "true", "[1]", "1e30"}) {
    const auto reading = ReadAll("{\"a\": 1, \"step\": " + step + "}");
    EXPECT_TRUE(reading.measurements.empty()) << step;
    ASSERT_EQ(reading.problems.size(), 1u) << step;
    EXPECT_EQ(reading.problems[0].rfind("the step in line 1 of VERNIER_METRICS "
                                        "is not a whole number of 64 bits: ",
                                        0),
              0u);
  }
  for (const std::string time : {"\"noon\"", "1e300", "NaN", "{}", "-1"}) {
    const auto reading = ReadAll("{\"a\": 1, \"time\": " + time + "}");
    EXPECT_TRUE(reading.measurements.empty()) << time;
    ASSERT_EQ(reading.problems.size(), 1u) << time;
    EXPECT_EQ(reading.problems[0].rfind("the time in line 1 of VERNIER_METRICS "
                                        "is not a number of seconds since "
                                        "1970, or since training began: ",
                                        0),
              0u);
  }
}

TEST(MetricLinesTest, ReadsOnWhereTheLastReadEnded) {
  const std::string text = "{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}";
  for (std::size_t first = 0; first <= text.size(); ++first) {
    MetricLinesReader reader;
    const auto begin = reader.Read(text.substr(0, first), LastLine::kMayGrow);
    const auto rest =
        reader.Read(text.substr(reader.offset()), LastLine::kMayGrow);
    EXPECT_EQ(begin.measurements.size() + rest.measurements.size(), 2u);
    EXPECT_TRUE(begin.problems.empty() && rest.problems.empty());
    const auto last =
        reader.Read(text.substr(reader.offset()), LastLine::kIsDone);
    ASSERT_EQ(last.measurements.size(), 1u);
    EXPECT_EQ(last.measurements[0].value, 3);
    EXPECT_EQ(reader.offset(), text.size());
  }
}

TEST(MetricLinesTest, SkipsALongLineInAnyPieces) {
  const std::string good = "{\"a\": 1}\n";
  const std::string long_line =
      "{\"b\": 1, \"c\": \"" + std::string(3 * kMaxMetricLine, 'x') + "\"}\n";
  const Texts named{
      "line 2 of VERNIER_METRICS is longer than the 65536 bytes that are read"};
  const auto at_once = ReadAll(good + long_line + good);
  EXPECT_EQ(at_once.measurements.size(), 2u);
  EXPECT_EQ(at_once.measurements[1].step, 2);
  EXPECT_EQ(at_once.problems, named);

  const std::string text = good + long_line + good;
  MetricLinesReader reader;
  std::size_t found = 0;
  Texts problems;
  for (int i = 0; i < 10; ++i) {
    const auto reading = reader.Read(
        text.substr(reader.offset(), kMaxMetricLine + 100), LastLine::kMayGrow);
    found += reading.measurements.size();
    problems.insert(problems.end(), reading.problems.begin(),
                    reading.problems.end());
  }
  EXPECT_EQ(found, 2u);
  EXPECT_EQ(problems, named);
  EXPECT_EQ(reader.offset(), text.size());
}

TEST(MetricLinesTest, BoundsTheMetricsOfALineAndOfAReading) {
  const auto line = [](std::size_t count) {
    std::string text = "{\"step\": 1, \"time\": 2";
    for (std::size_t i = 0; i < count; ++i) {
      text += ", \"m" + std::to_string(i) + "\": 1";
    }
    return text + "}\n";
  };
  EXPECT_EQ(ReadAll(line(kMaxMetricsOfRecord)).measurements.size(),
            kMaxMetricsOfRecord);
  EXPECT_EQ(Problems(line(kMaxMetricsOfRecord + 1)),
            Texts{"line 1 of VERNIER_METRICS has more than 1000 values, or is "
                  "nested too deeply"});
  std::string text;
  for (int i = 0; i < 12; ++i) text += line(kMaxMetricsOfRecord);
  MetricLinesReader reader;
  const auto first = reader.Read(text, LastLine::kMayGrow);
  EXPECT_EQ(first.measurements.size(), kMaxMeasurementsOfReading);
  EXPECT_TRUE(first.has_more);
  const auto second =
      reader.Read(text.substr(reader.offset()), LastLine::kMayGrow);
  EXPECT_EQ(second.measurements.size(), 2 * kMaxMetricsOfRecord);
  EXPECT_FALSE(second.has_more);
}

TEST(MetricLinesTest, RefusesDeepNestingAndNamesThatCannotBe) {
  EXPECT_EQ(Problems("{\"a\": " + std::string(5000, '[')).size(), 1u);
  EXPECT_EQ(Problems("{\"\": 1}"),
            Texts{"a metric in line 1 of VERNIER_METRICS has no name"});
  EXPECT_EQ(Problems("{\"" + std::string(257, 'a') + "\": 1}").size(), 1u);
  EXPECT_EQ(Problems("{\"\xff\": 1}").size(), 1u);
}

TEST(MetricLinesTest, SkipsAByteOrderMark) {
  EXPECT_EQ(ReadAll("\xef\xbb\xbf{\"a\": 1}\r\n").measurements.size(), 1u);
}

TEST(MetricLinesTest, SurvivesAnyBytes) {
  constexpr unsigned kSeed = 3;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 rng(kSeed);
  const std::string good = "{\"step\": 1, \"a\": 0.5, \"time\": 1.5}\n";
  for (int i = 0; i < 3000; ++i) {
    std::string text = good + good;
    for (unsigned k = rng() % 4 + 1; k > 0; --k) {
      text[rng() % text.size()] = static_cast<char>(rng());
    }
    EXPECT_LE(ReadAll(text).measurements.size(), 8u) << text;
  }
}

}  // namespace
}  // namespace vernier
