#include "suggest/search_space_encoding.h"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>
#include <set>

#include "study/rng.h"
#include "suggest/tried_points.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

TEST(SearchSpaceEncodingTest, LaysOutColumnsByType) {
  const std::vector<ParameterSpec> space = MixedSpace();
  const SearchSpaceEncoding encoding(space);
  ASSERT_EQ(encoding.coordinates().size(), 5u);
  EXPECT_EQ(encoding.num_columns(), 4 + 3);
  const Parameters parameters = {{"rate", 1e-3},
                                 {"decay", 0.9},
                                 {"units", std::int64_t{1}},
                                 {"batch", 128.0},
                                 {"optimizer", std::string("c1")}};
  const Eigen::RowVectorXd row = encoding.Encode(parameters);
  EXPECT_NEAR(row[0], 0.5, 1e-12);
  EXPECT_EQ(row[1], 0);
  EXPECT_EQ(row[2], 0);
  EXPECT_EQ(row[3], 1);
  EXPECT_EQ(row[4], 0);
  EXPECT_DOUBLE_EQ(row[5], 1 / std::numbers::sqrt2);
  EXPECT_EQ(row[6], 0);
}

TEST(SearchSpaceEncodingTest, CategoriesLieAtDistanceOne) {
  const std::vector<ParameterSpec> space = {CategoricalParameter("c", 4)};
  const SearchSpaceEncoding encoding(space);
  const auto a = encoding.Encode({{"c", std::string("c0")}});
  for (const char* other : {"c1", "c2", "c3"}) {
    const auto b = encoding.Encode({{"c", std::string(other)}});
    EXPECT_NEAR((a - b).norm(), 1, 1e-15);
  }
}

TEST(SearchSpaceEncodingTest, FixedParametersHaveNoCoordinate) {
  const std::vector<ParameterSpec> space = {
      DoubleParameter("a", 2, 2), IntegerParameter("b", 7, 7),
      CategoricalParameter("c", 1), DiscreteParameter("d", {0.5})};
  const SearchSpaceEncoding encoding(space);
  EXPECT_EQ(encoding.num_columns(), 0);
  const Parameters expected = {
      {"a", 2.0}, {"b", std::int64_t{7}}, {"c", std::string("c0")}, {"d", 0.5}};
  EXPECT_EQ(encoding.Decode(encoding.Centre()), expected);
}

TEST(SearchSpaceEncodingTest, CentreIsInTheMiddleOfEachScale) {
  const std::vector<ParameterSpec> space = {
      DoubleParameter("rate", 1e-4, 1, ScaleType::kLog),
      IntegerParameter("n", 0, 10), DiscreteParameter("d", {1, 2, 3}),
      CategoricalParameter("c", 3)};
  const SearchSpaceEncoding encoding(space);
  const Parameters centre = encoding.Decode(encoding.Centre());
  EXPECT_NEAR(NumberOf(centre, 0), 1e-2, 1e-12);
  EXPECT_EQ(NumberOf(centre, 1), 5);
  EXPECT_EQ(NumberOf(centre, 2), 2);
  EXPECT_EQ(centre[3].value, ParameterValue(std::string("c0")));
}

TEST(SearchSpaceEncodingTest, UnitCubeGivesEveryIntegerAWholeCell) {
  const std::vector<ParameterSpec> space = {IntegerParameter("n", -2, 2)};
  const SearchSpaceEncoding encoding(space);
  int counts[5] = {};
  for (int i = 0; i < 500; ++i) {
    Eigen::RowVectorXd unit(1);
    unit << (i + 0.5) / 500;
    const Parameters p = encoding.Decode(encoding.FromUnitCube(unit));
    ++counts[static_cast<int>(NumberOf(p, 0)) + 2];
  }
  for (const int count : counts) EXPECT_EQ(count, 100);
}

TEST(SearchSpaceEncodingTest, ImpliesLogForDiscretePowers) {
  const std::vector<ParameterSpec> space = {
      DiscreteParameter("d", {1e-4, 1e-3, 1e-2, 1e-1, 1})};
  const SearchSpaceEncoding encoding(space);
  EXPECT_NEAR(encoding.Encode({{"d", 1e-2}})[0], 0.5, 1e-12);
}

TEST(SearchSpaceEncodingTest, KeepsOnlyOrderWhenGapsAreWild) {
  const std::vector<ParameterSpec> space = {
      DiscreteParameter("d", {0, 1e-9, 1e9}, ScaleType::kLinear)};
  const SearchSpaceEncoding encoding(space);
  EXPECT_NEAR(encoding.Encode({{"d", 1e-9}})[0], 0.5, 1e-12);
}

TEST(SearchSpaceEncodingTest, DecodesWhatItEncodedAlsoInVastRanges) {
  const double huge = 9007199254740992.0;  // 2^53.
  std::vector<double> thousand;
  for (int i = 0; i < 1000; ++i) thousand.push_back(i * i * 0.25 - 7);
  const std::vector<ParameterSpec> space = {
      IntegerParameter("far", 0, 4294967296.0 * 4),
      IntegerParameter("log", 1, huge, ScaleType::kLog),
      IntegerParameter("all", -huge, huge),
      DoubleParameter("tiny", 1e-12, 1, ScaleType::kLog),
      DiscreteParameter("many", thousand)};
  const SearchSpaceEncoding encoding(space);
  std::mt19937_64 rng = MakeRng(11, 0);
  std::set<double> seen;
  for (int i = 0; i < 200; ++i) {
    Eigen::RowVectorXd row =
        encoding.FromUnitCube(DrawUnitPoint(encoding, rng));
    const Parameters parameters = encoding.Decode(row);
    const Parameters again = encoding.Decode(encoding.Encode(parameters));
    EXPECT_EQ(again[0], parameters[0]);
    EXPECT_EQ(again[4], parameters[4]);
    EXPECT_NEAR(NumberOf(again, 3) / NumberOf(parameters, 3), 1, 1e-12);
    EXPECT_NEAR(NumberOf(again, 2), NumberOf(parameters, 2), 8);
    EXPECT_LE(NumberOf(parameters, 1), huge);
    EXPECT_GE(NumberOf(parameters, 1), 1);
    seen.insert(NumberOf(parameters, 0));
  }
  EXPECT_GT(seen.size(), 195u);
}

}  // namespace
}  // namespace vernier
