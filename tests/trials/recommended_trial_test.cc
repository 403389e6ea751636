#include "trials/recommended_trial.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/trials/study_builder.h"
#include "trials/results/best_trials.h"

namespace vernier {
namespace {

// Trial n at lr = n / 21, where the objective to minimise is smooth; its value
// alternates by 0.01.
StudyBuilder SmoothStudy() {
  StudyBuilder study(TuningSpec(40, 1));
  for (int n = 1; n <= 20; ++n) {
    const double x = n / 21.0;
    const double noise = n % 2 == 0 ? 0.01 : -0.01;
    study.Completed(std::pow(x - 0.6, 2) + noise).With([x](TrialRecord* trial) {
      trial->parameters.front().value = x;
    });
  }
  return study;
}

TEST(RecommendedTrialTest, DistrustsALuckyValue) {
  StudyBuilder study = SmoothStudy();
  study.Completed(-0.05).With(
      [](TrialRecord* trial) { trial->parameters.front().value = 0.98; });
  EXPECT_EQ(BestFirst(study.Build()).front(), TrialId{21});
  const auto recommended = RecommendTrial(study.Build());
  ASSERT_TRUE(recommended.ok()) << recommended.status();
  ASSERT_TRUE(recommended->has_value());
  EXPECT_NEAR(static_cast<double>(ToInt((*recommended)->trial)), 0.6 * 21, 3);
  EXPECT_NEAR((*recommended)->prediction->mean, 0, 0.03);
}

// What was observed is not every trial: positions must not be taken for ids.
TEST(RecommendedTrialTest, NamesTheTrialWhateverElseThereIs) {
  StudyBuilder study(TuningSpec(40, 1));
  study.Failed(TrialEndCause::kInfrastructure).Active().Completed(0.25);
  const auto recommended = RecommendTrial(study.Build());
  ASSERT_TRUE(recommended.ok() && recommended->has_value());
  EXPECT_EQ((*recommended)->trial, TrialId{3});
  EXPECT_FALSE((*recommended)->prediction.has_value());
}

TEST(RecommendedTrialTest, IsNoneWithoutAValue) {
  StudyBuilder study(TuningSpec(40, 1));
  EXPECT_FALSE(RecommendTrial(study.Build())->has_value());
  study.Failed(TrialEndCause::kUserError).Active();
  EXPECT_FALSE(RecommendTrial(study.Build())->has_value());
}

}  // namespace
}  // namespace vernier
