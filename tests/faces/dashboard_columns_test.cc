#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "base/json.h"
#include "faces/dashboard/columns.h"
#include "faces/dashboard/curve_columns.h"
#include "tests/faces/columns_reader.h"

namespace vernier {
namespace {

TEST(ColumnWriterTest, ColumnsAreReadAsTheyWereWritten) {
  ColumnWriter writer;
  writer.Add("small", std::vector<std::uint8_t>{1, 2, 255});
  writer.Add("p:\"x\"", std::vector<double>{0.5, std::nan(""), -1e300});
  writer.Add("id", std::vector<std::int32_t>{-1, 7});
  writer.Add("none", std::vector<float>{});
  writer.Set("sequence", std::int64_t{12});
  writer.Set("full", true);
  writer.SetDictionary("small", {"", "a"});
  const ColumnsReader read(writer.Finish(3));
  EXPECT_EQ(read.header()["rows"], 3);
  EXPECT_EQ(read.header()["sequence"], 12);
  EXPECT_EQ(read.header()["full"], true);
  EXPECT_EQ(read.header()["dictionaries"]["small"][1], "a");
  EXPECT_EQ(read.Get<std::uint8_t>("small"),
            (std::vector<std::uint8_t>{1, 2, 255}));
  EXPECT_EQ(read.Get<std::int32_t>("id"), (std::vector<std::int32_t>{-1, 7}));
  EXPECT_TRUE(read.Get<float>("none").empty());
  const std::vector<double> x = read.Get<double>("p:\"x\"");
  ASSERT_EQ(x.size(), 3u);
  EXPECT_EQ(x[0], 0.5);
  EXPECT_TRUE(std::isnan(x[1]));
  EXPECT_EQ(x[2], -1e300);
}

std::vector<ShownCurvePoint> Curve(int points) {
  std::vector<ShownCurvePoint> curve;
  for (int i = 0; i < points; ++i) {
    curve.push_back({static_cast<double>(i), static_cast<float>(i % 7)});
  }
  return curve;
}

TEST(DownsampleTest, AShortCurveStaysAsItIs) {
  EXPECT_EQ(Downsample(Curve(10), 10), Curve(10));
  EXPECT_EQ(Downsample({}, 10), std::vector<ShownCurvePoint>{});
  EXPECT_EQ(Downsample(Curve(1), 2), Curve(1));
}

TEST(DownsampleTest, EndsAndSpikesAreKept) {
  std::vector<ShownCurvePoint> curve = Curve(10000);
  curve[1234].value = 1000;
  curve[8765].value = -1000;
  for (const std::size_t points : {4u, 5u, 10u, 100u, 999u}) {
    const std::vector<ShownCurvePoint> kept = Downsample(curve, points);
    ASSERT_LE(kept.size(), points);
    EXPECT_EQ(kept.front(), curve.front());
    EXPECT_EQ(kept.back(), curve.back());
    bool has_high = false;
    bool has_low = false;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      EXPECT_TRUE(i == 0 || kept[i - 1].step < kept[i].step);
      has_high |= kept[i].value == 1000;
      has_low |= kept[i].value == -1000;
    }
    EXPECT_TRUE(has_high && has_low) << points;
  }
  EXPECT_EQ(Downsample(curve, 2).size(), 2u);
  EXPECT_LE(Downsample(curve, 3).size(), 3u);
}

Measurement ColumnAt(std::int64_t step, double value, int attempt = 1,
                     MetricRoad road = MetricRoad::kReport) {
  Measurement measurement;
  measurement.metric = "loss";
  measurement.step = step;
  measurement.value = value;
  measurement.attempt = attempt;
  measurement.road = road;
  return measurement;
}

TEST(CurveOfTest, TheNewestAttemptAndTheClearestRoadCount) {
  const std::vector<ShownCurvePoint> curve =
      CurveOf({ColumnAt(1, 9, 1, MetricRoad::kStdout), ColumnAt(1, 1),
               ColumnAt(2, 2), ColumnAt(3, 3), ColumnAt(2, 20, 2),
               ColumnAt(4, std::nan(""), 2), ColumnAt(5, 5, 2)});
  EXPECT_EQ(curve,
            (std::vector<ShownCurvePoint>{{1, 1}, {2, 20}, {3, 3}, {5, 5}}));
  EXPECT_TRUE(CurveOf({}).empty());
}

}  // namespace
}  // namespace vernier
