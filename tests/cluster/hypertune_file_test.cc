#include "cluster/hypertune_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace vernier {
namespace {

std::vector<Measurement> Parse(const std::string& text) {
  return ParseHypertuneFile(text, LastLine::kIsDone);
}

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
      {"\"Infinity\"", kInf},
  };
  for (const auto& test : kCases) {
    const auto all = Parse(std::string("{\"m\":") + test.text + "}");
    ASSERT_EQ(all.size(), 1u) << test.text;
    EXPECT_EQ(all[0].value, test.value) << test.text;
    EXPECT_EQ(all[0].step, 0);
  }
  const auto nan = Parse(R"({"m":"nan"})");
  ASSERT_EQ(nan.size(), 1u);
  EXPECT_TRUE(std::isnan(nan[0].value));
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
  EXPECT_EQ(ParseHypertuneFile(text, LastLine::kMayGrow).size(), 1u);
  EXPECT_EQ(ParseHypertuneFile(text, LastLine::kIsDone).size(), 2u);
  EXPECT_EQ(
      ParseHypertuneFile(text.substr(0, text.size() - 1), LastLine::kIsDone)
          .size(),
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

TEST(HypertuneFileTest, SurvivesOddStepsAndTimes) {
  const struct {
    const char* step;
    std::int64_t expected;
  } kCases[] = {
      {"\"None\"", 0}, {"\"7.9\"", 7}, {"12", 12},
      {"1e300", 0},    {"\"nan\"", 0}, {"null", 0},
  };
  for (const auto& test : kCases) {
    const auto all = Parse(std::string("{\"m\":1,\"timestamp\":\"1e300\","
                                       "\"global_step\":") +
                           test.step + "}");
    ASSERT_EQ(all.size(), 1u) << test.step;
    EXPECT_EQ(all[0].step, test.expected) << test.step;
    EXPECT_EQ(all[0].reported_at, Timestamp{});
  }
}

}  // namespace
}  // namespace vernier
