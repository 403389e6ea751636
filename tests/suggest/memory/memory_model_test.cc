#include "suggest/memory/memory_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "absl/strings/str_cat.h"
#include "suggest/algorithms/gaussian_process_suggester.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<ParameterSpec> Square() {
  return {DoubleParameter("x", 0, 1), DoubleParameter("y", 0, 1)};
}

// Highest, 0, at (0.7, 0.2 + shift).
double Hill(double x, double y, double shift) {
  return -std::pow(x - 0.7, 2) - std::pow(y - 0.2 - shift, 2);
}

double HillAt(const Parameters& parameters) {
  return Hill(NumberOf(parameters, 0), NumberOf(parameters, 1), 0);
}

// Studies of 40 spread points of hills near (0.7, 0.2), on scales of their own.
std::shared_ptr<const std::vector<PriorStudy>> Sisters(int count,
                                                       double sign = 1) {
  auto studies = std::make_shared<std::vector<PriorStudy>>();
  for (int i = 0; i < count; ++i) {
    PriorStudy study{absl::StrCat("sister ", i), Goal::kMaximize, {}};
    for (int k = 0; k < 40; ++k) {
      const double x = std::fmod(0.618034 * (k + 1 + i), 1);
      const double y = (k + 0.5) / 40;
      study.trials.push_back(
          {{{"x", x}, {"y", y}},
           sign * ((i + 1) * Hill(x, y, 0.03 * i) + 10 * i)});
    }
    studies->push_back(std::move(study));
  }
  return studies;
}

StudyView ViewWith(std::shared_ptr<const std::vector<PriorStudy>> priors) {
  StudyView view;
  view.space = Square();
  view.seed = 5;
  view.priors = std::move(priors);
  return view;
}

Suggestion Next(const StudyView& view) {
  const auto found = GaussianProcessSuggester().Suggest(view, 1);
  EXPECT_TRUE(found.ok()) << found.status();
  return found->front();
}

TEST(MemoryTest, TheFirstPointIsWhereEarlierStudiesWereBest) {
  const Suggestion first = Next(ViewWith(Sisters(3)));
  EXPECT_NEAR(NumberOf(first.parameters, 0), 0.7, 0.12);
  EXPECT_NEAR(NumberOf(first.parameters, 1), 0.23, 0.12);
  EXPECT_THAT(first.record.learned_from, SizeIs(3));
  EXPECT_THAT(first.record.learned_from, Contains("sister 0"));
}

TEST(MemoryTest, AGoalOfTheOtherDirectionIsTurned) {
  auto studies = *Sisters(2, -1);
  for (PriorStudy& study : studies) study.goal = Goal::kMinimize;
  const auto turned =
      std::make_shared<const std::vector<PriorStudy>>(std::move(studies));
  EXPECT_EQ(Next(ViewWith(turned)).parameters,
            Next(ViewWith(Sisters(2))).parameters);
}

TEST(MemoryTest, StudiesThatMisleadAreLeftAlone) {
  StudyView view = ViewWith(Sisters(4, -1));
  for (int i = 0; i < 14; ++i) {
    const Suggestion next = Next(view);
    Complete(&view, next.parameters, HillAt(next.parameters));
  }
  EXPECT_THAT(Next(view).record.learned_from, IsEmpty());
  double best = -1;
  for (const Observation& each : view.completed) {
    best = std::max(best, *each.objective);
  }
  EXPECT_GT(best, -0.01);
}

TEST(MemoryTest, ABatchGivesThePointsOfSingleCalls) {
  StudyView view = ViewWith(Sisters(2));
  Complete(&view, {{"x", 0.5}, {"y", 0.5}}, -0.3);
  const GaussianProcessSuggester suggester;
  const auto batch = PointsOf(suggester.Suggest(view, 4));
  ASSERT_TRUE(batch.ok()) << batch.status();
  for (const Parameters& point : *batch) {
    EXPECT_EQ(Next(view).parameters, point);
    view.pending.push_back(point);
    ++view.trials_created;
  }
}

TEST(MemoryTest, WhatACacheRemembersChangesNothing) {
  StudyView view = ViewWith(Sisters(2));
  const GaussianProcessSuggester kept;
  for (int i = 0; i < 9; ++i) {
    const auto found = kept.Suggest(view, 1);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->front(), Next(view));
    const Parameters& point = found->front().parameters;
    Complete(&view, point,
             i == 4 ? std::nullopt : std::optional<double>(HillAt(point)));
  }
}

TEST(MemoryTest, FailuresAtTheBestPlaceLeadAway) {
  StudyView view = ViewWith(Sisters(2));
  std::vector<Parameters> points;
  for (int i = 0; i < 4; ++i) {
    points.push_back(Next(view).parameters);
    Complete(&view, points.back(), std::nullopt);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const double distance =
          std::hypot(NumberOf(points[i], 0) - NumberOf(points[k], 0),
                     NumberOf(points[i], 1) - NumberOf(points[k], 1));
      EXPECT_GT(distance, 0.02) << i << " " << k;
    }
  }
}

// What an earlier study found good may be what fails here: 0.35 around its best
// place, nearly half of the space. The memory stayed there.
TEST(MemoryTest, AGoodRegionThatFailsHereIsLeft) {
  for (const double place : {0.2, 0.35, 0.7}) {
    const auto distance = [place](const Parameters& at) {
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        sum += std::pow(NumberOf(at, k) - (k % 2 == 0 ? place : 1 - place), 2);
      }
      return sum;
    };
    PriorStudy study{"earlier", Goal::kMinimize, {}};
    for (int i = 1; i <= 40; ++i) {
      Parameters at;
      for (int k = 0; k < 4; ++k) {
        at.push_back(
            {absl::StrCat("x", k), std::fmod(i * std::sqrt(2 + 3 * k), 1.0)});
      }
      study.trials.push_back({at, distance(at)});
    }
    StudyView view = ViewWith(
        std::make_shared<std::vector<PriorStudy>>(1, std::move(study)));
    view.space = UnitCubeSpace(4);
    bool lives = false;
    while (!lives && view.completed.size() < 12) {
      const Parameters point = Next(view).parameters;
      lives = distance(point) > 0.35;
      Complete(&view, point, std::nullopt);
    }
    EXPECT_TRUE(lives) << place;
  }
}

TEST(MemoryTest, StudiesWithoutAnythingToTeachChangeNothing) {
  auto studies = std::make_shared<std::vector<PriorStudy>>();
  studies->push_back({"empty", Goal::kMaximize, {}});
  studies->push_back({"constant", Goal::kMaximize, {}});
  for (int i = 0; i < 9; ++i) {
    studies->back().trials.push_back({{{"x", i / 9.0}}, 1.0});
  }
  StudyView with = ViewWith(studies);
  StudyView without = ViewWith(nullptr);
  for (int i = 0; i < 12; ++i) {
    const Suggestion next = Next(with);
    EXPECT_EQ(next, Next(without));
    Complete(&with, next.parameters, HillAt(next.parameters));
    Complete(&without, next.parameters, HillAt(next.parameters));
  }
}

// Completes trials at `count` places that are spread over the square.
void CompleteSpread(StudyView* view, int count) {
  for (int i = 0; i < count; ++i) {
    const Parameters point = {{"x", std::fmod(0.5 + 0.618034 * i, 1)},
                              {"y", std::fmod(0.5 + 0.754878 * i, 1)}};
    Complete(view, point, HillAt(point));
  }
}

TEST(MemoryTest, EqualResultsAreNotRepeated) {
  StudyView view = ViewWith(Sisters(2));
  view.repeats.policy = RepeatPolicy::kAuto;
  for (int i = 0; i < 8; ++i) {
    const Suggestion next = Next(view);
    EXPECT_FALSE(next.record.repeat.has_value()) << i;
    Complete(&view, next.parameters, 0.5);
    view.completed.back().trial = i + 1;
  }
}

TEST(MemoryTest, DurationsCountBesideIt) {
  StudyView view = ViewWith(Sisters(2));
  CompleteSpread(&view, 6);
  for (Observation& each : view.completed) {
    each.duration = std::exp(6 * NumberOf(each.parameters, 1));
  }
  const Suggestion by_gain = Next(view);
  EXPECT_THAT(by_gain.record.learned_from, SizeIs(2));
  view.cost_weight = 1;
  EXPECT_LT(NumberOf(Next(view).parameters, 1),
            NumberOf(by_gain.parameters, 1));
}

// They would be proposed again and again if they were unknown to the model.
TEST(MemoryTest, StoppedTrainingsLeadAway) {
  StudyView view = ViewWith(Sisters(2));
  CompleteSpread(&view, 3);
  std::vector<Parameters> stopped;
  for (int i = 0; i < 4; ++i) {
    stopped.push_back(Next(view).parameters);
    Complete(&view, stopped.back(), -3);
    view.completed.back().is_stopped_early = true;
  }
  const Parameters next = Next(view).parameters;
  for (const Parameters& each : stopped) {
    EXPECT_GT(std::hypot(NumberOf(next, 0) - NumberOf(each, 0),
                         NumberOf(next, 1) - NumberOf(each, 1)),
              0.02);
  }
}

TEST(MemoryTest, ReportedVariancesAndSharedErrorsAreNoise) {
  StudyView view = ViewWith(Sisters(2));
  CompleteSpread(&view, 6);
  view.completed[1].variance = 1e-4;
  view.completed[4].is_stopped_early = true;
  view.completed[4].estimate = FinalEstimate{-0.2, 1e-4, {0.1, 0.2}};
  const Suggestion wide = Next(view);
  view.completed[4].estimate->shared_errors = {0, 0};
  EXPECT_NE(Next(view).record.prediction, wide.record.prediction);
}

TEST(MemoryTest, ChangedBoundsAreNoted) {
  StudyView view = ViewWith(Sisters(2));
  CompleteSpread(&view, 2);
  const GaussianProcessSuggester kept;
  ASSERT_TRUE(kept.Suggest(view, 1).ok());
  view.space[0].max_value = 2;
  EXPECT_EQ(kept.Suggest(view, 1)->front(), Next(view));
}

TEST(MemoryTest, UselessStudiesDoNotTakeThePlaceOfUsefulOnes) {
  auto studies = *Sisters(2);
  for (int i = 0; i < 20; ++i) {
    PriorStudy constant{absl::StrCat("constant ", i), Goal::kMaximize, {}};
    for (int k = 0; k < 50; ++k) {
      constant.trials.push_back({{{"x", k / 50.0}}, 1.0});
    }
    studies.push_back(std::move(constant));
  }
  const auto all =
      std::make_shared<const std::vector<PriorStudy>>(std::move(studies));
  EXPECT_THAT(Next(ViewWith(all)).record.learned_from,
              ElementsAre("sister 0", "sister 1"));
}

}  // namespace
}  // namespace vernier
