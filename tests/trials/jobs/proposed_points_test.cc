// Points that somebody proposes to a job, as the orchestrator runs them.

#include <gtest/gtest.h>

#include "tests/trials/jobs/orchestrator_bed.h"
#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

class ProposedPointsTest : public testing::Test, protected OrchestratorBed {
 protected:
  void Propose(const std::string& source, double x) {
    const absl::Status status = store_.Commit(
        {ProposePoints{study_, source, {{{"x", x}}}}}, clock_.Now());
    ASSERT_TRUE(status.ok()) << status;
  }
  double X(std::int64_t trial) {
    return std::get<double>(Trial(trial).parameters[0].value);
  }
  // The trial ends well, and the next may start. The best x is 0.3.
  void End(std::int64_t trial) {
    metrics_.Report(Key(trial),
                    {"loss", 1, clock_.Now(), std::abs(X(trial) - 0.3)});
    launcher_.Exit(Key(trial), 0);
    Step();
  }
  std::string SourceOf(std::int64_t trial) {
    return Trial(trial).origin.record->source;
  }
};

TEST_F(ProposedPointsTest, AnUnknownSourceGetsATrialAfterFourOthers) {
  Submit(TuningSpec(9, 1));
  Propose("me", 0.3);
  Start();
  Step();
  for (std::int64_t trial = 1; trial <= 4; ++trial) {
    EXPECT_EQ(SourceOf(trial), "");
    End(trial);
  }
  EXPECT_EQ(SourceOf(5), "me");
  EXPECT_EQ(X(5), 0.3);
  EXPECT_EQ(Trial(5).origin.record->method, SuggestionMethod::kProposal);
  for (std::int64_t trial = 5; trial <= 9; ++trial) End(trial);
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kSucceeded);
  EXPECT_EQ(SourceOf(6), "") << "it was tried once";
}

TEST_F(ProposedPointsTest, ASourceWhosePointsLoseIsLeftAlone) {
  Submit(TuningSpec(12, 1));
  for (const double x : {0.99, 0.98, 0.97, 0.96}) Propose("me", x);
  Start();
  Step();
  int tried = 0;
  for (std::int64_t trial = 1; trial <= 12; ++trial) {
    tried += SourceOf(trial) == "me";
    End(trial);
  }
  EXPECT_LE(tried, 2);
  EXPECT_EQ(Study()->proposed.size(), 4u);
}

TEST_F(ProposedPointsTest, ASourceIsKnownAfterARestart) {
  Submit(TuningSpec(12, 1));
  for (const double x : {0.35, 0.31, 0.3}) Propose("me", x);
  Start();
  Step();
  for (std::int64_t trial = 1; trial <= 5; ++trial) End(trial);
  Restart();
  Step();
  for (std::int64_t trial = 6; trial <= 7; ++trial) End(trial);
  EXPECT_EQ(SourceOf(5), "me");
  EXPECT_EQ(SourceOf(6), "me") << "it has won";
}

TEST_F(ProposedPointsTest, APointThatComesWhileOneIsChosenIsConsidered) {
  Submit(TuningSpec(9, 1));
  Start();
  Step();
  for (std::int64_t trial = 1; trial <= 4; ++trial) End(trial);
  EXPECT_EQ(SourceOf(5), "");
  Propose("me", 0.3);
  Step();
  End(5);
  EXPECT_EQ(SourceOf(6), "me");
}

}  // namespace
}  // namespace vernier
