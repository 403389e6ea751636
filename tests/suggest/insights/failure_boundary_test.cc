#include "suggest/insights/failure_boundary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/rng.h"

namespace vernier {
namespace {

using Quantity = FailureBoundary::Quantity;
using Relation = FailureBoundary::Relation;

ParameterSpec NumberIn(const std::string& name, double low, double high) {
  ParameterSpec spec;
  spec.name = name;
  spec.min_value = low;
  spec.max_value = high;
  spec.scale = low > 0 ? ScaleType::kLog : ScaleType::kLinear;
  return spec;
}

ParameterSpec CategoryOf(const std::string& name,
                         const std::vector<std::string>& values) {
  ParameterSpec spec;
  spec.name = name;
  spec.type = ParameterType::kCategorical;
  spec.categorical_values = values;
  return spec;
}

// A language model in small: size, speed and kind.
std::vector<ParameterSpec> ModelSpace() {
  ParameterSpec depth = NumberIn("depth", 2, 48);
  depth.type = ParameterType::kInteger;
  ParameterSpec width = NumberIn("width", 64, 4096);
  width.type = ParameterType::kInteger;
  return {depth, width, NumberIn("lr", 1e-5, 1), NumberIn("shift", -1, 1),
          CategoryOf("optimizer", {"adam", "sgd", "lion"})};
}

std::vector<TrialFate> RandomFates(const std::vector<ParameterSpec>& space,
                                   std::size_t count, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<TrialFate> fates(count);
  for (TrialFate& fate : fates) {
    for (const ParameterSpec& spec : space) {
      const double unit = UniformDouble(rng);
      ParameterValue value;
      if (spec.type == ParameterType::kCategorical) {
        const auto number = static_cast<std::size_t>(
            unit * static_cast<double>(spec.categorical_values.size()));
        value = spec.categorical_values[number];
      } else {
        const double number =
            spec.scale == ScaleType::kLog
                ? spec.min_value *
                      std::pow(spec.max_value / spec.min_value, unit)
                : spec.min_value + unit * (spec.max_value - spec.min_value);
        if (spec.type == ParameterType::kInteger) {
          value = static_cast<std::int64_t>(std::lround(number));
        } else {
          value = number;
        }
      }
      fate.parameters.push_back({spec.name, value});
    }
  }
  return fates;
}

double NumberOf(const TrialFate& fate, std::size_t i) {
  const ParameterValue& value = fate.parameters[i].value;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*whole);
  }
  return std::get<double>(value);
}

template <typename Fails>
std::optional<FailureBoundary> BoundaryWhere(Fails fails,
                                             std::size_t count = 60) {
  const auto space = ModelSpace();
  std::vector<TrialFate> fates = RandomFates(space, count, 5);
  for (TrialFate& fate : fates) fate.has_failed = fails(fate);
  return FindFailureBoundary(space, fates);
}

TEST(FailureBoundaryTest, FindsAThresholdOfOneParameter) {
  const auto found = BoundaryWhere(
      [](const TrialFate& fate) { return NumberOf(fate, 2) > 0.1; });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->first, "lr");
  EXPECT_EQ(found->second, "");
  EXPECT_EQ(found->relation, Relation::kAbove);
  EXPECT_EQ(found->inside, found->inside_failed);
  EXPECT_EQ(found->outside_failed, 0);
  EXPECT_EQ(found->inside + found->outside, 60);
  EXPECT_EQ(DescribeRule(*found), "lr above 0.1");
}

TEST(FailureBoundaryTest, FindsTheSideThatFails) {
  const auto found = BoundaryWhere(
      [](const TrialFate& fate) { return NumberOf(fate, 3) < -0.5; });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->first, "shift");
  EXPECT_EQ(found->relation, Relation::kBelow);
  EXPECT_NEAR(found->threshold, -0.5, 0.1);
}

TEST(FailureBoundaryTest, FindsAProduct) {
  const auto found = BoundaryWhere([](const TrialFate& fate) {
    return NumberOf(fate, 0) * NumberOf(fate, 1) > 9000;
  });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->quantity, Quantity::kProduct) << DescribeRule(*found);
  EXPECT_EQ(found->relation, Relation::kAbove);
  EXPECT_NEAR(found->threshold, 9000, 1500);
  EXPECT_EQ(found->inside, found->inside_failed);
  EXPECT_EQ(found->outside_failed, 0);
}

TEST(FailureBoundaryTest, FindsARatio) {
  const auto found = BoundaryWhere([](const TrialFate& fate) {
    return NumberOf(fate, 1) / NumberOf(fate, 0) > 100;
  });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->quantity, Quantity::kRatio) << DescribeRule(*found);
  EXPECT_EQ(found->inside, found->inside_failed);
  EXPECT_EQ(found->outside_failed, 0);
}

TEST(FailureBoundaryTest, FindsACategory) {
  const auto found = BoundaryWhere([](const TrialFate& fate) {
    return std::get<std::string>(fate.parameters[4].value) == "sgd";
  });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(DescribeRule(*found), "optimizer = sgd");
  EXPECT_EQ(DescribeValueAt(*found, {{"optimizer", std::string("lion")}}),
            "lion");
  EXPECT_EQ(DescribeValueAt(*found, {{"lr", 0.1}}), "");
}

// The words of the example in the header, from counts made by hand.
TEST(FailureBoundaryTest, CountsTheExceptionsOnBothSides) {
  const std::vector<ParameterSpec> space = {NumberIn("size", 1, 100)};
  std::vector<TrialFate> fates;
  for (int i = 1; i <= 40; ++i) {
    fates.push_back({{{"size", double(i)}}, i > 32 && i != 36});
  }
  fates[4].has_failed = true;
  const auto found = FindFailureBoundary(space, fates);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(DescribeRule(*found), "size above 32");
  EXPECT_EQ(found->inside, 8);
  EXPECT_EQ(found->inside_failed, 7);
  EXPECT_EQ(found->outside, 32);
  EXPECT_EQ(found->outside_failed, 1);
}

TEST(FailureBoundaryTest, RoundsTheThresholdWithoutMovingATrial) {
  const std::vector<ParameterSpec> space = {NumberIn("size", 1, 1e6)};
  std::vector<TrialFate> fates;
  for (int i = 0; i < 20; ++i) fates.push_back({{{"size", 8190.0 - i}}, false});
  for (int i = 0; i < 10; ++i) fates.push_back({{{"size", 8213.0 + i}}, true});
  auto found = FindFailureBoundary(space, fates);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->threshold, 8200);
  // Whole numbers next to each other: nothing above the last one lives.
  for (TrialFate& fate : fates) {
    if (fate.has_failed) {
      fate.parameters[0].value = NumberOf(fate, 0) - (8213 - 8191);
    }
  }
  found = FindFailureBoundary(space, fates);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->threshold, 8190);
  EXPECT_EQ(found->inside, 10);
}

TEST(FailureBoundaryTest, SaysNothingOfATendency) {
  const auto found = BoundaryWhere(
      [n = 0](const TrialFate& fate) mutable {
        return ++n % 10 < (NumberOf(fate, 3) > 0 ? 5 : 2);
      },
      1000);
  EXPECT_FALSE(found.has_value()) << DescribeRule(*found);
}

TEST(FailureBoundaryTest, NeedsThreeOfEither) {
  const std::vector<ParameterSpec> space = {NumberIn("x", 0, 1)};
  for (const int failures : {2, 998}) {
    std::vector<TrialFate> fates;
    for (int i = 0; i < 1000; ++i) {
      fates.push_back({{{"x", i / 1000.0}}, i < failures});
    }
    EXPECT_FALSE(FindFailureBoundary(space, fates).has_value()) << failures;
  }
  EXPECT_FALSE(FindFailureBoundary({}, {}).has_value());
}

// Failures that are unrelated to the parameters get a rule in at most one of 20
// studies, as the header promises.
TEST(FailureBoundaryTest, SeldomFindsARuleInChance) {
  std::vector<ParameterSpec> wide;
  for (int i = 0; i < 12; ++i) {
    wide.push_back(NumberIn(absl::StrCat("p", i), 1, 1000));
  }
  for (const auto& space : {ModelSpace(), {NumberIn("x", 1, 2)}, wide}) {
    int found = 0;
    constexpr int kStudies = 200;
    for (std::uint64_t seed = 0; seed < kStudies; ++seed) {
      std::vector<TrialFate> fates = RandomFates(space, 12 + seed % 60, seed);
      std::mt19937_64 rng(1000 + seed);
      for (TrialFate& fate : fates) {
        fate.has_failed = UniformDouble(rng) < 0.3;
      }
      found += FindFailureBoundary(space, fates).has_value() ? 1 : 0;
    }
    EXPECT_LE(found, kStudies / 20) << space.size() << " parameters";
  }
}

TEST(FailureBoundaryTest, FindsARuleInAWideSpaceOfManyTrials) {
  std::vector<ParameterSpec> space;
  for (int i = 0; i < 30; ++i) {
    space.push_back(NumberIn(absl::StrCat("p", i), 1, 1000));
  }
  std::vector<TrialFate> fates = RandomFates(space, 4000, 3);
  for (TrialFate& fate : fates) {
    fate.has_failed = NumberOf(fate, 7) * NumberOf(fate, 21) > 1e5;
  }
  const auto found = FindFailureBoundary(space, fates);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->quantity, Quantity::kProduct);
  EXPECT_EQ(found->first, "p7");
  EXPECT_EQ(found->second, "p21");
  EXPECT_EQ(found->inside + found->outside, 4000);
  EXPECT_NEAR(found->threshold, 1e5, 1e4);
  EXPECT_NEAR(static_cast<double>(found->inside_failed),
              static_cast<double>(found->inside), 20);
}

// A trial in which the parameter is inactive is outside of every rule on it.
TEST(FailureBoundaryTest, InactiveParametersAreOutside) {
  const std::vector<ParameterSpec> space = {NumberIn("x", 0, 1)};
  std::vector<TrialFate> fates;
  for (int i = 0; i < 40; ++i) {
    fates.push_back({{{"x", i / 40.0}}, i >= 30});
    fates.push_back({{}, false});
  }
  const auto found = FindFailureBoundary(space, fates);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->inside, 10);
  EXPECT_EQ(found->outside, 70);
}

}  // namespace
}  // namespace vernier
