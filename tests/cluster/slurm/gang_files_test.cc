#include "cluster/slurm/gang_files.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "cluster/slurm/gang_plan.h"
#include "cluster/slurm/node/node_address.h"
#include "tests/support/scratch_folder.h"

namespace vernier {
namespace {

constexpr ReplicaId kMaster{ReplicaRole::kMaster, 0};
constexpr ReplicaId kWorker{ReplicaRole::kWorker, 0};

TEST(GangFilesTest, OneOfManyClaimsAnAttempt) {
  const ScratchFolder folder;
  EXPECT_EQ(ReadJobClaim(folder.path())->kind, JobClaim::Kind::kNone);
  std::atomic<int> winners = 0;
  std::vector<std::thread> threads;
  for (int i = 1; i <= 8; ++i) {
    threads.emplace_back([&, i] {
      const JobClaim own{JobClaim::Kind::kHeld, i, "run"};
      const auto claim = ClaimAttempt(folder.path(), own);
      if (claim.ok() && *claim == own) ++winners;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(winners, 1);
  EXPECT_EQ(
      ClaimAttempt(folder.path(), {JobClaim::Kind::kRevoked, 0, ""})->kind,
      JobClaim::Kind::kHeld);
}

TEST(GangFilesTest, AJobThatRunsAgainHasLostItsClaim) {
  const ScratchFolder folder;
  const JobClaim first{JobClaim::Kind::kHeld, 17, "first"};
  EXPECT_EQ(*ClaimAttempt(folder.path(), first), first);
  EXPECT_EQ(*ClaimAttempt(folder.path(), {JobClaim::Kind::kHeld, 17, "again"}),
            first);
}

TEST(GangFilesTest, WhatIsRevokedStaysSo) {
  const ScratchFolder folder;
  const JobClaim revoked{JobClaim::Kind::kRevoked, 0, ""};
  EXPECT_EQ(*ClaimAttempt(folder.path(), revoked), revoked);
  EXPECT_EQ(*ClaimAttempt(folder.path(), {JobClaim::Kind::kHeld, 17, "run"}),
            revoked);
}

TEST(GangFilesTest, KeepsHowFarASubmissionCame) {
  const ScratchFolder folder;
  ASSERT_TRUE(MakeSlurmFolder(folder.path()).ok());
  EXPECT_EQ(*ReadSubmissionMark(folder.path()), SubmissionMark::kNone);
  ASSERT_TRUE(WriteSubmissionMark(folder.path(), SubmissionMark::kBegun).ok());
  EXPECT_EQ(*ReadSubmissionMark(folder.path()), SubmissionMark::kBegun);
  ASSERT_TRUE(
      WriteSubmissionMark(folder.path(), SubmissionMark::kSubmitted, 17).ok());
  EXPECT_EQ(*ReadSubmissionMark(folder.path()), SubmissionMark::kSubmitted);
}

TEST(GangFilesTest, MembersMeet) {
  const ScratchFolder folder;
  ASSERT_TRUE(MakeGangFiles(folder.path(), {kMaster, kWorker}).ok());
  EXPECT_EQ(ReadAddress(folder.path(), kWorker), std::nullopt);
  const MemberAddress address{"10.0.0.7", 20001, 20002};
  ASSERT_TRUE(PublishAddress(folder.path(), kWorker, address).ok());
  EXPECT_EQ(ReadAddress(folder.path(), kWorker), address);
  EXPECT_EQ(ReadAddress(folder.path(), kMaster), std::nullopt);

  EXPECT_EQ(ReadHosts(folder.path()), std::nullopt);
  for (const std::string hosts : {"", "n1=10.0.0.7,n2=10.0.0.8"}) {
    ASSERT_TRUE(PublishHosts(folder.path(), hosts).ok());
    EXPECT_EQ(ReadHosts(folder.path()), hosts);
  }

  EXPECT_FALSE(MemberRuns(folder.path(), kMaster));
  ASSERT_TRUE(NoteMemberRuns(folder.path(), kMaster).ok());
  EXPECT_TRUE(MemberRuns(folder.path(), kMaster));
  EXPECT_FALSE(MemberRuns(folder.path(), kWorker));

  EXPECT_FALSE(GangRuns(folder.path()));
  ASSERT_TRUE(NoteGangRuns(folder.path()).ok());
  EXPECT_TRUE(GangRuns(folder.path()));

  EXPECT_FALSE(IsGangToEnd(folder.path()));
  ASSERT_TRUE(AskGangToEnd(folder.path()).ok());
  EXPECT_TRUE(IsGangToEnd(folder.path()));
}

TEST(GangFilesTest, KeepsAPlan) {
  const ScratchFolder folder;
  ASSERT_TRUE(MakeSlurmFolder(folder.path()).ok());
  const GangPlan plan{
      "/bin/vernier",
      "nodeaddr",
      {{ReplicaRole::kMaster, 1, {"--exact"}}, {ReplicaRole::kWorker, 2, {}}}};
  ASSERT_TRUE(WriteGangPlan(folder.path(), plan).ok());
  const auto read = ReadGangPlan(folder.path());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, plan);
}

TEST(NodeAddressTest, ReadsWhatScontrolPrints) {
  const auto addresses = ParseNodeAddresses(
      "NodeName=n1 Arch=x86_64 NodeAddr=10.77.0.11 NodeHostName=n1 X=y\n"
      "NodeName=n2 NodeAddr=10.77.0.12\nnonsense\n");
  EXPECT_EQ(addresses, (std::map<std::string, std::string>{
                           {"n1", "10.77.0.11"}, {"n2", "10.77.0.12"}}));
}

TEST(NodeAddressTest, FindsAnInterface) {
  EXPECT_EQ(*InterfaceAddress("lo"), "127.0.0.1");
  EXPECT_TRUE(absl::IsNotFound(InterfaceAddress("nope0").status()));
}

}  // namespace
}  // namespace vernier
