#include "cluster/replica_log.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/scratch_folder.h"

namespace vernier {
namespace {

constexpr std::int64_t kCap = 1024;
constexpr char kName[] = "master-replica-0";

class ReplicaLogTest : public testing::Test {
 protected:
  ReplicaLogTest() {
    std::filesystem::create_directory(LogDirectory(dir_.path()));
  }

  ReplicaLogWriter MakeWriter() {
    return *ReplicaLogWriter::Create(LogDirectory(dir_.path()), kName, kCap);
  }
  ReplicaLogPart Read(std::int64_t offset, std::size_t limit) {
    const auto part = ReadReplicaLog(dir_.path(), kName, offset, limit);
    EXPECT_TRUE(part.ok()) << part.status();
    return part.ok() ? *part : ReplicaLogPart{};
  }
  // Everything from `offset` on, a few bytes at a time.
  std::string ReadAll(std::int64_t offset) {
    std::string all;
    while (true) {
      const ReplicaLogPart part = Read(offset, 7);
      if (part.data.empty()) return all;
      all += part.data;
      offset = part.next_offset;
    }
  }
  std::uintmax_t BytesOnDisk() {
    std::uintmax_t bytes = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(LogDirectory(dir_.path()))) {
      bytes += entry.file_size();
    }
    return bytes;
  }

  const ScratchFolder dir_;
};

TEST_F(ReplicaLogTest, CanBeReadWhileItGrows) {
  ReplicaLogWriter writer = MakeWriter();
  EXPECT_EQ(Read(0, 100).data, "");
  writer.Append("one\n", 4);
  EXPECT_EQ(Read(0, 100).data, "one\n");
  writer.Append("two\n", 4);
  const ReplicaLogPart part = Read(4, 100);
  EXPECT_EQ(part.data, "two\n");
  EXPECT_EQ(part.next_offset, 8);
  EXPECT_EQ(Read(8, 100).data, "");
}

TEST_F(ReplicaLogTest, KeepsHeadAndTailAndPositions) {
  ReplicaLogWriter writer = MakeWriter();
  std::string printed;
  for (int i = 0; printed.size() < 10 * kCap; ++i) {
    const std::string line = "line " + std::to_string(i) + "\n";
    writer.Append(line.data(), line.size());
    printed += line;
    EXPECT_LE(BytesOnDisk(), static_cast<std::uintmax_t>(kCap));
  }
  EXPECT_EQ(Read(0, kCap).data, printed.substr(0, kCap / 2));

  // A reader that was left behind goes on where the log goes on.
  const ReplicaLogPart part = Read(kCap / 2, 100);
  EXPECT_GT(part.offset, 9 * kCap);
  EXPECT_EQ(part.data,
            printed.substr(static_cast<std::size_t>(part.offset), 100));
  EXPECT_EQ(ReadAll(part.offset),
            printed.substr(static_cast<std::size_t>(part.offset)));
  EXPECT_GE(printed.size() - static_cast<std::size_t>(part.offset),
            static_cast<std::size_t>(kCap) * 3 / 8);

  const std::vector<ReplicaLogInfo> logs = ListReplicaLogs(dir_.path());
  ASSERT_EQ(logs.size(), 1u);
  EXPECT_EQ(logs[0].replica, kName);
  EXPECT_EQ(logs[0].end, static_cast<std::int64_t>(printed.size()));
}

TEST_F(ReplicaLogTest, EveryByteIsWhereItWasPrintedOrGone) {
  constexpr unsigned kSeed = 7;  // Printed on failure by the trace below.
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 rng(kSeed);
  ReplicaLogWriter writer = MakeWriter();
  std::string printed;
  for (int i = 0; i < 200; ++i) {
    std::string piece(rng() % (i % 50 == 0 ? 3 * kCap : 90), '\0');
    for (char& c : piece) c = static_cast<char>(rng());
    writer.Append(piece.data(), piece.size());
    printed += piece;
    const std::int64_t offset =
        static_cast<std::int64_t>(rng() % (printed.size() + 1));
    const ReplicaLogPart part = Read(offset, rng() % 300);
    ASSERT_GE(part.offset, offset);
    ASSERT_EQ(part.data, printed.substr(static_cast<std::size_t>(part.offset),
                                        part.data.size()));
  }
}

TEST_F(ReplicaLogTest, FindsTheLastLines) {
  ReplicaLogWriter writer = MakeWriter();
  const std::string text = "a\nb\nc\nd";
  writer.Append(text.data(), text.size());
  EXPECT_EQ(*FindLastLines(dir_.path(), kName, 2), 4);
  EXPECT_EQ(*FindLastLines(dir_.path(), kName, 100), 0);
  EXPECT_EQ(*FindLastLines(dir_.path(), kName, 0), 7);
  EXPECT_EQ(writer.LastLines(2), "c\nd");
  writer.Append("\n", 1);
  EXPECT_EQ(*FindLastLines(dir_.path(), kName, 2), 4);
  EXPECT_EQ(writer.LastLines(1), "d\n");
}

TEST_F(ReplicaLogTest, LastLinesAreBounded) {
  ReplicaLogWriter writer = MakeWriter();
  const std::string text(100'000, 'x');
  writer.Append(text.data(), text.size());
  EXPECT_EQ(writer.LastLines(20).size(), 4096u);
}

TEST_F(ReplicaLogTest, RefusesNamesThatAreNone) {
  MakeWriter();
  for (const char* name : {"", "../claim", "a/b", ".", "Master"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(
        ReadReplicaLog(dir_.path(), name, 0, 10).status()))
        << name;
  }
  EXPECT_TRUE(absl::IsInvalidArgument(
      ReadReplicaLog(dir_.path(), kName, -1, 10).status()));
  EXPECT_TRUE(absl::IsNotFound(
      ReadReplicaLog(dir_.path(), "worker-replica-0", 0, 10).status()));
  EXPECT_TRUE(ListReplicaLogs(dir_ / "nowhere").empty());
}

}  // namespace
}  // namespace vernier
