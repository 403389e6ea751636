#include "cluster/replica_log.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
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
      // What was lost is noted beside.
      if (entry.path().extension() != ".lost") bytes += entry.file_size();
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

// A program may lengthen its own log to terabytes that are nowhere.
TEST_F(ReplicaLogTest, HolesAreNoOutput) {
  ReplicaLogWriter writer = MakeWriter();
  const std::string path = LogDirectory(dir_.path()) + "/master-replica-0.log";
  writer.Append("one\n", 4);
  std::filesystem::resize_file(path, std::uintmax_t{1} << 42);
  EXPECT_EQ(Read(0, 100).data, "one\n");
  const ReplicaLogPart none = Read(4, 100);
  EXPECT_EQ(none.data, "");
  EXPECT_EQ(none.next_offset, 4);
  writer.Append("two\n", 4);
  EXPECT_EQ(Read(4, 100).data, "two\n");
  EXPECT_LE(ListReplicaLogs(dir_.path()).at(0).end, 1 << 16);
  const auto begin = FindLastLines(dir_.path(), "master-replica-0", 1);
  ASSERT_TRUE(begin.ok()) << begin.status();
  EXPECT_EQ(*begin, 4);
}

TEST_F(ReplicaLogTest, WhatComesBehindAHoleIsRead) {
  MakeWriter().Append("one\n", 4);
  const std::string path = LogDirectory(dir_.path()) + "/master-replica-0.log";
  constexpr std::int64_t kHole = std::int64_t{1} << 40;
  std::filesystem::resize_file(path, kHole);
  std::ofstream(path, std::ios::app) << "end\n";
  const ReplicaLogPart part = Read(4, 100);
  EXPECT_EQ(part.data, "end\n");
  EXPECT_EQ(part.offset, kHole);
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

// A limit of the size of files is as good as a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  sighandler_t handler_ = nullptr;
};

void Print(ReplicaLogWriter& writer, const std::string& text) {
  writer.Append(text.data(), text.size());
}

TEST_F(ReplicaLogTest, SaysWhereOutputWasLost) {
  ReplicaLogWriter writer = MakeWriter();
  const std::string first(90, 'x');
  Print(writer, first + "\n");
  {
    const FullDisk full(100);
    Print(writer, "loss=0.125\nloss=");
    Print(writer, "7\nloss=0.5\n");
    EXPECT_EQ(writer.lost().bytes, 18);
    writer.Mark();
    EXPECT_EQ(Read(0, 200).data, first + "\nloss=0.12") << "there is no room";
    EXPECT_EQ(ReadLostOutput(LogDirectory(dir_.path()), kName).bytes, 18)
        << "known all the same";
  }
  Print(writer, "loss=0.25\n");
  EXPECT_EQ(Read(0, 300).data,
            first +
                "\nloss=0.12[vernier: 18 bytes of output were lost here: file "
                "too large]\nloss=0.25\n");
  EXPECT_EQ(writer.lost().bytes, 18);
  EXPECT_EQ(writer.end(), ListReplicaLogs(dir_.path())[0].end);
  // What people see of the end is what was printed.
  EXPECT_EQ(writer.LastLines(3), "loss=7\nloss=0.5\nloss=0.25\n");
}

// It began where nobody can see, so it may look like something else.
TEST_F(ReplicaLogTest, TheRestOfALostLineIsLost) {
  ReplicaLogWriter writer = MakeWriter();
  const std::string first(59, 'x');
  Print(writer, first + "\n");
  {
    const FullDisk full(60);
    Print(writer, "val_");
  }
  Print(writer, "loss=9");
  Print(writer, "\nloss=1\n");
  EXPECT_EQ(Read(0, 200).data,
            first +
                "\n[vernier: 11 bytes of output were lost here: file too "
                "large]\nloss=1\n");
}

// The program may have ended long before there is room again.
TEST_F(ReplicaLogTest, AMarkMayComeLater) {
  const std::string first(59, 'x');
  {
    ReplicaLogWriter writer = MakeWriter();
    Print(writer, first + "\n");
    const FullDisk full(60);
    Print(writer, "loss=1\n");
  }
  MarkLostOutput(dir_.path(), kCap);
  const std::string marked =
      first + "\n[vernier: 7 bytes of output were lost here: file too large]\n";
  EXPECT_EQ(Read(0, 200).data, marked);
  MarkLostOutput(dir_.path(), kCap);
  EXPECT_EQ(Read(0, 200).data, marked) << "once";
  EXPECT_EQ(ReadLostOutput(LogDirectory(dir_.path()), kName).bytes, 7);
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
