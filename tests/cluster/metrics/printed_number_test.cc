#include "cluster/metrics/printed_number.h"

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
      {"0.5", 0.5},        {"-2", -2},
      {"+3", 3},           {".25", 0.25},
      {"3.", 3},           {"1e-3", 1e-3},
      {"1E+3", 1000},      {"-1.5e10", -1.5e10},
      {"inf", kInf},       {"-Inf", -kInf},
      {"Infinity", kInf},  {"+INF", kInf},
      {"1e999", kInf},     {"0.5.", 0.5},
      {"0.5, lr=1", 0.5},  {"0.5\t1", 0.5},
      {"0.5)", 0.5},       {"0.5'", 0.5},
      {"93.5%", 93.5},     {"0.5 s", 0.5},
      {"0.5,", 0.5},       {"0.25(0.3)", 0.25},
      {"3.]", 3},          {"0.5|", 0.5},
      {"1,234.5", 1234.5}, {"1,234,567", 1234567},
      {"1_000", 1000},     {"1.e-05", 1e-5},
      {"1.d+02", 100},
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
  for (const char* text :
       {"",      "-",    ".",    "e5",   "abc",        "1.2k",  "0x10",
        "1_00",  "1/2",  "1,5",  "1:30", "2024-01-01", "info",  "nano",
        "1.2.3", "1e5x", "0.5=", "--1",  "1e",         "1,234", "1,23,4"}) {
    EXPECT_EQ(PrintedNumber(text), std::nullopt) << text;
  }
}

TEST(PrintedNumberTest, KnowsTheUnitBehindIt) {
  const struct {
    const char* text;
    double value;
    const char* unit;
  } kCases[] = {
      {"12ms", 12, "ms"},
      {"12 ms, x", 12, "ms"},
      {"93.5%", 93.5, "%"},
      {"0.5 s", 0.5, "s"},
      {"0.5 samples", 0.5, ""},
      {"3 min", 3, "min"},
      {"3 minima", 3, ""},
      {"1.5GiB)", 1.5, "GiB"},
      {"2 \xc2\xb5s", 2, "\xc2\xb5s"},
      {"0.5", 0.5, ""},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(PrintedNumber(test.text), test.value) << test.text;
    EXPECT_EQ(UnitOfPrinted(test.text), test.unit) << test.text;
  }
}

}  // namespace
}  // namespace vernier
