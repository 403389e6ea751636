#include "study/metric_renames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "study/former_names_rule.h"
#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

using testing::HasSubstr;

StudySpec WithMetrics(const std::vector<std::string>& metrics) {
  StudySpec spec;
  for (const std::string& name : metrics) spec.metrics.push_back({name});
  spec.constraints = {{"memory", std::nullopt, 4}};
  return spec;
}

StudySpec Renamed(const StudySpec& spec, const FormerNames& asked) {
  const auto renames = PlanMetricRenames(spec, asked);
  EXPECT_TRUE(renames.ok()) << renames.status();
  return WithRenames(spec, renames.value_or(MetricRenames{}));
}

TEST(MetricRenamesTest, NamesAreKeptFromTheFirstToTheLast) {
  StudySpec spec = Renamed(WithMetrics({"a"}), {{"b", {"a"}}});
  EXPECT_EQ(spec.metrics[0].name, "b");
  spec = Renamed(spec, {{"c", {"b"}}});
  EXPECT_EQ(spec.renamed_from, (FormerNames{{"c", {"a", "b"}}}));
  EXPECT_EQ(RecordedName(spec.renamed_from, "c"), "a");
  EXPECT_EQ(NameOfRecorded(spec.renamed_from, "a"), "c");
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_EQ(NameOfReported(spec, name), "c");
  }
  EXPECT_EQ(NameOfReported(spec, "other"), "other");
  EXPECT_EQ(WhyNoFormerNames(spec.renamed_from, NeededMetrics(spec)), "");
  // The same question again asks for nothing.
  EXPECT_EQ(Renamed(spec, {{"c", {"b"}}}), spec);
  EXPECT_EQ(Renamed(spec, {{"c", {"a"}}}), spec);
}

TEST(MetricRenamesTest, ConstrainedMetricsAreRenamedToo) {
  const StudySpec spec = Renamed(WithMetrics({"a"}), {{"bytes", {"memory"}}});
  EXPECT_EQ(spec.constraints[0].metric, "bytes");
  EXPECT_TRUE(HaveSameMetrics(WithMetrics({"a"}), spec));
  EXPECT_EQ(RenamesBetween(WithMetrics({"a"}), spec),
            (MetricRenames{{"memory", "bytes"}}));
  EXPECT_FALSE(HaveSameMetrics(WithMetrics({"b"}), spec));
}

// So that an edit which comes twice changes nothing the second time.
TEST(MetricRenamesTest, ASwapIsUndoneByWayOfAThirdName) {
  const StudySpec before = WithMetrics({"a", "b"});
  const FormerNames swap = {{"a", {"b"}}, {"b", {"a"}}};
  const StudySpec after = Renamed(before, swap);
  EXPECT_EQ(after.metrics[0].name, "b");
  EXPECT_EQ(after.renamed_from, swap);
  EXPECT_TRUE(PassesNamesOn(before, RenamesBetween(before, after)));
  EXPECT_EQ(Renamed(after, swap), after);
  StudySpec undone = Renamed(after, {{"c", {"b"}}});
  EXPECT_EQ(undone.metrics[0].name, "c");
  undone = Renamed(undone, {{"b", {"a"}}});
  undone = Renamed(undone, {{"a", {"c"}}});
  EXPECT_EQ(undone.metrics, before.metrics);
  for (const char* name : {"a", "b"}) {
    EXPECT_EQ(RecordedName(undone.renamed_from, name), name);
    EXPECT_EQ(NameOfReported(undone, name), name);
  }
}

TEST(MetricRenamesTest, AChainAgainAsksForNothing) {
  const FormerNames chain = {{"b", {"a"}}, {"c", {"b"}}};
  const StudySpec after = Renamed(WithMetrics({"a", "b"}), chain);
  EXPECT_EQ(after.metrics[0].name, "b");
  EXPECT_EQ(after.metrics[1].name, "c");
  EXPECT_EQ(Renamed(after, chain), after);
  EXPECT_EQ(Renamed(after, after.renamed_from), after);
}

TEST(MetricRenamesTest, SixteenNamesAreKept) {
  StudySpec spec = WithMetrics({"n0"});
  for (int i = 1; i <= 16; ++i) {
    spec = Renamed(spec, {{absl::StrCat("n", i), {absl::StrCat("n", i - 1)}}});
  }
  EXPECT_EQ(spec.renamed_from.at("n16").size(), 16u);
  EXPECT_THAT(
      std::string(
          PlanMetricRenames(spec, {{"n17", {"n16"}}}).status().message()),
      HasSubstr("it has had 16 names"));
  EXPECT_EQ(Renamed(spec, {{"n3", {"n16"}}}).metrics[0].name, "n3");
}

TEST(MetricRenamesTest, TheFirstNameForgetsAllButWhatProgramsMaySay) {
  const StudySpec before = WithMetrics({"a"});
  const StudySpec there = Renamed(before, {{"b", {"a"}}});
  const StudySpec back = Renamed(there, {{"a", {"b"}}});
  EXPECT_EQ(back.renamed_from, (FormerNames{{"a", {"a", "b"}}}));
  EXPECT_EQ(RecordedName(back.renamed_from, "a"), "a");
  EXPECT_EQ(NameOfReported(back, "b"), "a");
}

TEST(MetricRenamesTest, SaysWhatCannotBe) {
  const StudySpec spec = Renamed(WithMetrics({"a", "b"}), {{"c", {"a"}}});
  const auto refuses = [&](const FormerNames& asked, const char* why) {
    EXPECT_THAT(std::string(PlanMetricRenames(spec, asked).status().message()),
                HasSubstr(why));
  };
  refuses({{"d", {"x"}}},
          "no metric is or was called \"x\": the metrics are \"c\", \"b\", "
          "\"memory\"");
  refuses({{"b", {"c"}}}, "another metric has that name");
  refuses({{"a", {"b"}}}, "metric \"c\" was reported under that name");
  refuses({{"d", {"b", "c"}}}, "cannot both be \"d\"");
  refuses({{"d", {"b"}}, {"e", {"b"}}}, "gets two names");
}

TEST(MetricRenamesTest, ANameIsOfOneMetricOnly) {
  const auto why = [](const FormerNames& names) {
    StudySpec spec = WithMetrics({"a", "b"});
    spec.renamed_from = names;
    return WhyNoFormerNames(spec.renamed_from, NeededMetrics(spec));
  };
  EXPECT_EQ(why({{"a", {"x", "y"}}}), "");
  EXPECT_EQ(why({{"a", {"b"}}, {"b", {"a"}}}), "");
  EXPECT_THAT(why({{"c", {"x"}}}), HasSubstr("has \"c\", which is no metric"));
  EXPECT_THAT(why({{"a", {}}}), HasSubstr("must have 1 to 16 names"));
  EXPECT_THAT(why({{"a", {""}}}), HasSubstr("names of 1 to 256 bytes"));
  EXPECT_THAT(why({{"a", {"x", "x"}}}), HasSubstr("the name \"x\" twice"));
  EXPECT_THAT(why({{"a", {"b"}}}), HasSubstr("the name \"b\" twice"));
}

TEST(MetricRenamesTest, AJobFileIsCheckedToo) {
  const auto errors = [](const std::string& names) {
    return std::string(
        ParseJob("jobId: a\ntrainingInput: {hyperparameters: {goal: MINIMIZE, "
                 "hyperparameterMetricTag: loss, params: [{parameterName: x, "
                 "type: DOUBLE, minValue: 0, maxValue: 1}]}}\n"
                 "vernier: {command: [/bin/true], renamedFrom: " +
                     names + "}\n",
                 {})
            .status()
            .message());
  };
  EXPECT_EQ(errors("{loss: [error, cost]}"), "");
  EXPECT_THAT(errors("{los: [error]}"),
              HasSubstr("has \"los\", which is no metric"));
  EXPECT_THAT(errors("{loss: []}"), HasSubstr("1 to 16 names"));
  EXPECT_THAT(errors("{loss: [a, a]}"), HasSubstr("the name \"a\" twice"));
  EXPECT_THAT(errors("{loss: error}"), HasSubstr("list"));
  EXPECT_THAT(errors("[error]"), HasSubstr("mapping"));
}

TEST(MetricRenamesTest, StoredStudiesKeepTheNames) {
  StudySpec spec = Renamed(WithMetrics({"a"}), {{"b", {"a"}}});
  spec.parameters.emplace_back().name = "x";
  spec.parameters[0].max_value = 1;
  const auto read = StudySpecFromJson(StudySpecToJson(spec));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, spec);
}

}  // namespace
}  // namespace vernier
