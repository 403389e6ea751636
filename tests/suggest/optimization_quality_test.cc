// Does the default algorithm find better points than random search? Paired by
// seed, 40 trials each, one-sided exact Wilcoxon signed-rank test. The seeds
// are fixed, so the outcome is too.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "suggest/suggester_factory.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

constexpr int kNumTrials = 40;
constexpr std::uint64_t kFirstSeed = 101;
constexpr int kNumSeeds = 20;  // Seeds 101 to 120.

double BestOfStudy(Algorithm algorithm, const std::vector<ParameterSpec>& space,
                   std::uint64_t seed, double (*objective)(const Parameters&)) {
  StudyView view;
  view.space = space;
  view.goal = Goal::kMinimize;
  view.seed = seed;
  view = RunStudy(*MakeSuggester(algorithm), view, kNumTrials, objective);
  EXPECT_EQ(view.completed.size(), static_cast<std::size_t>(kNumTrials));
  double best = std::numeric_limits<double>::infinity();
  for (const Observation& observation : view.completed) {
    best = std::min(best, *observation.objective);
  }
  return best;
}

// Probability, if signs were fair coins, of a rank sum of negative differences
// at most as large as seen. Ties in size do not occur with real numbers.
double WilcoxonPValue(std::vector<double> differences) {
  std::sort(differences.begin(), differences.end(),
            [](double a, double b) { return std::abs(a) < std::abs(b); });
  const int n = static_cast<int>(differences.size());
  int negative = 0;
  for (int i = 0; i < n; ++i) {
    if (differences[static_cast<std::size_t>(i)] <= 0) negative += i + 1;
  }
  // Number of subsets of the ranks 1 to n with each sum.
  std::vector<double> subsets(static_cast<std::size_t>(n * (n + 1) / 2 + 1));
  subsets[0] = 1;
  for (std::size_t rank = 1; rank <= differences.size(); ++rank) {
    for (std::size_t sum = subsets.size(); sum-- > rank;) {
      subsets[sum] += subsets[sum - rank];
    }
  }
  return std::accumulate(subsets.begin(), subsets.begin() + negative + 1, 0.0) /
         std::exp2(n);
}

std::vector<double> GainsOverRandom(const std::vector<ParameterSpec>& space,
                                    double (*objective)(const Parameters&)) {
  std::vector<double> gains;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kNumSeeds; ++seed) {
    gains.push_back(
        BestOfStudy(Algorithm::kRandomSearch, space, seed, objective) -
        BestOfStudy(Algorithm::kDefault, space, seed, objective));
  }
  return gains;
}

TEST(OptimizationQualityTest, TestStatisticKnowsChanceFromSkill) {
  EXPECT_DOUBLE_EQ(WilcoxonPValue({1, 2, 3, 4, 5, 6, 7}), 1.0 / 128);
  EXPECT_DOUBLE_EQ(WilcoxonPValue({-1, 2, 3, 4, 5, 6, 7}), 2.0 / 128);
  EXPECT_GT(WilcoxonPValue({-7, 6, -5, 4, -3, 2}), 0.4);
}

TEST(OptimizationQualityTest, BeatsRandomSearchOnBranin) {
  EXPECT_LT(WilcoxonPValue(GainsOverRandom(BraninSpace(), Branin)), 0.01);
}

TEST(OptimizationQualityTest, BeatsRandomSearchOnHartmann6) {
  EXPECT_LT(WilcoxonPValue(GainsOverRandom(UnitCubeSpace(6), Hartmann6)), 0.01);
}

}  // namespace
}  // namespace vernier
