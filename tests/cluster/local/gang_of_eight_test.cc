// 1 master, 4 workers and 3 parameter servers on one machine, started by the
// real supervisor, with a program that checks its environment and talks to
// every peer.

#include <gtest/gtest.h>

#include "cluster/attempt/exit_record.h"
#include "cluster/process/process_sweep.h"
#include "cluster/replica_log.h"
#include "tests/cluster/local_test_bed.h"
#include "tests/support/await_condition.h"

namespace vernier {
namespace {

using Kind = AttemptObservation::Kind;

LaunchRequest MakeGang(LocalTestBed& bed, int number) {
  const std::string command =
      "[\"/usr/bin/python3\",\"-ES\",\"" VERNIER_TESTDATA_DIR
      "/cluster/local/gang_member.py\"]";
  const std::string input =
      "\"scaleTier\":\"STANDARD_1\",\"args\":[\"--mine\"],"
      "\"hyperparameters\":{\"params\":[{\"parameterName\":\"rate\","
      "\"type\":\"DOUBLE\",\"minValue\":0,\"maxValue\":1}]}";
  LaunchRequest request = bed.MakeRequest(number, MakeJob(command, input));
  request.attempt.trial = TrialId{1};
  request.attempt.number = number;
  request.parameters = {{"rate", 0.25}};
  return request;
}

TEST(GangOfEightTest, EveryReplicaMeetsEveryPeerInTwoGangsAtOnce) {
  LocalTestBed bed;
  const LaunchRequest gangs[] = {MakeGang(bed, 1), MakeGang(bed, 2)};
  for (const LaunchRequest& gang : gangs) {
    ASSERT_TRUE(bed.launcher().Launch(gang).ok());
  }
  for (const LaunchRequest& gang : gangs) {
    const LiveAttempt live{gang.attempt, gang.nonce, gang.run_dir};
    AttemptObservation end;
    ASSERT_TRUE(AwaitCondition([&] {
      end = bed.launcher().Observe({live}).at(0);
      return end.kind == Kind::kEnded;
    }));
    EXPECT_EQ(end.exit_code, 0) << end.message;
    EXPECT_EQ(ReadReplicaLog(gang.run_dir, "master-replica-0", 0, 1000)->data,
              "met 7 peers\n");
    EXPECT_EQ(ListReplicaLogs(gang.run_dir).size(), 8u);
    // The parameter servers never end by themselves.
    const auto record = ReadExitRecord(gang.run_dir);
    ASSERT_TRUE(record.ok());
    ASSERT_EQ(record->ends.size(), 8u);
    for (std::size_t i = 5; i < 8; ++i) {
      EXPECT_EQ(record->ends[i].signal, SIGTERM);
    }
    EXPECT_TRUE(SweepProcesses({gang.nonce}).empty());
  }
}

}  // namespace
}  // namespace vernier
