#include "suggest/insights/make_insights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "absl/status/status.h"
#include "base/rng.h"
#include "suggest/algorithms/gaussian_process_suggester.h"
#include "suggest/algorithms/random_search_suggester.h"
#include "tests/suggest/insights/example_study.h"

namespace vernier {
namespace {

using testing::HasSubstr;

std::optional<double> BowlView(const Parameters& p) {
  return 10 + std::pow(NumberOf(p, 0) - 0.3, 2) -
         0.5 * std::pow(NumberOf(p, 1) - 0.8, 2);
}

Insights Examine(const StudyView& view, const InsightsRequest& request = {}) {
  const auto insights = GaussianProcessSuggester().Examine(view, request);
  EXPECT_TRUE(insights.ok()) << insights.status();
  return insights.ok() ? *insights : Insights();
}

bool AreEqual(const Prediction& a, const Prediction& b) { return a == b; }

// Every number of it.
void ExpectSame(const Insights& a, const Insights& b) {
  ASSERT_EQ(a.importance.size(), b.importance.size());
  for (std::size_t i = 0; i < a.importance.size(); ++i) {
    EXPECT_EQ(a.importance[i].parameter, b.importance[i].parameter);
    EXPECT_EQ(a.importance[i].share, b.importance[i].share);
    EXPECT_EQ(a.importance[i].low, b.importance[i].low);
    EXPECT_EQ(a.importance[i].high, b.importance[i].high);
  }
  ASSERT_EQ(a.slices.size(), b.slices.size());
  for (std::size_t i = 0; i < a.slices.size(); ++i) {
    EXPECT_EQ(a.slices[i].axis.x, b.slices[i].axis.x);
    EXPECT_EQ(a.slices[i].predictions, b.slices[i].predictions);
  }
  ASSERT_EQ(a.contours.size(), b.contours.size());
  for (std::size_t i = 0; i < a.contours.size(); ++i) {
    EXPECT_EQ(a.contours[i].predictions, b.contours[i].predictions);
  }
  EXPECT_EQ(a.calibration.log_score, b.calibration.log_score);
  EXPECT_EQ(a.best, b.best);
  EXPECT_TRUE(AreEqual(a.best_prediction, b.best_prediction));
  EXPECT_EQ(a.expected_gain, b.expected_gain);
  EXPECT_EQ(a.improvement_probability, b.improvement_probability);
}

TEST(MakeInsightsTest, TellsAllOfAStudy) {
  const StudyView view =
      SpreadStudy(UnitCubeSpace(3), 40, BowlView, Goal::kMinimize);
  const Insights insights = Examine(view);
  EXPECT_EQ(insights.reason, "");
  EXPECT_EQ(insights.num_observations, 40);
  EXPECT_EQ(insights.importance.size(), 3u);
  EXPECT_EQ(insights.importance.back().parameter, "x2");
  ASSERT_EQ(insights.slices.size(), 3u);
  EXPECT_EQ(insights.slices[0].axis.parameter,
            insights.importance[0].parameter);
  ASSERT_EQ(insights.contours.size(), 1u);
  EXPECT_EQ(insights.contours[0].first.parameter,
            insights.importance[0].parameter);
  EXPECT_EQ(insights.contours[0].predictions.size(), 32u * 32u);
  EXPECT_EQ(insights.calibration.points.size(), 40u);
  // The least value is 10 - 0.32 at (0.3, 0).
  ASSERT_EQ(insights.best.size(), 3u);
  EXPECT_NEAR(NumberOf(insights.best, 0), 0.3, 0.05);
  EXPECT_NEAR(NumberOf(insights.best, 1), 0, 0.01);
  EXPECT_NEAR(insights.best_prediction.mean, 9.68, 0.05);
  EXPECT_LE(insights.best_prediction.low, insights.best_prediction.mean);
  EXPECT_GE(insights.expected_gain, 0);
}

TEST(MakeInsightsTest, AreTheSameForTheSameResults) {
  StudyView view = SpreadStudy(MixedSpace(), 25, [](const Parameters& p) {
    return std::optional<double>(std::log(NumberOf(p, 0)) * NumberOf(p, 1));
  });
  GaussianProcessSuggester used;
  ASSERT_TRUE(used.Suggest(view, 2).ok());
  const auto first = used.Examine(view, {});
  ASSERT_TRUE(first.ok()) << first.status();
  ExpectSame(*first, Examine(view));
  // What runs changes nothing.
  view.pending.push_back(view.completed[0].parameters);
  ++view.trials_created;
  ExpectSame(*first, Examine(view));
}

// The models are those of suggestions, which must not change.
TEST(MakeInsightsTest, LeavesSuggestionsAsTheyAre) {
  const StudyView view =
      SpreadStudy(UnitCubeSpace(2), 20, BowlView, Goal::kMinimize);
  GaussianProcessSuggester examined;
  ASSERT_TRUE(examined.Examine(view, {}).ok());
  EXPECT_EQ(*PointsOf(examined.Suggest(view, 3)),
            *PointsOf(GaussianProcessSuggester().Suggest(view, 3)));
}

TEST(MakeInsightsTest, MaximisingTheNegativeIsTheSame) {
  const StudyView up = SpreadStudy(UnitCubeSpace(2), 30, BowlView);
  const StudyView down = SpreadStudy(
      UnitCubeSpace(2), 30,
      [](const Parameters& p) { return std::optional<double>(-*BowlView(p)); },
      Goal::kMinimize);
  const Insights maximised = Examine(up);
  const Insights minimised = Examine(down);
  EXPECT_EQ(maximised.best, minimised.best);
  EXPECT_EQ(maximised.best_prediction.mean, -minimised.best_prediction.mean);
  EXPECT_EQ(maximised.best_prediction.low, -minimised.best_prediction.high);
  EXPECT_EQ(maximised.expected_gain, minimised.expected_gain);
  EXPECT_EQ(maximised.importance[0].share, minimised.importance[0].share);
}

TEST(MakeInsightsTest, SayWhyThereIsNoModel) {
  EXPECT_THAT(Examine(SpreadStudy(UnitCubeSpace(2), 3, BowlView)).reason,
              HasSubstr("needs 4 results of trials that ran to their end, and "
                        "there are only 3"));
  EXPECT_EQ(
      Examine(SpreadStudy(UnitCubeSpace(2), 3, BowlView)).num_observations, 3);
  const auto fails = [](const Parameters&) { return std::optional<double>(); };
  EXPECT_THAT(Examine(SpreadStudy(UnitCubeSpace(2), 20, fails)).reason,
              HasSubstr("and there is none"));
  const auto constant = [](const Parameters&) {
    return std::optional<double>(3);
  };
  EXPECT_EQ(Examine(SpreadStudy(UnitCubeSpace(2), 20, constant)).reason,
            "all results are equal");
  // What fails is a matter of its own.
  const auto constant_or_fails = [](const Parameters& p) {
    return NumberOf(p, 0) > 0.8 ? std::nullopt : std::optional<double>(3);
  };
  EXPECT_EQ(
      Examine(SpreadStudy(UnitCubeSpace(2), 20, constant_or_fails)).reason,
      "all results are equal");
  StudyView fixed;
  fixed.space = {DoubleParameter("x", 2, 2)};
  Complete(&fixed, {{"x", 2.0}}, 1);
  EXPECT_EQ(Examine(fixed).reason, "no parameter has a second value");
  StudyView empty;
  empty.space = UnitCubeSpace(2);
  EXPECT_THAT(Examine(empty).reason, HasSubstr("and there is none"));
}

TEST(MakeInsightsTest, AnAlgorithmWithoutModelSaysSo) {
  const auto insights = RandomSearchSuggester().Examine(
      SpreadStudy(UnitCubeSpace(2), 9, BowlView), {});
  ASSERT_TRUE(insights.ok());
  EXPECT_EQ(insights->reason, "this algorithm has no model");
}

TEST(MakeInsightsTest, FailuresAreLeftToTheirOwnModel) {
  const StudyView view =
      SpreadStudy(UnitCubeSpace(2), 40, [](const Parameters& p) {
        return NumberOf(p, 0) > 0.6 ? std::nullopt : BowlView(p);
      });
  const Insights insights = Examine(view);
  EXPECT_EQ(insights.reason, "");
  EXPECT_LT(insights.num_observations, 40);
  EXPECT_EQ(insights.calibration.points.size(),
            static_cast<std::size_t>(insights.num_observations));
}

TEST(MakeInsightsTest, DrawContoursThatAreAskedFor) {
  const StudyView view = SpreadStudy(UnitCubeSpace(3), 20, BowlView);
  const Insights insights = Examine(view, {{{"x2", "x0"}, {"x1", "x2"}}});
  ASSERT_EQ(insights.contours.size(), 2u);
  EXPECT_EQ(insights.contours[0].first.parameter, "x2");
  EXPECT_EQ(insights.contours[0].second.parameter, "x0");
  EXPECT_EQ(insights.contours[1].first.parameter, "x1");
}

TEST(MakeInsightsTest, RefuseContoursThatCannotBeDrawn) {
  const StudyView view = SpreadStudy(UnitCubeSpace(3), 20, BowlView);
  const auto error = [&](const InsightsRequest& request) {
    const absl::Status status =
        GaussianProcessSuggester().Examine(view, request).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    return std::string(status.message());
  };
  EXPECT_THAT(error({{{"x0", "y"}}}), HasSubstr("that can vary: \"y\""));
  EXPECT_THAT(error({{{"x0", "x0"}}}), HasSubstr("different parameters"));
  EXPECT_THAT(error({{kMostContours + 1, {"x0", "x1"}}}),
              HasSubstr("at most 6 contours"));
}

TEST(MakeInsightsTest, ASpaceOfOneParameterHasNoContour) {
  const Insights insights =
      Examine(SpreadStudy(UnitCubeSpace(1), 12, [](const Parameters& p) {
        return std::optional<double>(std::sin(5 * NumberOf(p, 0)));
      }));
  EXPECT_EQ(insights.reason, "");
  EXPECT_EQ(insights.slices.size(), 1u);
  EXPECT_TRUE(insights.contours.empty());
  EXPECT_NEAR(insights.importance[0].share, 1, 0.02);
}

// Every parameter of a conditional space has its slice.
TEST(MakeInsightsTest, ConditionalSpacesAreWhole) {
  std::mt19937_64 rng = MakeRng(8, 1);
  const StudyView view =
      SpreadStudy(ConditionalSpace(), 80, [&](const Parameters& p) {
        return std::optional<double>(NumberOf(p, 1) + 0.01 * Normal(rng));
      });
  const Insights insights = Examine(view);
  EXPECT_EQ(insights.importance.size(), insights.slices.size());
  EXPECT_EQ(insights.contours.size(), 1u);
  EXPECT_EQ(insights.best.front().name, "optimizer");
}

}  // namespace
}  // namespace vernier
