#include "suggest/space/prior_study.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

class PriorStudyTest : public testing::Test {
 protected:
  Eigen::RowVectorXd Row(const std::vector<NamedValue>& parameters) const {
    return EncodePrior(parameters, encoding_);
  }

  const std::vector<ParameterSpec> space_ = MixedSpace();
  const SearchSpaceEncoding encoding_{space_};
};

TEST_F(PriorStudyTest, AFittingTrialIsEncodedAsOneOfTheStudy) {
  const Parameters parameters = {{"rate", 1e-3},
                                 {"decay", 0.99},
                                 {"units", std::int64_t{32}},
                                 {"batch", 64.0},
                                 {"optimizer", Text("c1")}};
  EXPECT_TRUE(Row(parameters).isApprox(encoding_.Encode(parameters), 1e-12));
}

// The gaps differ so much that the levels are spaced evenly.
TEST_F(PriorStudyTest, LevelsOfAnUnevenListAreWhereTheEncodingHasThem) {
  const std::vector<ParameterSpec> space = {
      DiscreteParameter("step", {1, 1.001, 1.002, 50})};
  const SearchSpaceEncoding encoding(space);
  const auto place = [&](double value) {
    return EncodePrior({{"step", value}}, encoding)[0];
  };
  for (const double value : space[0].discrete_values) {
    EXPECT_NEAR(place(value), encoding.Encode({{"step", value}})[0], 1e-12)
        << value;
  }
  EXPECT_GT(place(20), place(1.002));
  EXPECT_LT(place(20), place(50));
  EXPECT_GT(place(80), 1);
  EXPECT_LT(place(0.9995), 0);
}

TEST(PriorStudyOfConditionsTest, ATrialIsEncodedAsOneOfTheStudy) {
  const std::vector<ParameterSpec> space = ConditionalSpace();
  const SearchSpaceEncoding encoding(space);
  std::mt19937_64 rng(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 100; ++i) {
    const Eigen::RowVectorXd unit = Eigen::RowVectorXd::NullaryExpr(
        std::ssize(encoding.coordinates()),
        [&](Eigen::Index) { return uniform(rng); });
    const Parameters parameters = encoding.Decode(encoding.FromUnitCube(unit));
    EXPECT_TRUE(EncodePrior(parameters, encoding)
                    .isApprox(encoding.Encode(parameters), 1e-9))
        << i;
  }
}

// As logs have it that name all parameters.
TEST(PriorStudyOfConditionsTest, WhatIsInactiveIsImputed) {
  const std::vector<ParameterSpec> space = ConditionalSpace();
  const SearchSpaceEncoding encoding(space);
  const Parameters active = {{"optimizer", Text("c0")},
                             {"rate", 0.2},
                             {"momentum", 0.5},
                             {"layers", std::int64_t{1}}};
  std::vector<NamedValue> all = active;
  all.push_back({"amsgrad", Text("c1")});
  all.push_back({"beta", 0.7});
  all.push_back({"width2", std::int64_t{2}});
  EXPECT_EQ(EncodePrior(all, encoding), EncodePrior(active, encoding));
}

TEST_F(PriorStudyTest, WhatIsMissingIsImputed) {
  EXPECT_EQ(Row({}), encoding_.Imputed());
  EXPECT_EQ(Row({{"other", 3.0}}), encoding_.Imputed());
}

TEST_F(PriorStudyTest, NumbersBeyondTheRangeLieOutsideOfTheUnitCube) {
  EXPECT_NEAR(Row({{"rate", 1.0}})[0], 1.25, 1e-12);
  EXPECT_NEAR(Row({{"rate", 1e-6}})[0], -0.25, 1e-12);
  // Far outside they stop.
  EXPECT_NEAR(Row({{"rate", 1e100}})[0], 3, 1e-12);
  // A scale that has no place for them says nothing.
  EXPECT_EQ(Row({{"rate", -1.0}}), encoding_.Imputed());
}

TEST_F(PriorStudyTest, TypesMayDiffer) {
  EXPECT_EQ(Row({{"units", 32.0}}), Row({{"units", std::int64_t{32}}}));
  EXPECT_EQ(Row({{"batch", Text("64")}}), Row({{"batch", 64.0}}));
  EXPECT_EQ(Row({{"rate", Text("fast")}}), encoding_.Imputed());
  EXPECT_EQ(Row({{"optimizer", Text("c7")}}), encoding_.Imputed());
}

}  // namespace
}  // namespace vernier
