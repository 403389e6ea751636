#include "suggest/space/parameter_scale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace vernier {
namespace {

struct Range {
  ScaleType scale;
  double low;
  double high;
  /// Enough doubles lie within for ToUnit to undo FromUnit.
  bool is_resolved = true;
};

void PrintTo(const Range& range, std::ostream* out) {
  *out << "scale " << static_cast<int>(range.scale) << " [" << range.low << ", "
       << range.high << "]";
}

class ParameterScaleTest : public testing::TestWithParam<Range> {};

class ResolvedScaleTest : public testing::TestWithParam<Range> {};

TEST_P(ParameterScaleTest, MapsEndsExactlyAndGoesThereAndBack) {
  const Range range = GetParam();
  const ParameterScale scale(range.scale, range.low, range.high);
  EXPECT_EQ(scale.FromUnit(0), range.low);
  EXPECT_EQ(scale.FromUnit(1), range.high);
  EXPECT_DOUBLE_EQ(scale.ToUnit(range.low), 0);
  EXPECT_DOUBLE_EQ(scale.ToUnit(range.high), 1);
  double last = range.low;
  for (double unit = 0; unit <= 1; unit += 1.0 / 64) {
    const double value = scale.FromUnit(unit);
    EXPECT_GE(value, last);
    EXPECT_LE(value, range.high);
    if (range.is_resolved) {
      EXPECT_NEAR(scale.ToUnit(value), unit, 1e-7);
    }
    last = value;
  }
}

TEST_P(ParameterScaleTest, RoundedValuesStayInBoundsAndApart) {
  const Range range = GetParam();
  const ParameterScale scale(range.scale, range.low, range.high);
  for (int i = 0; i <= 4096; ++i) {
    const double unit = i / 4096.0;
    const double exact = scale.FromUnit(unit);
    const double value = scale.ValueAt(unit);
    EXPECT_GE(value, range.low);
    EXPECT_LE(value, range.high);
    EXPECT_NEAR(scale.ToUnit(value), scale.ToUnit(exact), 1e-7);
    const double next = std::min(1.0, unit + 1e-6);
    if (scale.FromUnit(next) != exact) {
      EXPECT_NE(scale.ValueAt(next), value);
    }
  }
}

TEST_P(ResolvedScaleTest, ARoundedValueComesBackAsItIs) {
  const Range range = GetParam();
  const ParameterScale scale(range.scale, range.low, range.high);
  for (int i = 0; i <= 4096; ++i) {
    const double value = scale.ValueAt(i / 4096.0);
    EXPECT_EQ(scale.ValueAt(scale.ToUnit(value)), value) << i;
  }
}

int SignificantDigits(double value) {
  std::ostringstream text;
  int digits = 0;
  do {
    text.str("");
    text << std::setprecision(++digits) << value;
  } while (std::stod(text.str()) != value);
  return digits;
}

TEST(ParameterScaleFormTest, ValuesHaveTheDigitsThatTheScaleTellsApart) {
  EXPECT_EQ(ParameterScale(ScaleType::kLog, 1e-4, 1).ValueAt(0.5), 0.01);
  EXPECT_EQ(ParameterScale(ScaleType::kLinear, -1, 1).ValueAt(0.5 + 1e-17), 0);
  EXPECT_EQ(ParameterScale(ScaleType::kLinear, -0.3, 0.3).ValueAt(0.5), 0);
  const ParameterScale ranges[] = {
      {ScaleType::kLinear, 0, 1},     {ScaleType::kLinear, -1000, 7},
      {ScaleType::kLog, 1e-9, 1e3},   {ScaleType::kLinear, 1000, 1001},
      {ScaleType::kLog, 1e-300, 1e9}, {ScaleType::kReverseLog, 0.01, 1}};
  for (const ParameterScale& scale : ranges) {
    for (int i = 0; i < 999; ++i) {
      const double value = scale.ValueAt((i + 0.1234567) / 999);
      EXPECT_LE(SignificantDigits(value), 12) << value;
    }
  }
}

TEST(ParameterScaleFormTest, NarrowRangesKeepEveryDouble) {
  const ParameterScale above_one(ScaleType::kLinear, 1, 1 + 1e-13);
  const ParameterScale far(ScaleType::kLinear, 1e15, 1e15 + 1);
  std::set<double> near_one;
  std::set<double> far_off;
  for (int i = 0; i <= 10000; ++i) {
    near_one.insert(above_one.ValueAt(i / 10000.0));
    far_off.insert(far.ValueAt(i / 10000.0));
  }
  EXPECT_EQ(near_one.size(), 451u) << "1e-13 / 2^-52, and one";
  EXPECT_EQ(far_off.size(), 9u) << "eighths";
}

const std::vector<Range>& Ranges() {
  static const auto* const ranges = new std::vector<Range>{
      {ScaleType::kNone, -3, 5},
      {ScaleType::kLinear, -1e308, 1e308},
      {ScaleType::kLinear, 0, std::numeric_limits<double>::denorm_min(), false},
      {ScaleType::kLog, 1e-12, 1},
      {ScaleType::kLog, 5e-324, 1e308},
      {ScaleType::kLog, 1e16, 1e16 + 2, false},
      {ScaleType::kReverseLog, 1e-6, 10},
      {ScaleType::kReverseLog, 0.9, 0.9999},
      {ScaleType::kReverseLog, 1e-300, 1.7e308, false},
      // Not positive: taken as linear instead of giving NaN.
      {ScaleType::kLog, 0, 10}};
  return *ranges;
}

std::vector<Range> ResolvedRanges() {
  std::vector<Range> ranges = Ranges();
  std::erase_if(ranges, [](const Range& range) { return !range.is_resolved; });
  return ranges;
}

INSTANTIATE_TEST_SUITE_P(Ranges, ParameterScaleTest,
                         testing::ValuesIn(Ranges()));
INSTANTIATE_TEST_SUITE_P(Ranges, ResolvedScaleTest,
                         testing::ValuesIn(ResolvedRanges()));

TEST(ParameterScaleFormTest, LogIsDenseNearLowAndReverseLogNearHigh) {
  EXPECT_NEAR(ParameterScale(ScaleType::kLog, 1e-4, 1).FromUnit(0.5), 1e-2,
              1e-15);
  EXPECT_NEAR(ParameterScale(ScaleType::kReverseLog, 1e-4, 1).FromUnit(0.5),
              1 + 1e-4 - 1e-2, 1e-15);
}

}  // namespace
}  // namespace vernier
