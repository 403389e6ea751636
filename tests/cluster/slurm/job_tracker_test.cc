#include "cluster/slurm/job_tracker.h"

#include <gtest/gtest.h>

#include "cluster/slurm/submission_rate.h"
#include "tests/fakes/manual_clock.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class JobTrackerTest : public testing::Test {
 protected:
  static ListedJob Job(SlurmState state) { return {17, state, "", "", ""}; }
  void List(const JobListing& listing) {
    clock_.Advance(seconds(1));
    tracker_.TakeListing(listing, clock_.Steady());
  }

  ManualClock clock_;
  JobTracker tracker_ = JobTracker(milliseconds(10000));
};

TEST_F(JobTrackerTest, OneEmptyListingProvesNothing) {
  tracker_.Follow("a", clock_.Steady());
  List({{"a", Job(SlurmState::kRunning)}});
  List({});
  EXPECT_FALSE(tracker_.Of("a").is_gone);
  EXPECT_TRUE(tracker_.is_urgent());
  List({{"a", Job(SlurmState::kRunning)}});
  clock_.Advance(seconds(60));
  List({});
  EXPECT_FALSE(tracker_.Of("a").is_gone) << "the first without it";
  clock_.Advance(seconds(10));
  List({});
  EXPECT_TRUE(tracker_.Of("a").is_gone);
}

TEST_F(JobTrackerTest, AJobMayAppearLate) {
  tracker_.Follow("a", clock_.Steady());
  List({});
  List({{"a", Job(SlurmState::kPending)}});
  EXPECT_TRUE(tracker_.Of("a").job.has_value());
  EXPECT_EQ(tracker_.pending(), 1);
  EXPECT_FALSE(tracker_.Of("a").is_gone);
}

TEST_F(JobTrackerTest, AListingFromBeforeProvesNothing) {
  const SteadyTime before = clock_.Steady();
  clock_.Advance(seconds(60));
  tracker_.Follow("a", clock_.Steady());
  tracker_.TakeListing({}, before);
  clock_.Advance(seconds(1));
  tracker_.TakeListing({}, clock_.Steady());
  EXPECT_FALSE(tracker_.Of("a").is_gone);
}

TEST_F(JobTrackerTest, WhatHasEndedMayLeaveTheListing) {
  tracker_.Follow("a", clock_.Steady());
  List({{"a", Job(SlurmState::kFailed)}});
  clock_.Advance(seconds(600));
  List({});
  clock_.Advance(seconds(600));
  List({});
  EXPECT_FALSE(tracker_.Of("a").is_gone);
  EXPECT_EQ(tracker_.Of("a").job->state, SlurmState::kFailed);
  EXPECT_FALSE(tracker_.is_urgent());
}

TEST_F(JobTrackerTest, AccountsTellHowAForgottenJobEnded) {
  tracker_.Follow("a", clock_.Steady());
  tracker_.Follow("b", clock_.Steady());
  List({});
  EXPECT_TRUE(tracker_.ToAccount(10).empty());
  clock_.Advance(seconds(10));
  List({});
  EXPECT_EQ(tracker_.ToAccount(10), (std::vector<std::string>{"a", "b"}));
  tracker_.TakeAccounts({"a", "b"}, {{"a", Job(SlurmState::kPreempted)},
                                     {"b", Job(SlurmState::kRunning)}});
  EXPECT_TRUE(tracker_.ToAccount(10).empty());
  EXPECT_EQ(tracker_.Of("a").job->state, SlurmState::kPreempted);
  EXPECT_FALSE(tracker_.Of("b").job.has_value()) << "the accounts lag";
  EXPECT_TRUE(tracker_.Of("b").is_accounted);
}

TEST_F(JobTrackerTest, SeesJobsThatNobodyFollows) {
  tracker_.Follow("a", clock_.Steady());
  List({{"a", Job(SlurmState::kRunning)},
        {"b", Job(SlurmState::kRunning)},
        {"c", Job(SlurmState::kCompleted)}});
  EXPECT_EQ(tracker_.strangers(), std::vector<std::string>{"b"});
}

TEST(SubmissionRateTest, HalvesInTroubleAndRecoversSlowly) {
  ManualClock clock;
  SubmissionRate rate(8);
  for (int i = 0; i < 3; ++i) rate.NoteTrouble(clock.Steady());
  EXPECT_DOUBLE_EQ(rate.per_second(), 1);
  EXPECT_GT(rate.next(), clock.Steady());
  for (int i = 0; i < 10; ++i) rate.NoteAnswered(clock.Steady());
  EXPECT_GT(rate.per_second(), 1);
  EXPECT_LT(rate.per_second(), 8);
  for (int i = 0; i < 100; ++i) rate.NoteAnswered(clock.Steady());
  EXPECT_DOUBLE_EQ(rate.per_second(), 8);
}

TEST(SubmissionRateTest, KeepsTheRateOverTime) {
  ManualClock clock;
  SubmissionRate rate(10);
  int sent = 0;
  for (int i = 0; i < 10'000; ++i) {
    if (clock.Steady() >= rate.next()) {
      rate.NoteAnswered(clock.Steady());
      ++sent;
    }
    clock.Advance(milliseconds(1));
  }
  EXPECT_GE(sent, 100);
  EXPECT_LE(sent, 115) << "a burst of a second at most";
}

}  // namespace
}  // namespace vernier
