#include "study/suggestion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vernier {
namespace {

using testing::HasSubstr;

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
  const SuggestionRecord full = FullRecord();
  EXPECT_EQ(*SuggestionRecordFromJson(SuggestionRecordToJson(full)), full);
  const SuggestionRecord empty;
  EXPECT_EQ(*SuggestionRecordFromJson(SuggestionRecordToJson(empty)), empty);
}

TEST(SuggestionRecordTest, EveryMethodHasAName) {
  for (int i = 1; i <= static_cast<int>(SuggestionMethod::kUntried); ++i) {
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
  record.prediction = Prediction{0.91, 0.9, 0.925};
  const std::string text = DescribeSuggestion(record);
  EXPECT_THAT(text, HasSubstr("highest upper confidence bound"));
  EXPECT_THAT(text, HasSubstr(" per training (0.12 of one where it wins "
                              "nothing), knowing 12 results"));
  EXPECT_THAT(text, HasSubstr("12 results and 1 running trial."));
  EXPECT_THAT(text, HasSubstr("0.91, most likely between 0.9 and 0.925"));
  EXPECT_THAT(text, HasSubstr("1.5 ms"));
  EXPECT_THAT(text, HasSubstr("Not as usual: because \"x\"."));
}

}  // namespace
}  // namespace vernier
