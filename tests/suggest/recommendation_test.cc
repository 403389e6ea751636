#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "base/rng.h"
#include "suggest/algorithms/gaussian_process_suggester.h"
#include "suggest/gp/surrogate_model.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/tried_points.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

// Returns a study of random points whose objective is to be minimized.
template <typename Objective>
StudyView RandomPoints(int dimensions, int count, std::uint64_t seed,
                       const Objective& objective) {
  StudyView view;
  view.space = UnitCubeSpace(dimensions);
  view.goal = Goal::kMinimize;
  view.seed = seed;
  const SearchSpaceEncoding encoding(view.space);
  std::mt19937_64 rng = MakeRng(seed, 1);
  for (int i = 0; i < count; ++i) {
    const Parameters point =
        encoding.Decode(encoding.FromUnitCube(DrawUnitPoint(encoding, rng)));
    Complete(&view, point, objective(point));
    view.completed.back().trial = i + 1;
  }
  return view;
}

double LossOf(const StudyView& view, std::size_t completed) {
  return *view.completed[completed].objective;
}

double RecommendedLoss(const StudyView& view) {
  const auto recommended = GaussianProcessSuggester().Recommend(view);
  EXPECT_TRUE(recommended.ok()) << recommended.status();
  return LossOf(view, (*recommended)->completed);
}

double BestLoss(const StudyView& view) {
  return LossOf(view, BestObserved(view)->completed);
}

double ValleyLoss(const Parameters& point) {
  double sum = 0;
  for (std::size_t i = 0; i < point.size(); ++i) {
    sum += std::pow(NumberOf(point, i) - 0.3 - 0.2 * static_cast<double>(i), 2);
  }
  return sum;
}

double RipplesLoss(const Parameters& point) {
  double sum = 0;
  for (std::size_t i = 0; i < point.size(); ++i) {
    const double z = 10.24 * NumberOf(point, i) - 5.12;
    sum += 10 + z * z - 10 * std::cos(2 * 3.141592653589793 * z);
  }
  return sum;
}

double CliffLoss(const Parameters& point) {
  const double x = NumberOf(point, 0);
  return x < 0.9 ? 1 - x : 10;
}

double ExplosiveLoss(const Parameters& point) {
  return std::exp(60 * ValleyLoss(point));
}

double DecadesLoss(const Parameters& point) {
  return std::pow(std::log10(NumberOf(point, 0) + 1e-8) + 4, 2);
}

double MedianLoss(const StudyView& view) {
  std::vector<double> losses;
  for (const Observation& result : view.completed) {
    losses.push_back(*result.objective);
  }
  std::sort(losses.begin(), losses.end());
  return losses[losses.size() / 2];
}

// What a model does not understand of an exact function it takes for noise. A
// measurement is worth more than what it expects then.
TEST(RecommendedResultTest, WithoutNoiseIsAsGoodAsTheBestMeasured) {
  for (const auto objective :
       {&ValleyLoss, &RipplesLoss, &CliffLoss, &ExplosiveLoss, &DecadesLoss}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      StudyView view;
      view.space = UnitCubeSpace(3);
      view.goal = Goal::kMinimize;
      view.seed = seed;
      view = RunStudy(GaussianProcessSuggester(), view, 40, objective);
      const double best = BestLoss(view);
      EXPECT_LE(RecommendedLoss(view), best + 0.01 * (MedianLoss(view) - best))
          << "seed " << seed << ", best " << best;
    }
  }
}

// Returns the true losses of what is recommended and of the best measured,
// summed over some studies of the valley, whose spread is about 0.2.
struct Losses {
  double recommended = 0;
  double best = 0;
};

Losses LossesWithNoise(double (*noise)(std::mt19937_64&)) {
  Losses losses;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    std::mt19937_64 rng = MakeRng(seed, 2);
    const StudyView view =
        RandomPoints(2, 60, seed, [&](const Parameters& point) {
          return ValleyLoss(point) + noise(rng);
        });
    const auto recommended = GaussianProcessSuggester().Recommend(view);
    EXPECT_TRUE(recommended.ok()) << recommended.status();
    losses.recommended +=
        ValleyLoss(view.completed[(*recommended)->completed].parameters);
    losses.best +=
        ValleyLoss(view.completed[BestObserved(view)->completed].parameters);
  }
  return losses;
}

TEST(RecommendedResultTest, WithNoiseIsBetterThanTheLuckiest) {
  const auto normal = [](std::mt19937_64& rng) { return 0.1 * Normal(rng); };
  const auto outliers = [](std::mt19937_64& rng) {
    const double deviation = UniformDouble(rng) < 0.1 ? 0.5 : 0.005;
    return deviation * Normal(rng);
  };
  const Losses of_normal = LossesWithNoise(+normal);
  EXPECT_LT(of_normal.recommended, 0.6 * of_normal.best);
  const Losses of_outliers = LossesWithNoise(+outliers);
  EXPECT_LT(of_outliers.recommended, 0.9 * of_outliers.best);
}

TEST(RecommendedResultTest, ReportedVariancesSayWhatNoiseExplains) {
  StudyView view = RandomPoints(1, 30, 5, &ValleyLoss);
  // One result that is better than any beside it could be.
  view.completed[4].parameters = {{"x0", 0.9}};
  view.completed[4].objective = -0.2;
  for (Observation& result : view.completed) result.variance = 0;
  EXPECT_EQ(RecommendedLoss(view), -0.2);
  view.completed[4].variance = 0.1;
  EXPECT_GE(RecommendedLoss(view), 0);
}

TEST(RecommendedResultTest, OfRepeatedPointsNoneIsRuledOut) {
  StudyView view = RandomPoints(1, 20, 6, &ValleyLoss);
  view.repeats = {.policy = RepeatPolicy::kFixed, .trials = 2};
  const auto repeat = [&](std::size_t i, std::optional<double> value) {
    Complete(&view, view.completed[i].parameters, value);
    view.completed.back().trial = std::ssize(view.completed);
  };
  for (std::size_t i = 0; i < 10; ++i) {
    repeat(i, *view.completed[i].objective + (i % 2 == 0 ? 0.05 : -0.05));
  }
  const auto before = *GaussianProcessSuggester().Recommend(view);
  ASSERT_TRUE(before.has_value());
  repeat(before->completed, std::nullopt);
  const auto after = *GaussianProcessSuggester().Recommend(view);
  ASSERT_TRUE(after.has_value());
  EXPECT_NE(view.completed[after->completed].parameters,
            view.completed[before->completed].parameters);
}

// The place in the study is that of the result, and not that in a part of it.
TEST(RecommendedResultTest, OfThousandsIsOneNearTheBest) {
  const StudyView exact =
      RandomPoints(2, static_cast<int>(kMostModelled) + 100, 7, &ValleyLoss);
  EXPECT_EQ(RecommendedLoss(exact), BestLoss(exact));
  std::mt19937_64 rng = MakeRng(7, 2);
  StudyView noisy = exact;
  for (Observation& result : noisy.completed) {
    *result.objective += 0.1 * Normal(rng);
  }
  const auto recommended = GaussianProcessSuggester().Recommend(noisy);
  ASSERT_TRUE(recommended.ok()) << recommended.status();
  EXPECT_TRUE((*recommended)->prediction.has_value());
  EXPECT_LT(
      ValleyLoss(noisy.completed[(*recommended)->completed].parameters),
      ValleyLoss(noisy.completed[BestObserved(noisy)->completed].parameters));
  StudyView failed = exact;
  for (Observation& result : failed.completed) result.objective.reset();
  EXPECT_FALSE(GaussianProcessSuggester().Recommend(failed)->has_value());
}

}  // namespace
}  // namespace vernier
