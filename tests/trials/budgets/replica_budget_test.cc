// The limit on replicas, from the room there is to what the orchestrator
// starts.

#include "trials/budgets/replica_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trials/jobs/orchestrator_bed.h"
#include "tests/trials/study_builder.h"
#include "trials/jobs/explain.h"
#include "trials/jobs/waits_for.h"

namespace vernier {
namespace {

using ::testing::HasSubstr;

TEST(ReplicaBudgetTest, IsTakenUpToTheLimit) {
  ReplicaBudget room(16, 0);
  EXPECT_TRUE(room.Take(8));
  EXPECT_TRUE(room.Take(8));
  EXPECT_FALSE(room.Take(8));
  EXPECT_EQ(room.WaitFor(8),
            "room for its 8 replicas: 16 of at most 16 run at once (vernier "
            "serve --max-concurrent-replicas)");
}

TEST(ReplicaBudgetTest, HasRoomForAnyGangThatIsAlone) {
  ReplicaBudget empty(4, 0);
  EXPECT_TRUE(empty.Take(31));
  EXPECT_FALSE(empty.Take(1));
  ReplicaBudget busy(4, 1);
  EXPECT_FALSE(busy.Take(31));
}

TEST(ReplicaBudgetTest, LetsNoSmallGangOvertakeALargeOne) {
  ReplicaBudget room(8, 4);
  EXPECT_FALSE(room.Take(6));
  EXPECT_FALSE(room.Take(1));
  EXPECT_EQ(room.WaitFor(1),
            "room for its 1 replica: 4 of at most 8 run at once (vernier serve "
            "--max-concurrent-replicas), and a gang of 6 comes first");
}

TEST(ReplicaBudgetTest, WithoutALimitThereIsAlwaysRoom) {
  ReplicaBudget room(0, 1000);
  EXPECT_TRUE(room.Take(1000));
  EXPECT_TRUE(room.Take(1));
}

TEST(ReplicaBudgetTest, TheDefaultGrowsWithTheMachine) {
  EXPECT_EQ(DefaultMaxConcurrentReplicas(0), 16);  // Unknown.
  EXPECT_EQ(DefaultMaxConcurrentReplicas(2), 16);
  EXPECT_EQ(DefaultMaxConcurrentReplicas(64), 256);
}

class ReplicaLimitTest : public testing::Test, protected OrchestratorBed {
 protected:
  // It tells the hindrances.
  ~ReplicaLimitTest() override { orchestrator_.reset(); }

  void Start(int limit) {
    Orchestrator::Options options;
    options.max_concurrent_replicas = limit;
    OrchestratorBed::Start(nullptr, &hindrances_, options);
    Step();
  }
  static JobSpec Gang(int replicas, int parallel) {
    JobSpec spec = TuningSpec(20, parallel);
    spec.training_input.worker.count = replicas - 1;
    return spec;
  }

  Hindrances hindrances_;
};

TEST_F(ReplicaLimitTest, GangsStartAsFarAsThereIsRoomAndWhySaysSo) {
  Submit(Gang(8, 5));
  Start(16);
  EXPECT_EQ(launcher_.Alive().size(), 2u);
  const Hindrance hindrance = hindrances_.Of(study_);
  EXPECT_EQ(JobWaitsFor(JobOf(*Study()), hindrance),
            "2 running trials to end; for its next trial also room for its 8 "
            "replicas: 16 of at most 16 run at once (vernier serve "
            "--max-concurrent-replicas)");
  // An end makes room in the same step.
  launcher_.Exit(Key(1), 0);
  Step();
  EXPECT_EQ(launcher_.Alive().size(), 2u);
  EXPECT_EQ(launcher_.max_alive(), 2);
}

TEST_F(ReplicaLimitTest, AGangLargerThanTheLimitRunsAlone) {
  Submit(Gang(31, 3));
  Start(16);
  EXPECT_EQ(launcher_.Alive().size(), 1u);
  EXPECT_THAT(ExplainJob(*Study(), hindrances_.Of(study_)),
              HasSubstr("room for its 31 replicas: 31 of at most 16 run"));
}

TEST_F(ReplicaLimitTest, ARetryWaitsForRoomToo) {
  Submit(Gang(2, 2));
  Start(4);
  const StudyId first = study_;
  JobSpec other = Gang(2, 1);
  other.job_id = "other";
  Submit(other);
  launcher_.Exit({first, TrialId{1}, 1}, 139);
  Step();
  EXPECT_EQ(launcher_.Alive().size(), 2u);
  EXPECT_THAT(hindrances_.Of(study_).room, HasSubstr("4 of at most 4 run"));
}

class StoreTroubleTest : public ReplicaLimitTest {};

TEST_F(StoreTroubleTest, AFullDiskIsSaidOnceAndUntilThereIsRoom) {
  Submit(TuningSpec(10, 1));
  Start(0);
  log_.clear();
  launcher_.Exit(Key(1), 0);
  for (int i = 0; i < 10; ++i) {
    store_.FailNextWrite(absl::ResourceExhaustedError("the disk is full"));
    // One step: another at once would write what the first could not.
    ASSERT_TRUE(orchestrator_->Step().ok());
  }
  EXPECT_EQ(JobWaitsFor(JobOf(*Study()), hindrances_.Of(study_)),
            "room on the disk, since nothing can be stored: the disk is full");
  EXPECT_THAT(ExplainTrial(*Study(), Trial(1), hindrances_.Of(study_)),
              HasSubstr("It waits for room on the disk, since nothing"));
  EXPECT_EQ(log_.size(), 1u) << log_.front();
  Step();
  EXPECT_EQ(hindrances_.Trouble(), "");
  EXPECT_THAT(log_, testing::Contains("there is room on the disk again"));
}

TEST_F(StoreTroubleTest, WhoLooksForTroubleIsAskedOnlyIfNobodyTold) {
  std::string found = "room on the disk of /data";
  Hindrances hindrances([&found] { return found; });
  EXPECT_EQ(hindrances.Of(StudyId{1}).trouble, "room on the disk of /data");
  hindrances.SetTrouble("something else");
  EXPECT_EQ(hindrances.Trouble(), "something else");
  hindrances.SetTrouble("");
  found = "";
  EXPECT_EQ(hindrances.Trouble(), "");
}

}  // namespace
}  // namespace vernier
