#include "suggest/algorithms/grid_search_suggester.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

TEST(GridSearchSuggesterTest, WalksLikeNestedLoops) {
  StudyView view;
  view.space = {CategoricalParameter("c", 2), IntegerParameter("n", 1, 3)};
  const auto points = PointsOf(GridSearchSuggester().Suggest(view, 6));
  ASSERT_TRUE(points.ok());
  std::string order;
  for (const Parameters& point : *points) {
    order += std::get<std::string>(point[0].value) +
             std::to_string(std::get<std::int64_t>(point[1].value)) + " ";
  }
  EXPECT_EQ(order, "c01 c02 c03 c11 c12 c13 ");
}

TEST(GridSearchSuggesterTest, ShufflesByTheSeed) {
  const auto order = [](std::uint64_t seed) {
    StudyView view;
    view.seed = seed;
    view.space = {IntegerParameter("n", 0, 9)};
    const auto points =
        PointsOf(GridSearchSuggester(GridOrder::kShuffled).Suggest(view, 20));
    std::vector<double> values;
    for (const Parameters& point : *points) {
      values.push_back(NumberOf(point, 0));
    }
    return values;
  };
  std::vector<double> one = order(1);
  EXPECT_EQ(one, order(1));
  EXPECT_NE(one, order(2));
  EXPECT_FALSE(std::is_sorted(one.begin(), one.end()));
  std::sort(one.begin(), one.end());
  EXPECT_EQ(one, (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(GridSearchSuggesterTest, ComesBackToALostConfigurationAtTheEnd) {
  StudyView view;
  view.space = {IntegerParameter("n", 0, 3)};
  view.trials_created = 4;  // Trial 2, which had n = 1, was lost.
  for (const std::int64_t n : {0, 2, 3}) {
    view.completed.push_back({{{"n", n}}, 0.0});
  }
  const auto points = PointsOf(GridSearchSuggester().Suggest(view, 2));
  ASSERT_TRUE(points.ok());
  ASSERT_EQ(points->size(), 1u);
  EXPECT_EQ(NumberOf(points->front(), 0), 1);
}

TEST(GridSearchSuggesterTest, RefusesADoubleThatCanVary) {
  StudyView view;
  view.space = {DoubleParameter("x", 0, 1)};
  EXPECT_EQ(PointsOf(GridSearchSuggester().Suggest(view, 1)).status().code(),
            absl::StatusCode::kInvalidArgument);
  view.space = {DoubleParameter("x", 1, 1)};
  EXPECT_TRUE(PointsOf(GridSearchSuggester().Suggest(view, 1)).ok());
}

TEST(GridSearchSuggesterTest, WalksAnAstronomicGrid) {
  StudyView view;
  const double huge = 9007199254740992.0;
  view.space = {IntegerParameter("a", -huge, huge),
                IntegerParameter("b", -huge, huge)};
  view.trials_created = 1000000;
  const auto points = PointsOf(GridSearchSuggester().Suggest(view, 2));
  ASSERT_TRUE(points.ok());
  EXPECT_EQ(NumberOf(points->back(), 1), -huge + 1000001);
}

// Beyond 2^63 configurations: the first parameters must vary, too.
TEST(GridSearchSuggesterTest, SpreadsOverAnAstronomicGrid) {
  StudyView view;
  view.space = {CategoricalParameter("a", 3), IntegerParameter("b", 0, 9),
                IntegerParameter("c", 0, 1e9), IntegerParameter("d", 0, 1e9),
                IntegerParameter("e", 0, 1e9)};
  const auto points =
      PointsOf(GridSearchSuggester(GridOrder::kShuffled).Suggest(view, 100));
  ASSERT_TRUE(points.ok());
  std::set<std::string> categories;
  std::set<double> numbers;
  for (const Parameters& point : *points) {
    categories.insert(std::get<std::string>(point[0].value));
    numbers.insert(NumberOf(point, 1));
  }
  EXPECT_EQ(categories.size(), 3u);
  EXPECT_EQ(numbers.size(), 10u);
}

}  // namespace
}  // namespace vernier
