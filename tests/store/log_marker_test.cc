#include "store/pages/log_marker.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/store/temporary_folder.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

class LogMarkerTest : public testing::Test {
 protected:
  /// A log whose header has `salt`, in the format of SQLite's WAL.
  void BeginLog(std::uint64_t salt) const {
    std::string header(32, '\0');
    for (std::size_t i = 0; i < 8; ++i) {
      header[16 + i] = static_cast<char>(salt >> (8 * (7 - i)));
    }
    std::ofstream(log_path(), std::ios::binary) << header;
  }
  LogMarker Open() const { return *LogMarker::Open(path(), log_path()); }
  std::optional<LogMark> Mark() const { return LogMarker::Read(path()); }
  std::string path() const { return dir_ / "db-mark"; }
  std::string log_path() const { return dir_ / "db-wal"; }

 private:
  const TemporaryFolder dir_;
};

TEST_F(LogMarkerTest, NamesTheFillingOfTheLog) {
  BeginLog(7);
  LogMarker marker = Open();
  EXPECT_EQ(Mark(), LogMark{});
  marker.Advance(3, {2, 9});
  EXPECT_EQ(Mark(), (LogMark{7, 3, {2, 9}}));
  BeginLog(8);
  marker.Advance(1, {2, 9});
  EXPECT_EQ(Mark(), (LogMark{8, 1, {2, 9}})) << "shorter: begun anew";
}

// A shell of SQLite may have emptied the log while no service ran.
TEST_F(LogMarkerTest, ReadsTheSaltOfALogThatAnotherProgramBeganAnew) {
  BeginLog(7);
  Open().Advance(3, {2, 9});
  BeginLog(8);
  Open().Advance(5, {2, 9});
  EXPECT_EQ(Mark()->salt, 8u);
}

TEST_F(LogMarkerTest, KeepsNoSaltOfALogThatCannotBeRead) {
  BeginLog(7);
  LogMarker marker = Open();
  marker.Advance(3, {2, 9});
  fs::remove(log_path());
  marker.Advance(1, {2, 9});
  EXPECT_EQ(Mark()->frames, 3) << "it says too little";
  BeginLog(8);
  marker.Advance(5, {2, 9});
  EXPECT_EQ(Mark()->salt, 8u);
}

}  // namespace
}  // namespace vernier
