#include "trials/suggestion_plan.h"

#include <gtest/gtest.h>

#include "tests/trials/study_bed.h"

namespace vernier {
namespace {

class SuggestionPlanTest : public StudyBed {
 protected:
  // Two trials of "a", then three that wait.
  void SetUp() override {
    Make();
    EXPECT_EQ(Get("a", 2), "1 2");
    for (const double x : {0.1, 0.2, 0.3}) {
      TrialRequest trial;
      trial.parameters = {{"x", x}};
      ASSERT_TRUE(studies_.CreateTrial(kName, trial).ok());
    }
  }

  // "a:1,2 b:3 +b +c": what each request gets, and who gets new points.
  std::string Plan(const std::vector<SuggestRequest>& requests) {
    const SuggestionPlan plan =
        PlanSuggestions(**studies_.GetStudy(kName), requests);
    std::string text;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      absl::StrAppend(&text, i == 0 ? "" : " ", requests[i].client_id, ":");
      for (const TrialId trial : plan.trials[i]) {
        absl::StrAppend(&text, ToInt(trial), ",");
      }
    }
    for (const auto& [trial, client] : plan.given) {
      absl::StrAppend(&text, " ", ToInt(trial), ">", client);
    }
    for (const std::string& client : plan.points_for) {
      absl::StrAppend(&text, " +", client);
    }
    return text;
  }
};

TEST_F(SuggestionPlanTest, AClientGetsItsOwnTrialsFirst) {
  EXPECT_EQ(Plan({{1, "a"}}), "a:1,");
  EXPECT_EQ(Plan({{2, "a"}}), "a:1,2,");
}

TEST_F(SuggestionPlanTest, ThenThoseThatWaitThenNewOnes) {
  EXPECT_EQ(Plan({{3, "a"}}), "a:1,2,3, 3>a");
  EXPECT_EQ(Plan({{7, "a"}}), "a:1,2,3,4,5, 3>a 4>a 5>a +a +a");
}

TEST_F(SuggestionPlanTest, EachTrialGoesToOneClient) {
  EXPECT_EQ(Plan({{2, "b"}, {2, "c"}}), "b:3,4, c:5, 3>b 4>b 5>c +c");
}

TEST_F(SuggestionPlanTest, RequestsOfOneClientAreForTheSameTrials) {
  EXPECT_EQ(Plan({{1, "b"}, {3, "b"}, {1, "c"}}),
            "b:3, b:3,4,5, c: 3>b 4>b 5>b +c");
}

TEST_F(SuggestionPlanTest, NobodyWantsNothing) { EXPECT_EQ(Plan({}), ""); }

}  // namespace
}  // namespace vernier
