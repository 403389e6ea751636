// Quotas, from what projects have to what the orchestrator starts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "tests/store/temporary_folder.h"
#include "tests/trials/jobs/orchestrator_bed.h"
#include "tests/trials/study_builder.h"
#include "trials/budgets/quota_budget.h"
#include "trials/jobs/explain.h"
#include "trials/jobs/waits_for.h"

namespace vernier {
namespace {

using ::testing::HasSubstr;

TEST(QuotaBudgetTest, IsTakenAndGivenBack) {
  QuotaBudget room("p1", {2, 5, std::nullopt}, {1, 3, 9});
  EXPECT_FALSE(room.Take(3));
  EXPECT_EQ(room.WaitFor(3),
            "room in the quota of project p1: 3 of 5 GPUs are in use, and a "
            "trial needs 3");
  EXPECT_TRUE(room.Take(2));
  EXPECT_FALSE(room.Take(0));
  EXPECT_EQ(room.WaitFor(0),
            "room in the quota of project p1: 2 of 2 parallel trials run");
  room.GiveBack(3);
  EXPECT_TRUE(room.Take(3));
}

TEST(QuotaBudgetTest, AnAttemptWithoutGpusDoesNotWaitForThem) {
  // As after a quota was lowered.
  QuotaBudget room("p1", {std::nullopt, 1, std::nullopt}, {2, 4, 0});
  EXPECT_FALSE(room.Take(1));
  EXPECT_TRUE(room.Take(0));
}

class QuotaTest : public testing::Test, protected OrchestratorBed {
 protected:
  QuotaTest()
      : OrchestratorBed({{"GPU-1", "", 0},
                         {"GPU-2", "", 0},
                         {"GPU-3", "", 0},
                         {"GPU-4", "", 0}}) {}
  // It borrows the quotas.
  ~QuotaTest() override { orchestrator_.reset(); }

  void Start() {
    OrchestratorBed::Start(quotas_.get(), &waits_);
    Step();
  }
  StudyId Submit(const std::string& project, const std::string& name,
                 int parallel, int gpus = 0, int priority = 0,
                 bool is_preemptible = false) {
    NewJob job;
    JobSpec spec = TuningSpec(50, parallel);
    spec.job_id = name;
    spec.vernier.gpus_per_replica = gpus;
    spec.training_input.priority = priority;
    spec.vernier.is_preemptible = is_preemptible;
    job.spec = std::make_shared<const JobSpec>(spec);
    job.project = project;
    job.run_root = "/run";
    return store_.CreateJob(job, clock_.Now()).value();
  }
  void Limit(const std::string& project, const ProjectQuota& quota) {
    const absl::Status status = quotas_->Set(project, quota);
    ASSERT_TRUE(status.ok()) << status;
  }
  const StudySnapshot& Study(StudyId study) {
    held_ = store_.Snapshot();
    return *held_->at(study);
  }
  int Live(StudyId study) { return Study(study).live_attempts; }
  void ExitOne(StudyId study) {
    for (const AttemptKey& key : launcher_.Alive()) {
      if (key.study != study) continue;
      metrics_.Report(key, {"loss", 1, clock_.Now(), 1});
      launcher_.Exit(key, 0);
      return;
    }
    FAIL() << "none is alive";
  }

  TemporaryFolder folder_;
  std::unique_ptr<QuotaStore> quotas_ =
      QuotaStore::Open(folder_.path() + "/quotas.db").value();
  Hindrances waits_;
  std::shared_ptr<const StoreSnapshot> held_;
};

TEST_F(QuotaTest, ManyTrialsOfAProjectRunNoMoreThanItsQuota) {
  Limit("p1", {3, std::nullopt, std::nullopt});
  const StudyId first = Submit("p1", "a", 2);
  const StudyId second = Submit("p1", "b", 2);
  Start();
  EXPECT_EQ(Live(first), 2);
  EXPECT_EQ(Live(second), 1);
  EXPECT_EQ(launcher_.max_alive(), 3);
  for (int i = 0; i < 8; ++i) {
    ExitOne(i % 2 == 0 ? first : second);
    Step();
    EXPECT_EQ(launcher_.Alive().size(), 3u);
  }
  EXPECT_EQ(launcher_.max_alive(), 3);
}

TEST_F(QuotaTest, AProjectAtItsLimitHoldsUpNoOther) {
  Limit("p1", {1, std::nullopt, std::nullopt});
  // More important, and first: still only its own project waits.
  const StudyId full = Submit("p1", "a", 4, 1, /*priority=*/9);
  const StudyId free = Submit("p2", "a", 3, 1);
  const StudyId other = Submit("default", "a", 2);
  Start();
  EXPECT_EQ(Live(full), 1);
  EXPECT_EQ(Live(free), 3);
  EXPECT_EQ(Live(other), 2);
}

TEST_F(QuotaTest, ForAJobAtItsQuotaNobodysTrialsEnd) {
  Limit("p1", {1, std::nullopt, std::nullopt});
  const StudyId full = Submit("p1", "a", 2, 1, /*priority=*/9);
  const StudyId low = Submit("p2", "a", 4, 1, 0, /*is_preemptible=*/true);
  Start();
  for (int i = 0; i < 5; ++i) Step();
  EXPECT_EQ(Live(full), 1);
  EXPECT_EQ(Live(low), 3);
  EXPECT_TRUE(launcher_.kills().empty());
}

TEST_F(QuotaTest, GpusAreCountedOverAllTrials) {
  Limit("p1", {std::nullopt, 2, std::nullopt});
  const StudyId study = Submit("p1", "a", 4, 1);
  const StudyId without = Submit("p1", "b", 2);
  Start();
  EXPECT_EQ(Live(study), 2);
  EXPECT_EQ(Live(without), 2);
  EXPECT_THAT(waits_.Of(study).room, HasSubstr("2 of 2 GPUs are in use"));
  EXPECT_EQ(waits_.Of(without).room, "");
  const auto uses = UseByProject(*store_.Snapshot());
  EXPECT_EQ(uses.at("p1").gpus, 2);
  EXPECT_EQ(uses.at("p1").parallel_trials, 4);
  EXPECT_EQ(uses.at("p1").studies, 2);
}

TEST_F(QuotaTest, TheRoomOfAnEndGoesToTheMoreImportantJob) {
  Limit("p1", {1, std::nullopt, std::nullopt});
  const StudyId early = Submit("p1", "a", 1);
  Start();
  const StudyId urgent = Submit("p1", "b", 1, 0, /*priority=*/5);
  Step();
  EXPECT_EQ(Live(urgent), 0);
  ExitOne(early);
  Step();
  EXPECT_EQ(Live(urgent), 1);
  EXPECT_EQ(Live(early), 0);
}

TEST_F(QuotaTest, AChangedQuotaHoldsForWhatStartsNext) {
  const StudyId study = Submit("p1", "a", 4);
  Start();
  EXPECT_EQ(Live(study), 4);
  Limit("p1", {2, std::nullopt, std::nullopt});
  Step();
  EXPECT_EQ(Live(study), 4) << "what runs goes on";
  ExitOne(study);
  Step();
  EXPECT_EQ(Live(study), 3);
  Limit("p1", {});
  Step();
  EXPECT_EQ(Live(study), 4);
  EXPECT_EQ(waits_.Of(study).room, "");
}

TEST_F(QuotaTest, AJobSaysThatItWaitsForItsQuota) {
  Limit("p1", {0, std::nullopt, std::nullopt});
  const StudyId study = Submit("p1", "a", 2);
  Start();
  EXPECT_THAT(ExplainJob(Study(study), waits_.Of(study)),
              HasSubstr("It waits for room in the quota of project p1: 0 of 0 "
                        "parallel trials run.\n"));
  Limit("p1", {1, std::nullopt, std::nullopt});
  Step();
  EXPECT_EQ(JobWaitsFor(JobOf(Study(study)), waits_.Of(study)),
            "1 running trial to end; for its next trial also room in the quota "
            "of project p1: 1 of 1 parallel trials run");
}

}  // namespace
}  // namespace vernier
