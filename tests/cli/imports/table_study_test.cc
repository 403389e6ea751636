#include "cli/imports/table_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "absl/strings/str_join.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

TableColumns Columns() {
  TableColumns columns;
  columns.metrics = {{"loss", Goal::kMinimize}};
  return columns;
}

absl::StatusOr<ForeignStudy> ReadTable(
    const std::string& text, const TableColumns& columns = Columns()) {
  const auto table = ParseCsv(text, "t.csv");
  if (!table.ok()) return table.status();
  return StudyFromTable(*table, columns, "t.csv", "t");
}

std::string TableErrorOf(const std::string& text,
                         const TableColumns& columns = Columns()) {
  return std::string(ReadTable(text, columns).status().message());
}

TEST(CsvTableTest, ReadsQuotesAndBothLineEnds) {
  const auto table = ParseCsv(
      "\xef\xbb\xbf"
      "a,\"b\"\"c\"\r\n\"x,\ny\",\n\n2,3",
      "t.csv");
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_THAT(table->columns, ElementsAre("a", "b\"c"));
  ASSERT_THAT(table->rows, SizeIs(2));
  EXPECT_THAT(table->rows[0].cells, ElementsAre("x,\ny", ""));
  EXPECT_EQ(table->rows[0].line, 2u);
  EXPECT_THAT(table->rows[1].cells, ElementsAre("2", "3"));
  EXPECT_EQ(table->rows[1].line, 5u);
}

TEST(CsvTableTest, NamesTheLineThatIsWrong) {
  EXPECT_THAT(TableErrorOf("a,loss\n1\n"),
              HasSubstr("t.csv: line 2: has 1 cells, and the header has 2"));
  EXPECT_THAT(TableErrorOf("a,a\n"), HasSubstr("line 1: the header names"));
  EXPECT_THAT(TableErrorOf("a,loss\n1,\"2\n"),
              HasSubstr("a quote is not closed"));
  EXPECT_THAT(TableErrorOf("a,loss\n1,\"2\"3\n"),
              HasSubstr("a comma must follow"));
  EXPECT_THAT(TableErrorOf("a,loss\n1,2\"3\n"), HasSubstr("middle of a cell"));
  EXPECT_THAT(TableErrorOf(""), HasSubstr("is empty"));
  EXPECT_THAT(TableErrorOf("a,loss\n\xff,1\n"), HasSubstr("must be UTF-8"));
}

TEST(TableStudyTest, InfersTypesAndSaysSo) {
  const auto study = ReadTable(
      "lr,layers,opt,x,one,loss\n"
      "1e-4,1,sgd,0.5,7,3\n"
      "0.2,3,adam,-1,7,2.5\n");
  ASSERT_TRUE(study.ok()) << study.status();
  const auto& space = study->spec.parameters;
  ASSERT_THAT(space, SizeIs(4));
  EXPECT_EQ(space[0].scale, ScaleType::kLog);
  EXPECT_EQ(space[1].type, ParameterType::kInteger);
  EXPECT_THAT(space[2].categorical_values, ElementsAre("sgd", "adam"));
  EXPECT_EQ(space[3].type, ParameterType::kDouble);
  EXPECT_EQ(space[3].scale, ScaleType::kLinear);
  EXPECT_EQ(study->trials[0].attributes.at("one"), "7");
  EXPECT_EQ(study->trials[1].parameters[1].value,
            ParameterValue(std::int64_t{3}));
  EXPECT_THAT(absl::StrJoin(study->notes, "\n"),
              HasSubstr("column one has the same value in all rows"));
}

TEST(TableStudyTest, TakesGivenRangesAndLeavesTheRestAsAttributes) {
  TableColumns columns = Columns();
  ParameterSpec lr;
  lr.name = "lr";
  lr.min_value = 1e-5;
  lr.max_value = 1;
  columns.given = {lr};
  columns.inferred = {"layers"};
  const auto study =
      ReadTable("lr,layers,note,loss\n0.1,2,good,3\n0.2,2,,2\n", columns);
  ASSERT_TRUE(study.ok()) << study.status();
  EXPECT_THAT(study->spec.parameters, SizeIs(2));
  EXPECT_EQ(study->spec.parameters[0].min_value, 1e-5);
  EXPECT_EQ(study->trials[0].attributes.at("note"), "\"good\"");
}

TEST(TableStudyTest, KeepsStatesIdsAndTimes) {
  TableColumns columns = Columns();
  columns.id = "run";
  columns.state = "state";
  columns.started = "from";
  columns.ended = "to";
  const auto study = ReadTable(
      "run,state,from,to,x,loss\n"
      "a,finished,2026-01-01T00:00:00Z,2026-01-01T00:01:00Z,1,3\n"
      "b,Failed,,,2,\n"
      "c,running,,,3,\n"
      "d,stopped,,,4,5\n"
      "e,finished,,,5,\n"
      "f,finished,,,6,nan\n",
      columns);
  ASSERT_TRUE(study.ok()) << study.status();
  ASSERT_THAT(study->trials, SizeIs(5));
  EXPECT_EQ(study->trials[0].id, "a");
  EXPECT_EQ(study->trials[0].final_report->elapsed, std::chrono::minutes(1));
  EXPECT_EQ(study->trials[1].state, ForeignTrial::State::kInfeasible);
  EXPECT_EQ(study->trials[2].state, ForeignTrial::State::kStopped);
  EXPECT_EQ(study->trials[3].state, ForeignTrial::State::kInfeasible);
  EXPECT_EQ(study->trials[4].state, ForeignTrial::State::kCompleted);
  EXPECT_THAT(study->notes, ElementsAre(HasSubstr("types and ranges"),
                                        HasSubstr("1 trial (c): running"),
                                        HasSubstr("1 trial (e): without"),
                                        HasSubstr("1 trial (f): a value")));
}

TEST(TableStudyTest, NamesTheColumnOrTheLineThatIsWrong) {
  EXPECT_THAT(
      TableErrorOf("x,los\n1,2\n"),
      HasSubstr("t.csv: has no column \"loss\"; did you mean \"los\"?"));
  EXPECT_THAT(TableErrorOf("x,loss\n1,2\n2,low\n"),
              HasSubstr("line 3: column \"loss\": must be a number: \"low\""));
  EXPECT_THAT(TableErrorOf("x;loss\n1;2\n"),
              HasSubstr("has no column \"loss\"; it seems to be separated by "
                        "semicolons"));
  EXPECT_THAT(TableErrorOf("x;loss\n1,5;2\n"),
              HasSubstr("line 2: has 2 cells, and the header has 1; it seems "
                        "to be separated by semicolons"));
  TableColumns columns = Columns();
  columns.state = "state";
  EXPECT_THAT(TableErrorOf("x,state,loss\n1,odd,2\n", columns),
              HasSubstr("line 2: column \"state\": must be a state"));
  columns.state = "";
  columns.id = "x";
  EXPECT_THAT(TableErrorOf("x,loss\n1,2\n1,3\n", columns),
              HasSubstr("line 3: column \"x\": must tell the rows apart"));
}

TEST(TableStudyTest, SaysWhyNoColumnIsAParameter) {
  const std::pair<const char*, const char*> cases[] = {
      {"x,y,loss\n1,a,2\n1,a,3\n", "each other column has the same value"},
      {"x,y,loss\n1,,2\n1,,3\n", "the other columns have one value, none"},
      {"loss\n2\n3\n", "the table has no other column"},
      {"x,loss\n1,2\n2,3\n", ""},
  };
  for (const auto& [text, why] : cases) {
    const auto study = ReadTable(text);
    ASSERT_TRUE(study.ok()) << study.status();
    EXPECT_THAT(study->no_parameters, HasSubstr(why)) << text;
    EXPECT_EQ(study->spec.parameters.empty(), *why != '\0') << text;
  }
}

// Else trials that failed, or still run, would count as completed.
TEST(TableStudyTest, FindsTheColumnOfStatesByItsName) {
  TableColumns columns = Columns();
  columns.inferred = {"x"};
  const auto study = ReadTable(
      "x,State,loss\n1,finished,3\n2,crashed,0.5\n3,running,0.1\n4,Pruned,2\n",
      columns);
  ASSERT_TRUE(study.ok()) << study.status();
  ASSERT_THAT(study->trials, SizeIs(3));
  EXPECT_EQ(study->trials[1].state, ForeignTrial::State::kInfeasible);
  EXPECT_EQ(study->trials[2].state, ForeignTrial::State::kStopped);
  EXPECT_THAT(study->notes.front(),
              HasSubstr("column State is taken for the states"));
}

TEST(TableStudyTest, AColumnOfOtherWordsIsNoneOfStates) {
  const auto study = ReadTable("status,loss\nsgd,1\nadam,2\n");
  ASSERT_TRUE(study.ok()) << study.status();
  EXPECT_EQ(study->spec.parameters.front().name, "status");
  TableColumns columns = Columns();
  columns.inferred = {"x"};
  const auto mixed =
      ReadTable("x,status,loss\n1,finished,3\n2,odd,2\n", columns);
  ASSERT_TRUE(mixed.ok()) << mixed.status();
  EXPECT_THAT(mixed->notes.front(),
              HasSubstr("since \"odd\" is none: --state status"));
  columns.inferred = {"status"};
  const auto named =
      ReadTable("x,status,loss\n1,finished,3\n2,failed,2\n", columns);
  ASSERT_TRUE(named.ok()) << named.status();
  EXPECT_EQ(named->trials[1].state, ForeignTrial::State::kCompleted);
}

// As pandas writes trials_dataframe() of Optuna.
TEST(TableStudyTest, ReadsWhatPandasWrites) {
  const auto study = ReadTable(
      ",params_layers,params_lr,loss\n"
      "0,2.0,0.5,3\n"
      "1,,0.25,2\n"
      "2,8.0,1.0,1\n");
  ASSERT_TRUE(study.ok()) << study.status();
  const auto table = ParseCsv(",a,b\n0,1.0,2\n1,,3\n", "t.csv");
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_THAT(table->columns, ElementsAre("a", "b"));
  EXPECT_THAT(table->rows[1].cells, ElementsAre("", "3"));
  TableColumns columns = Columns();
  columns.inferred = {"params_layers", "params_lr"};
  const auto parameters = ReadTable(
      "params_layers,params_lr,loss\n2.0,0.5,\n,2.0,2\n8.0,1.0,1\n", columns);
  ASSERT_TRUE(parameters.ok()) << parameters.status();
  EXPECT_EQ(parameters->trials[2].parameters[0].value,
            ParameterValue(std::int64_t{8}));
  EXPECT_EQ(parameters->trials[2].parameters[1].value, ParameterValue(1.0));
}

// A double would make another seed of it.
TEST(TableStudyTest, KeepsAllDigitsOfLargeWholeNumbers) {
  TableColumns columns = Columns();
  columns.inferred = {"seed"};
  const auto study = ReadTable(
      "seed,commit,n,loss\n"
      "9007199254740993,9007199254740993,1234e7,1\n"
      "9007199254740995,9007199254740995,+5,2\n",
      columns);
  ASSERT_TRUE(study.ok()) << study.status();
  EXPECT_THAT(study->spec.parameters.front().categorical_values,
              ElementsAre("9007199254740993", "9007199254740995"));
  EXPECT_EQ(study->trials[0].attributes.at("commit"), "9007199254740993");
  EXPECT_EQ(study->trials[0].attributes.at("n"), "1234e7");
  EXPECT_EQ(study->trials[1].attributes.at("n"), "5");
}

TEST(TableStudyTest, NamesNumbersThatItTakesForTexts) {
  for (const std::string number : {"0,5", "1,024", "10%", "1 024", "007"}) {
    const auto study =
        ReadTable("x,loss\n\"" + number + "\",1\n\"2" + number + "\",2\n");
    ASSERT_TRUE(study.ok()) << study.status();
    EXPECT_THAT(study->notes.front(),
                HasSubstr("since \"" + number + "\" is no number here"));
  }
  const auto words = ReadTable("x,loss\n3x3,1\nadam 2,2\n");
  ASSERT_TRUE(words.ok()) << words.status();
  EXPECT_THAT(words->notes, SizeIs(1));
}

TEST(TableStudyTest, BlanksAroundACellDoNotCount) {
  const auto study = ReadTable("x, loss\n 0.5 ,\t1\n 0.25 , 2 \n");
  ASSERT_TRUE(study.ok()) << study.status();
  EXPECT_EQ(study->spec.parameters.front().type, ParameterType::kDouble);
  EXPECT_EQ(study->trials[1].final_report->metrics[0].value, 2);
}

TEST(TableStudyTest, NamesTimesThatItCannotRead) {
  TableColumns columns = Columns();
  columns.started = "from";
  columns.ended = "to";
  columns.inferred = {"x"};
  const auto study = ReadTable(
      "x,from,to,loss\n"
      "1,01/02/2026 10:00,01/02/2026 11:00,1\n"
      "2,2026-01-01 10:00:00,2026-01-01 11:00:00,1\n3,,,1\n",
      columns);
  ASSERT_TRUE(study.ok()) << study.status();
  EXPECT_THAT(study->notes,
              ElementsAre(HasSubstr("1 trial (1): without how long it took")));
}

}  // namespace
}  // namespace vernier
