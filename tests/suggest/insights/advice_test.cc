#include "suggest/insights/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/rng.h"
#include "suggest/insights/predicted_best.h"
#include "tests/suggest/insights/example_study.h"

namespace vernier {
namespace {

using testing::HasSubstr;

std::vector<Advice> AdviceFor(const StudyView& view) {
  const ExampleStudy study(view);
  const ExaminedStudy examined = study.Examined();
  return GiveAdvice(examined, EstimateImportance(examined),
                    FindPredictedBest(examined));
}

// The text of that kind about that parameter; empty if there is none.
std::string TextOf(const std::vector<Advice>& advice, AdviceKind kind,
                   const std::string& parameter) {
  for (const Advice& one : advice) {
    if (one.kind == kind && one.parameter == parameter) return one.text;
  }
  return "";
}

TEST(AdviceTest, WidensALogScaleByFactors) {
  const auto advice = AdviceFor(SpreadStudy(
      {DoubleParameter("rate", 1e-4, 1, ScaleType::kLog),
       DoubleParameter("x", 0, 1)},
      40, [](const Parameters& p) {
        return std::optional<double>(std::log10(NumberOf(p, 0)) +
                                     std::pow(NumberOf(p, 1) - 0.5, 2));
      }));
  EXPECT_EQ(TextOf(advice, AdviceKind::kAtUpperBound, "rate"),
            "The predicted best lies at the upper bound of rate, 1; if larger "
            "values make sense, widen its range, for example to 10.");
}

TEST(AdviceTest, WidensALinearRangeAndNamesWhichEnd) {
  const auto advice = AdviceFor(SpreadStudy(
      {IntegerParameter("layers", 5, 45), DoubleParameter("x", 0, 1)}, 40,
      [](const Parameters& p) {
        return std::optional<double>(NumberOf(p, 0) + 40 * NumberOf(p, 1));
      },
      Goal::kMinimize));
  EXPECT_EQ(TextOf(advice, AdviceKind::kAtUpperBound, "layers"), "");
  // A quarter of the range lower would be a count below 1.
  EXPECT_EQ(TextOf(advice, AdviceKind::kAtLowerBound, "layers"),
            "The predicted best lies at the lower bound of layers, 5; if "
            "smaller values make sense, widen its range.");
  // A share may have no more than 0 and 1.
  EXPECT_EQ(TextOf(advice, AdviceKind::kAtLowerBound, "x"),
            "The predicted best lies at the lower bound of x, 0; if smaller "
            "values make sense, widen its range.");
}

TEST(AdviceTest, AListGetsAnotherValue) {
  const auto advice = AdviceFor(SpreadStudy(
      {DiscreteParameter("batch", {16, 32, 64, 128, 256}),
       DoubleParameter("x", 0, 1)},
      40, [](const Parameters& p) {
        return std::optional<double>(std::log(NumberOf(p, 0)) + NumberOf(p, 1));
      }));
  EXPECT_EQ(TextOf(advice, AdviceKind::kAtUpperBound, "batch"),
            "The predicted best lies at the upper bound of batch, 256; if "
            "larger values make sense, add one to its list.");
}

TEST(AdviceTest, ABestInsideNeedsNoWiderRange) {
  for (const Advice& advice :
       AdviceFor(SpreadStudy(UnitCubeSpace(2), 40, [](const Parameters& p) {
         return std::optional<double>(-std::pow(NumberOf(p, 0) - 0.4, 2) -
                                      std::pow(NumberOf(p, 1) - 0.6, 2));
       }))) {
    EXPECT_NE(advice.kind, AdviceKind::kAtUpperBound) << advice.text;
    EXPECT_NE(advice.kind, AdviceKind::kAtLowerBound) << advice.text;
    EXPECT_NE(advice.kind, AdviceKind::kUnimportant) << advice.text;
  }
}

// Its best value lies at a bound, but makes next to no difference.
TEST(AdviceTest, AParameterThatHardlyMattersKeepsItsBounds) {
  const auto advice =
      AdviceFor(SpreadStudy(UnitCubeSpace(2), 60, [](const Parameters& p) {
        return std::optional<double>(-std::pow(NumberOf(p, 0) - 0.4, 2) +
                                     0.03 * std::exp(-10 * NumberOf(p, 1)));
      }));
  EXPECT_EQ(TextOf(advice, AdviceKind::kAtLowerBound, "x1"), "");
}

TEST(AdviceTest, NamesWhatDoesNotMatter) {
  const auto advice = AdviceFor(
      SpreadStudy({DoubleParameter("x", 0, 1), CategoricalParameter("idle", 3)},
                  60, [](const Parameters& p) {
                    return std::optional<double>(std::sin(4 * NumberOf(p, 0)));
                  }));
  EXPECT_THAT(TextOf(advice, AdviceKind::kUnimportant, "idle"),
              HasSubstr("idle hardly matters: it explains "));
  EXPECT_THAT(TextOf(advice, AdviceKind::kUnimportant, "idle"),
              HasSubstr("; it could be fixed, for example at c"));
  EXPECT_EQ(TextOf(advice, AdviceKind::kUnimportant, "x"), "");
}

// What acts only together with another matters.
TEST(AdviceTest, AnInteractionMatters) {
  const auto advice =
      AdviceFor(SpreadStudy(UnitCubeSpace(3), 100, [](const Parameters& p) {
        return std::optional<double>((NumberOf(p, 0) - 0.5) *
                                     (NumberOf(p, 1) - 0.5));
      }));
  EXPECT_EQ(TextOf(advice, AdviceKind::kUnimportant, "x0"), "");
  EXPECT_EQ(TextOf(advice, AdviceKind::kUnimportant, "x1"), "");
  EXPECT_NE(TextOf(advice, AdviceKind::kUnimportant, "x2"), "");
}

TEST(AdviceTest, NarrowsWhereGoodTrialsLieTogether) {
  const auto advice = AdviceFor(
      SpreadStudy({DoubleParameter("x", 0, 100), DoubleParameter("y", 0, 1)},
                  100, [](const Parameters& p) {
                    return std::optional<double>(
                        std::exp(-std::pow((NumberOf(p, 0) - 40) / 10, 2)));
                  }));
  const std::string text = TextOf(advice, AdviceKind::kNarrow, "x");
  EXPECT_THAT(text, HasSubstr("The best 10 of 100 points have x between 3"));
  EXPECT_THAT(text, HasSubstr("% of the present one."));
  EXPECT_EQ(TextOf(advice, AdviceKind::kNarrow, "y"), "");
}

TEST(AdviceTest, SaysThatResultsAreNoise) {
  std::mt19937_64 rng = MakeRng(3, 2);
  const auto advice =
      AdviceFor(SpreadStudy(UnitCubeSpace(2), 80, [&](const Parameters& p) {
        return std::optional<double>(0.2 * NumberOf(p, 0) + Normal(rng));
      }));
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].kind, AdviceKind::kNoisy);
  EXPECT_EQ(advice[0].parameter, "");
  EXPECT_THAT(advice[0].text, HasSubstr("Results are mostly noise: the "
                                        "parameters explain only about "));
}

TEST(AdviceTest, FewResultsSayNothingAboutWhatDoesNotMatter) {
  for (const Advice& advice :
       AdviceFor(SpreadStudy(UnitCubeSpace(2), 12, [](const Parameters& p) {
         return std::optional<double>(NumberOf(p, 0));
       }))) {
    EXPECT_EQ(advice.kind, AdviceKind::kAtUpperBound) << advice.text;
  }
}

TEST(AdviceTest, HasANameForEachKind) {
  EXPECT_STREQ(AdviceName(AdviceKind::kAtUpperBound), "AT_UPPER_BOUND");
  EXPECT_STREQ(AdviceName(AdviceKind::kAtLowerBound), "AT_LOWER_BOUND");
  EXPECT_STREQ(AdviceName(AdviceKind::kUnimportant), "UNIMPORTANT");
  EXPECT_STREQ(AdviceName(AdviceKind::kNarrow), "NARROW");
  EXPECT_STREQ(AdviceName(AdviceKind::kNoisy), "NOISY");
}

}  // namespace
}  // namespace vernier
