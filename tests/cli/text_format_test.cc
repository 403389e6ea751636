#include <gtest/gtest.h>
#include <vernier/v1/job_service.pb.h>

#include <string>
#include <vector>

#include "cli/display/duration_text.h"
#include "cli/display/log_printer.h"
#include "cli/display/output_format.h"
#include "cli/display/text_table.h"
#include "cli/display/value_projection.h"
#include "cli/display/yaml_text.h"

namespace vernier {
namespace {

TEST(TextTableTest, ColumnsAreAsWideAsTheirWidestCell) {
  const TextTable table{{"JOB", "STATE"},
                        {{"a", "RUNNING"},
                         {"gr\xc3\xb6\xc3\x9f"
                          "er",
                          ""},
                         {"two\nlines", "x"}}};
  EXPECT_EQ(FormatTable(table),
            "JOB        STATE\n"
            "a          RUNNING\n"
            "gr\xc3\xb6\xc3\x9f"
            "er\n"
            "two lines  x\n");
  EXPECT_EQ(FormatTable({{"JOB"}, {}}), "");
}

TEST(TextTableTest, ATableThatIsTooWideCutsNamesAndNeverNumbers) {
  const TextTable table{
      {"TRIAL", "OBJECTIVE", "model.encoder.layers.0.dropout",
       "model.encoder.layers.1.dropout", "NOTE"},
      {{"1", "1.06e-09", "0.123456", "0.5", "the program ended with code 1"},
       {"2", "0.25", "0.5", "0.654321", ""}}};
  const std::string whole = FormatTable(table);
  EXPECT_NE(whole.find("model.encoder.layers.1.dropout"), std::string::npos);
  EXPECT_EQ(FormatTable(table, Palette::kPlain, 66),
            "TRIAL  OBJECTIVE  mod~s.0.d~ut  mod~s.1.d~ut  NOTE\n"
            "1      1.06e-09   0.123456      0.5           the program "
            "ended...\n"
            "2      0.25       0.5           0.654321\n");
  // What cannot fit is left to the terminal.
  EXPECT_EQ(FormatTable(table, Palette::kPlain, 20), whole);
  EXPECT_EQ(FormatTable(table, Palette::kPlain, 200), whole);
}

TEST(TextTableTest, NamesOfAColumnStayApart) {
  TextTable table{{"JOB_ID", "STATE"}, {}};
  for (const char* seed : {"0", "1", "2"}) {
    table.rows.push_back(
        {std::string("ablation_of_the_learning_rate_schedule_seed_") + seed,
         "RUNNING"});
  }
  const std::string text = FormatTable(table, Palette::kPlain, 40);
  for (const char* end : {"d_0 ", "d_1 ", "d_2 "}) {
    EXPECT_NE(text.find(end), std::string::npos) << text;
  }
}

TEST(TextTableTest, LinesOfAFieldStay) {
  const TextTable table{
      {"FIELD", "VALUE"},
      {{"state", "FAILED"},
       {"errorMessage",
        "it ended\nTraceback (most recent call last):\n  File \"a.py\""}}};
  EXPECT_EQ(FormatTable(table),
            "FIELD         VALUE\n"
            "state         FAILED\n"
            "errorMessage  it ended\n"
            "              Traceback (most recent call last):\n"
            "                File \"a.py\"\n");
}

TEST(TextTableTest, CsvQuotesAndDisarmsFormulas) {
  const TextTable table{{"a", "b"},
                        {{"1,5", "say \"hi\""},
                         {"=1+1", "-0.5"},
                         {"+x", "@y"},
                         {"-dash", "1e-05"},
                         {"two\nlines", ""}}};
  EXPECT_EQ(FormatCsv(table),
            "a,b\n\"1,5\",\"say \"\"hi\"\"\"\n'=1+1,-0.5\n'+x,'@y\n"
            "'-dash,1e-05\n\"two\nlines\",\n");
}

TEST(YamlTextTest, QuotesWhatWouldBeSomethingElse) {
  EXPECT_EQ(*YamlFromJson(
                R"({"jobId":"a","v":"1.10","t":"true","e":"","n":5,"b":false,
                    "list":[{"x":1,"y":["p","q: r"]},[],"s",[1,2]],"o":{},
                    "m":{"k":"v"},"colon":"a:b","date":"2026-01-01","none":null})"),
            "jobId: a\n"
            "v: \"1.10\"\n"
            "t: \"true\"\n"
            "e: \"\"\n"
            "\"n\": 5\n"
            "b: false\n"
            "list:\n"
            "- x: 1\n"
            "  \"y\":\n"
            "  - p\n"
            "  - \"q: r\"\n"
            "- []\n"
            "- s\n"
            "-\n"
            "  - 1\n"
            "  - 2\n"
            "o: {}\n"
            "m:\n"
            "  k: v\n"
            "colon: \"a:b\"\n"
            "date: \"2026-01-01\"\n"
            "none: null\n");
  EXPECT_EQ(*YamlFromJson("[]"), "[]\n");
  EXPECT_FALSE(YamlFromJson("{").ok());
}

TEST(ValueProjectionTest, TakesPathsAsGcloudDoes) {
  const std::string job =
      R"({"state":"OK","n":3,"b":true,"out":{"trials":[
          {"id":"2","m":{"v":0.5}},{"id":"1"},{"id":"3","m":{"v":1}}]}})";
  const std::pair<const char*, const char*> cases[] = {
      {"state", "OK"},
      {"n", "3"},
      {"b", "True"},
      {"out.trials[0].id", "2"},
      {"out.trials[-1].id", "3"},
      {"out.trials[9].id", ""},
      {"out.trials.id", "2;1;3"},
      {"out.trials[].id", "2;1;3"},
      {"out.trials.id.slice(0)", "2"},
      {"out.trials.id.slice(1:)", "1;3"},
      {"out.trials.id.slice(:2)", "2;1"},
      {"out.trials.id.slice(-1)", "3"},
      {"out.trials.m.v", "0.5;;1"},
  };
  for (const auto& [path, value] : cases) {
    const auto values = ProjectValues(job, {path});
    ASSERT_TRUE(values.ok()) << path << values.status();
    EXPECT_EQ(*values, value + std::string("\n")) << path;
  }
  for (const char* path : {"", "a..b", "a.", "a[x]", "a[1", "a.size()", ".a"}) {
    EXPECT_FALSE(ProjectValues(job, {path}).ok()) << path;
  }
}

TEST(ValueProjectionTest, APathThatNoItemHasNamesWhatThereIs) {
  const auto error = [](const char* json, const char* path) {
    const auto values = ProjectValues(json, {path});
    EXPECT_EQ(values.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(values.status().message());
  };
  const char* trials =
      R"([{"id":1,"m":{"value":2}},{"id":2,"state":"X"},{"id":3,"l":[{"k":1}]}])";
  EXPECT_EQ(error(trials, "stat"),
            "--format value(stat): there is no \"stat\"; did you mean state?; "
            "there are id, m, state, l");
  EXPECT_EQ(error(trials, "m.step"),
            "--format value(m.step): there is no \"step\"; there are value");
  EXPECT_EQ(error(trials, "l[0].x"),
            "--format value(l[0].x): there is no \"x\"; did you mean k?; there "
            "are k");
  EXPECT_EQ(error(trials, "state.x"),
            "--format value(state.x): there is no \"x\"");
  EXPECT_EQ(*ProjectValues(trials, {"id", "state"}), "1\t\n2\tX\n3\t\n");
  EXPECT_EQ(*ProjectValues("[]", {"whatever"}), "");
}

TEST(ValueProjectionTest, AnItemMayLackWhatTheSchemaHas) {
  const PathCheck check = [](const std::vector<std::string>& keys) {
    return keys == std::vector<std::string>({"m", "value"})
               ? absl::OkStatus()
               : absl::InvalidArgumentError("no such field");
  };
  EXPECT_EQ(*ProjectValues(R"([{"id":1},{"id":2}])", {"m.value"}, check),
            "\n\n");
  for (const char* json : {"[]", R"([{"id":1}])"}) {
    EXPECT_EQ(ProjectValues(json, {"m.x"}, check).status().message(),
              "--format value(m.x): no such field");
  }
}

TEST(OutputFormatTest, ReadsWhatIsKnown) {
  EXPECT_EQ(ParseOutputFormat("csv")->kind, OutputFormat::Kind::kCsv);
  const auto value = ParseOutputFormat("value(a.b, c.slice(0))");
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(value->paths, std::vector<std::string>({"a.b", "c.slice(0)"}));
  for (const char* text : {"", "xml", "value()", "value(a"}) {
    EXPECT_EQ(ParseOutputFormat(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

TEST(OutputFormatTest, ValuesOfAListAreOneLineEach) {
  const auto text = Render(*ParseOutputFormat("value(a,b)"),
                           R"([{"a":1,"b":"x"},{"a":2}])", {});
  EXPECT_EQ(*text, "1\tx\n2\t\n");
}

TEST(DurationTextTest, ReadsAndPrints) {
  EXPECT_EQ(ParseDuration("30m")->count(), 1800);
  EXPECT_EQ(ParseDuration("90")->count(), 90);
  EXPECT_EQ(ParseDuration("2d")->count(), 172800);
  for (const char* text : {"", "0", "-5s", "5x", "s", "99999999999999d"}) {
    EXPECT_FALSE(ParseDuration(text).ok()) << text;
  }
  EXPECT_EQ(FormatDuration(std::chrono::seconds(5)), "5s");
  EXPECT_EQ(FormatDuration(std::chrono::seconds(125)), "2m05s");
  EXPECT_EQ(FormatDuration(std::chrono::seconds(3725)), "1h02m");
}

v1::LogChunk Chunk(const std::string& replica, const std::string& data) {
  v1::LogChunk chunk;
  chunk.set_trial_id(3);
  chunk.set_attempt(1);
  chunk.set_replica(replica);
  chunk.set_data(data);
  return chunk;
}

TEST(LogPrinterTest, ColumnsKeepLinesOfReplicasApart) {
  LogPrinter printer(LogPrinter::Style::kColumns);
  EXPECT_EQ(printer.Add(Chunk("master-replica-0", "one\ntw")),
            "master-replica-0  3  one\n");
  EXPECT_EQ(printer.Add(Chunk("worker-replica-0", "w\n")),
            "worker-replica-0  3  w\n");
  EXPECT_EQ(printer.Add(Chunk("master-replica-0", "o\n")),
            "master-replica-0  3  two\n");
  printer.Add(Chunk("master-replica-0", "end"));
  EXPECT_EQ(printer.Finish(), "master-replica-0  3  end\n");
}

TEST(LogPrinterTest, AsJsonEachLineIsAnObject) {
  LogPrinter printer(LogPrinter::Style::kJson);
  EXPECT_EQ(printer.Add(Chunk("m", "a \"b\" \xff\ntw")),
            "{\"trialId\":\"3\",\"attempt\":1,\"replica\":\"m\","
            "\"line\":\"a \\\"b\\\" \xEF\xBF\xBD\"}\n");
  EXPECT_EQ(printer.Finish(),
            "{\"trialId\":\"3\",\"attempt\":1,\"replica\":\"m\","
            "\"line\":\"tw\"}\n");
}

TEST(LogPrinterTest, HeadersOnlyWhenThereIsMoreThanOneLog) {
  LogPrinter printer(LogPrinter::Style::kHeaders);
  EXPECT_EQ(printer.Add(Chunk("m", "one\n")), "one\n");
  EXPECT_EQ(printer.Add(Chunk("m", "two")), "two");
  EXPECT_EQ(printer.Add(Chunk("w", "x\n")),
            "\n==> trial 3, attempt 1, w <==\nx\n");
}

}  // namespace
}  // namespace vernier
