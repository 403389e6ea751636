#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>

#include "suggest/algorithms/random_search_suggester.h"
#include "tests/trials/study_builder.h"
#include "trials/engine/result_models.h"
#include "trials/results/best_trials.h"

namespace vernier {
namespace {

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

struct Asked {
  int calls = 0;
  absl::StatusOr<std::optional<Recommendation>> answer =
      Recommendation{0, std::nullopt};
};

// Gives one answer, and counts how often it is asked.
class OneAnswerSuggester final : public Suggester {
 public:
  explicit OneAnswerSuggester(Asked& asked) : asked_(asked) {}

  absl::StatusOr<std::vector<Suggestion>> Suggest(const StudyView& view,
                                                  int count) const override {
    return RandomSearchSuggester().Suggest(view, count);
  }
  absl::StatusOr<std::optional<Recommendation>> Recommend(
      const StudyView& /*view*/) const override {
    ++asked_.calls;
    return asked_.answer;
  }

 private:
  Asked& asked_;
};

class RecommendationTest : public testing::Test {
 protected:
  Asked asked_;
  ResultModels models_{
      [this] { return std::make_unique<OneAnswerSuggester>(asked_); }};
};

TEST_F(RecommendationTest, IsWorkedOutAtOnceForFewTrials) {
  const StudyBuilder study = StudyOf(ResultModels::kFewTrials);
  const auto answer = models_.Recommend(study.Build(), Patience::kNone);
  ASSERT_TRUE(answer.ok() && answer->is_ready);
  EXPECT_EQ(answer->trial->trial, TrialId{1});
}

TEST_F(RecommendationTest, OfManyTrialsIsWorkedOutOnlyForWhoeverWaits) {
  const StudyBuilder study = StudyOf(ResultModels::kFewTrials + 1);
  const auto none = models_.Recommend(study.Build(), Patience::kNone);
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->is_ready);
  EXPECT_EQ(asked_.calls, 0);
  EXPECT_TRUE(models_.Recommend(study.Build(), Patience::kWait)->is_ready);
  EXPECT_EQ(asked_.calls, 1);
}

TEST_F(RecommendationTest, IsRememberedUntilAnotherTrialEnds) {
  StudyBuilder study = StudyOf(ResultModels::kFewTrials + 1);
  ASSERT_TRUE(models_.Recommend(study.Build(), Patience::kWait).ok());
  study.Active();
  EXPECT_TRUE(models_.Recommend(study.Build(), Patience::kNone)->is_ready);
  EXPECT_TRUE(models_.Recommend(study.Build(), Patience::kWait)->is_ready);
  EXPECT_EQ(asked_.calls, 1);
  study.Completed(1);
  EXPECT_FALSE(models_.Recommend(study.Build(), Patience::kNone)->is_ready);
}

// As many as before, but others.
TEST_F(RecommendationTest, IsForgottenWhenATrialGoesAndAnotherEnds) {
  StudyBuilder study = StudyOf(ResultModels::kFewTrials + 2);
  const StudySnapshot before = WithoutTrial(study.Build(), TrialId{2});
  const StudySnapshot after = WithoutTrial(study.Build(), TrialId{1});
  ASSERT_TRUE(models_.Recommend(before, Patience::kWait).ok());
  EXPECT_FALSE(models_.Recommend(after, Patience::kNone)->is_ready);
}

TEST_F(RecommendationTest, ThatThereIsNoneIsRemembered) {
  const StudyBuilder study = StudyOf(ResultModels::kFewTrials + 1);
  asked_.answer = std::nullopt;
  for (int i = 0; i < 2; ++i) {
    const auto answer = models_.Recommend(study.Build(), Patience::kWait);
    EXPECT_TRUE(answer->is_ready && !answer->trial.has_value());
  }
  EXPECT_EQ(asked_.calls, 1);
}

TEST_F(RecommendationTest, ErrorsArePassedOnAndNotRemembered) {
  const StudyBuilder study = StudyOf(3);
  asked_.answer = absl::ResourceExhaustedError("no memory");
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(absl::IsResourceExhausted(
        models_.Recommend(study.Build(), Patience::kWait).status()));
  }
  EXPECT_EQ(asked_.calls, 2);
}

// The same model says what the results say.
TEST(ResultModelTest, OneModelServesInsightsAndTheRecommendation) {
  int made = 0;
  ResultModels models([&made] {
    ++made;
    return std::make_unique<RandomSearchSuggester>();
  });
  const StudyBuilder study = StudyOf(3);
  ASSERT_TRUE(models.Recommend(study.Build(), Patience::kWait).ok());
  ASSERT_TRUE(models.Examine(study.Build(), {}).ok());
  EXPECT_EQ(made, 1);
}

// By the default algorithm's model.
absl::StatusOr<std::optional<RecommendedTrial>> RecommendTrial(
    const StudySnapshot& study) {
  auto answer = ResultModels().Recommend(study, Patience::kWait);
  if (!answer.ok()) return answer.status();
  return answer->trial;
}

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
