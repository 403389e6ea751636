#include "suggest/gp/metric_levels.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

TrainingData DataOf(const std::vector<double>& values) {
  StudyView view;
  view.space = {DoubleParameter("x", 0, 1)};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) / 100;
    view.completed.push_back({{{"x", x}}, values[i]});
  }
  return MakeTrainingData(view, SearchSpaceEncoding(view.space), values.size(),
                          WarpReference::kUseful);
}

TEST(MetricLevelsTest, FewValuesAreLevels) {
  const TrainingData data = DataOf({0, 1, 1, 3, 0, 3, 1});
  const MetricLevels levels(data);
  ASSERT_FALSE(levels.is_empty());
  const double low = data.warp.Warp(0);
  const double middle = data.warp.Warp(1);
  const double high = data.warp.Warp(3);
  const Eigen::Vector4d means(low - 1, low * 0.6 + middle * 0.4,
                              middle * 0.4 + high * 0.6, high + 0.1);
  const Eigen::VectorXd nearest = levels.Nearest(means);
  EXPECT_EQ(nearest, Eigen::Vector4d(low, low, high, high));
  const Eigen::VectorXd exceeded =
      levels.Exceeded(Eigen::Vector3d(low, middle, high));
  EXPECT_NEAR(exceeded[0], (low + middle) / 2, 1e-12);
  EXPECT_NEAR(exceeded[1], (middle + high) / 2, 1e-12);
  EXPECT_NEAR(exceeded[2], high + (high - middle) / 2, 1e-12);
}

TEST(MetricLevelsTest, ManyValuesAreNone) {
  const MetricLevels levels(DataOf({0, 0.1, 0.2, 0.25, 0.4, 0.4}));
  EXPECT_TRUE(levels.is_empty());
  const Eigen::Vector2d means(0.3, -2);
  EXPECT_EQ(levels.Nearest(means), Eigen::VectorXd(means));
  EXPECT_EQ(levels.Exceeded(means), Eigen::VectorXd(means));
}

TEST(MetricLevelsTest, OneValueIsNone) {
  EXPECT_TRUE(MetricLevels(DataOf({2, 2, 2, 2})).is_empty());
}

}  // namespace
}  // namespace vernier
