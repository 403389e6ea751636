#include "cluster/metrics/wandb_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/cluster/metrics/wandb_builder.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Texts = std::vector<std::string>;

Texts ShownRun(const GrowingFileReading& reading) {
  Texts texts;
  for (const Measurement& one : reading.measurements) {
    texts.push_back(absl::StrCat(one.metric, "@", one.step, "=", one.value, " ",
                                 std::chrono::floor<std::chrono::seconds>(
                                     one.reported_at.time_since_epoch())
                                     .count()));
  }
  return texts;
}

Texts ReadRun(const std::string& file) {
  WandbFileReader reader;
  return ShownRun(reader.Read(file));
}

TEST(WandbFileTest, ReadsWhatWasLogged) {
  const std::string file =
      WandbBuilder()
          .History({{"loss", "0.5"},
                    {"val.acc", "1"},
                    {"note", "\"0.7\""},
                    {"is_good", "true"},
                    {"_wandb.runtime", "7"},
                    {"_runtime", "3.5"},
                    {"_timestamp", "1.7e+09"},
                    {"_step", "4"}})
          .History(
              {{"loss", "NaN"}, {"_step", "5"}, {"_timestamp", "1700000001"}})
          .file();
  EXPECT_EQ(ReadRun(file),
            (Texts{"loss@4=0.5 1700000000", "val.acc@4=1 1700000000",
                   "loss@5=nan 1700000001"}));
}

TEST(WandbFileTest, TakesFromTheSummaryWhatWasNeverLogged) {
  WandbBuilder builder;
  builder.Summary({{"loss", "1"}, {"_step", "1"}})
      .History({{"loss", "0.5"}, {"_step", "1"}, {"_timestamp", "1700000000"}})
      .Summary({{"loss", "0.25"}, {"best", "0.1"}})
      .Summary({{"best", "0.2"}});
  EXPECT_EQ(ReadRun(builder.file()), (Texts{"loss@1=0.5 1700000000"}));
  builder.Exit();
  EXPECT_EQ(ReadRun(builder.file()),
            (Texts{"loss@1=0.5 1700000000", "best@1=0.2 1700000000"}));
}

TEST(WandbFileTest, TheFileMayGrowByAnyBytes) {
  WandbBuilder builder;
  builder.Record(std::string(40000, 'x'));  // No message; over a block's end.
  builder.History({{"loss", "0.5"}, {"_step", "1"}, {"_timestamp", "1"}});
  builder.Record(BytesField(13, std::string(32768, 'x')));
  builder.History({{"loss", "0.25"}, {"_step", "2"}, {"_timestamp", "2"}});
  const std::string& file = builder.file();
  for (const std::size_t piece : {1u, 7u, 1000u, 32768u}) {
    WandbFileReader reader;
    Texts found;
    for (std::size_t end = 0; end < file.size() + piece; end += piece) {
      const std::string now = file.substr(0, end);
      ASSERT_LE(reader.offset(), now.size());
      for (const std::string& one :
           ShownRun(reader.Read(now.substr(reader.offset())))) {
        found.push_back(one);
      }
    }
    EXPECT_EQ(found, (Texts{"loss@1=0.5 1", "loss@2=0.25 2"})) << piece;
    EXPECT_EQ(reader.offset(), file.size());
    EXPECT_FALSE(reader.is_damaged());
  }
}

// Its last block was set aside, and is zeros as yet.
TEST(WandbFileTest, WaitsForWhatIsNotWritten) {
  WandbBuilder builder;
  builder.History({{"loss", "0.5"}, {"_step", "1"}, {"_timestamp", "1"}});
  WandbFileReader reader;
  const std::size_t written = builder.file().size();
  EXPECT_EQ(
      reader.Read(builder.file() + std::string(100, '\0')).problems.size(), 0u);
  EXPECT_EQ(reader.offset(), written);
  EXPECT_FALSE(reader.is_damaged());
}

TEST(WandbFileTest, NamesDamage) {
  WandbBuilder builder;
  builder.History({{"loss", "0.5"}, {"_step", "1"}, {"_timestamp", "1"}})
      .History({{"loss", "0.25"}, {"_step", "2"}, {"_timestamp", "2"}});
  std::string flipped = builder.file();
  flipped[20] ^= 1;
  WandbFileReader reader;
  GrowingFileReading reading = reader.Read(flipped);
  EXPECT_EQ(ShownRun(reading), (Texts{"loss@2=0.25 2"}));
  EXPECT_THAT(reading.problems,
              ElementsAre(HasSubstr("byte 7 of the W&B file does not fit")));
  EXPECT_FALSE(reader.is_damaged());

  WandbFileReader other;
  reading = other.Read("these are other bytes");
  EXPECT_TRUE(other.is_damaged());
  EXPECT_THAT(reading.problems, ElementsAre(HasSubstr("from byte 0 on")));

  WandbFileReader typed;
  reading = typed.Read(WandbBuilder().file() + std::string(4, 'x') +
                       std::string("\1\0\7x", 4));
  EXPECT_TRUE(typed.is_damaged());
  EXPECT_THAT(reading.problems, ElementsAre(HasSubstr("from byte 7 on")));

  WandbFileReader nonsense;
  reading = nonsense.Read(WandbBuilder().Record("\x12\xff").file());
  EXPECT_THAT(reading.problems, ElementsAre(HasSubstr("is not a message")));
}

TEST(WandbFileTest, PassesOverLongRecords) {
  WandbBuilder builder;
  builder.Record(BytesField(2, std::string(kMaxWandbRecord, 'x')))
      .History({{"loss", "0.5"}, {"_step", "1"}, {"_timestamp", "1"}});
  WandbFileReader reader;
  const GrowingFileReading reading = reader.Read(builder.file());
  EXPECT_EQ(ShownRun(reading), (Texts{"loss@1=0.5 1"}));
  EXPECT_THAT(reading.problems, IsEmpty());
}

}  // namespace
}  // namespace vernier
