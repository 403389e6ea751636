#include "cluster/slurm/node/gang_progress.h"

#include <gtest/gtest.h>

#include <csignal>

namespace vernier {
namespace {

const std::vector<ReplicaId> kProgressGang = {{ReplicaRole::kMaster, 0},
                                              {ReplicaRole::kWorker, 0}};

ExitRecord Exited(int code) {
  ExitRecord record;
  record.ends = {{code, std::nullopt}};
  record.deciding = 0;
  record.message = "status " + std::to_string(code);
  record.lasted = std::chrono::seconds(code + 1);
  return record;
}

ExitRecord Stopped() {
  ExitRecord record;
  record.ends = {{std::nullopt, SIGTERM}};
  record.stopped_by_request = true;
  return record;
}

TEST(GangProgressTest, TheMastersEndDecides) {
  GangProgress gang(kProgressGang);
  gang.TakeEnd(0, Exited(0));
  EXPECT_TRUE(gang.is_decided());
  EXPECT_TRUE(gang.has_ended(0));
  EXPECT_FALSE(gang.has_ended(1));
  gang.TakeEnd(1, Stopped());
  EXPECT_FALSE(gang.was_ended_from_outside());
  const ExitRecord record = gang.Record(false);
  EXPECT_EQ(record.deciding, 0u);
  EXPECT_EQ(record.ends[0].exit_code, 0);
  EXPECT_EQ(record.ends[1].signal, SIGTERM);
  EXPECT_EQ(record.message, "status 0");
}

TEST(GangProgressTest, AWorkerDecidesByFailingOnly) {
  GangProgress gang(kProgressGang);
  gang.TakeEnd(1, Exited(0));
  EXPECT_FALSE(gang.is_decided());
  GangProgress failed(kProgressGang);
  failed.TakeEnd(1, Exited(3));
  EXPECT_TRUE(failed.is_decided());
  failed.TakeEnd(0, Stopped());
  EXPECT_EQ(failed.Record(false).deciding, 1u);
  EXPECT_EQ(failed.Record(false).message, "status 3");
}

TEST(GangProgressTest, AProgramThatCannotBeStartedDecides) {
  GangProgress gang(kProgressGang);
  gang.TakeEnd(1, FailedLaunch(absl::NotFoundError("no such program")));
  EXPECT_TRUE(gang.is_decided());
  const ExitRecord record = gang.Record(false);
  EXPECT_TRUE(record.launch_failed);
  EXPECT_EQ(record.message, "no such program");
  EXPECT_EQ(record.deciding, std::nullopt);
}

TEST(GangProgressTest, ASignalFromNobodyHereIsSlurms) {
  GangProgress gang(kProgressGang);
  gang.TakeEnd(1, Stopped());
  EXPECT_TRUE(gang.was_ended_from_outside());
  EXPECT_FALSE(gang.is_decided());
}

TEST(GangProgressTest, AStopOnRequestSaysHowTheMasterEnded) {
  GangProgress gang(kProgressGang);
  const ExitRecord before = gang.Record(true);
  EXPECT_TRUE(before.stopped_by_request);
  EXPECT_EQ(before.deciding, std::nullopt);
  gang.TakeEnd(0, Stopped());
  const ExitRecord record = gang.Record(true);
  EXPECT_EQ(record.deciding, 0u);
  EXPECT_EQ(record.ends[0].signal, SIGTERM);
  EXPECT_NE(record.message, "");
}

}  // namespace
}  // namespace vernier
