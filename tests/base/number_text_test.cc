#include "base/number_text.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

TEST(NumberTextTest, ReadsNumbersAsYamlAndJsonWriteThem) {
  const struct {
    const char* text;
    double value;
  } kCases[] = {{"0", 0},        {"-0", 0},        {"1", 1},    {"+2", 2},
                {"1e-4", 1e-4},  {"1E3", 1000},    {".5", 0.5}, {"5.", 5},
                {"-.25", -0.25}, {"0.001", 0.001}, {"10.0", 10}};
  for (const auto& c : kCases) {
    const ParsedNumber number = ParseNumber(c.text);
    EXPECT_EQ(number.problem, NumberProblem::kNone) << c.text;
    EXPECT_EQ(number.value, c.value) << c.text;
    EXPECT_EQ(std::to_string(number.value), std::to_string(c.value));
  }
}

TEST(NumberTextTest, SaysWhatIsWrongWithANumber) {
  const struct {
    const char* text;
    NumberProblem problem;
  } kCases[] = {
      {"", NumberProblem::kNotANumber},
      {"-", NumberProblem::kNotANumber},
      {"abc", NumberProblem::kNotANumber},
      {"1x", NumberProblem::kNotANumber},
      {"1_000", NumberProblem::kNotANumber},
      {"0x10", NumberProblem::kNotANumber},
      {"010", NumberProblem::kNotANumber},
      {"--1", NumberProblem::kNotANumber},
      {"+-1", NumberProblem::kNotANumber},
      {" 1", NumberProblem::kNotANumber},
      {".", NumberProblem::kNotANumber},
      {"infinitely", NumberProblem::kNotANumber},
      {".nan", NumberProblem::kNotFinite},
      {"NaN", NumberProblem::kNotFinite},
      {"-.inf", NumberProblem::kNotFinite},
      {"Infinity", NumberProblem::kNotFinite},
      {"+inf", NumberProblem::kNotFinite},
      {"1e999", NumberProblem::kOutOfRange},
      {"1e-999", NumberProblem::kOutOfRange},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(ParseNumber(c.text).problem, c.problem) << c.text;
  }
}

TEST(NumberTextTest, ReadsIntegersHoweverWritten) {
  EXPECT_EQ(ParseInteger("30"), 30);
  EXPECT_EQ(ParseInteger("30.0"), 30);
  EXPECT_EQ(ParseInteger("3e1"), 30);
  EXPECT_EQ(ParseInteger("+30"), 30);
  EXPECT_EQ(ParseInteger("-30"), -30);
  EXPECT_EQ(ParseInteger("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(ParseInteger("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(ParseInteger("9223372036854775808"), std::nullopt);
  EXPECT_EQ(ParseInteger("1e18"), std::nullopt) << "not exact as a double";
  EXPECT_EQ(ParseInteger("2.5"), std::nullopt);
  EXPECT_EQ(ParseInteger("x"), std::nullopt);
}

TEST(NumberTextTest, KnowsWholeNumbersThatNoDoubleHas) {
  for (const char* text :
       {"9007199254740993", "-9007199254740993", "+9007199254740993",
        "9007199254740993.0", "9223372036854775807", "18446744073709551615",
        "123456789012345678901234567890"}) {
    EXPECT_TRUE(IsInexactWhole(text, ParseNumber(text).value)) << text;
  }
  for (const char* text :
       {"0", "9007199254740991", "9007199254740992", "9007199254740994",
        "-9007199254740994.00", "9223372036854775808", "1e23", "1e+300",
        "9007199254740993.5", "0.1", "100000000000000000000"}) {
    EXPECT_FALSE(IsInexactWhole(text, ParseNumber(text).value)) << text;
  }
  EXPECT_TRUE(IsExactDouble(9007199254740994));
  EXPECT_FALSE(IsExactDouble(9007199254740993));
  EXPECT_FALSE(IsExactDouble(INT64_MAX));
  EXPECT_TRUE(IsExactDouble(INT64_MIN));
}

TEST(NumberTextTest, KnowsWhatOthersWriteAsANumber) {
  for (const char* text : {"0,5", "-1.234,5", "1,024", "10%", "1'000", "007"}) {
    EXPECT_TRUE(IsForeignNumber(text)) << text;
  }
  for (const char* text :
       {"", "-", "0.5", "-3", "1e3", "1e999", "nan", "3 epochs", ",5", "%"}) {
    EXPECT_FALSE(IsForeignNumber(text)) << text;
  }
}

TEST(NumberTextTest, PrintsShortestJson) {
  EXPECT_EQ(NumberText(0), "0");
  EXPECT_EQ(NumberText(40), "40");
  EXPECT_EQ(NumberText(-3), "-3");
  EXPECT_EQ(NumberText(0.1), "0.1");
  EXPECT_EQ(NumberText(1e-5), "1e-05");
  EXPECT_EQ(NumberText(1e300), "1e+300");
}

TEST(NumberTextTest, ReadsSecondsAndRoundsUp) {
  EXPECT_EQ(ParseSeconds("0s"), 0);
  EXPECT_EQ(ParseSeconds("7200s"), 7200);
  EXPECT_EQ(ParseSeconds("1.5s"), 2);
  EXPECT_EQ(ParseSeconds("1.000s"), 1);
  EXPECT_EQ(ParseSeconds("315576000000s"), 315576000000);
  for (const char* text : {"", "s", "5", "-5s", "1.s", ".5s", "1h", "1 s",
                           "315576000001s", "99999999999999999999s"}) {
    EXPECT_EQ(ParseSeconds(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace vernier
