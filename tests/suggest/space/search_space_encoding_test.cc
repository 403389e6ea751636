#include "suggest/space/search_space_encoding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <set>

#include "base/rng.h"
#include "study/search_space.h"
#include "suggest/space/parameter_levels.h"
#include "suggest/space/space_membership.h"
#include "suggest/space/tried_points.h"
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

TEST(SearchSpaceEncodingTest, ADefaultComesBackWithTheDigitsThatItWasGiven) {
  for (const double given :
       {0.001, 0.0010000000000000002, 0.12345678901234567, 1e-4, 1.0}) {
    for (const ScaleType scale :
         {ScaleType::kLinear, ScaleType::kLog, ScaleType::kReverseLog}) {
      std::vector<ParameterSpec> space = {
          DoubleParameter("rate", 1e-4, 1, scale)};
      space[0].default_value = given;
      const SearchSpaceEncoding encoding(space);
      EXPECT_EQ(NumberOf(encoding.Decode(encoding.Centre()), 0), given);
    }
  }
}

TEST(SearchSpaceEncodingTest, WhatIsSuggestedIsWhatIsModelled) {
  const std::vector<ParameterSpec> space = {
      DoubleParameter("a", 1e-4, 1, ScaleType::kLog),
      DoubleParameter("b", -3, 3), DoubleParameter("c", 1, 1 + 1e-13),
      DoubleParameter("d", 0.001, 0.999, ScaleType::kReverseLog)};
  const SearchSpaceEncoding encoding(space);
  std::mt19937_64 rng = MakeRng(5, 0);
  for (int i = 0; i < 1000; ++i) {
    const Parameters once =
        encoding.Decode(encoding.FromUnitCube(DrawUnitPoint(encoding, rng)));
    EXPECT_EQ(encoding.Decode(encoding.Encode(once)), once);
  }
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

TEST(SearchSpaceEncodingTest, ParametersOfOneKindShareACoordinate) {
  const std::vector<ParameterSpec> space = ConditionalSpace();
  const SearchSpaceEncoding encoding(space);
  ASSERT_EQ(encoding.coordinates().size(), 9u);
  EXPECT_EQ(encoding.coordinates()[1].parameters,
            (std::vector<std::size_t>{1, 3}));
  // c1: rate, amsgrad, beta; two widths; optimizer, layers and dropout.
  EXPECT_EQ(encoding.max_active(), 8u);
}

TEST(SearchSpaceEncodingTest, InactiveCoordinatesAreImputed) {
  std::vector<ParameterSpec> space = ConditionalSpace();
  space[2].default_value = 0.75;  // momentum.
  const SearchSpaceEncoding encoding(space);
  const Eigen::RowVectorXd row = encoding.Encode({{"optimizer", Text("c1")},
                                                  {"rate", 0.1},
                                                  {"amsgrad", Text("c0")},
                                                  {"layers", std::int64_t{1}},
                                                  {"dropout", 0.5}});
  Eigen::RowVectorXd expected(11);
  const double chosen = 1 / std::numbers::sqrt2;
  expected << 0, chosen, 0, 0.75, chosen, 0, 0.5, 0, 0.5, 0.5, 1;
  EXPECT_LT((row - expected).norm(), 1e-15) << row;
}

TEST(SearchSpaceEncodingTest, ASnappedRowIsThatOfItsParameters) {
  const std::vector<ParameterSpec> space = ConditionalSpace();
  const SearchSpaceEncoding encoding(space);
  std::mt19937_64 rng = MakeRng(5, 0);
  for (int i = 0; i < 300; ++i) {
    Eigen::RowVectorXd row(encoding.num_columns());
    for (double& x : row) x = UniformDouble(rng);
    encoding.Snap(&row);
    const Parameters parameters = encoding.Decode(row);
    EXPECT_TRUE(CheckFitsSpace(space, parameters).ok());
    // Values are rounded to a hundred millionth of their scale.
    EXPECT_LT((encoding.Encode(parameters) - row).norm(), 1e-8);
  }
}

TEST(SearchSpaceEncodingTest, CentreHoldsTheDefaults) {
  std::vector<ParameterSpec> space = ConditionalSpace();
  space[0].default_value = Text("c1");
  space[3].default_value = 0.3;
  space[6].default_value = std::int64_t{2};
  const SearchSpaceEncoding encoding(space);
  const Parameters centre = encoding.Decode(encoding.Centre());
  ASSERT_EQ(centre.size(), 6u);
  EXPECT_EQ(centre[0].value, Text("c1"));
  EXPECT_NEAR(NumberOf(centre, 1), 0.3, 1e-12);
  EXPECT_EQ(centre[3].value, ParameterValue(std::int64_t{2}));
}

// Bounds from subnormal to huge, all types, scales, conditions and defaults.
ParameterSpec RandomSpec(std::mt19937_64& rng, const std::string& name) {
  const auto magnitude = [&] {
    return std::pow(10.0, -300 + 600 * UniformDouble(rng));
  };
  const bool is_log = UniformInt(rng, 2) == 0;
  const ScaleType scale =
      is_log
          ? (UniformInt(rng, 2) == 0 ? ScaleType::kLog : ScaleType::kReverseLog)
          : ScaleType::kNone;
  switch (UniformInt(rng, 4)) {
    case 0: {
      double low = magnitude();
      double high = UniformInt(rng, 8) == 0 ? low : magnitude();
      if (UniformInt(rng, 50) == 0) low = 5e-324;
      if (UniformInt(rng, 3) == 0) high = std::nextafter(low, 1e300);
      if (!is_log && UniformInt(rng, 2) == 0) low = -low;
      return DoubleParameter(name, std::min(low, high), std::max(low, high),
                             scale);
    }
    case 1: {
      const double low = std::floor(std::pow(2.0, 52 * UniformDouble(rng)));
      const double span = std::floor(std::pow(2.0, 52 * UniformDouble(rng)));
      return IntegerParameter(name, is_log ? low : low - 1e6, low + span,
                              scale);
    }
    case 2: {
      std::set<double> values;
      const int count = 1 + static_cast<int>(UniformInt(rng, 12));
      while (std::ssize(values) < count) values.insert(magnitude());
      return DiscreteParameter(name, {values.begin(), values.end()}, scale);
    }
    default:
      return CategoricalParameter(name,
                                  1 + static_cast<int>(UniformInt(rng, 6)));
  }
}

std::vector<ParameterSpec> RandomSpace(std::mt19937_64& rng, int size) {
  std::vector<ParameterSpec> space;
  for (int i = 0; i < size; ++i) {
    ParameterSpec spec = RandomSpec(rng, absl::StrCat("p", i));
    if (i > 0 && UniformInt(rng, 2) == 0) {
      const auto parent = static_cast<std::size_t>(
          UniformInt(rng, static_cast<std::uint64_t>(i)));
      const std::int64_t levels = CountLevels(space[parent]);
      if (levels > 0) {
        const auto level = static_cast<std::int64_t>(
            UniformInt(rng, static_cast<std::uint64_t>(levels)));
        spec = Below(std::move(spec), parent,
                     {ValueAtLevel(space[parent], level)});
      }
    }
    space.push_back(std::move(spec));
  }
  return space;
}

// What is decoded lies in the space, and the steps of stepped and categorical
// parameters survive being encoded. 1,000,000 specs in all.
TEST(SearchSpaceEncodingTest, DecodesIntoAnySpace) {
  constexpr int kSpecs = 1'000'000;
  constexpr int kSize = 8;
  std::mt19937_64 rng = MakeRng(2026, 0);
  for (int i = 0; i < kSpecs / kSize; ++i) {
    const std::vector<ParameterSpec> space = RandomSpace(rng, kSize);
    const SearchSpaceEncoding encoding(space);
    const Eigen::RowVectorXd row =
        encoding.FromUnitCube(DrawUnitPoint(encoding, rng));
    const Parameters parameters = encoding.Decode(row);
    const absl::Status fits = CheckFitsSpace(space, parameters);
    ASSERT_TRUE(fits.ok()) << i << ": " << fits;
    const Eigen::RowVectorXd again = encoding.Encode(parameters);
    ASSERT_TRUE(again.allFinite()) << i;
    const Parameters decoded = encoding.Decode(again);
    ASSERT_EQ(decoded.size(), parameters.size()) << i;
    const auto specs = SpecsByValue(space, parameters);
    for (std::size_t k = 0; k < decoded.size(); ++k) {
      if (specs[k]->type == ParameterType::kDiscrete ||
          specs[k]->type == ParameterType::kCategorical) {
        ASSERT_EQ(decoded[k], parameters[k]) << i;
      }
    }
  }
}

// A hundredth is left of each range.
TEST(SearchSpaceEncodingTest, WhatIsLeftOfRangesIsStretched) {
  const std::vector<ParameterSpec> space = {
      DoubleParameter("x", 0, 1),
      DoubleParameter("rate", 1e-6, 1, ScaleType::kLog),
      IntegerParameter("n", 0, 1000), DiscreteParameter("d", {0, 1, 2, 3, 4}),
      CategoricalParameter("c", 2)};
  const SearchSpaceEncoding encoding(
      space, {{0.02, 0.03}, {1e-4, 1e-2}, {20, 30}, {2, 3}, {}});
  const Parameters middle = {{"x", 0.025},
                             {"rate", 1e-3},
                             {"n", std::int64_t{25}},
                             {"d", 2.0},
                             {"c", std::string("c1")}};
  const Eigen::RowVectorXd row = encoding.Encode(middle);
  EXPECT_NEAR(row[0], 0.5, 1e-12);
  EXPECT_NEAR(row[1], 0.5, 1e-12);
  EXPECT_NEAR(row[2], 0.5, 1e-12);
  EXPECT_NEAR(row[3], 0, 1e-12);
  EXPECT_EQ(encoding.Decode(row), middle);

  // A cell for each of the levels that are left.
  std::mt19937_64 rng = MakeRng(1, 1);
  std::set<double> numbers;
  std::set<double> discrete;
  for (int i = 0; i < 300; ++i) {
    const Parameters drawn =
        encoding.Decode(encoding.FromUnitCube(DrawUnitPoint(encoding, rng)));
    EXPECT_GE(NumberOf(drawn, 0), 0.02);
    EXPECT_LE(NumberOf(drawn, 0), 0.03);
    numbers.insert(NumberOf(drawn, 2));
    discrete.insert(NumberOf(drawn, 3));
    EXPECT_EQ(encoding.Decode(encoding.Encode(drawn)), drawn);
  }
  EXPECT_EQ(numbers.size(), 11u);
  EXPECT_EQ(*numbers.begin(), 20);
  EXPECT_EQ(discrete, (std::set<double>{2, 3}));
  const auto [first, last] = encoding.UnitsBetween(2, 20, 22);
  EXPECT_NEAR(first, 0, 1e-12);
  EXPECT_NEAR(last, 3.0 / 11, 1e-12);

  // What lies outside keeps its distance.
  const Eigen::RowVectorXd outside =
      encoding.Encode({{"x", 0.5},
                       {"rate", 1e-6},
                       {"n", std::int64_t{1000}},
                       {"d", 0.0},
                       {"c", std::string("c0")}});
  EXPECT_NEAR(outside[0], 48, 1e-9);
  EXPECT_NEAR(outside[1], -1, 1e-9);
  EXPECT_NEAR(outside[2], 98, 1e-9);
  EXPECT_NEAR(outside[3], -2, 1e-9);
  EXPECT_NEAR(encoding.NumberAt(0, outside[0]), 0.5, 1e-12);
}

// Digits are those that the part can distinguish.
TEST(SearchSpaceEncodingTest, ASmallPartHasAsManyValuesAsTheWhole) {
  const std::vector<ParameterSpec> space = {DoubleParameter("x", 0, 1)};
  const SearchSpaceEncoding encoding(space, {{0, 1e-7}});
  std::set<double> values;
  for (int i = 0; i <= 1000; ++i) {
    Eigen::RowVectorXd row(1);
    row[0] = i / 1000.0;
    values.insert(NumberOf(encoding.Decode(row), 0));
  }
  EXPECT_EQ(values.size(), 1001u);
}

TEST(SearchSpaceEncodingTest, ARangeWithoutWidthStaysWhole) {
  const std::vector<ParameterSpec> space = {DoubleParameter("x", 0, 1)};
  const SearchSpaceEncoding encoding(space, {{0.25, 0.25}});
  EXPECT_EQ(encoding.Encode({{"x", 0.5}})[0], 0.5);
}

TEST(SearchSpaceEncodingTest, ADefaultOutsideOfWhatIsLeftIsNotSuggested) {
  std::vector<ParameterSpec> space = {DoubleParameter("x", 0, 1)};
  space[0].default_value = 0.9;
  const SearchSpaceEncoding encoding(space, {{0.1, 0.2}});
  EXPECT_EQ(NumberOf(encoding.Decode(encoding.Centre()), 0), 0.2);
}

}  // namespace
}  // namespace vernier
