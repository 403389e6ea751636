#include "cluster/log_times.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "cluster/replica_log.h"
#include "tests/support/scratch_folder.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr char kLogName[] = "master-replica-0";
const Timestamp kStart(seconds(1000));

class LogTimesTest : public testing::Test {
 protected:
  LogTimesTest() {
    std::filesystem::create_directory(LogDirectory(dir_.path()));
  }
  LogTimesWriter MakeWriter() {
    return *LogTimesWriter::Create(LogDirectory(dir_.path()), kLogName);
  }
  LogTimes Read() { return LogTimes::Read(dir_.path(), kLogName); }

  const ScratchFolder dir_;
};

TEST_F(LogTimesTest, TellsWhenBytesCame) {
  LogTimesWriter writer = MakeWriter();
  writer.Note(0, kStart);
  writer.Note(100, kStart + seconds(1));
  writer.Note(150, kStart + seconds(5));
  const LogTimes times = Read();
  EXPECT_EQ(times.At(0, {}), kStart);
  EXPECT_EQ(times.At(99, {}), kStart);
  EXPECT_EQ(times.At(100, {}), kStart + seconds(1));
  EXPECT_EQ(times.At(1000, {}), kStart + seconds(5));
  EXPECT_EQ(times.OffsetBefore(kStart), 0);
  EXPECT_EQ(times.OffsetBefore(kStart + seconds(1)), 0);
  EXPECT_EQ(times.OffsetBefore(kStart + seconds(2)), 100);
  EXPECT_EQ(times.OffsetBefore(kStart + seconds(9)), 150);
}

TEST_F(LogTimesTest, TimesNeverGoBackAndStaySmall) {
  LogTimesWriter writer = MakeWriter();
  writer.Note(0, kStart);
  writer.Note(10, kStart - seconds(60));
  writer.Note(20, kStart + milliseconds(9));
  writer.Note(30, kStart + milliseconds(10));
  const LogTimes times = Read();
  EXPECT_EQ(times.At(20, {}), kStart);
  EXPECT_EQ(times.At(30, {}), kStart + milliseconds(10));
  for (int i = 0; i < 100000; ++i) {
    writer.Note(40 + i, kStart + milliseconds(20 + 10 * i));
  }
  // 10,000 close ones, and one a second for the other 900 s.
  EXPECT_LT(std::filesystem::file_size(LogDirectory(dir_.path()) + "/" +
                                       kLogName + ".times"),
            16u * 11000);
  // No time is off by more than a second.
  const LogTimes many = Read();
  for (int i = 0; i < 100000; i += 997) {
    const Timestamp came = kStart + milliseconds(20 + 10 * i);
    EXPECT_LE(many.At(40 + i, {}), came);
    EXPECT_GT(many.At(40 + i, {}), came - milliseconds(1010));
  }
}

TEST_F(LogTimesTest, KnowsNothingOfAnOldLog) {
  EXPECT_EQ(Read().At(5, kStart), kStart);
  EXPECT_EQ(Read().OffsetBefore(kStart), 0);
}

TEST_F(LogTimesTest, IgnoresANoteThatIsNotWhole) {
  LogTimesWriter writer = MakeWriter();
  writer.Note(0, kStart);
  writer.Note(10, kStart + seconds(1));
  std::filesystem::resize_file(
      LogDirectory(dir_.path()) + "/" + kLogName + ".times", 31);
  EXPECT_EQ(Read().At(10, {}), kStart);
}

}  // namespace
}  // namespace vernier
