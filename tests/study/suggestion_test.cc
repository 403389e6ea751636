#include "study/suggestion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vernier {
namespace {

using testing::HasSubstr;
using testing::Not;

SuggestionRecord FullRecord() {
  SuggestionRecord record;
  record.method = SuggestionMethod::kConfidenceBound;
  record.num_completed = 12;
  record.num_pending = 1;
  record.num_fitted = 11;
  record.prediction = Prediction{0.1 + 0.2, -1e-300, 1e300};
  record.acquisition = -3.25;
  record.fallback = "because \"x\"";
  record.instruction_set = "baseline";
  record.milliseconds = 1.5;
  record.stopped_part = 0.125;
  return record;
}

TEST(SuggestionRecordTest, JsonKeepsEveryBit) {
  SuggestionRecord full = FullRecord();
  full.repeat = PointRepeat{7, 2, 3};
  full.success_probability = 0.1;
  full.learned_from = {"last week"};
  full.source = "the agent";
  full.follows_beliefs = true;
  EXPECT_EQ(*SuggestionRecordFromJson(SuggestionRecordToJson(full)), full);
  const SuggestionRecord empty;
  EXPECT_EQ(*SuggestionRecordFromJson(SuggestionRecordToJson(empty)), empty);
}

TEST(SuggestionRecordTest, EveryMethodHasAName) {
  for (int i = 1; i <= static_cast<int>(SuggestionMethod::kUnseenValue); ++i) {
    const auto method = static_cast<SuggestionMethod>(i);
    EXPECT_EQ(MethodFromName(MethodName(method)), method);
  }
  EXPECT_EQ(MethodFromName("GUESS"), std::nullopt);
}

TEST(SuggestionRecordTest, OtherTextIsRefused) {
  for (const char* text : {"", "[]", "{}", R"({"method":"GUESS"})",
                           R"({"method":"GRID","mean":1})",
                           R"({"method":"GRID","completed":"many"})"}) {
    EXPECT_EQ(SuggestionRecordFromJson(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

TEST(SuggestionRecordTest, SaysInWordsWhatWasKnownAndExpected) {
  SuggestionRecord record = FullRecord();
  record.method = SuggestionMethod::kImprovement;
  record.prediction = Prediction{0.9112345, 0.9, 0.925};
  EXPECT_EQ(DescribeSuggestion(record),
            "It was chosen by the Gaussian process from 12 results, with 1 "
            "more to come from running trials: it promised the largest "
            "expected improvement on the best, for what a trial costs: one "
            "without prospects is stopped after about 12 % of its training. "
            "Expected of it: 0.9112, most likely between 0.9 and 0.925. Not as "
            "usual: because \"x\".");
}

// Neither how long it took nor a count of what had no part in the choice.
TEST(SuggestionRecordTest, SaysNothingOfResultsThatHadNoPart) {
  SuggestionRecord record;
  record.num_completed = 7;
  record.num_pending = 2;
  record.milliseconds = 0.0245;
  const auto text = [&](SuggestionMethod method) {
    record.method = method;
    return DescribeSuggestion(record);
  };
  EXPECT_EQ(text(SuggestionMethod::kUser), "It was given by hand.");
  EXPECT_EQ(text(SuggestionMethod::kRandom), "It was drawn at random.");
  EXPECT_EQ(text(SuggestionMethod::kGrid), "It is the next point of the grid.");
  EXPECT_EQ(text(SuggestionMethod::kDesign),
            "It is one of the points that are spread evenly over the space, "
            "without a model of the objective.");
}

TEST(SuggestionRecordTest, SaysHowProbableAFailureIs) {
  SuggestionRecord record;
  record.method = SuggestionMethod::kImprovement;
  EXPECT_THAT(DescribeSuggestion(record), Not(HasSubstr("fail")));
  record.success_probability = 0.934;
  EXPECT_THAT(DescribeSuggestion(record),
              HasSubstr(". By where trials have failed, this one is predicted "
                        "not to fail with a probability of 93 %."));
}

TEST(SuggestionRecordTest, ARepeatSaysOfWhichTrialItIs) {
  SuggestionRecord record;
  record.method = SuggestionMethod::kRepeat;
  record.repeat = PointRepeat{7, 2, 3};
  EXPECT_EQ(DescribeSuggestion(record),
            "It is repeat 2 of 3 of trial 7: the same parameters again, "
            "because each point that may be the best is tried 3 times.");
  record.repeat = PointRepeat{7, 4, 0};
  EXPECT_THAT(DescribeSuggestion(record),
              HasSubstr("It is repeat 4 of trial 7: "));
  EXPECT_THAT(DescribeSuggestion(record), HasSubstr("than a new point would"));
}

}  // namespace
}  // namespace vernier
