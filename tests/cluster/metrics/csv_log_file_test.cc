#include "cluster/metrics/csv_log_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

using Texts = std::vector<std::string>;

Texts ShownTable(const GrowingFileReading& reading) {
  Texts texts;
  for (const Measurement& one : reading.measurements) {
    texts.push_back(absl::StrCat(one.metric, "@", one.step, "=", one.value));
  }
  return texts;
}

Texts ReadTable(const std::string& text, const std::string& name = "log.csv") {
  CsvLogReader reader(name);
  return ShownTable(reader.Read(text));
}

TEST(CsvLogFileTest, ReadsTheLogOfKeras) {
  EXPECT_EQ(ReadTable("epoch,accuracy,loss,val_loss\n"
                      "0,0.5,1.25,NA\n"
                      "1,0.75,nan,0.5\n"),
            (Texts{"accuracy@0=0.5", "loss@0=1.25", "accuracy@1=0.75",
                   "loss@1=nan", "val_loss@1=0.5"}));
  EXPECT_EQ(ReadTable("\xef\xbb\xbf"
                      "epoch;loss\r\n3;0.5\r\n"),
            (Texts{"loss@3=0.5"}));
}

TEST(CsvLogFileTest, ReadsTheLogOfLightning) {
  EXPECT_EQ(ReadTable("acc,epoch,step,val_loss\n"
                      "0.5,0,49,\n"
                      ",0,99,0.25\n",
                      "metrics.csv"),
            (Texts{"acc@49=0.5", "val_loss@99=0.25"}));
}

TEST(CsvLogFileTest, LeavesOtherTablesAlone) {
  EXPECT_EQ(ReadTable("id,epoch,loss\n1,2,0.5\n"), Texts{});
  EXPECT_EQ(ReadTable("step,loss\n1,0.5\n"), Texts{});
  EXPECT_EQ(ReadTable("a,b\n1,0.5\n", "metrics.csv"), Texts{});
  EXPECT_EQ(ReadTable("epoch\n1\n"), Texts{});
  EXPECT_EQ(ReadTable(std::string(kMaxMetricLine + 1, 'x')), Texts{});
}

TEST(CsvLogFileTest, PassesOverWhatIsNoRow) {
  EXPECT_EQ(ReadTable("epoch,loss\n"
                      "x,1\n"    // No step.
                      "1,2,3\n"  // Too many cells.
                      "2\n"      // None of the metric.
                      "\n"
                      "3,\"0.25\"\n"
                      "4,\"[1, 2]\"\n" +
                      std::string(kMaxMetricLine, 'x') + "\n5,0.125\n"),
            (Texts{"loss@3=0.25", "loss@5=0.125"}));
}

TEST(CsvLogFileTest, RowsWithFractionsOfEpochsAreCounted) {
  EXPECT_EQ(ReadTable("epoch, loss\n0.5, 4\n1, 3\n1.5, 2\n2, 1\n"),
            (Texts{"loss@1=4", "loss@2=3", "loss@3=2", "loss@4=1"}));
  EXPECT_EQ(ReadTable("epoch,loss\n1,3\n1.5,2\n2,1\n"),
            (Texts{"loss@1=3", "loss@2=2", "loss@3=1"}));
  EXPECT_EQ(ReadTable("epoch,loss\n9223372036854775807,1\n0.5,2\n"),
            (Texts{"loss@1=2"}));
}

TEST(CsvLogFileTest, RowsOfTheTrainingDataCountUntilThereAreOthers) {
  EXPECT_EQ(ReadTable("epoch,phase,acc\n"
                      "1,train,0.75\n1,val,0.5\n2,val,0.625\n2,Train,0.875\n"),
            (Texts{"acc@1=0.75", "acc@1=0.5", "acc@2=0.625"}));
  EXPECT_EQ(ReadTable("epoch,phase,acc\n1,train,0.75\n2,train,0.875\n"),
            (Texts{"acc@1=0.75", "acc@2=0.875"}));
}

TEST(CsvLogFileTest, ACellMayHaveWhatPythonPrints) {
  CsvLogReader reader("log.csv");
  const auto reading = reader.Read(
      "epoch,loss\n1,\"tensor(0.5)\"\n2,\"1,234.5\"\n3,--\n4,abc\n5,def\n");
  EXPECT_EQ(ShownTable(reading), (Texts{"loss@1=0.5", "loss@2=1234.5"}));
  EXPECT_EQ(reading.problems,
            (Texts{"row 4 of the CSV file has no number that can be read as "
                   "\"loss\": abc"}));
}

TEST(CsvLogFileTest, TheLastRowNeedsNoEnd) {
  CsvLogReader reader("log.csv");
  const std::string text = "epoch,loss\n1,0.5\n2,0.3";
  EXPECT_EQ(ShownTable(reader.Read(text)), (Texts{"loss@1=0.5"}));
  const auto last = reader.ReadLast(text.substr(reader.offset()));
  EXPECT_EQ(ShownTable(last), (Texts{"loss@2=0.3"}));
  EXPECT_EQ(last.problems.size(), 1u);
  EXPECT_EQ(reader.offset(), text.size());
  // A row that was cut has fewer cells.
  EXPECT_EQ(ShownTable(reader.ReadLast("3")), Texts{});
}

TEST(CsvLogFileTest, ARowWithoutItsEndMayStillGrow) {
  const std::string text = "epoch,loss\n0,0.5\n1,0.25\n";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    CsvLogReader reader("log.csv");
    Texts found = ShownTable(reader.Read(text.substr(0, cut)));
    for (const std::string& one :
         ShownTable(reader.Read(text.substr(reader.offset())))) {
      found.push_back(one);
    }
    EXPECT_EQ(found, (Texts{"loss@0=0.5", "loss@1=0.25"})) << cut;
    EXPECT_EQ(reader.offset(), text.size());
    EXPECT_EQ(reader.head(), "epoch,loss\n");
  }
}

// Its rows are the same measurements then.
TEST(CsvLogFileTest, ARowHasTheSameTimeBelowALongerHead) {
  CsvLogReader before("metrics.csv");
  CsvLogReader after("metrics.csv");
  const auto first = before.Read("step,a\n1,0.5\n2,0.25\n").measurements;
  const auto second =
      after.Read("step,a,added\n1,0.5,\n2,0.25,\n").measurements;
  ASSERT_EQ(first.size(), 2u);
  ASSERT_EQ(second.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(first[i].reported_at, second[i].reported_at);
  }
  EXPECT_LT(first[0].reported_at, first[1].reported_at);
}

}  // namespace
}  // namespace vernier
