#include "trials/recommendations.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

using Patience = Recommendations::Patience;

StudyBuilder StudyOf(std::size_t completed) {
  StudyBuilder study(TuningSpec(5000, 1));
  for (std::size_t i = 0; i < completed; ++i) {
    study.Completed(static_cast<double>(i));
  }
  return study;
}

StudySnapshot WithoutTrial(StudySnapshot study, TrialId id) {
  auto trial = std::make_shared<TrialRecord>(study.trials.Get(id));
  trial->deleted_at = trial->created_at;
  study.trials.Put(std::move(trial));
  return study;
}

// Recommends the first trial, and counts how often it is asked.
class RecommendationsTest : public testing::Test {
 protected:
  int calls_ = 0;
  Recommendations recommendations_{
      [this](const StudySnapshot&)
          -> absl::StatusOr<std::optional<RecommendedTrial>> {
        ++calls_;
        return RecommendedTrial{TrialId{1}, std::nullopt};
      }};
};

TEST_F(RecommendationsTest, AreWorkedOutAtOnceForFewTrials) {
  const StudyBuilder study = StudyOf(Recommendations::kFewTrials);
  const auto answer = recommendations_.Of(study.Build(), Patience::kNone);
  ASSERT_TRUE(answer.ok() && answer->is_ready);
  EXPECT_EQ(answer->trial->trial, TrialId{1});
}

TEST_F(RecommendationsTest, OfManyTrialsAreWorkedOutOnlyForWhoeverWaits) {
  const StudyBuilder study = StudyOf(Recommendations::kFewTrials + 1);
  const auto none = recommendations_.Of(study.Build(), Patience::kNone);
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->is_ready);
  EXPECT_EQ(calls_, 0);
  EXPECT_TRUE(recommendations_.Of(study.Build(), Patience::kWait)->is_ready);
  EXPECT_EQ(calls_, 1);
}

TEST_F(RecommendationsTest, AreRememberedUntilAnotherTrialEnds) {
  StudyBuilder study = StudyOf(Recommendations::kFewTrials + 1);
  ASSERT_TRUE(recommendations_.Of(study.Build(), Patience::kWait).ok());
  study.Active();
  EXPECT_TRUE(recommendations_.Of(study.Build(), Patience::kNone)->is_ready);
  EXPECT_TRUE(recommendations_.Of(study.Build(), Patience::kWait)->is_ready);
  EXPECT_EQ(calls_, 1);
  study.Completed(1);
  EXPECT_FALSE(recommendations_.Of(study.Build(), Patience::kNone)->is_ready);
}

// As many as before, but others.
TEST_F(RecommendationsTest, AreForgottenWhenATrialGoesAndAnotherEnds) {
  StudyBuilder study = StudyOf(Recommendations::kFewTrials + 2);
  const StudySnapshot before = WithoutTrial(study.Build(), TrialId{2});
  const StudySnapshot after = WithoutTrial(study.Build(), TrialId{1});
  ASSERT_TRUE(recommendations_.Of(before, Patience::kWait).ok());
  EXPECT_FALSE(recommendations_.Of(after, Patience::kNone)->is_ready);
}

TEST_F(RecommendationsTest, RememberThatThereIsNone) {
  const StudyBuilder study = StudyOf(Recommendations::kFewTrials + 1);
  int calls = 0;
  Recommendations none([&](const StudySnapshot&)
                           -> absl::StatusOr<std::optional<RecommendedTrial>> {
    ++calls;
    return std::nullopt;
  });
  for (int i = 0; i < 2; ++i) {
    const auto answer = none.Of(study.Build(), Patience::kWait);
    EXPECT_TRUE(answer->is_ready && !answer->trial.has_value());
  }
  EXPECT_EQ(calls, 1);
}

TEST(RecommendationsErrorTest, PassesErrorsOnAndRemembersNone) {
  const StudyBuilder study = StudyOf(3);
  int calls = 0;
  Recommendations broken(
      [&](const StudySnapshot&)
          -> absl::StatusOr<std::optional<RecommendedTrial>> {
        ++calls;
        return absl::ResourceExhaustedError("no memory");
      });
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(absl::IsResourceExhausted(
        broken.Of(study.Build(), Patience::kWait).status()));
  }
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace vernier
