#include "study/study_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "study/constraint_parser.h"
#include "study/metric_report.h"

namespace vernier {
namespace {

using testing::HasSubstr;

ParameterSpec Named(const std::string& name, ParameterType type) {
  ParameterSpec spec;
  spec.name = name;
  spec.type = type;
  return spec;
}

// Every field of every kind.
StudySpec Everything() {
  StudySpec spec;
  spec.metrics = {{"loss", Goal::kMinimize, 0.75}, {"recall", Goal::kMaximize}};
  spec.constraints = {{"latency", std::nullopt, 12.5},
                      {"recall", 0.25, std::nullopt},
                      {"size", 1, 2}};
  spec.algorithm = Algorithm::kRandomSearch;
  spec.stopping_rule = StoppingRule::kDecayCurve;
  spec.noise = ObservationNoise::kHigh;
  ParameterSpec rate = Named("rate", ParameterType::kDouble);
  rate.min_value = 1e-5;
  rate.max_value = 0.1;
  rate.scale = ScaleType::kLog;
  rate.default_value = 0.01;
  ParameterSpec layers = Named("layers", ParameterType::kInteger);
  layers.min_value = -2;
  layers.max_value = 9007199254740992;
  layers.default_value = std::int64_t{3};
  ParameterSpec kind = Named("kind", ParameterType::kCategorical);
  kind.categorical_values = {"a b", "\"quoted\""};
  kind.default_value = std::string("a b");
  ParameterSpec width = Named("width", ParameterType::kDiscrete);
  width.discrete_values = {0.1, 1, 1e300};
  width.condition = ParameterCondition{2, {std::string("a b")}};
  ParameterSpec depth = Named("depth", ParameterType::kDouble);
  depth.condition = ParameterCondition{3, {0.1, 1.0}};
  depth.max_value = 1;
  spec.parameters = {rate, layers, kind, width, depth};
  return spec;
}

std::string SpecErrorOf(const StudySpec& spec) {
  const absl::Status status = ValidateStudySpec(spec);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(StudySpecTest, AConstraintHasBounds) {
  StudySpec spec = Everything();
  spec.constraints = {{"latency"}};
  EXPECT_THAT(SpecErrorOf(spec),
              HasSubstr("constraint \"latency\" must have a min or a max"));
  spec.constraints = {{"latency", 3, 2}};
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("has a min of 3 above its max"));
  spec.constraints = {{"latency", NAN}};
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("must be finite"));
  spec.constraints = {{"latency", 1}, {"latency", 2}};
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("is there twice"));
  spec.constraints = {{"", 1}};
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("constraint"));
  spec.constraints.clear();
  for (int i = 0; i < 17; ++i) {
    spec.constraints.push_back({"c" + std::to_string(i), 1});
  }
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("must be at most 16: 17"));
  spec.constraints.clear();
  spec.metrics[0].reference = INFINITY;
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("a reference that is not finite"));
}

TEST(StudySpecTest, ASlackIsTheDistanceToTheNearerBound) {
  EXPECT_EQ(SlackOf({"m", std::nullopt, 2}, 0.5), 1.5);
  EXPECT_EQ(SlackOf({"m", 2}, 0.5), -1.5);
  EXPECT_EQ(SlackOf({"m", 0, 2}, 0.5), 0.5);
  EXPECT_EQ(SlackOf({"m", 0, 2}, 2), 0);
  EXPECT_TRUE(std::isfinite(SlackOf({"m", 1e308}, -1e308)));
}

TEST(StudySpecTest, ComesBackFromJsonAsItWas) {
  const StudySpec spec = Everything();
  ASSERT_TRUE(ValidateStudySpec(spec).ok()) << ValidateStudySpec(spec);
  const auto read = StudySpecFromJson(StudySpecToJson(spec));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, spec);
}

TEST(StudySpecTest, KeepsConstraintsBetweenParametersInItsJson) {
  StudySpec spec;
  spec.metrics = {{"loss", Goal::kMinimize}};
  ParameterSpec a;
  a.name = "a";
  a.max_value = 1;
  ParameterSpec b = a;
  b.name = "b";
  spec.parameters = {a, b};
  const std::string without = StudySpecToJson(spec);
  EXPECT_EQ(without.find("parameterConstraints"), std::string::npos);
  EXPECT_TRUE(StudySpecFromJson(without)->parameter_constraints.empty());
  spec.parameter_constraints = *ParseParameterConstraints(
      {"a <= b", "not (a > 0.5 and b = 1)"}, spec.parameters);
  const auto read = StudySpecFromJson(StudySpecToJson(spec));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, spec);
  EXPECT_EQ(TextsOf(read->parameter_constraints),
            TextsOf(spec.parameter_constraints));
  spec.parameters[1].name = "c";
  EXPECT_THAT(std::string(ValidateStudySpec(spec).message()),
              ::testing::HasSubstr("no parameter is called \"b\""));
}

TEST(StudySpecTest, RefusesJsonThatIsNoSpec) {
  const std::string good = StudySpecToJson(Everything());
  for (const char* part :
       {"\"metrics\"", "\"parameters\"", "\"algorithm\"", "\"MINIMIZE\"",
        "\"DOUBLE\"", "\"min\"", "\"parent\"", "\"goal\""}) {
    std::string bad = good;
    bad.replace(bad.find(part), std::string(part).size(), "\"other\"");
    EXPECT_FALSE(StudySpecFromJson(bad).ok()) << part;
  }
  EXPECT_FALSE(StudySpecFromJson("[]").ok());
  EXPECT_FALSE(StudySpecFromJson("{").ok());
}

TEST(StudySpecTest, NamesWhatIsWrong) {
  StudySpec spec = Everything();
  spec.metrics.clear();
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("metrics must be 1 to"));
  spec = Everything();
  spec.metrics[1].name = "loss";
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("metric \"loss\" is there twice"));
  spec = Everything();
  spec.parameters.clear();
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("parameters must be 1 to"));
  spec = Everything();
  spec.parameters[0].name = "";
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("parameters[0] must have"));
  spec = Everything();
  spec.parameters[0].min_value = 0;
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("minimum > 0 on a log scale: 0"));
  spec.parameters[0].min_value = 1;
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("min <= max"));
  spec.parameters[0].min_value = std::nan("");
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("finite bounds"));
  spec = Everything();
  spec.parameters[1].max_value = 1e16;
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("within +-2^53"));
  spec = Everything();
  spec.parameters[2].categorical_values = {"x", "x"};
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("distinct values: \"x\""));
  spec = Everything();
  spec.parameters[3].discrete_values = {2, 1};
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("strictly increasing: values[1]=1"));
  spec = Everything();
  spec.parameters[0].default_value = 5.0;
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("default of its type"));
}

TEST(StudySpecTest, ConditionsNeedAParentThatCanHaveTheValue) {
  StudySpec spec = Everything();
  spec.parameters[3].condition->values = {std::string("z")};
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("possible values of its parent"));
  spec.parameters[3].condition->values.clear();
  EXPECT_THAT(SpecErrorOf(spec),
              HasSubstr("values of its parent that it needs"));
  spec.parameters[3].condition = ParameterCondition{0, {0.01}};
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("which is DOUBLE"));
  spec.parameters[3].condition = ParameterCondition{3, {0.1}};
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("after its parent"));
}

TEST(StudySpecTest, OneNameMayStandInTwoBranchesOnly) {
  StudySpec spec = Everything();
  ParameterSpec again = spec.parameters[3];
  again.condition->values = {std::string("\"quoted\"")};
  spec.parameters.push_back(again);
  EXPECT_TRUE(ValidateStudySpec(spec).ok()) << ValidateStudySpec(spec);
  spec.parameters.back().condition->values = {std::string("a b")};
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("twice in one configuration"));
}

TEST(StudySpecTest, AGridHasNoDoubles) {
  StudySpec spec = Everything();
  spec.algorithm = Algorithm::kGridSearch;
  EXPECT_THAT(SpecErrorOf(spec), HasSubstr("a grid has no such"));
}

TEST(StudySpecTest, OfAJobIsWhatItTunes) {
  JobSpec job;
  HyperparameterSpec tuning;
  tuning.metric_tag = "loss";
  tuning.goal = Goal::kMinimize;
  tuning.algorithm = Algorithm::kRandomSearch;
  tuning.params = Everything().parameters;
  job.training_input.hyperparameters = tuning;
  StudySpec spec = StudySpecOf(job);
  EXPECT_EQ(spec.metrics, (std::vector<MetricGoal>{{"loss", Goal::kMinimize}}));
  EXPECT_EQ(spec.parameters, Everything().parameters);
  EXPECT_EQ(spec.algorithm, Algorithm::kRandomSearch);
  EXPECT_EQ(spec.stopping_rule, StoppingRule::kNone);

  job.training_input.hyperparameters->enable_trial_early_stopping = true;
  job.vernier.algorithm = Algorithm::kGridSearch;
  spec = StudySpecOf(job);
  EXPECT_EQ(spec.algorithm, Algorithm::kGridSearch);
  EXPECT_EQ(spec.stopping_rule, StoppingRule::kAuto);
  EXPECT_EQ(StudySpecOfStored(job).stopping_rule, StoppingRule::kMedian)
      << "a job of an earlier release";

  job.vernier.early_stopping = StoppingRule::kNone;
  EXPECT_EQ(StudySpecOf(job).stopping_rule, StoppingRule::kNone);
  EXPECT_EQ(StudySpecOfStored(job).stopping_rule, StoppingRule::kNone);
  job.vernier.early_stopping = StoppingRule::kAsha;
  job.vernier.early_stopping_options.min_steps = 3;
  job.vernier.can_resume = true;
  job.vernier.limits.target = 0.5;
  job.vernier.is_per_cost = true;
  spec = StudySpecOf(job);
  EXPECT_EQ(spec.stopping_rule, StoppingRule::kAsha);
  EXPECT_EQ(spec.stopping_options, job.vernier.early_stopping_options);
  EXPECT_TRUE(spec.can_resume);
  EXPECT_EQ(spec.limits, job.vernier.limits);
  EXPECT_TRUE(spec.is_per_cost);
}

StudySpec WithEveryStop() {
  StudySpec spec = Everything();
  spec.stopping_rule = StoppingRule::kHyperband;
  spec.stopping_options = {2, 81, 4, 3, 0.1};
  spec.can_resume = true;
  spec.limits = {-0.5, NoProgressLimit{7, 0.01}, std::chrono::seconds(60), 5000,
                 std::chrono::seconds(7200)};
  spec.is_per_cost = true;
  return spec;
}

TEST(StudySpecTest, WhatStopsAStudyAndItsTrialsSurvivesStorage) {
  const StudySpec spec = WithEveryStop();
  const auto read = StudySpecFromJson(StudySpecToJson(spec));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, spec);
  for (const StoppingRule rule :
       {StoppingRule::kNone, StoppingRule::kMedian, StoppingRule::kDecayCurve,
        StoppingRule::kAsha, StoppingRule::kAuto}) {
    StudySpec one = Everything();
    one.stopping_rule = rule;
    EXPECT_EQ(StudySpecFromJson(StudySpecToJson(one))->stopping_rule, rule);
  }
}

TEST(StudySpecTest, RepeatsSurviveStorage) {
  for (const Repeats& repeats :
       {Repeats{RepeatPolicy::kFixed, 3},
        Repeats{RepeatPolicy::kAuto, kMostAutoRepeats}}) {
    StudySpec spec = WithEveryStop();
    spec.metrics.resize(1);
    spec.constraints.clear();
    spec.algorithm = Algorithm::kDefault;
    spec.repeats = repeats;
    const auto read = StudySpecFromJson(StudySpecToJson(spec));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->repeats, repeats);
  }
}

TEST(StudySpecTest, RepeatsNeedOneObjectiveAndAutoTheModel) {
  StudySpec spec;
  spec.metrics = {{"loss", Goal::kMinimize}, {"time", Goal::kMinimize}};
  EXPECT_EQ(WhyNotRepeated(spec), "");
  spec.repeats = {RepeatPolicy::kFixed, 3};
  EXPECT_THAT(WhyNotRepeated(spec), HasSubstr("a single objective"));
  EXPECT_THAT(std::string(ValidateMetrics(spec).message()),
              HasSubstr("repeats needs a single objective"));
  spec.metrics.pop_back();
  spec.algorithm = Algorithm::kRandomSearch;
  spec.constraints = {{"memory", std::nullopt, 1}};
  EXPECT_EQ(WhyNotRepeated(spec), "");
  spec.repeats = {RepeatPolicy::kAuto, kMostAutoRepeats};
  EXPECT_THAT(WhyNotRepeated(spec), HasSubstr("asks its model"));
  spec.algorithm = Algorithm::kDefault;
  EXPECT_THAT(WhyNotRepeated(spec), HasSubstr("constraints"));
}

StudySpec WithPriors() {
  StudySpec spec;
  spec.metrics = {{"loss", Goal::kMinimize}};
  ParameterSpec lr;
  lr.name = "lr";
  lr.max_value = 1;
  spec.parameters = {lr};
  spec.prior_studies = {{"last week", "other"}, {{"rate", "lr"}}};
  return spec;
}

TEST(StudySpecTest, PriorStudiesSurviveStorage) {
  const StudySpec spec = WithPriors();
  const auto read = StudySpecFromJson(StudySpecToJson(spec));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->prior_studies, spec.prior_studies);
}

TEST(StudySpecTest, BeliefsSurviveStorage) {
  StudySpec spec = WithPriors();
  spec.beliefs = {{"gone", "adam", std::nullopt},
                  {"lr", 0.1, BeliefWidth{10, true}}};
  const auto read = StudySpecFromJson(StudySpecToJson(spec));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->beliefs, spec.beliefs);
  EXPECT_FALSE(StudySpecFromJson(R"({"beliefs":{"lr":{"near":[]}}})").ok());
}

TEST(StudySpecTest, BeliefsNeedTheDefaultAlgorithm) {
  StudySpec spec = WithPriors();
  spec.prior_studies = {};
  spec.beliefs = {{"lr", 0.1, std::nullopt}};
  EXPECT_EQ(WhyNoBeliefs(spec), "");
  spec.algorithm = Algorithm::kRandomSearch;
  EXPECT_THAT(std::string(ValidateMetrics(spec).message()),
              HasSubstr("beliefs needs the default algorithm"));
}

TEST(StudySpecTest, PriorStudiesNeedTheModelOfOneObjective) {
  StudySpec spec = WithPriors();
  EXPECT_EQ(WhyNoPriorStudies(spec), "");
  spec.algorithm = Algorithm::kGridSearch;
  EXPECT_THAT(std::string(ValidateMetrics(spec).message()),
              HasSubstr("priorStudies needs the default algorithm"));
  spec = WithPriors();
  spec.constraints = {{"memory", std::nullopt, 1}};
  EXPECT_THAT(WhyNoPriorStudies(spec), HasSubstr("a single objective"));
  spec = WithPriors();
  spec.prior_studies.studies.push_back("other");
  EXPECT_THAT(WhyNoPriorStudies(spec), HasSubstr("\"other\" twice"));
  spec.prior_studies.studies.assign(kMostPriorStudies + 1, "");
  EXPECT_THAT(WhyNoPriorStudies(spec), HasSubstr("at most 100"));
  spec.prior_studies.studies = {""};
  EXPECT_THAT(WhyNoPriorStudies(spec), HasSubstr("1 to 512 bytes"));
}

TEST(StudySpecTest, PriorParametersGetNamesOfThisStudy) {
  StudySpec spec = WithPriors();
  spec.prior_studies.rename = {{"a", "lr"}, {"b", "lr"}};
  EXPECT_THAT(WhyNoPriorRename(spec), HasSubstr("\"lr\" twice"));
  spec.prior_studies.rename = {{"a", "b"}};
  EXPECT_THAT(std::string(ValidateMetrics(spec).message()),
              HasSubstr("priorRename gives \"a\" the name \"b\", which no"));
  spec.prior_studies.studies.clear();
  EXPECT_THAT(WhyNoPriorRename(spec), HasSubstr("there are none"));
}

TEST(RepeatsTest, AreANumberOrAuto) {
  EXPECT_EQ(RepeatsFromText("3"), (Repeats{RepeatPolicy::kFixed, 3}));
  EXPECT_EQ(RepeatsFromText("100")->trials, kMostRepeats);
  EXPECT_EQ(RepeatsFromText("auto")->policy, RepeatPolicy::kAuto);
  for (const char* wrong :
       {"", "1", "0", "-3", "101", "3.5", "three", "99999999999", "3 "}) {
    EXPECT_EQ(RepeatsFromText(wrong), std::nullopt) << wrong;
  }
  EXPECT_EQ(ToString(Repeats{}), "");
  EXPECT_EQ(ToString(*RepeatsFromText("Auto")), "AUTO");
}

TEST(StudySpecTest, WithoutThemTheStoredFormIsThatOfEarlierReleases) {
  StudySpec spec;
  spec.metrics = {{"loss", Goal::kMinimize}};
  ParameterSpec x;
  x.name = "x";
  x.max_value = 1;
  spec.parameters = {x};
  spec.stopping_rule = StoppingRule::kMedian;
  EXPECT_EQ(
      StudySpecToJson(spec),
      R"({"metrics":[{"name":"loss","goal":"MINIMIZE"}],"parameters":[{)"
      R"("name":"x","type":"DOUBLE","scale":"NONE","min":0.0,"max":1.0}],)"
      R"("algorithm":"DEFAULT","stoppingRule":"MEDIAN",)"
      R"("noise":"UNSPECIFIED"})");
}

TEST(StudySpecTest, RefusesStopsOutOfBounds) {
  const auto error = [](const auto& edit) {
    StudySpec spec = WithEveryStop();
    edit(&spec);
    return std::string(ValidateStudySpec(spec).message());
  };
  EXPECT_EQ(error([](StudySpec*) {}), "");
  EXPECT_EQ(error([](StudySpec* s) { s->stopping_options.min_steps = 0; }),
            "minSteps must be 1 to 1099511627776: 0");
  EXPECT_EQ(error([](StudySpec* s) {
              s->stopping_options.max_steps =
                  std::numeric_limits<std::int64_t>::max();
            }),
            "maxSteps must be 1 to 1099511627776: 9223372036854775807");
  EXPECT_EQ(error([](StudySpec* s) { s->stopping_options.max_steps = 1; }),
            "maxSteps must be >= minSteps: 1 < 2");
  EXPECT_EQ(
      error([](StudySpec* s) { s->stopping_options.reduction_factor = 1; }),
      "reductionFactor must be > 1 and <= 100: 1");
  EXPECT_EQ(error([](StudySpec* s) { s->stopping_options.brackets = 0; }),
            "brackets must be 1 to 10: 0");
  EXPECT_EQ(
      error([](StudySpec* s) { s->stopping_options.min_win_probability = 1; }),
      "minWinProbability must be > 0 and < 1: 1");
  EXPECT_EQ(error([](StudySpec* s) { s->limits.no_progress->gain = 0; }),
            "noProgress must have trials >= 1 and a finite gain > 0: 7, 0");
  EXPECT_EQ(
      error([](StudySpec* s) { s->limits.max_time = std::chrono::seconds(0); }),
      "maxTime must be >= 1s: 0s");
  EXPECT_EQ(error([](StudySpec* s) { s->limits.max_steps = 0; }),
            "maxSteps must be >= 1: 0");
  EXPECT_EQ(error([](StudySpec* s) { s->limits.target = std::nan(""); }),
            "target must be finite: nan");
}

TEST(StudySpecTest, OfAJobWithoutTuningHasNoParameters) {
  const StudySpec spec = StudySpecOf(JobSpec());
  EXPECT_TRUE(spec.parameters.empty());
  EXPECT_EQ(
      spec.metrics,
      (std::vector<MetricGoal>{{"training/hptuning/metric", Goal::kMaximize}}));
}

TEST(MetricReportTest, KeepsEveryBit) {
  const MetricReport report{-3,
                            std::chrono::microseconds(1500),
                            {{"a", std::nan("")},
                             {"b", -std::numeric_limits<double>::infinity()},
                             {"c", -0.0},
                             {"d", 0.1}}};
  const auto read = MetricReportFromJson(MetricReportToJson(report));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->step, -3);
  EXPECT_EQ(read->elapsed.count(), 1500);
  ASSERT_EQ(read->metrics.size(), 4u);
  EXPECT_TRUE(std::isnan(read->metrics[0].value));
  EXPECT_EQ(read->metrics[1].value, -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::signbit(read->metrics[2].value));
  EXPECT_EQ(read->metrics[3].value, 0.1);
}

TEST(MetricReportTest, RefusesAnythingElse) {
  for (const char* text :
       {"", "[]", "{}", R"({"step":1,"elapsedUs":"x","metrics":[]})",
        R"({"step":1,"elapsedUs":0,"metrics":[["a"]]})",
        R"({"step":1,"elapsedUs":0,"metrics":[[1,2]]})"}) {
    EXPECT_FALSE(MetricReportFromJson(text).ok()) << text;
  }
}

}  // namespace
}  // namespace vernier
