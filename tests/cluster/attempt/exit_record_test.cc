#include "cluster/attempt/exit_record.h"

#include <gtest/gtest.h>

#include <csignal>

#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

ExitRecord TwoReplicas(ReplicaEnd master, ReplicaEnd worker,
                       std::size_t deciding) {
  ExitRecord record;
  record.nonce = std::string(32, 'a');
  record.replicas = {{ReplicaRole::kMaster, 0}, {ReplicaRole::kWorker, 2}};
  record.ends = {master, worker};
  record.deciding = deciding;
  return record;
}

TEST(ExitRecordTest, AShellSaysThatItsProgramWasTerminated) {
  EXPECT_TRUE((ReplicaEnd{{}, SIGTERM}.is_by_termination()));
  EXPECT_TRUE((ReplicaEnd{143, {}}.is_by_termination()));
  EXPECT_FALSE((ReplicaEnd{1, {}}.is_by_termination()));
  EXPECT_FALSE((ReplicaEnd{{}, SIGKILL}.is_by_termination()));
  EXPECT_FALSE(ReplicaEnd{}.is_by_termination());
}

TEST(ExitRecordTest, SpeaksAsAiPlatformDoes) {
  ExitRecord record = TwoReplicas({.exit_code = 7, .signal = {}}, {}, 0);
  EXPECT_EQ(DescribeEnd(record),
            "The replica master 0 exited with a non-zero status of 7. "
            "Termination reason: Error.");

  record = TwoReplicas({}, {.exit_code = {}, .signal = 11}, 1);
  EXPECT_EQ(DescribeEnd(record),
            "The replica worker 2 exited with a non-zero status of "
            "11(SIGSEGV). Termination reason: Error.");

  record = TwoReplicas({.exit_code = {}, .signal = 9}, {}, 0);
  record.out_of_memory = true;
  EXPECT_EQ(DescribeEnd(record),
            "The replica master 0 ran out-of-memory and exited with a "
            "non-zero status of 9(SIGKILL).");

  record = TwoReplicas({.exit_code = 0, .signal = {}}, {}, 0);
  EXPECT_EQ(DescribeEnd(record), "");

  record = TwoReplicas({.exit_code = {}, .signal = 15}, {}, 0);
  record.stopped_by_request = true;
  EXPECT_EQ(DescribeEnd(record),
            "The replica master 0 was stopped on request and ended with "
            "status 15(SIGTERM).");
}

TEST(ExitRecordTest, ReadsWhatItWrote) {
  const ScratchFolder dir;
  ExitRecord record = TwoReplicas({.exit_code = 0, .signal = {}},
                                  {.exit_code = {}, .signal = 15}, 0);
  record.out_of_memory = true;
  record.stopped_by_request = true;
  record.launch_failed = true;
  record.message = "two\nlines and a bad byte: \xff";
  record.lasted = std::chrono::microseconds(1234567);
  ASSERT_TRUE(WriteExitRecord(dir.path(), record).ok());

  const absl::StatusOr<ExitRecord> read = ReadExitRecord(dir.path());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->nonce, record.nonce);
  EXPECT_EQ(read->replicas, record.replicas);
  EXPECT_EQ(read->ends, record.ends);
  EXPECT_EQ(read->deciding, record.deciding);
  EXPECT_TRUE(read->out_of_memory);
  EXPECT_TRUE(read->stopped_by_request);
  EXPECT_TRUE(read->launch_failed);
  EXPECT_EQ(read->lasted, record.lasted);
  EXPECT_EQ(read->message.substr(0, 25), record.message.substr(0, 25));
}

TEST(ExitRecordTest, RefusesWhatIsNoRecord) {
  const ScratchFolder dir;
  EXPECT_TRUE(absl::IsNotFound(ReadExitRecord(dir.path()).status()));
  for (const char* text : {"", "{", "[]", "{\"nonce\":7}"}) {
    WriteText(dir / "exit.json", text);
    EXPECT_TRUE(absl::IsDataLoss(ReadExitRecord(dir.path()).status())) << text;
  }
}

}  // namespace
}  // namespace vernier
