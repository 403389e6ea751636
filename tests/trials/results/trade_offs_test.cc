#include "trials/results/trade_offs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/trials/results/study_of_two_metrics.h"

namespace vernier {
namespace {

std::vector<std::string> SentencesOf(const StudySnapshot& study) {
  std::vector<std::string> sentences;
  for (const TradeOff& one : TradeOffsOf(study, *FrontOf(study))) {
    sentences.push_back(DescribeTradeOff(*study.spec, one));
  }
  return sentences;
}

TEST(TradeOffsTest, AreOfTheBalancedTrialsNeighboursOnEitherSide) {
  const StudySnapshot study =
      StudyOfTwoMetrics({{0, 10}, {1, 8}, {2, 2}, {3, 1.5}, {10, 0}});
  const std::string metric = study.spec->metrics[0].name;
  EXPECT_EQ(SentencesOf(study),
            (std::vector<std::string>{
                "Against trial 3, the most balanced one, trial 4 gains 0.5 of "
                "latency and loses 1 of " +
                    metric + ".",
                "Against trial 3, the most balanced one, trial 2 gains 1 of " +
                    metric + " and loses 6 of latency."}));
}

TEST(TradeOffsTest, ThereAreNoneOfFewTrialsAndOfEqualOnes) {
  EXPECT_TRUE(SentencesOf(StudyOfTwoMetrics({{0, 10}, {10, 0}})).empty());
  EXPECT_TRUE(SentencesOf(StudyOfTwoMetrics({{1, 1}, {1, 1}, {1, 1}})).empty());
}

}  // namespace
}  // namespace vernier
