#include "suggest/memory/prior_rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

class PriorRowsTest : public testing::Test {
 protected:
  RegressionData Rows(const PriorStudy& study, std::size_t most = 100) const {
    return MakePriorRows(study, encoding_, most);
  }

  // A study of x with the value x at `count` places.
  static PriorStudy Line(int count) {
    PriorStudy study{"line", Goal::kMaximize, {}};
    for (int i = 0; i < count; ++i) {
      const double x = i / (count - 1.0);
      study.trials.push_back({{{"x", x}}, x});
    }
    return study;
  }

  const std::vector<ParameterSpec> space_ = {DoubleParameter("x", 0, 1)};
  const SearchSpaceEncoding encoding_{space_};
};

TEST_F(PriorRowsTest, TrialsAtOnePlaceAreOneRowWithTheirMedian) {
  PriorStudy study = Line(5);
  study.trials.push_back({{{"x", 0.5}}, -9.0});
  study.trials.push_back({{{"x", 0.5}}, 0.5});
  const RegressionData rows = Rows(study);
  const RegressionData line = Rows(Line(5));
  ASSERT_EQ(rows.inputs, line.inputs);
  EXPECT_EQ(rows.targets, line.targets);
  EXPECT_EQ(rows.noise_scale[2], 1.0 / 3);
  EXPECT_EQ(rows.noise_scale[1], 1);
}

TEST_F(PriorRowsTest, HugeValuesDoNotOverflow) {
  PriorStudy study = Line(5);
  study.trials[4].objective = 1.7e308;
  study.trials.push_back(study.trials[4]);
  study.trials[0].objective = -1.7e308;
  const RegressionData rows = Rows(study);
  ASSERT_EQ(rows.targets.size(), 5);
  EXPECT_TRUE(rows.targets.allFinite());
  EXPECT_EQ(rows.targets.maxCoeff(), rows.targets[4]);
}

TEST_F(PriorRowsTest, OfManyTrialsTheBestAndSomeOfTheOthersAreTaken) {
  const RegressionData rows = Rows(Line(1001), 20);
  ASSERT_EQ(rows.inputs.rows(), 20);
  EXPECT_NEAR(rows.inputs(10, 0), 0.991, 1e-12);
  EXPECT_EQ(rows.inputs(19, 0), 1);
  EXPECT_LT(rows.inputs(0, 0), 0.1);
  for (Eigen::Index i = 1; i <= 10; ++i) {
    EXPECT_LT(rows.inputs(i, 0) - rows.inputs(i - 1, 0), 0.11);
  }
}

TEST_F(PriorRowsTest, FailuresAreTheWorst) {
  PriorStudy study = Line(5);
  study.trials[2].objective.reset();
  const RegressionData rows = Rows(study);
  EXPECT_EQ(rows.targets[2], rows.targets.minCoeff());
}

TEST_F(PriorRowsTest, WhatTeachesNothingIsEmpty) {
  EXPECT_EQ(Rows(Line(2)).inputs.rows(), 0);
  PriorStudy equal = Line(9);
  for (PriorTrial& trial : equal.trials) trial.objective = 4;
  EXPECT_EQ(Rows(equal).inputs.rows(), 0);
}

}  // namespace
}  // namespace vernier
