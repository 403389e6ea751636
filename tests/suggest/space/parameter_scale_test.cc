#include "suggest/space/parameter_scale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>

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

TEST_P(ParameterScaleTest, MapsEndsExactlyAndGoesThereAndBack) {
  const Range range = GetParam();
  const ParameterScale scale(range.scale, range.low, range.high);
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

INSTANTIATE_TEST_SUITE_P(
    Ranges, ParameterScaleTest,
    testing::Values(Range{ScaleType::kNone, -3, 5},
                    Range{ScaleType::kLinear, -1e308, 1e308},
                    Range{ScaleType::kLinear, 0,
                          std::numeric_limits<double>::denorm_min(), false},
                    Range{ScaleType::kLog, 1e-12, 1},
                    Range{ScaleType::kLog, 5e-324, 1e308},
                    Range{ScaleType::kLog, 1e16, 1e16 + 2, false},
                    Range{ScaleType::kReverseLog, 1e-6, 10},
                    Range{ScaleType::kReverseLog, 0.9, 0.9999},
                    Range{ScaleType::kReverseLog, 1e-300, 1.7e308, false},
                    // Not positive: taken as linear instead of giving NaN.
                    Range{ScaleType::kLog, 0, 10}));

TEST(ParameterScaleTest, LogIsDenseNearLowAndReverseLogNearHigh) {
  EXPECT_NEAR(ParameterScale(ScaleType::kLog, 1e-4, 1).FromUnit(0.5), 1e-2,
              1e-15);
  EXPECT_NEAR(ParameterScale(ScaleType::kReverseLog, 1e-4, 1).FromUnit(0.5),
              1 + 1e-4 - 1e-2, 1e-15);
}

}  // namespace
}  // namespace vernier
