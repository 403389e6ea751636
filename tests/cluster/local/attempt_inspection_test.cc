#include "cluster/local/attempt_inspection.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "cluster/attempt/exit_record.h"
#include "cluster/attempt/kill_request.h"
#include "cluster/process/process_sweep.h"
#include "tests/support/no_descriptors.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

using Found = AttemptInspection::Kind;

class AttemptInspectionTest : public testing::Test {
 protected:
  LiveAttempt Attempt(bool has_run) const {
    return {{StudyId{1}, TrialId{1}, 1}, kNonce, dir_.path(), has_run};
  }
  void WriteClaim(const std::string& nonce, const std::string& boot) const {
    std::filesystem::remove(dir_ / "claim");
    Claim claim;
    claim.nonce = nonce;
    claim.boot_id = boot;
    ASSERT_TRUE(ClaimFile::Lock(dir_.path())->Write(claim).ok());
  }
  void WriteRecord() const {
    ExitRecord record;
    record.nonce = kNonce;
    record.replicas = {{ReplicaRole::kMaster, 0}};
    record.ends = {{.exit_code = 3, .signal = {}}};
    record.deciding = 0;
    ASSERT_TRUE(WriteExitRecord(dir_.path(), record).ok());
  }
  Found Inspect(bool has_run) const {
    return InspectAttempt(Attempt(has_run), "boot").kind;
  }

  const std::string kNonce = std::string(32, 'a');
  const std::string kOther = std::string(32, 'b');
  const ScratchFolder dir_;
};

TEST_F(AttemptInspectionTest, AnswersAsItsTableSays) {
  WriteClaim(kNonce, "boot");
  EXPECT_EQ(Inspect(true), Found::kOrphaned);
  WriteClaim(kNonce, "another-boot");
  EXPECT_EQ(Inspect(true), Found::kLost);
  WriteClaim(kOther, "boot");
  EXPECT_EQ(Inspect(false), Found::kNeverStarted);
  EXPECT_EQ(Inspect(true), Found::kTampered);
  WriteText(dir_ / "claim", "claimed " + kNonce);
  EXPECT_EQ(Inspect(false), Found::kOrphaned);
  EXPECT_EQ(Inspect(true), Found::kTampered);
  WriteText(dir_ / "claim", "");
  EXPECT_EQ(Inspect(true), Found::kTampered);
  EXPECT_EQ(ReadText(dir_ / "claim"), "");
  EXPECT_EQ(Inspect(false), Found::kNeverStarted);
  EXPECT_EQ(ReadText(dir_ / "claim"), "revoked\n");
  EXPECT_EQ(Inspect(true), Found::kTampered);
  std::filesystem::remove(dir_ / "claim");
  std::filesystem::create_directory(dir_ / "claim");
  EXPECT_EQ(Inspect(true), Found::kTampered);
}

TEST_F(AttemptInspectionTest, ARecordCountsWhateverTheClaimSays) {
  WriteRecord();
  WriteClaim(kOther, "boot");
  EXPECT_EQ(Inspect(false), Found::kEnded);
  for (const char* text : {"", "revoked\n", "claimed", "nonsense\n"}) {
    WriteText(dir_ / "claim", text);
    const AttemptInspection seen = InspectAttempt(Attempt(false), "boot");
    EXPECT_EQ(seen.kind, Found::kEnded) << text;
    EXPECT_EQ(seen.observation.exit_code, 3) << text;
  }
}

TEST_F(AttemptInspectionTest, ADamagedRecordIsTheProgramsDoing) {
  WriteClaim(kNonce, "boot");
  WriteText(dir_ / "exit.json", "{");
  const AttemptInspection seen = InspectAttempt(Attempt(true), "boot");
  EXPECT_EQ(seen.kind, Found::kTampered);
  EXPECT_NE(seen.damage.find("exit.json"), std::string::npos) << seen.damage;
  std::filesystem::remove(dir_ / "exit.json");
  std::filesystem::create_directory(dir_ / "exit.json");
  EXPECT_EQ(Inspect(true), Found::kTampered);
}

// One that has ended well must not be run again because nothing could be
// opened at that moment.
TEST_F(AttemptInspectionTest, WhatCannotBeReadIsUnknown) {
  WriteClaim(kNonce, "boot");
  WriteRecord();
  for (const int left : {0, 1}) {
    const NoDescriptors few(left);
    EXPECT_EQ(Inspect(true), Found::kUnknown) << left;
  }
  EXPECT_EQ(Inspect(true), Found::kEnded);
}

TEST_F(AttemptInspectionTest, AnUnreadableKillRequestIsNotAMissingOne) {
  EXPECT_FALSE(ReadKillRequest(dir_.path())->has_value());
  ASSERT_TRUE(
      WriteKillRequest(dir_.path(), std::chrono::milliseconds(70)).ok());
  EXPECT_EQ(**ReadKillRequest(dir_.path()), std::chrono::milliseconds(70));
  const NoDescriptors none(0);
  EXPECT_FALSE(ReadKillRequest(dir_.path()).ok());
  EXPECT_FALSE(ReadClaim(dir_.path()).ok());
}

TEST_F(AttemptInspectionTest, ASweepThatCannotLookProvesNothing) {
  EXPECT_TRUE(SweepProcesses({kNonce}).empty());
  for (const int left : {0, 1}) {
    const NoDescriptors few(left);
    EXPECT_EQ(SweepProcesses({kNonce}).size(), 1u) << left;
  }
}

}  // namespace
}  // namespace vernier
