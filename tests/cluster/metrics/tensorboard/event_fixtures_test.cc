// Event files that the libraries of training programs wrote;
// fixtures/make_event_files.py made them.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cluster/metrics/tensorboard/event_file.h"

namespace vernier {
namespace {

std::string FixtureBytes(const std::string& name) {
  const std::string path = std::string(VERNIER_TESTDATA_DIR) +
                           "/cluster/metrics/tensorboard/fixtures/" + name +
                           ".tfevents";
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

GrowingFileReading ReadFixture(const std::string& name) {
  const std::string bytes = FixtureBytes(name);
  EventFileReader reader;
  GrowingFileReading reading = reader.Read(bytes);
  EXPECT_EQ(reading.problems, std::vector<std::string>{}) << name;
  EXPECT_EQ(reader.offset(), bytes.size()) << name;
  for (const Measurement& one : reading.measurements) {
    EXPECT_GE(one.reported_at, Timestamp(std::chrono::seconds(100))) << name;
  }
  return reading;
}

struct Point {
  std::string metric;
  std::int64_t step;
  double value;

  friend bool operator==(const Point& a, const Point& b) {
    return a.metric == b.metric && a.step == b.step &&
           (a.value == b.value || (std::isnan(a.value) && std::isnan(b.value)));
  }
  friend std::ostream& operator<<(std::ostream& out, const Point& point) {
    return out << point.metric << "@" << point.step << "=" << point.value;
  }
};

std::vector<Point> PointsOf(const GrowingFileReading& reading) {
  std::vector<Point> points;
  for (const Measurement& one : reading.measurements) {
    points.push_back({one.metric, one.step, one.value});
  }
  return points;
}

std::vector<Point> ReadPoints(const std::string& name) {
  return PointsOf(ReadFixture(name));
}

using FixturePoints = std::vector<Point>;

TEST(EventFixturesTest, ReadsTensorFlowsScalars) {
  EXPECT_EQ(ReadPoints("tensorflow-scalars"),
            (FixturePoints{{"loss", 0, 1},
                           {"loss", 1, 0.5},
                           {"loss", 2, 1.0F / 3},
                           {"loss", 3, NAN},
                           {"zero", 3, 0},
                           {"metrics/accuracy", 3, 0.75}}));
}

TEST(EventFixturesTest, ReadsTensorsOfEveryType) {
  FixturePoints expected;
  for (const char* type : {"float16", "bfloat16", "float32", "float64"}) {
    expected.push_back({type, 7, 1.5});
    expected.push_back({type, 8, -2});
  }
  for (const char* type : {"int8", "int16", "int32", "int64"}) {
    expected.push_back({type, 7, 3});
    expected.push_back({type, 8, -2});
  }
  for (const char* type : {"uint8", "uint16", "uint32", "uint64"}) {
    expected.push_back({type, 7, 3});
    expected.push_back({type, 8, 200});
  }
  expected.push_back({"bool", 7, 1});
  EXPECT_EQ(ReadPoints("tensorflow-types"), expected);
}

TEST(EventFixturesTest, ReadsTensorFlow1sWriter) {
  const GrowingFileReading reading = ReadFixture("tensorflow-v1");
  EXPECT_EQ(PointsOf(reading), (FixturePoints{{"rmse", 5, 2.5},
                                              {"tensor", 5, 1.25},
                                              {"list", 5, 1 + 5.0 / 1024},
                                              {"rmse", 6, 3},
                                              {"tensor", 6, 1.5},
                                              {"list", 6, 1 + 6.0 / 1024},
                                              {"eval", 0, 2.5}}));
  ASSERT_EQ(reading.restarts.size(), 1u);
  EXPECT_EQ(reading.restarts[0].before, 0u);
  EXPECT_EQ(reading.restarts[0].from_step, 5);
}

TEST(EventFixturesTest, ReadsKerasCallback) {
  const FixturePoints train = ReadPoints("keras-train");
  ASSERT_EQ(train.size(), 4u);
  EXPECT_EQ(train[0], (Point{"epoch_loss", 0, train[0].value}));
  EXPECT_EQ(train[1], (Point{"epoch_learning_rate", 0, 0.01F}));
  EXPECT_EQ(train[2], (Point{"epoch_loss", 1, train[2].value}));
  EXPECT_LT(train[2].value, train[0].value);
  const FixturePoints validation = ReadPoints("keras-validation");
  ASSERT_EQ(validation.size(), 4u);
  EXPECT_EQ(validation[0],
            (Point{"evaluation_loss_vs_iterations", 1, validation[1].value}));
  EXPECT_EQ(validation[1], (Point{"epoch_loss", 0, validation[1].value}));
  EXPECT_EQ(validation[3], (Point{"epoch_loss", 1, validation[3].value}));
}

TEST(EventFixturesTest, ReadsTensorboardX) {
  EXPECT_EQ(ReadPoints("tensorboardx-scalars"),
            (FixturePoints{{"train/loss", 2, 0.3F},
                           {"train/loss", 0, 0.5},
                           {"train/loss", 1, 0.4F},
                           {"best", 3, INFINITY}}));
  EXPECT_EQ(ReadPoints("tensorboardx-add_scalars"),
            (FixturePoints{{"both", 4, 2}}));
}

TEST(EventFixturesTest, ReadsTorch) {
  EXPECT_EQ(ReadPoints("torch-scalars"), (FixturePoints{{"loss", 0, 1},
                                                        {"loss", 1, 0.5},
                                                        {"loss", 2, 1.0F / 3},
                                                        {"new", 3, 0.25},
                                                        {"double", 3, 0.1}}));
  EXPECT_EQ(ReadPoints("torch-add_hparams"),
            (FixturePoints{{"accuracy", 0, 0.5}}));
  const GrowingFileReading again = ReadFixture("torch-purge_step");
  EXPECT_EQ(PointsOf(again), (FixturePoints{{"loss", 2, 0.125}}));
  ASSERT_EQ(again.restarts.size(), 1u);
  EXPECT_EQ(again.restarts[0].from_step, 2);
  EXPECT_GT(again.restarts[0].at, Timestamp{});
}

// A library flushes where it likes.
TEST(EventFixturesTest, ReadsTheSameFromAGrowingFile) {
  const std::string bytes = FixtureBytes("tensorflow-types");
  EventFileReader reader;
  std::size_t found = 0;
  for (std::size_t end = 0; end <= bytes.size(); ++end) {
    const std::size_t begin = reader.offset();
    const GrowingFileReading reading =
        reader.Read(bytes.substr(begin, end - begin));
    EXPECT_TRUE(reading.problems.empty());
    found += reading.measurements.size();
  }
  EXPECT_EQ(found, 25u);
}

}  // namespace
}  // namespace vernier
