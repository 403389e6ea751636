#include "cluster/slurm/slurm_jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "cluster/slurm/gang_files.h"
#include "tests/cluster/local_test_bed.h"
#include "tests/cluster/slurm/fake_slurm_client.h"
#include "tests/support/await_condition.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using testing::Contains;
using testing::Pair;
using Answer = SubmissionAnswer::Kind;
using Stage = JobView::Stage;

class SlurmJobsTest : public testing::Test {
 protected:
  static SlurmSettings Quick() {
    SlurmSettings settings;
    settings.program = "/bin/vernier";
    settings.max_submissions_per_second = 1000;
    settings.list_period = milliseconds(5);
    settings.quick_list_period = milliseconds(2);
    settings.list_share = 1;
    settings.settle_time = milliseconds(50);
    return settings;
  }
  void Make(const SlurmSettings& settings) {
    jobs_ = std::make_unique<SlurmJobs>(
        SlurmJobs::Dependencies{std::make_unique<FakeSlurmClient>(controller_),
                                clock_, [this] { ++changes_; }, nullptr},
        settings, "vernier-");
  }
  void SetUp() override { Make(Quick()); }
  JobSubmission Submission(const std::string& name) {
    JobSubmission submission;
    submission.name = name;
    submission.run_dir = folder_ / name;
    EXPECT_TRUE(MakeSlurmFolder(submission.run_dir).ok());
    return submission;
  }
  [[nodiscard]] bool AwaitStage(const std::string& name, Stage stage) {
    return AwaitCondition([&] { return jobs_->Of(name).stage == stage; });
  }
  [[nodiscard]] bool AwaitListed(const std::string& name, SlurmState state) {
    return AwaitCondition([&] {
      const JobView view = jobs_->Of(name);
      return view.knowledge.job && view.knowledge.job->state == state;
    });
  }
  void AwaitListings(int count) {
    const int wanted = controller_.listings() + count;
    EXPECT_TRUE(
        AwaitCondition([&] { return controller_.listings() >= wanted; }));
  }

  const SystemClock clock_{};
  const ScratchFolder folder_;
  FakeController controller_;
  std::atomic<int> changes_ = 0;
  std::unique_ptr<SlurmJobs> jobs_;
};

TEST_F(SlurmJobsTest, SubmitsAndFollowsAJob) {
  jobs_->Start(Submission("a"));
  EXPECT_TRUE(AwaitListed("a", SlurmState::kPending));
  EXPECT_EQ(*ReadSubmissionMark(folder_ / "a"), SubmissionMark::kSubmitted);
  controller_.SetState("a", SlurmState::kRunning);
  EXPECT_TRUE(AwaitListed("a", SlurmState::kRunning));
  EXPECT_EQ(controller_.submissions("a"), 1);
  EXPECT_GT(changes_, 0);
}

TEST_F(SlurmJobsTest, NeverDoublesAnAmbiguousSubmission) {
  controller_.Script({Answer::kAmbiguous, "Socket timed out", true});
  jobs_->Start(Submission("a"));
  EXPECT_TRUE(AwaitListed("a", SlurmState::kPending));
  AwaitListings(40);
  EXPECT_EQ(controller_.submissions("a"), 1);
}

TEST_F(SlurmJobsTest, RepeatsASubmissionThatCameToNothing) {
  controller_.Script({Answer::kAmbiguous, "Socket timed out", false});
  jobs_->Start(Submission("a"));
  EXPECT_TRUE(AwaitListed("a", SlurmState::kPending));
  EXPECT_EQ(controller_.submissions("a"), 2);
}

TEST_F(SlurmJobsTest, AFailedListingChangesNothing) {
  jobs_->Start(Submission("a"));
  EXPECT_TRUE(AwaitListed("a", SlurmState::kPending));
  controller_.SetListingError(absl::UnavailableError("squeue failed"));
  AwaitListings(40);
  EXPECT_FALSE(jobs_->Of("a").knowledge.is_gone);
  EXPECT_EQ(jobs_->Of("a").words, "squeue failed");
  controller_.SetListingError(absl::OkStatus());
  EXPECT_TRUE(AwaitCondition([&] { return jobs_->Of("a").words.empty(); }));
}

TEST_F(SlurmJobsTest, KnowsWhenAJobIsForgotten) {
  jobs_->Start(Submission("a"));
  EXPECT_TRUE(AwaitListed("a", SlurmState::kPending));
  controller_.Lose("a");
  EXPECT_TRUE(
      AwaitCondition([&] { return jobs_->Of("a").knowledge.is_accounted; }));
  EXPECT_EQ(controller_.submissions("a"), 1);
}

TEST_F(SlurmJobsTest, TakesARefusalForGood) {
  controller_.Script({Answer::kRefused, "invalid partition", false});
  jobs_->Start(Submission("a"));
  EXPECT_TRUE(AwaitStage("a", Stage::kRefused));
  EXPECT_EQ(jobs_->Of("a").words, "invalid partition");
}

TEST_F(SlurmJobsTest, ASlowListingPutsOffTheNextForAWhileOnly) {
  SlurmSettings settings = Quick();
  settings.list_share = 1e-12;  // Each takes far too long.
  settings.longest_list_period = milliseconds(10);
  Make(settings);
  jobs_->Start(Submission("a"));
  EXPECT_TRUE(AwaitListed("a", SlurmState::kPending));
  AwaitListings(5);
}

TEST_F(SlurmJobsTest, AvoidsNodesOnlyIfThereAreOthers) {
  controller_.Script({Answer::kRefused, "node configuration", false});
  JobSubmission submission = Submission("a");
  submission.avoided_nodes = {"n1"};
  jobs_->Start(std::move(submission));
  EXPECT_TRUE(AwaitListed("a", SlurmState::kPending));
  EXPECT_EQ(controller_.submissions("a"), 2);
}

TEST_F(SlurmJobsTest, TriesAgainWhenThrottled) {
  for (int i = 0; i < 3; ++i) {
    controller_.Script({Answer::kThrottled, "AssocMaxSubmitJobLimit", false});
  }
  jobs_->Start(Submission("a"));
  EXPECT_TRUE(AwaitListed("a", SlurmState::kPending));
  EXPECT_EQ(controller_.submissions("a"), 4);
}

TEST_F(SlurmJobsTest, KeepsTooManyFromPending) {
  SlurmSettings settings = Quick();
  settings.max_pending = 2;
  Make(settings);
  for (const char* name : {"a", "b", "c"}) jobs_->Start(Submission(name));
  EXPECT_TRUE(AwaitListed("b", SlurmState::kPending));
  AwaitListings(20);
  EXPECT_EQ(controller_.submissions("c"), 0);
  EXPECT_EQ(jobs_->Of("c").words,
            "2 jobs of this service are pending in Slurm");
  controller_.SetState("a", SlurmState::kRunning);
  EXPECT_TRUE(AwaitListed("c", SlurmState::kPending));
}

TEST_F(SlurmJobsTest, WithdrawsWhatIsNotSubmittedYet) {
  SlurmSettings settings = Quick();
  settings.max_pending = 1;
  Make(settings);
  for (const char* name : {"a", "b"}) jobs_->Start(Submission(name));
  EXPECT_TRUE(AwaitListed("a", SlurmState::kPending));
  jobs_->Cancel("b", CancelKind::kAsk);
  EXPECT_EQ(jobs_->Of("b").stage, Stage::kWithdrawn);
  controller_.SetState("a", SlurmState::kRunning);
  AwaitListings(20);
  EXPECT_EQ(controller_.submissions("b"), 0);
}

TEST_F(SlurmJobsTest, CancelsWhatIsPendingAndAsksWhatRuns) {
  for (const char* name : {"a", "b"}) jobs_->Start(Submission(name));
  EXPECT_TRUE(AwaitListed("a", SlurmState::kPending));
  EXPECT_TRUE(AwaitListed("b", SlurmState::kPending));
  controller_.SetState("b", SlurmState::kRunning);
  jobs_->Cancel("a", CancelKind::kAsk);
  jobs_->Cancel("b", CancelKind::kAsk);
  EXPECT_TRUE(AwaitListed("a", SlurmState::kCancelled));
  EXPECT_TRUE(AwaitCondition([&] {
    return testing::Value(controller_.cancels(),
                          Contains(Pair("b", CancelKind::kAsk)));
  }));
  EXPECT_TRUE(AwaitListed("b", SlurmState::kRunning));
  jobs_->Cancel("b", CancelKind::kEnd);
  EXPECT_TRUE(AwaitListed("b", SlurmState::kCancelled));
}

TEST_F(SlurmJobsTest, AdoptsAJobOfAnEarlierService) {
  controller_.SetState("a", SlurmState::kRunning);
  jobs_->Follow("a");
  EXPECT_TRUE(AwaitListed("a", SlurmState::kRunning));
  EXPECT_EQ(controller_.submissions("a"), 0);
}

TEST_F(SlurmJobsTest, AsksForNothingWithoutJobs) {
  jobs_->CancelStrangers();
  EXPECT_EQ(controller_.listings(), 0);
}

}  // namespace
}  // namespace vernier
