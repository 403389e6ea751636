#include "suggest/curves/curve_regression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "suggest/curves/curve_lessons.h"
#include "tests/suggest/curves/curve_examples.h"

namespace vernier {
namespace {

const std::vector<std::int64_t> kLevelCount = {5, 10, 20, 40};

// The end is neither a line in the value at a level nor in the place.
double BentCurve(double place, std::int64_t step) {
  const double end = std::pow(place - 0.4, 2);
  return end + (1 + end * end) *
                   std::exp(-static_cast<double>(step) / (6 + 9 * place));
}

class CurveRegressionTest : public testing::Test {
 protected:
  explicit CurveRegressionTest(int count = 24)
      : study_(CompleteStudy(BentCurve, count)),
        encoding_(study_.space),
        lessons_(TakeLessons(study_, encoding_, kLevelCount)) {}

  NormalValue PredictAt(const CurveRegression& regression, double place,
                        std::size_t level) const {
    const TrialCurve trial = TrialAt(100, place);
    return regression.Predict(
        encoding_.Encode(trial.parameters),
        ValuesAtLevels(CurveOf(BentCurve, place, kLevelCount[level]),
                       kLevelCount));
  }

  CurveStudy study_;
  SearchSpaceEncoding encoding_;
  std::vector<CurveLesson> lessons_;
};

TEST_F(CurveRegressionTest, KnowsTheEndOfCurvesThatFollowTheirPlace) {
  for (std::size_t level = 0; level < kLevelCount.size(); ++level) {
    const auto regression = CurveRegression::Create(encoding_, lessons_, level);
    ASSERT_TRUE(regression.has_value());
    for (const double place : {0.12, 0.4, 0.66, 0.93}) {
      const NormalValue final = PredictAt(*regression, place, level);
      const double end = BentCurve(place, kLastStep);
      EXPECT_NEAR(final.mean, end, 0.03) << level << " " << place;
      EXPECT_NEAR(final.mean, end, 4 * std::sqrt(final.variance) + 1e-3);
    }
  }
}

TEST_F(CurveRegressionTest, LeavesEachTrainingOut) {
  const auto regression = CurveRegression::Create(encoding_, lessons_, 1);
  ASSERT_TRUE(regression.has_value());
  ASSERT_EQ(regression->trainings().size(), 24u);
  std::vector<CurveLesson> others = lessons_;
  others.erase(others.begin() + 7);
  const auto without = CurveRegression::Create(encoding_, others, 1);
  ASSERT_TRUE(without.has_value());
  const NormalValue left_out = regression->LeaveOut(7);
  // The hyperparameters are those of all.
  EXPECT_NEAR(
      left_out.mean,
      PredictAt(*without,
                std::get<double>(study_.trials[7].parameters[0].value), 1)
          .mean,
      0.02);
  EXPECT_NEAR(left_out.mean, *lessons_[7].final, 0.05);
  EXPECT_NE(left_out.mean, *lessons_[7].final);
}

TEST_F(CurveRegressionTest, LearnsFromTheNewestCompleteTrainingsAlone) {
  lessons_[3].final.reset();
  lessons_[4].levels.values.resize(1);
  const auto regression = CurveRegression::Create(encoding_, lessons_, 2);
  ASSERT_TRUE(regression.has_value());
  EXPECT_EQ(regression->trainings().size(), 22u);
  EXPECT_EQ(regression->trainings()[3], 5u);
  const CurveStudy many = CompleteStudy(BentCurve, 80);
  const auto newest = CurveRegression::Create(
      encoding_, TakeLessons(many, encoding_, kLevelCount), 2);
  ASSERT_TRUE(newest.has_value());
  EXPECT_EQ(newest->trainings().size(), CurveRegression::kMaxTrainings);
  EXPECT_EQ(newest->trainings().front(), 16u);
}

TEST_F(CurveRegressionTest, TooFewOrEqualTrainingsAreNone) {
  const std::vector<CurveLesson> few(lessons_.begin(), lessons_.begin() + 2);
  EXPECT_FALSE(CurveRegression::Create(encoding_, few, 0).has_value());
  for (CurveLesson& lesson : lessons_) {
    lesson.final = lesson.levels.at(0) + 1;
  }
  EXPECT_FALSE(CurveRegression::Create(encoding_, lessons_, 0).has_value());
}

}  // namespace
}  // namespace vernier
