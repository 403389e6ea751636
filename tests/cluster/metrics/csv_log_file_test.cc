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

// A program that appends to the table of an earlier run writes its head again.
TEST(CsvLogFileTest, ALaterHeadNamesTheColumnsBehindIt) {
  EXPECT_EQ(ReadTable("epoch,loss,val_loss\n0,0.5,0.4\n"
                      "epoch,val_loss,loss\n0,0.7,0.6\n"
                      "epoch,acc,loss,val_loss\n1,0.9,0.3,0.2\n"),
            (Texts{"loss@0=0.5", "val_loss@0=0.4", "val_loss@0=0.7",
                   "loss@0=0.6", "acc@1=0.9", "loss@1=0.3", "val_loss@1=0.2"}));
  EXPECT_EQ(ReadTable("step,loss\n1,0.5\nloss,step\n0.25,2\n", "metrics.csv"),
            (Texts{"loss@1=0.5", "loss@2=0.25"}));
  // No head of a log.
  EXPECT_EQ(ReadTable("epoch,loss\n1,0.5\nloss,epoch\n2,0.25\n"),
            (Texts{"loss@1=0.5", "loss@2=0.25"}));
}

TEST(CsvLogFileTest, ALineEndInQuotesEndsNoRow) {
  const std::string text =
      "epoch,note,loss\n0,\"a\n7,8,9\n\"\"b\"\"\",0.5\n1,c,0.25\n";
  const Texts expected = {"loss@0=0.5", "loss@1=0.25"};
  EXPECT_EQ(ReadTable(text), expected);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    CsvLogReader reader("log.csv");
    Texts found = ShownTable(reader.Read(text.substr(0, cut)));
    for (const std::string& one :
         ShownTable(reader.Read(text.substr(reader.offset())))) {
      found.push_back(one);
    }
    EXPECT_EQ(found, expected) << cut;
  }
}

TEST(CsvLogFileTest, AQuoteThatIsNeverClosedTakesOneLine) {
  CsvLogReader reader("log.csv");
  const std::string text = "epoch,note,loss\n0,\"a,0.5\n1,b,0.25\n2,c,0.125";
  EXPECT_EQ(ShownTable(reader.Read(text)), Texts{});
  EXPECT_EQ(ShownTable(reader.ReadLast(text.substr(reader.offset()))),
            (Texts{"loss@1=0.25", "loss@2=0.125"}));
  std::string rows;
  for (int i = 1; rows.size() <= kMaxMetricLine; ++i) {
    rows += absl::StrCat(i, ",b,", i, "\n");
  }
  const Texts many = ReadTable("epoch,note,loss\n0,\"a,0.5\n" + rows);
  ASSERT_FALSE(many.empty());
  EXPECT_EQ(many.front(), "loss@1=1");
}

TEST(CsvLogFileTest, ReportsWhatItPassesOver) {
  const auto problems_of = [](const std::string& text) {
    CsvLogReader reader("log.csv");
    return reader.Read(text).problems;
  };
  EXPECT_EQ(problems_of("epoch,loss,loss\n1,0.5,0.25\n"),
            (Texts{"the CSV file has several columns \"loss\"; only the first "
                   "is read"}));
  EXPECT_EQ(ReadTable("epoch,loss,loss\n1,0.5,0.25\n"), (Texts{"loss@1=0.5"}));
  EXPECT_EQ(problems_of("epoch,loss\n0,0,4\n1,0,3\n"),
            (Texts{"row 1 of the CSV file has 3 cells, and its head 2; such "
                   "rows are passed over"}));
  EXPECT_EQ(problems_of("epoch;loss\n0;0,4\n1;0,3\n"),
            (Texts{"row 1 of the CSV file has no number that can be read as "
                   "\"loss\": 0,4"}));
  EXPECT_EQ(problems_of("epoch,day\n0,2026-01-01\n1,a b\n"), Texts{});
  EXPECT_EQ(problems_of(std::string("\xff\xfe"
                                    "e\0p\0o\0\n\0",
                                    10)),
            (Texts{"a CSV file is UTF-16 text, which is not read; write it as "
                   "UTF-8"}));
}

TEST(CsvLogFileTest, ValuesOfAnotherUnitAreNotCompared) {
  CsvLogReader reader("log.csv");
  const auto reading =
      reader.Read("epoch,acc,time\n1,93%,950 ms\n2,0.5,1.2 s\n3,94%,900 ms\n");
  EXPECT_EQ(ShownTable(reading),
            (Texts{"acc@1=93", "time@1=950", "acc@3=94", "time@3=900"}));
  EXPECT_EQ(reading.problems,
            (Texts{"row 2 of the CSV file has another unit than \"%\", the "
                   "first of \"acc\": 0.5",
                   "row 2 of the CSV file has another unit than \"ms\", the "
                   "first of \"time\": 1.2 s"}));
}

TEST(CsvLogFileTest, RowsOfTheTestDataCountUntilThereIsValidation) {
  EXPECT_EQ(ReadTable("epoch,phase,acc\n"
                      "1,train,0.75\n1,test,0.5\n1,val,0.625\n2,test,0.25\n"
                      "2,val,0.5\n"),
            (Texts{"acc@1=0.75", "acc@1=0.5", "acc@1=0.625", "acc@2=0.5"}));
}

TEST(CsvLogFileTest, TheIndexOfPandasIsNoColumn) {
  EXPECT_EQ(ReadTable(",epoch,loss\n0,5,0.5\n1,6,0.25\n"),
            (Texts{"loss@5=0.5", "loss@6=0.25"}));
}

// As with several folds that write the same file.
TEST(CsvLogFileTest, OtherRowsOfAFileThatWasBegunAgainAreLater) {
  CsvLogReader first("log.csv");
  const auto before =
      first.Read("epoch,a\n0,0.5\n1,0.25\n2,0.125\n").measurements;
  CsvLogReader second("log.csv");
  second.Succeed(first);
  const auto after = second.Read("epoch,a\n0,0.5\n1,0.75\n").measurements;
  ASSERT_EQ(before.size(), 3u);
  ASSERT_EQ(after.size(), 2u);
  EXPECT_EQ(after[0].reported_at, before[0].reported_at);
  EXPECT_GT(after[1].reported_at, before[2].reported_at);
  // What is repeated keeps its place, also if that is read in two parts.
  CsvLogReader third("log.csv");
  third.Succeed(second);
  third.Read("epoch,a,b\n0,0.5,\n");
  CsvLogReader fourth("log.csv");
  fourth.Succeed(third);
  const auto again =
      fourth.Read("epoch,a,b\n0,0.5,\n1,0.75,\n2,0.5,1\n").measurements;
  ASSERT_EQ(again.size(), 4u);
  EXPECT_EQ(again[1].reported_at, after[1].reported_at);
  EXPECT_GT(again[2].reported_at, after[1].reported_at);
}

TEST(CsvLogFileTest, RowsOfAnotherTrialArePassedOver) {
  const std::string text = "epoch,a\n0,0.5\n1,0.25\n";
  CsvLogReader reader("log.csv");
  reader.PassOver(text.size());
  EXPECT_EQ(ShownTable(reader.Read(text + "0,0.75\n")), (Texts{"a@0=0.75"}));
}

}  // namespace
}  // namespace vernier
