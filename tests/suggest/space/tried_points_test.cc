#include "suggest/space/tried_points.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "suggest/space/search_space_encoding.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

std::vector<double> CloseValues() {
  std::vector<double> values;
  for (int i = 0; i < 30000; ++i) values.push_back(1 + 1e-9 * i);
  return values;
}

struct TriedCase {
  const char* name;
  ParameterSpec spec;
  ParameterValue tried;
  ParameterValue other;
  bool is_same;
};

std::vector<TriedCase> TriedCases() {
  const auto integer = [](std::int64_t i) { return ParameterValue(i); };
  constexpr std::int64_t kLarge = 1000000000;
  return {
      {"integers of a wide range", IntegerParameter("n", 0, 1e9), integer(7),
       integer(8), false},
      {"one integer", IntegerParameter("n", 0, 1e9), integer(7), integer(7),
       true},
      {"integers of a wide log range",
       IntegerParameter("n", 1, 1e9, ScaleType::kLog), integer(kLarge - 8),
       integer(kLarge - 7), false},
      {"integers of a wide reverse log range",
       IntegerParameter("n", 1, 1e9, ScaleType::kReverseLog), integer(7),
       integer(8), false},
      {"close values of a list", DiscreteParameter("v", CloseValues()),
       1 + 1e-9 * 17, 1 + 1e-9 * 18, false},
      {"one value of a list", DiscreteParameter("v", CloseValues()),
       1 + 1e-9 * 17, 1 + 1e-9 * 17, true},
      {"categories", CategoricalParameter("c", 3), Text("c1"), Text("c2"),
       false},
      {"reals too close to matter", DoubleParameter("x", 0, 10), 5.0, 5.000001,
       true},
      {"reals apart", DoubleParameter("x", 0, 10), 5.0, 5.0001, false},
      {"reals of a log range too close to matter",
       DoubleParameter("x", 1e-9, 1, ScaleType::kLog), 1e-9, 1.000001e-9, true},
      {"reals of a log range apart",
       DoubleParameter("x", 1e-9, 1, ScaleType::kLog), 1e-9, 1.001e-9, false},
      {"the only number", DoubleParameter("x", 2, 2), 2.0, 2.0, true},
  };
}

TEST(TriedPointsTest, OnlyEqualPointsAreTheSame) {
  for (const TriedCase& each : TriedCases()) {
    SCOPED_TRACE(each.name);
    StudyView view;
    // The second parameter makes each space too large to enumerate.
    view.space = {each.spec, DoubleParameter("y", 0, 1)};
    const auto point = [&](const ParameterValue& value) {
      return Parameters{{each.spec.name, value}, {"y", 0.5}};
    };
    const SearchSpaceEncoding encoding(view.space);
    const auto contains = [&](const StudyView& study) {
      return TriedPoints(study, encoding)
          .Contains(encoding.Encode(point(each.other)));
    };
    StudyView other = view;
    Complete(&other, point(each.tried), 1);
    EXPECT_EQ(contains(other), each.is_same);
    other = view;
    other.pending = {point(each.tried)};
    EXPECT_EQ(contains(other), each.is_same);
    other = view;
    other.given_up = {point(each.tried)};
    EXPECT_EQ(contains(other), each.is_same);
    TriedPoints tried(view, encoding);
    tried.Add(point(each.tried));
    EXPECT_EQ(tried.Contains(encoding.Encode(point(each.other))), each.is_same);
  }
}

TEST(TriedPointsTest, ConditionalParametersCountWhereTheyAreActive) {
  StudyView view;
  view.space = ConditionalSpace();
  const SearchSpaceEncoding encoding(view.space);
  const Parameters first = {
      {"optimizer", Text("c0")},   {"rate", 0.2},
      {"momentum", 0.5},           {"layers", std::int64_t{2}},
      {"width2", std::int64_t{1}}, {"dropout", 0.25}};
  Complete(&view, first, 1);
  const TriedPoints tried(view, encoding);
  EXPECT_TRUE(tried.Contains(encoding.Encode(first)));
  Parameters other = first;
  other[2].value = 0.6;
  EXPECT_FALSE(tried.Contains(encoding.Encode(other)));
  other = first;
  other[3].value = std::int64_t{1};
  other.erase(other.begin() + 4);
  EXPECT_FALSE(tried.Contains(encoding.Encode(other)));
}

}  // namespace
}  // namespace vernier
