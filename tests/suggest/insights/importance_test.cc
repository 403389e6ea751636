#include "suggest/insights/importance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "base/rng.h"
#include "tests/suggest/insights/example_study.h"

namespace vernier {
namespace {

std::map<std::string, CoordinateShares::Main> ByName(
    const ExampleStudy& study, const CoordinateShares& shares) {
  std::map<std::string, CoordinateShares::Main> named;
  for (const CoordinateShares::Main& main : shares.main) {
    named[study.encoding().SpecOf(main.coordinate).name] = main;
  }
  return named;
}

TEST(ImportanceTest, FindsTheSharesOfASum) {
  const ExampleStudy study(
      SpreadStudy(UnitCubeSpace(3), 60, [](const Parameters& p) {
        return std::optional<double>(3 * NumberOf(p, 0) - 4 * NumberOf(p, 1));
      }));
  const CoordinateShares shares = EstimateImportance(study.Examined());
  ASSERT_EQ(shares.main.size(), 3u);
  EXPECT_EQ(shares.main[0].coordinate, 1u);
  EXPECT_NEAR(shares.main[0].share, 16.0 / 25, 0.04);
  EXPECT_EQ(shares.main[1].coordinate, 0u);
  EXPECT_NEAR(shares.main[1].share, 9.0 / 25, 0.04);
  EXPECT_LT(shares.main[2].high, 0.02);
  for (const CoordinateShares::Main& main : shares.main) {
    EXPECT_LE(main.low, main.share);
    EXPECT_LE(main.share, main.high);
  }
}

// The values of a log scale are uniform on that scale, and so is what counts.
TEST(ImportanceTest, CountsOnTheParametersScale) {
  const ExampleStudy study(SpreadStudy(
      {DoubleParameter("rate", 1e-6, 1, ScaleType::kLog),
       DoubleParameter("x", 0, 1)},
      60,
      [](const Parameters& p) {
        return std::optional<double>(std::log10(NumberOf(p, 0)) +
                                     3 * NumberOf(p, 1));
      },
      Goal::kMinimize));
  // Ranges of 6 and 3, so variances of 4 to 1.
  const CoordinateShares shares = EstimateImportance(study.Examined());
  EXPECT_EQ(shares.main[0].coordinate, 0u);
  EXPECT_NEAR(shares.main[0].share, 0.8, 0.04);
}

TEST(ImportanceTest, FindsAnInteraction) {
  const ExampleStudy study(
      SpreadStudy(UnitCubeSpace(3), 100, [](const Parameters& p) {
        return std::optional<double>((NumberOf(p, 0) - 0.5) *
                                     (NumberOf(p, 2) - 0.5));
      }));
  const CoordinateShares shares = EstimateImportance(study.Examined());
  ASSERT_FALSE(shares.pairs.empty());
  EXPECT_EQ(shares.pairs[0].first, 0u);
  EXPECT_EQ(shares.pairs[0].second, 2u);
  EXPECT_GT(shares.pairs[0].share, 0.7);
  EXPECT_LT(shares.pairs[1].share, 0.1);
}

// The fewer results, the wider the intervals.
TEST(ImportanceTest, IsLessCertainOfFewResults) {
  const auto wave = [](const Parameters& p) {
    return std::optional<double>(std::sin(6 * NumberOf(p, 0)) +
                                 NumberOf(p, 1) * NumberOf(p, 2));
  };
  const ExampleStudy few(SpreadStudy(UnitCubeSpace(3), 8, wave));
  const ExampleStudy many(SpreadStudy(UnitCubeSpace(3), 120, wave));
  const auto width = [](const CoordinateShares::Main& main) {
    return main.high - main.low;
  };
  EXPECT_GT(width(EstimateImportance(few.Examined()).main[0]),
            2 * width(EstimateImportance(many.Examined()).main[0]));
}

// Beta is active in a quarter of the space and decides all there: in the
// whole it explains a part by itself, and more together with its parents.
TEST(ImportanceTest, AConditionalParameterCountsWhereItIsActive) {
  const std::vector<ParameterSpec> space = {
      CategoricalParameter("kind", 2),
      Below(DoubleParameter("own", 0, 1), 0, {Text("c1")}),
      DoubleParameter("idle", 0, 1)};
  const ExampleStudy study(SpreadStudy(space, 80, [](const Parameters& p) {
    const bool has_own = std::get<std::string>(p[0].value) == "c1";
    return std::optional<double>(has_own ? NumberOf(p, 1) : 0.5);
  }));
  const CoordinateShares shares = EstimateImportance(study.Examined());
  const auto named = ByName(study, shares);
  // f = a (u - 1/2) with a in {0, 1}: half of the variance is the main effect
  // of u, half the interaction with a, which has none by itself.
  EXPECT_NEAR(named.at("own").share, 0.5, 0.1);
  EXPECT_LT(named.at("kind").share, 0.1);
  EXPECT_LT(named.at("idle").share, 0.05);
  EXPECT_NEAR(shares.pairs[0].share, 0.5, 0.1);
  EXPECT_EQ(shares.pairs[0].first, 0u);
  EXPECT_EQ(shares.pairs[0].second, 1u);
}

TEST(ImportanceTest, TakesAnySpace) {
  for (const auto& space : {MixedSpace(), ConditionalSpace(true)}) {
    std::mt19937_64 rng = MakeRng(4, 4);
    const ExampleStudy study(SpreadStudy(space, 20, [&](const Parameters&) {
      return std::optional<double>(Normal(rng));
    }));
    const CoordinateShares shares = EstimateImportance(study.Examined());
    EXPECT_EQ(shares.main.size(), study.encoding().coordinates().size());
    for (const CoordinateShares::Main& main : shares.main) {
      EXPECT_GE(main.low, 0);
      EXPECT_LE(main.high, 1);
    }
  }
}

}  // namespace
}  // namespace vernier
