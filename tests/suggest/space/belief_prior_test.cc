#include "suggest/space/belief_prior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

double LogDensityAt(const BeliefPrior& prior, const Eigen::RowVectorXd& row) {
  Eigen::VectorXd logs;
  prior.LogDensity(row, &logs, nullptr);
  return logs[0];
}

TEST(BeliefPriorTest, IsLargestAtTheBelievedPlaceAndHasHeavyTails) {
  const std::vector<ParameterSpec> space = {
      DoubleParameter("rate", 1e-4, 1, ScaleType::kLog),
      DoubleParameter("other", 0, 1)};
  const SearchSpaceEncoding encoding(space);
  const BeliefPrior prior({{"rate", 1e-2, BeliefWidth{10, true}}}, encoding);
  ASSERT_FALSE(prior.is_empty());
  const auto at = [&](double column) {
    Eigen::RowVectorXd row(2);
    row << column, 0.9;
    return LogDensityAt(prior, row);
  };
  EXPECT_NEAR(at(0.5), 0, 1e-12);
  EXPECT_LT(at(0.75), at(0.6));
  // A factor of ten is a quarter of the scale, where half the height is left.
  EXPECT_NEAR(std::exp(at(0.75)), 0.525, 1e-9);
  EXPECT_NEAR(at(0.25), at(0.75), 1e-9);
  EXPECT_GT(at(1), std::log(0.05));
  EXPECT_FALSE(prior.IsAbout(1));
}

TEST(BeliefPriorTest, WidthsAreInTheParametersOwnUnits) {
  const std::vector<ParameterSpec> space = {IntegerParameter("layers", 0, 10)};
  const SearchSpaceEncoding encoding(space);
  const BeliefPrior prior({{"layers", 4.0, BeliefWidth{2, false}}}, encoding);
  EXPECT_NEAR(std::exp(LogDensityAt(
                  prior, encoding.Encode({{"layers", std::int64_t{6}}}))),
              0.525, 1e-9);
}

TEST(BeliefPriorTest, ABelievedCategoryIsAsLikelyAsTheFloorAllows) {
  const std::vector<ParameterSpec> space = {CategoricalParameter("method", 4)};
  const SearchSpaceEncoding encoding(space);
  const BeliefPrior prior({{"method", "c2", std::nullopt}}, encoding);
  const auto at = [&](const char* value) {
    return LogDensityAt(prior, encoding.Encode({{"method", Text(value)}}));
  };
  EXPECT_NEAR(at("c2"), 0, 1e-9);
  EXPECT_NEAR(at("c0"), std::log(0.05), 1e-9);
  EXPECT_EQ(at("c0"), at("c3"));
}

TEST(BeliefPriorTest, AnInactiveParameterFavoursNoBranch) {
  const std::vector<ParameterSpec> space = {
      CategoricalParameter("method", 2),
      Below(DoubleParameter("momentum", 0, 1), 0, {Text("c0")})};
  const SearchSpaceEncoding encoding(space);
  const BeliefPrior prior({{"momentum", 0.5, BeliefWidth{0.1, false}}},
                          encoding);
  const auto at = [&](double momentum) {
    return LogDensityAt(prior, encoding.Encode({{"method", Text("c0")},
                                                {"momentum", momentum}}));
  };
  const double inactive =
      LogDensityAt(prior, encoding.Encode({{"method", Text("c1")}}));
  // The mean density of the branch is that of the other one.
  double mean = 0;
  for (int i = 0; i < 1000; ++i) mean += std::exp(at((i + 0.5) / 1000)) / 1000;
  EXPECT_NEAR(mean, std::exp(inactive), 1e-6);
}

TEST(BeliefPriorTest, TheCentreIsWhatIsBelievedAndElseTheDefaults) {
  std::vector<ParameterSpec> space = MixedSpace();
  space[0].default_value = 1e-4;
  const SearchSpaceEncoding encoding(space);
  const BeliefPrior prior(
      {{"batch", 100.0, std::nullopt}, {"optimizer", "c1", std::nullopt}},
      encoding);
  const Parameters centre = encoding.Decode(prior.Centre());
  EXPECT_EQ(NumberOf(centre, 0), 1e-4);
  EXPECT_EQ(NumberOf(centre, 3), 128);  // The nearest possible one.
  EXPECT_EQ(std::get<std::string>(centre[4].value), "c1");
  EXPECT_TRUE(BeliefPrior({}, encoding).is_empty());
  EXPECT_EQ(BeliefPrior({}, encoding).Centre(), encoding.Centre());
}

Eigen::VectorXd Rising(int n) { return Eigen::VectorXd::LinSpaced(n, 0, 1); }

TEST(BeliefPriorTest, TheExponentFadesToNothing) {
  EXPECT_EQ(BeliefExponent(Rising(5), Rising(5)), 2);
  EXPECT_EQ(BeliefExponent(Rising(10), Rising(10)), 1);
  EXPECT_EQ(BeliefExponent(Rising(100), Rising(100)), 0);
  EXPECT_EQ(BeliefExponent({}, {}), 10);
  EXPECT_EQ(BeliefExponent(Rising(1), Rising(1)), 10);
}

TEST(BeliefPriorTest, ResultsThatDisagreeEndTheBelief) {
  EXPECT_EQ(BeliefExponent(Rising(5), -Rising(5)), 0);
  Eigen::VectorXd merits = Rising(4);
  std::swap(merits[0], merits[1]);  // One of six pairs disagrees.
  EXPECT_NEAR(BeliefExponent(merits, Rising(4)), 2.5 * 4 / 6, 1e-12);
  // Failures are worse than all else, and equal each other.
  merits.head(2).setConstant(-std::numeric_limits<double>::infinity());
  EXPECT_EQ(BeliefExponent(merits, Rising(4)), 2.5);
}

}  // namespace
}  // namespace vernier
