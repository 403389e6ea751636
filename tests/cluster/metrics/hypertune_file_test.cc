#include "cluster/metrics/hypertune_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace vernier {
namespace {

std::vector<Measurement> Parse(const std::string& text) {
  return ParseHypertuneFile(text, LastLine::kIsDone).measurements;
}

std::vector<std::string> HypertuneProblems(const std::string& text) {
  return ParseHypertuneFile(text, LastLine::kIsDone).problems;
}

using Texts = std::vector<std::string>;

TEST(HypertuneFileTest, ReadsTheLibrarysLine) {
  const auto all =
      Parse(R"({"checkpoint_path": "", "global_step": "1000", )"
            R"("my_metric_tag": "0.987", "timestamp": 1525851440.123456, )"
            R"("trial": "0"})"
            "\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].metric, "my_metric_tag");
  EXPECT_EQ(all[0].step, 1000);
  EXPECT_EQ(all[0].value, 0.987);
  EXPECT_EQ(all[0].reported_at.time_since_epoch().count(), 1525851440123456);
}

TEST(HypertuneFileTest, UnderstandsEverySpellingOfANumber) {
  const double kInf = std::numeric_limits<double>::infinity();
  const struct {
    const char* text;
    double value;
  } kCases[] = {
      {"\"0.0\"", 0},         {"\"1e-30\"", 1e-30},
      {"\"-2.5\"", -2.5},     {"3", 3},
      {"0.25", 0.25},         {"\"inf\"", kInf},
      {"\"-inf\"", -kInf},    {"\"1e400\"", kInf},
      {"\"Infinity\"", kInf}, {"Infinity", kInf},
      {"-Infinity", -kInf},
  };
  for (const auto& test : kCases) {
    const auto all = Parse(std::string("{\"m\":") + test.text + "}");
    ASSERT_EQ(all.size(), 1u) << test.text;
    EXPECT_EQ(all[0].value, test.value) << test.text;
    EXPECT_EQ(all[0].step, 1) << "the first";
  }
  for (const char* text : {R"({"m":"nan"})", R"({"m": NaN})"}) {
    const auto nan = Parse(text);
    ASSERT_EQ(nan.size(), 1u) << text;
    EXPECT_TRUE(std::isnan(nan[0].value)) << text;
  }
  // Within a text such a word is a text.
  EXPECT_EQ(Parse(R"({"NaN": 1, "a \"NaN": NaN, "b": Infinity})").size(), 3u);
}

TEST(HypertuneFileTest, WhatSaysThatThereIsNoNumberIsNotANumber) {
  for (const char* value : {"null", "\"None\"", "\"N/A\"", "\"nan\""}) {
    const auto found = Parse(std::string("{\"a\": ") + value + "}");
    ASSERT_EQ(found.size(), 1u) << value;
    EXPECT_TRUE(std::isnan(found[0].value)) << value;
  }
}

TEST(HypertuneFileTest, NamesValuesThatAreNoNumbers) {
  const struct {
    const char* value;
    const char* shown;
  } kCases[] = {{"\"0,5\"", "\"0,5\""},
                {"true", "true"},
                {"[1, 2]", "a list"},
                {"{\"b\": 1}", "a mapping"}};
  for (const auto& test : kCases) {
    const std::string text = std::string("{\"a\": ") + test.value + "}";
    EXPECT_TRUE(Parse(text).empty()) << text;
    EXPECT_EQ(HypertuneProblems(text),
              Texts{std::string("the value of \"a\" in the metric file is not "
                                "a number: ") +
                    test.shown});
  }
  EXPECT_EQ(HypertuneProblems(R"({"": 0.5})"),
            Texts{"a metric in the metric file has no name"});
}

TEST(HypertuneFileTest, NamesLinesThatAreNoRecords) {
  const std::string what = "a line of the metric file is not a JSON object: ";
  EXPECT_EQ(
      HypertuneProblems("accuracy=0.9\n{'loss': 0.5}\n[1]\n"),
      (Texts{what + "accuracy=0.9", what + "{'loss': 0.5}", what + "[1]"}));
  EXPECT_EQ(HypertuneProblems("a\na\nb\nc\nd\ne\nf\n").size(),
            kMaxMetricProblems);
  EXPECT_EQ(HypertuneProblems(std::string(kMaxMetricLine + 1, 'x') + "\n"),
            Texts{"a record of the metric file has 65537 bytes, and at most "
                  "65536 are read"});
}

TEST(HypertuneFileTest, ReadsARecordThatIsSpreadOverLines) {
  const std::string pretty = "{\n  \"loss\": 0.5,\n  \"global_step\": 3\n}\n";
  const auto all = Parse("{\"loss\": 1}\n" + pretty + pretty + "\n" + pretty);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[1].step, 3);
  EXPECT_TRUE(HypertuneProblems(pretty + pretty).empty());
  // Not yet whole: it may still grow.
  const std::string half = pretty.substr(0, pretty.size() - 3);
  EXPECT_EQ(Parse(half).size(), 0u);
  EXPECT_FALSE(HypertuneProblems(half).empty());
  EXPECT_TRUE(
      ParseHypertuneFile(half + "\n", LastLine::kMayGrow).problems.empty());
}

TEST(HypertuneFileTest, ABrokenRecordTakesNoOtherWithIt) {
  const std::string good = "{\"m\": 1}\n";
  for (const std::string broken :
       {"{\"m\": \n", "{\"m\": {\n", "{\n  \"m\": 1\n", "{\"m\n",
        "{\n  \"m\": 1 } x\n"}) {
    EXPECT_EQ(Parse(broken + good).size(), 1u) << broken;
    EXPECT_FALSE(HypertuneProblems(broken + good).empty()) << broken;
  }
}

TEST(HypertuneFileTest, NamesAFileThatIsNotUtf8) {
  EXPECT_EQ(Parse("\xef\xbb\xbf{\"m\": 1}\n").size(), 1u);
  const std::string little("\xff\xfe{\0\"\0", 6);
  const std::string big("\0{\0\"", 4);
  for (const std::string& text : {little, big}) {
    EXPECT_EQ(HypertuneProblems(text),
              Texts{"the metric file is UTF-16 text; write it as UTF-8"});
  }
}

// Looking for the end of a record must not read the file again and again.
TEST(HypertuneFileTest, ReadsManyBrokenRecordsInLinearTime) {
  std::string text;
  while (text.size() < (std::size_t{1} << 20)) text += "{\n  [\n";
  EXPECT_EQ(HypertuneProblems(text).size(), 2u);
}

TEST(HypertuneFileTest, TakesEveryTagButTheFixedKeys) {
  const auto all = Parse(
      R"({"a":"1","b":2,"global_step":"7","trial":"3","checkpoint_path":"4",)"
      R"("timestamp":5,"name":"text","list":[1],"flag":true})");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].metric, "a");
  EXPECT_EQ(all[1].metric, "b");
  EXPECT_EQ(all[1].step, 7);
}

TEST(HypertuneFileTest, SkipsWhatMakesNoSense) {
  const std::string good = "{\"m\":\"1\"}\n";
  const std::string long_line(kMaxMetricLine + 1, ' ');
  EXPECT_EQ(Parse("garbage\n" + good + "[1]\n\n7\n{\"m\":\n" + good +
                  std::string("\0\xff\n", 3) + long_line + "\n" + good)
                .size(),
            3u);
}

TEST(HypertuneFileTest, LeavesAnUnfinishedLastLine) {
  const std::string text = "{\"m\":\"1\"}\n{\"m\":\"12\"}";
  EXPECT_EQ(ParseHypertuneFile(text, LastLine::kMayGrow).measurements.size(),
            1u);
  EXPECT_EQ(ParseHypertuneFile(text, LastLine::kIsDone).measurements.size(),
            2u);
  EXPECT_EQ(
      ParseHypertuneFile(text.substr(0, text.size() - 1), LastLine::kIsDone)
          .measurements.size(),
      1u);
}

TEST(HypertuneFileTest, SurvivesAnyBytes) {
  constexpr unsigned kSeed = 11;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 rng(kSeed);
  const std::string good =
      R"({"checkpoint_path":"","global_step":"10","m":"0.5","timestamp":1.5})"
      "\n";
  for (int i = 0; i < 3000; ++i) {
    std::string text = good + good + good;
    for (unsigned k = rng() % 4 + 1; k > 0; --k) {
      const std::size_t at = rng() % text.size();
      if (rng() % 2 == 0) {
        text[at] = static_cast<char>(rng());
      } else {
        text.erase(at, rng() % 20);
      }
      if (text.empty()) text = "{";
    }
    EXPECT_LE(Parse(text).size(), 12u) << text;
  }
}

TEST(HypertuneFileTest, TakesStepsThatAreWholeNumbersAndNoOthers) {
  const struct {
    const char* step;
    std::int64_t expected;
  } kGood[] = {{"12", 12},    {"\"7\"", 7},
               {"7.0", 7},    {"\"8.0\"", 8},
               {"1e3", 1000}, {"-3", -3},
               {"null", 1},   {"9223372036854775807", 9223372036854775807}};
  const auto record = [](const char* step) {
    return std::string("{\"m\":1,\"timestamp\":\"1e300\",\"global_step\":") +
           step + "}";
  };
  for (const auto& test : kGood) {
    const auto all = Parse(record(test.step));
    ASSERT_EQ(all.size(), 1u) << test.step;
    EXPECT_EQ(all[0].step, test.expected) << test.step;
    EXPECT_EQ(all[0].reported_at, Timestamp{});
  }
  for (const char* step : {"1.5", "\"7.9\"", "1e30", "\"1e30\"", "\"None\"",
                           "NaN", "true", "9223372036854775808", "[1]"}) {
    EXPECT_TRUE(Parse(record(step)).empty()) << step;
    ASSERT_EQ(HypertuneProblems(record(step)).size(), 1u) << step;
    EXPECT_EQ(HypertuneProblems(record(step))[0].rfind(
                  "the global_step in a record of the metric file is not a "
                  "whole number of 64 bits: ",
                  0),
              0u)
        << step;
  }
  EXPECT_EQ(HypertuneProblems(R"({"m": 1, "timestamp": "noon"})"),
            Texts{"the timestamp in a record of the metric file is not a "
                  "number of seconds: \"noon\""});
}

}  // namespace
}  // namespace vernier
