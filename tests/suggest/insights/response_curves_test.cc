#include "suggest/insights/response_curves.h"

#include <gtest/gtest.h>

#include <cmath>

#include "suggest/gp/user_units.h"
#include "suggest/insights/predicted_best.h"
#include "tests/suggest/insights/example_study.h"

namespace vernier {
namespace {

std::optional<double> OfMixed(const Parameters& p) {
  return std::log(NumberOf(p, 0)) - NumberOf(p, 1) + NumberOf(p, 3) / 100;
}

// The model's own answer at a row.
Prediction Asked(const ExampleStudy& study, const Eigen::RowVectorXd& row) {
  const Posterior posterior = study.model().gp.Predict(row, false);
  return InUserUnits(study.model().data.warp, study.view().goal,
                     posterior.mean[0], posterior.variance[0]);
}

void ExpectNear(const Prediction& left, const Prediction& right) {
  // The values of an axis are rounded to a hundred millionth of their scale.
  EXPECT_NEAR(left.mean, right.mean, 1e-6 * (1 + std::abs(right.mean)));
  EXPECT_NEAR(left.low, right.low, 1e-6 * (1 + std::abs(right.low)));
  EXPECT_NEAR(left.high, right.high, 1e-6 * (1 + std::abs(right.high)));
}

class ResponseCurvesTest : public testing::Test {
 protected:
  const ExampleStudy study_{
      SpreadStudy(MixedSpace(), 40, OfMixed, Goal::kMinimize)};
  const Eigen::RowVectorXd best_ = FindPredictedBest(study_.Examined());

  Slice SliceOf(std::size_t coordinate) const {
    return MakeSlice(study_.Examined(), best_, coordinate);
  }
};

TEST_F(ResponseCurvesTest, ASliceIsWhatTheModelSays) {
  for (std::size_t c = 0; c < study_.encoding().coordinates().size(); ++c) {
    const Slice slice = SliceOf(c);
    ASSERT_EQ(slice.axis.x.size(), slice.predictions.size());
    for (std::size_t i = 0; i < slice.axis.x.size(); ++i) {
      Parameters parameters = study_.encoding().Decode(best_);
      ParameterValue& value = parameters[c].value;
      if (!slice.axis.labels.empty()) {
        value = slice.axis.labels[i];
      } else if (std::holds_alternative<std::int64_t>(value)) {
        value = static_cast<std::int64_t>(slice.axis.x[i]);
      } else {
        value = slice.axis.x[i];
      }
      ExpectNear(slice.predictions[i],
                 Asked(study_, study_.encoding().Encode(parameters)));
    }
  }
}

TEST_F(ResponseCurvesTest, BandsHoldTheMean) {
  for (const Prediction& prediction : SliceOf(0).predictions) {
    EXPECT_LE(prediction.low, prediction.mean);
    EXPECT_LE(prediction.mean, prediction.high);
  }
}

TEST_F(ResponseCurvesTest, ALogScaleIsWalkedInEvenFactors) {
  const std::vector<double> x = SliceOf(0).axis.x;
  ASSERT_EQ(x.size(), static_cast<std::size_t>(kSlicePlaces));
  EXPECT_NEAR(x.front(), 1e-5, 1e-17);
  EXPECT_NEAR(x.back(), 1e-1, 1e-13);
  EXPECT_NEAR(x[1] / x[0], x[40] / x[39], 1e-7);
}

TEST_F(ResponseCurvesTest, IntegersAreWholeAndDistinct) {
  const std::vector<double> x = SliceOf(2).axis.x;
  EXPECT_EQ(x.front(), 1);
  EXPECT_EQ(x.back(), 512);
  EXPECT_LT(x.size(), static_cast<std::size_t>(kSlicePlaces));
  for (std::size_t i = 1; i < x.size(); ++i) {
    EXPECT_EQ(x[i], std::round(x[i]));
    EXPECT_GT(x[i], x[i - 1]);
  }
}

TEST_F(ResponseCurvesTest, FewValuesAndCategoriesAreAllThere) {
  EXPECT_EQ(SliceOf(3).axis.x, (std::vector<double>{16, 32, 64, 128}));
  const CurveAxis categories = SliceOf(4).axis;
  EXPECT_EQ(categories.parameter, "optimizer");
  EXPECT_EQ(categories.x, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(categories.labels, (std::vector<std::string>{"c0", "c1", "c2"}));
}

// Even steps would miss the second value.
TEST_F(ResponseCurvesTest, FewValuesAreAllThereHoweverClose) {
  const ExampleStudy study(SpreadStudy(
      {DiscreteParameter("d", {0, 1, 2, 500}), DoubleParameter("x", 0, 1)}, 20,
      [](const Parameters& p) {
        return std::optional<double>(NumberOf(p, 1));
      }));
  const Eigen::RowVectorXd row = FindPredictedBest(study.Examined());
  EXPECT_EQ(MakeSlice(study.Examined(), row, 0).axis.x,
            (std::vector<double>{0, 1, 2, 500}));
}

TEST_F(ResponseCurvesTest, AContourIsMadeOfSlices) {
  const Contour contour = MakeContour(study_.Examined(), best_, 0, 4);
  EXPECT_EQ(contour.first.parameter, "rate");
  EXPECT_EQ(contour.second.parameter, "optimizer");
  ASSERT_EQ(contour.first.x.size(), 32u);
  ASSERT_EQ(contour.second.labels.size(), 3u);
  ASSERT_EQ(contour.predictions.size(), 96u);
  for (std::int64_t level = 0; level < 3; ++level) {
    Eigen::RowVectorXd row = best_;
    study_.encoding().SetLevel(4, level, &row);
    row[0] = 5.0 / 31;
    ExpectNear(contour.predictions[static_cast<std::size_t>(level) * 32 + 5],
               Asked(study_, row));
  }
}

TEST_F(ResponseCurvesTest, AManyValuedCategoryIsCut) {
  const ExampleStudy study(
      SpreadStudy({CategoricalParameter("c", 100), DoubleParameter("x", 0, 1)},
                  30, [](const Parameters& p) {
                    return std::optional<double>(NumberOf(p, 1));
                  }));
  const Eigen::RowVectorXd row = FindPredictedBest(study.Examined());
  EXPECT_EQ(MakeSlice(study.Examined(), row, 0).axis.x.size(),
            static_cast<std::size_t>(kSlicePlaces));
}

// "c0" of the optimizer is better, so that the best has no beta.
class ConditionalCurvesTest : public testing::Test {
 protected:
  const ExampleStudy study_{
      SpreadStudy(ConditionalSpace(), 60, [](const Parameters& p) {
        const bool is_first = std::get<std::string>(p.front().value) == "c0";
        return std::optional<double>((is_first ? 1 : 0) +
                                     std::sin(5 * NumberOf(p, 1)));
      })};
  const Eigen::RowVectorXd best_ = FindPredictedBest(study_.Examined());

  std::size_t Coordinate(const std::string& name) const {
    std::size_t c = 0;
    while (study_.encoding().SpecOf(c).name != name) ++c;
    return c;
  }
};

TEST_F(ConditionalCurvesTest, AnInactiveParameterIsDrawnWhereItIsActive) {
  const std::size_t beta = Coordinate("beta");
  EXPECT_FALSE(study_.encoding().ActiveCoordinates(best_)[beta]);
  const auto row = RowThrough(study_.Examined(), best_, {beta});
  ASSERT_TRUE(row.has_value());
  EXPECT_TRUE(study_.encoding().ActiveCoordinates(*row)[beta]);
  EXPECT_EQ(MakeSlice(study_.Examined(), *row, beta).axis.x.front(), 0.5);
}

TEST_F(ConditionalCurvesTest, WhatIsNeverActiveTogetherHasNoRow) {
  EXPECT_FALSE(RowThrough(study_.Examined(), best_,
                          {Coordinate("beta"), Coordinate("momentum")})
                   .has_value());
}

// Every row asked for is a configuration that could be tried.
TEST_F(ConditionalCurvesTest, AParentsSliceChangesWhatIsActive) {
  const std::size_t optimizer = Coordinate("optimizer");
  const Slice slice = MakeSlice(study_.Examined(), best_, optimizer);
  ASSERT_EQ(slice.predictions.size(), 2u);
  Eigen::RowVectorXd other = best_;
  study_.encoding().SetLevel(optimizer, 1, &other);
  study_.encoding().Snap(&other);
  ExpectNear(slice.predictions[1], Asked(study_, other));
  EXPECT_GT(slice.predictions[0].mean, slice.predictions[1].mean);
}

}  // namespace
}  // namespace vernier
