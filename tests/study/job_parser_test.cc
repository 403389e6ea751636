#include "study/job_file/job_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A complete job with `fields` in its trainingInput.
std::string JobWith(const std::string& fields) {
  return "jobId: j\ntrainingInput:\n  pythonModule: trainer.task\n" + fields;
}

std::string JobWithParams(const std::string& params) {
  return JobWith("  hyperparameters:\n    params:\n" + params);
}

ParsedJob MustParse(const std::string& text, bool require_job_id = true) {
  ParseJobOptions options;
  options.require_job_id = require_job_id;
  auto job = ParseJob(text, options);
  EXPECT_TRUE(job.ok()) << job.status() << "\n" << text;
  return job.ok() ? *std::move(job) : ParsedJob();
}

std::string ErrorOf(const std::string& text) {
  const auto job = ParseJob(text, {});
  EXPECT_FALSE(job.ok()) << text;
  return std::string(job.status().message());
}

TEST(JobParserTest, DefaultsAreThoseOfTheReference) {
  const JobSpec spec =
      MustParse(JobWithParams("    - {parameterName: x, type: DOUBLE, "
                              "minValue: 0, maxValue: 1}\n"))
          .spec;
  const TrainingInput& input = spec.training_input;
  EXPECT_EQ(input.scale_tier, ScaleTier::kBasic);
  EXPECT_EQ(input.master.count, 1);
  EXPECT_EQ(input.worker.count, 0);
  EXPECT_EQ(input.region, "local");
  EXPECT_EQ(input.max_running_time, std::chrono::seconds(604800));
  EXPECT_FALSE(input.max_wait_time);
  EXPECT_EQ(input.priority, 0);
  EXPECT_FALSE(input.use_chief_in_tf_config);
  const HyperparameterSpec& tuning = input.hyperparameters.value();
  EXPECT_EQ(tuning.goal, Goal::kMaximize);
  EXPECT_EQ(tuning.max_trials, 1);
  EXPECT_EQ(tuning.max_parallel_trials, 1);
  EXPECT_EQ(tuning.max_failed_trials, 0);
  EXPECT_EQ(tuning.metric_tag, "training/hptuning/metric");
  EXPECT_FALSE(tuning.enable_trial_early_stopping);
  EXPECT_EQ(tuning.params[0].scale, ScaleType::kNone);
  EXPECT_FALSE(spec.vernier.seed);
  EXPECT_FALSE(spec.vernier.algorithm);
  EXPECT_EQ(spec.vernier.kill_grace, std::chrono::seconds(10));
}

TEST(JobParserTest, EachScaleTierHasItsReplicas) {
  const struct {
    const char* tier;
    int workers;
    int parameter_servers;
    int master_gpus;
  } kCases[] = {{"BASIC", 0, 0, 0},
                {"STANDARD_1", 4, 3, 0},
                {"PREMIUM_1", 19, 11, 0},
                {"BASIC_GPU", 0, 0, 1},
                {"BASIC_TPU", 0, 0, 0}};
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.tier);
    const JobSpec spec =
        MustParse(JobWith("  scaleTier: " + std::string(c.tier) + "\n")).spec;
    const TrainingInput& input = spec.training_input;
    EXPECT_EQ(input.master.count, 1);
    EXPECT_FALSE(input.master.machine_type.empty());
    EXPECT_EQ(input.worker.count, c.workers);
    EXPECT_EQ(input.parameter_server.count, c.parameter_servers);
    EXPECT_EQ(input.evaluator.count, 0);
    EXPECT_EQ(GpusPerReplica(spec, input.master), c.master_gpus);
  }
}

TEST(JobParserTest, ATpuWorkerIsLeftOutAndSaidSo) {
  const ParsedJob job = MustParse(JobWith(
      "  scaleTier: CUSTOM\n  masterType: n1-standard-4\n"
      "  workerType: cloud_tpu\n  workerCount: 1\n"
      "  workerConfig: {acceleratorConfig: {type: TPU_V2, count: 8}}\n"));
  EXPECT_EQ(job.spec.training_input.worker.count, 0);
  EXPECT_THAT(
      job.ignored_fields,
      ElementsAre("trainingInput.workerConfig.acceleratorConfig",
                  "trainingInput.workerType", "trainingInput.workerCount"));
  EXPECT_THAT(MustParse(JobWith("  scaleTier: BASIC_TPU\n")).ignored_fields,
              ElementsAre("trainingInput.scaleTier"));
}

TEST(JobParserTest, JsonHasTheApisTypesAndOrder) {
  const ParsedJob job = MustParse(
      "vernier: {seed: '7', objectiveReduction: best}\n"
      "trainingInput:\n"
      "  hyperparameters:\n"
      "    maxTrials: '3'\n"
      "    params:\n"
      "    - {maxValue: 1e-1, minValue: '0.001', type: DOUBLE, "
      "parameterName: lr}\n"
      "  workerCount: 2\n"
      "  workerType: standard\n"
      "  masterType: standard\n"
      "  scaleTier: CUSTOM\n"
      "  runtimeVersion: 1.10\n"
      "  pythonModule: a.b\n"
      "  region: ''\n"
      "  useChiefInTfConfig: yes\n"
      "labels: {b: 1, a: x}\n"
      "jobId: j\n");
  EXPECT_EQ(
      job.json,
      R"({"jobId":"j","labels":{"a":"x","b":"1"},"trainingInput":{)"
      R"("scaleTier":"CUSTOM","masterType":"standard","workerType":"standard",)"
      R"("workerCount":"2","pythonModule":"a.b","hyperparameters":{"params":[)"
      R"({"parameterName":"lr","type":"DOUBLE","minValue":0.001,)"
      R"("maxValue":0.1}],"maxTrials":3},"runtimeVersion":"1.10",)"
      R"("useChiefInTfConfig":true},"vernier":{"seed":"7",)"
      R"("objectiveReduction":"BEST"}})");
}

TEST(JobParserTest, RulesOfEndsAreReadAndKept) {
  const ParsedJob job = MustParse(
      "jobId: j\ntrainingInput: {pythonModule: a.b}\nvernier:\n"
      "  preemptible: yes\n"
      "  endRules:\n"
      "  - {exitCodes: [3, '4'], signals: [SIGSEGV, TERM], logPattern: 'a|b', "
      "action: RETRY, reason: It is late.}\n");
  ASSERT_EQ(job.spec.vernier.end_rules.size(), 1u);
  const EndRule& rule = job.spec.vernier.end_rules[0];
  EXPECT_EQ(rule.exit_codes, (std::vector<int>{3, 4}));
  EXPECT_EQ(rule.signals, (std::vector<int>{11, 15}));
  EXPECT_EQ(rule.log_pattern, "a|b");
  EXPECT_EQ(rule.action, EndAction::kRetry);
  EXPECT_EQ(rule.reason, "It is late.");
  EXPECT_TRUE(job.spec.vernier.is_preemptible);
  EXPECT_THAT(
      job.json,
      testing::HasSubstr(R"("vernier":{"endRules":[{"exitCodes":[3,4],)"
                         R"("signals":["SIGSEGV","TERM"],"logPattern":"a|b",)"
                         R"("action":"RETRY","reason":"It is late."}],)"
                         R"("preemptible":true})"));
  EXPECT_EQ(MustParse(job.json).spec.vernier.end_rules,
            job.spec.vernier.end_rules);
}

TEST(JobParserTest, JsonEscapesAreReadRight) {
  const ParsedJob job =
      MustParse(R"({"jobId":"j","trainingInput":{"pythonModule":"m","args":)"
                R"(["a\/b","\ud83d\ude00","\u00e9\n\t\"\\","\u20ac"]}})");
  EXPECT_THAT(job.spec.training_input.args,
              ElementsAre("a/b", "\xF0\x9F\x98\x80", "\xC3\xA9\n\t\"\\",
                          "\xE2\x82\xAC"));
  EXPECT_EQ(MustParse(job.json).spec.training_input.args,
            job.spec.training_input.args);
}

TEST(JobParserTest, ScalarsKeepTheirText) {
  const ParsedJob job = MustParse(
      JobWith("  args: [1.10, 0x1F, true, 'null', 2020-01-01, \"\", 1e3]\n"));
  EXPECT_THAT(
      job.spec.training_input.args,
      ElementsAre("1.10", "0x1F", "true", "null", "2020-01-01", "", "1e3"));
}

TEST(JobParserTest, BooleansInEveryYamlSpelling) {
  for (const char* yes : {"true", "True", "TRUE", "yes", "on", "'true'"}) {
    EXPECT_TRUE(MustParse(JobWith("  useChiefInTfConfig: " + std::string(yes)))
                    .spec.training_input.use_chief_in_tf_config)
        << yes;
  }
  for (const char* no : {"false", "False", "FALSE", "no", "Off", "null", "~"}) {
    EXPECT_FALSE(MustParse(JobWith("  useChiefInTfConfig: " + std::string(no)))
                     .spec.training_input.use_chief_in_tf_config)
        << no;
  }
  ErrorOf(JobWith("  useChiefInTfConfig: 'yes'"));
}

TEST(JobParserTest, WholeNumbersSurviveOrAreRefused) {
  const auto discrete = [](const std::string& values) {
    return JobWithParams(
        "    - {parameterName: n, type: DISCRETE, "
        "discreteValues: [" +
        values + "]}\n");
  };
  for (const std::string number :
       {"9007199254740993", "\"9007199254740993\"", "9007199254740993.0",
        "123456789012345678901234567890"}) {
    EXPECT_THAT(ErrorOf(discrete(number)),
                HasSubstr("discreteValues[0]: must be a whole number that a "
                          "double can hold, as all within +-2^53 are"));
  }
  EXPECT_THAT(ErrorOf(JobWithParams(
                  "    - {parameterName: n, type: INTEGER, minValue: 0, "
                  "maxValue: 9007199254740993}\n")),
              HasSubstr("maxValue: must be a whole number"));
  const ParsedJob job = MustParse(discrete("1e3, 9007199254740994, 1e23"));
  const ParameterSpec& spec =
      job.spec.training_input.hyperparameters->params.front();
  EXPECT_EQ(FormatValue(spec, spec.discrete_values[1]), "9007199254740994");
  EXPECT_EQ(MustParse(job.json).json, job.json);
}

TEST(JobParserTest, ZeroTrialsAreAsManyAsNoneSaid) {
  const std::string space =
      "    params: [{parameterName: x, type: DOUBLE, minValue: 0, "
      "maxValue: 1}]\n";
  const ParsedJob unset = MustParse(JobWith("  hyperparameters:\n" + space));
  for (const char* zero : {"0", "\"0\"", "0.0"}) {
    const ParsedJob job = MustParse(
        JobWith(std::string("  hyperparameters:\n    maxTrials: ") + zero +
                "\n    maxParallelTrials: " + zero + "\n" + space));
    EXPECT_EQ(job.json, unset.json);
    EXPECT_EQ(job.spec.training_input.hyperparameters->max_trials, 1);
    EXPECT_EQ(job.spec.training_input.hyperparameters->max_parallel_trials, 1);
  }
}

ParameterSpec CategoricalOf(const std::string& fields) {
  const ParsedJob job = MustParse(JobWithParams(
      "    - {parameterName: c, type: CATEGORICAL, " + fields + "}\n"));
  EXPECT_EQ(MustParse(job.json).spec.training_input.hyperparameters->params,
            job.spec.training_input.hyperparameters->params)
      << job.json;
  return job.spec.training_input.hyperparameters->params.front();
}

TEST(JobParserTest, TrueAndFalseWithoutQuotesAreBooleans) {
  const ParameterSpec plain = CategoricalOf("categoricalValues: [true, False]");
  EXPECT_THAT(plain.categorical_values, ElementsAre("true", "False"));
  EXPECT_TRUE(plain.has_booleans);
  EXPECT_TRUE(CategoricalOf("categoricalValues: [auto, false]").has_booleans);
  EXPECT_FALSE(
      CategoricalOf("categoricalValues: ['true', 'false']").has_booleans);
  EXPECT_FALSE(CategoricalOf("categoricalValues: [yes, no]").has_booleans);
  EXPECT_FALSE(
      CategoricalOf("categoricalValues: [true, false], booleanValues: false")
          .has_booleans);
  EXPECT_TRUE(
      CategoricalOf("categoricalValues: ['true', 'x'], booleanValues: true")
          .has_booleans);
  EXPECT_EQ(CategoricalOf("categoricalValues: [True, False], defaultValue: "
                          "false")
                .default_value,
            ParameterValue(std::string("False")));
  EXPECT_THAT(
      ErrorOf(JobWithParams("    - {parameterName: c, type: CATEGORICAL, "
                            "categoricalValues: [a], booleanValues: true}\n")),
      HasSubstr("booleanValues: must not be true, since none of the "
                "categoricalValues is true or false"));
}

TEST(JobParserTest, DiscreteBoundsAreIgnored) {
  const ParsedJob job = MustParse(
      JobWithParams("    - {parameterName: x, type: DISCRETE, minValue: 1, "
                    "maxValue: 2, discreteValues: [1, 2]}\n"));
  EXPECT_EQ(job.ignored_fields.size(), 2u);
}

TEST(JobParserTest, UnspecifiedEnumsAreTheDefaults) {
  const ParsedJob job =
      MustParse(JobWith("  hyperparameters:\n    goal: GOAL_TYPE_UNSPECIFIED\n"
                        "    algorithm: ALGORITHM_UNSPECIFIED\n"
                        "    resumePreviousJobId: k\n"));
  EXPECT_EQ(job.spec.training_input.hyperparameters->goal, Goal::kMaximize);
}

TEST(JobParserTest, IncompleteJobsPassWhileFlagsMayComplete) {
  EXPECT_EQ(MustParse("", false).json, "{}");
  EXPECT_EQ(
      MustParse("trainingInput: {scaleTier: CUSTOM, workerCount: 1}", false)
          .spec.training_input.worker.count,
      1);
  EXPECT_EQ(MustParse("trainingInput: {workerCount: 1}", false).json,
            R"({"trainingInput":{"workerCount":"1"}})");
  EXPECT_THAT(ErrorOf("trainingInput: {pythonModule: m, workerCount: 1}"),
              HasSubstr("jobId: is required"));
}

TEST(JobParserTest, EachWayToGiveAProgramIsEnough) {
  MustParse("{jobId: j, trainingInput: {pythonModule: m}}");
  MustParse("{jobId: j, trainingInput: {}, vernier: {command: [x]}}");
  MustParse(
      "{jobId: j, trainingInput: {args: [a], masterConfig: "
      "{imageUri: i, containerCommand: [x]}}}");
  MustParse("{jobId: j, trainingInput: {masterConfig: {imageUri: i}}}");
}

TEST(JobParserTest, LimitsOnListsAreEnforced) {
  const auto list = [](int count) {
    std::string text = "[";
    for (int i = 0; i < count; ++i) {
      text += (i > 0 ? "," : "") + std::to_string(i);
    }
    return text + "]";
  };
  const auto discrete = [&](int count) {
    return JobWithParams(
        "    - {parameterName: x, type: DISCRETE, "
        "discreteValues: " +
        list(count) + "}\n");
  };
  MustParse(discrete(1000));
  EXPECT_THAT(ErrorOf(discrete(1001)),
              HasSubstr("discreteValues: must list at most 1000 values: 1001"));
  const auto categorical = [&](int count) {
    return JobWithParams(
        "    - {parameterName: x, type: CATEGORICAL, "
        "categoricalValues: " +
        list(count) + "}\n");
  };
  MustParse(categorical(1000));
  EXPECT_THAT(ErrorOf(categorical(1001)),
              HasSubstr("must list at most 1000 values: 1001"));
  const auto packages = [](int count) {
    std::string text = "  packageUris: [";
    for (int i = 0; i < count; ++i)
      text += (i > 0 ? ",/" : "/") + std::to_string(i);
    return JobWith(text + "]");
  };
  MustParse(packages(100));
  EXPECT_THAT(ErrorOf(packages(101)),
              HasSubstr("packageUris: must list at most 100 packages: 101"));
  const auto params = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      text += "    - {parameterName: p" + std::to_string(i) +
              ", type: INTEGER, minValue: 0, maxValue: 1}\n";
    }
    return JobWithParams(text);
  };
  MustParse(params(1000));
  EXPECT_THAT(ErrorOf(params(1001)),
              HasSubstr("must list at most 1000 parameters: 1001"));
}

// A mistake in each entry would cost more than the list.
TEST(JobParserTest, AListThatIsTooLongIsNotRead) {
  std::string same = "a";
  for (int i = 0; i < 2000; ++i) same += ", a";
  const std::string error =
      ErrorOf(JobWithParams("    - {parameterName: x, type: CATEGORICAL, "
                            "categoricalValues: [" +
                            same + "]}\n"));
  EXPECT_THAT(error, HasSubstr("must list at most 1000 values: 2001"));
  EXPECT_THAT(error, testing::Not(HasSubstr("each value once")));
  EXPECT_THAT(error, testing::Not(HasSubstr("at least one value")));
  std::string many = "a";
  for (int i = 0; i < 10'000; ++i) many += ",a";
  EXPECT_THAT(ErrorOf(JobWith("  args: [" + many + "]")),
              HasSubstr("args: must list at most 10000 entries: 10001"));
  std::string points = "{x: b}";
  for (int i = 0; i < 1000; ++i) points += ", {x: b}";
  EXPECT_THAT(ErrorOf("jobId: j\nvernier: {initialPoints: [" + points + "]}"),
              HasSubstr("must list at most 1000 points: 1001"));
}

// Three bytes may repeat a megabyte.
TEST(JobParserTest, AliasesCountWithTheBytesThatTheyRepeat) {
  std::string text = "a: &x \"" + std::string(1 << 20, 'a') + "\"\nb: [";
  for (int i = 0; i < 20; ++i) text += "*x, ";
  EXPECT_THAT(ErrorOf(text + "]\n"),
              HasSubstr("too large: at most 16777216 bytes are read, aliases "
                        "expanded"));
}

TEST(JobParserTest, LimitsOnLengthsAreEnforced) {
  MustParse("jobId: " + std::string(128, 'j') +
            "\ntrainingInput: {pythonModule: m}");
  ErrorOf("jobId: " + std::string(129, 'j') +
          "\ntrainingInput: {pythonModule: m}");
  // 64 characters of two bytes each.
  std::string label;
  for (int i = 0; i < 64; ++i) label += "\xC3\xA9";
  MustParse(JobWith("labels: {a: " + label + "}"));
  EXPECT_THAT(ErrorOf(JobWith("labels: {a: " + label + "x}")),
              HasSubstr("labels.a: the value must have at most 64"));
}

TEST(JobParserTest, ManyErrorsAreCountedNotListed) {
  std::string text = "jobId: j\n";
  for (int i = 0; i < 1500; ++i) text += "zz" + std::to_string(i) + ": 1\n";
  std::vector<SpecError> errors;
  EXPECT_FALSE(ParseJob(text, {}, &errors).ok());
  ASSERT_EQ(errors.size(), 1001u);
  EXPECT_THAT(errors.back().message, HasSubstr("too many errors: 501 more"));
}

TEST(JobParserTest, LongValuesAreCutInMessages) {
  const std::string error =
      ErrorOf(JobWith("  scaleTier: " + std::string(100'000, 'x')));
  EXPECT_LT(error.size(), 500u);
  EXPECT_THAT(error, HasSubstr("xxx..."));
}

TEST(FormatSpecErrorTest, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(FormatSpecError({"a.yaml", 12, 7, "x.y", "is wrong"}),
            "a.yaml:12:7: x.y: is wrong");
  EXPECT_EQ(FormatSpecError({"a.yaml", 0, 0, "", "is empty"}),
            "a.yaml: is empty");
  EXPECT_EQ(FormatSpecError({"", 2, 3, "x", "is wrong"}), "2:3: x: is wrong");
  EXPECT_EQ(FormatSpecError({"", 0, 0, "x", "is wrong"}), "x: is wrong");
}

absl::StatusOr<ParsedJob> ParseOverridden(
    const std::string& text, const ParseJobOptions& options,
    const std::vector<FieldOverride>& overrides) {
  JobDocument document(text, options.file_name);
  document.Override(overrides);
  return document.ToJob();
}

TEST(OverridesTest, ReplaceAddAndRemoveFields) {
  ParseJobOptions options;
  options.file_name = "c.yaml";
  const auto job = ParseOverridden(
      JobWith("  args: [a, b, c]\n  jobDir: /old\n  region: here\n"), options,
      {{{"jobId"}, "\"k\"", "NAME"},
       {{"trainingInput", "args"}, "[\"--x\",\"1\"]", "--"},
       {{"trainingInput", "jobDir"}, "\"/new\"", "--job-dir"},
       {{"trainingInput", "region"}, "null", "--region"},
       {{"trainingInput", "masterConfig", "acceleratorConfig"},
        R"({"count":"1","type":"NVIDIA_TESLA_K80"})",
        "--master-accelerator"},
       {{"vernier", "seed"}, "5", "--seed"}});
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_EQ(job->json,
            R"({"jobId":"k","trainingInput":{"masterConfig":{)"
            R"("acceleratorConfig":{"count":"1","type":"NVIDIA_TESLA_K80"}},)"
            R"("pythonModule":"trainer.task","args":["--x","1"],)"
            R"("jobDir":"/new"},"vernier":{"seed":"5"}})");
}

TEST(OverridesTest, EmptyTextTakesOverridesAlone) {
  const auto job = ParseOverridden("", {},
                                   {{{"jobId"}, "\"k\"", "NAME"},
                                    {{"vernier", "command"}, "[\"x\"]", "--"},
                                    {{"trainingInput"}, "{}", "NAME"}});
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_EQ(job->spec.vernier.command, std::vector<std::string>{"x"});
}

TEST(OverridesTest, ErrorsNameTheFlag) {
  const auto error_of = [](const FieldOverride& change) {
    ParseJobOptions options;
    options.file_name = "c.yaml";
    const auto job = ParseOverridden(JobWith(""), options, {change});
    return std::string(job.status().message());
  };
  EXPECT_EQ(
      error_of({{"trainingInput", "scaleTier"}, "\"HUGE\"", "--scale-tier"}),
      "--scale-tier: trainingInput.scaleTier: must be one of BASIC, "
      "STANDARD_1, PREMIUM_1, BASIC_GPU, BASIC_TPU, CUSTOM: \"HUGE\"");
  EXPECT_EQ(error_of({{"vernier", "seed"}, "{", "--seed"}),
            "--seed: not valid JSON: {");
  EXPECT_EQ(error_of({{"vernier", "codeDir"}, "\"\xff\"", "--package-path"}),
            "--package-path: not valid UTF-8");
}

TEST(OverridesTest, DoNotReachThroughAliases) {
  const auto job = ParseOverridden(
      "jobId: j\n"
      "trainingInput:\n"
      "  scaleTier: CUSTOM\n"
      "  masterType: n1-standard-4\n"
      "  workerType: n1-standard-4\n"
      "  workerCount: 1\n"
      "  masterConfig: &c {containerCommand: [x]}\n"
      "  workerConfig: *c\n",
      {},
      {{{"trainingInput", "masterConfig", "containerCommand"},
        "[\"y\"]",
        "--command"}});
  ASSERT_TRUE(job.ok()) << job.status();
  const TrainingInput& input = job->spec.training_input;
  EXPECT_THAT(input.master.config.container_command, ElementsAre("y"));
  EXPECT_THAT(input.worker.config.container_command, ElementsAre("x"));
}

// One parameter of each kind of need: required, defaulted, conditional.
std::string JobWithPoints(const std::string& points, int max_trials = 4) {
  return JobWith(
      "  hyperparameters:\n    maxTrials: " + std::to_string(max_trials) +
      R"(
    params:
    - {parameterName: lr, type: DOUBLE, minValue: 0, maxValue: 1}
    - parameterName: optimizer
      type: CATEGORICAL
      categoricalValues: [sgd, adam]
      defaultValue: adam
      childParameterSpecs:
      - parameterName: momentum
        type: DOUBLE
        minValue: 0
        maxValue: 1
        defaultValue: 0.9
        parentCategoricalValues: {values: [sgd]}
vernier:
  initialPoints: )" +
      points + "\n");
}

TEST(InitialPointsTest, MissingValuesAreTheDefaultsOfActiveParameters) {
  const ParsedJob job =
      MustParse(JobWithPoints("[{lr: 0.5}, {optimizer: sgd, lr: \"1e-3\"}]"));
  EXPECT_THAT(
      job.spec.vernier.initial_points,
      ElementsAre(
          Parameters{{"lr", 0.5}, {"optimizer", "adam"}},
          Parameters{{"lr", 0.001}, {"optimizer", "sgd"}, {"momentum", 0.9}}));
}

TEST(InitialPointsTest, JsonHoldsWhatWasGivenInTheOrderOfTheSpace) {
  const ParsedJob job =
      MustParse(JobWithPoints("[{lr: 0.5}, {optimizer: sgd, lr: \"1e-3\"}]"));
  EXPECT_THAT(job.json, HasSubstr(R"("vernier":{"initialPoints":[{"lr":0.5},)"
                                  R"({"lr":0.001,"optimizer":"sgd"}]})"));
  EXPECT_EQ(MustParse(job.json).spec.vernier.initial_points,
            job.spec.vernier.initial_points);
}

TEST(InitialPointsTest, OnePointMayBeTriedTwice) {
  EXPECT_EQ(MustParse(JobWithPoints("[{lr: 0.5}, {lr: 0.5}]"))
                .spec.vernier.initial_points.size(),
            2u);
}

TEST(InitialPointsTest, AsManyAsTrialsAndNoMore) {
  MustParse(JobWithPoints("[{lr: 0}, {lr: 1}]", 2));
  EXPECT_THAT(ErrorOf(JobWithPoints("[{lr: 0}, {lr: 1}]", 1)),
              HasSubstr("must list at most maxTrials points: 2 > 1"));
}

TEST(JobParserTest, AWrongNumberOfTrialsIsTheOnlyError) {
  std::string job = JobWithPoints("[{lr: 0}, {lr: 1}]", 2);
  const std::size_t at = job.find("maxTrials: 2");
  ASSERT_NE(at, std::string::npos) << job;
  const std::string error =
      ErrorOf(job.replace(at, 12, "maxTrials: two\n    maxParallelTrials: 2"));
  EXPECT_THAT(error, HasSubstr("maxTrials: must be an integer: two"));
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

TEST(InitialPointsTest, OfAResumedJobAreKeptAsWrittenUntilItsSpaceIsKnown) {
  const ParsedJob job = MustParse(
      "jobId: j\ntrainingInput:\n  pythonModule: t\n  hyperparameters:\n"
      "    resumePreviousJobId: old\n"
      "vernier:\n  initialPoints:\n  - {lr: 0.10, act: 1.10, n: 3}\n");
  EXPECT_TRUE(job.spec.vernier.initial_points.empty());
  EXPECT_THAT(job.json, HasSubstr(R"("initialPoints":[{"lr":"0.10",)"
                                  R"("act":"1.10","n":"3"}])"));
}

TEST(InitialPointsTest, TooManyAreRefusedBeforeTheyAreRead) {
  std::string points = "[";
  for (int i = 0; i <= 1000; ++i) points += "{lr: 2},";
  EXPECT_EQ(ErrorOf(JobWithPoints(points + "]", 5000)),
            "20:18: vernier.initialPoints: must list at most 1000 points: "
            "1001");
}

// What a job says about early stopping, which stands for the rest of it.
VernierSection StoppingOf(const std::string& vernier) {
  return MustParse(JobWithParams("    - {parameterName: x, type: DOUBLE, "
                                 "minValue: 0, maxValue: 1}\n") +
                   "vernier:\n" + vernier)
      .spec.vernier;
}

TEST(EarlyStoppingTest, AWordIsARule) {
  for (const auto& [word, rule] : {std::pair("AUTO", StoppingRule::kAuto),
                                   {"median", StoppingRule::kMedian},
                                   {"DECAY_CURVE", StoppingRule::kDecayCurve},
                                   {"ASHA", StoppingRule::kAsha},
                                   {"HYPERBAND", StoppingRule::kHyperband},
                                   {"NONE", StoppingRule::kNone}}) {
    const VernierSection vernier =
        StoppingOf(std::string("  earlyStopping: ") + word + "\n");
    EXPECT_EQ(vernier.early_stopping, rule) << word;
    EXPECT_EQ(vernier.early_stopping_options, EarlyStoppingOptions());
  }
  EXPECT_EQ(StoppingOf("  seed: 1\n").early_stopping, std::nullopt);
}

TEST(EarlyStoppingTest, AMappingHasOptions) {
  const VernierSection vernier = StoppingOf(
      "  earlyStopping: {rule: HYPERBAND, minSteps: 2, maxSteps: 81, "
      "reductionFactor: 4, brackets: 3, minWinProbability: 0.1}\n"
      "  canResume: true\n"
      "  limits: {target: -0.5, noProgress: {gain: 0.01}, maxTime: 60s, "
      "maxSteps: 5000, maxGpuTime: 7200s}\n"
      "  objective: {perCost: true}\n");
  EXPECT_EQ(vernier.early_stopping, StoppingRule::kHyperband);
  EXPECT_EQ(vernier.early_stopping_options,
            (EarlyStoppingOptions{2, 81, 4, 3, 0.1}));
  EXPECT_TRUE(vernier.can_resume);
  EXPECT_EQ(vernier.limits, (StudyLimits{-0.5, NoProgressLimit{10, 0.01},
                                         std::chrono::seconds(60), 5000,
                                         std::chrono::seconds(7200)}));
  EXPECT_TRUE(vernier.is_per_cost);
}

TEST(RepeatsSectionTest, IsANumberOrAuto) {
  EXPECT_EQ(StoppingOf("  repeats: 3\n").repeats,
            (Repeats{RepeatPolicy::kFixed, 3}));
  EXPECT_EQ(StoppingOf("  repeats: auto\n").repeats.policy,
            RepeatPolicy::kAuto);
  EXPECT_EQ(StoppingOf("").repeats, Repeats{});
  for (const char* wrong : {"1", "101", "2.5", "often", "[3]", "{a: 3}"}) {
    const auto job = ParseJob(
        JobWith("") + "vernier:\n  repeats: " + std::string(wrong) + "\n", {});
    EXPECT_THAT(std::string(job.status().message()),
                HasSubstr("vernier.repeats: must be a whole number from 2 to "
                          "100, or AUTO"))
        << wrong;
  }
}

TEST(RepeatsSectionTest, HasANormalForm) {
  const std::string file = JobWith("") + "vernier:\n  repeats: ";
  EXPECT_THAT(ParseJob(file + "\"3\"\n", {})->json,
              HasSubstr(R"("repeats":3)"));
  EXPECT_THAT(ParseJob(file + "auto\n", {})->json,
              HasSubstr(R"("repeats":"AUTO")"));
}

TEST(RepeatsSectionTest, AutoNeedsTheModel) {
  const auto job = ParseJob(JobWith("") +
                                "vernier: {repeats: AUTO, algorithm: "
                                "RANDOM_SEARCH}\n",
                            {});
  EXPECT_THAT(std::string(job.status().message()),
              HasSubstr("vernier.repeats: must be a number unless"));
}

TEST(EarlyStoppingTest, OptionsWithoutARuleAreOfTheBestOne) {
  EXPECT_EQ(StoppingOf("  earlyStopping: {minSteps: 2}\n").early_stopping,
            StoppingRule::kAuto);
}

TEST(EarlyStoppingTest, TheNormalFormIsAMapping) {
  const std::string file = JobWith("") + "vernier:\n  earlyStopping: asha\n";
  const ParsedJob job = MustParse(file);
  EXPECT_THAT(job.json, HasSubstr(R"("earlyStopping":{"rule":"ASHA"})"));
  EXPECT_EQ(MustParse(job.json).json, job.json);
}

TEST(EarlyStoppingTest, WhatADescribedJobHasSavedIsNoOption) {
  const ParsedJob job = MustParse(
      JobWith("") +
      "vernier:\n  earlyStopping: {stoppedTrials: 3, savedSteps: '9', "
      "trainedSteps: '12', text: saved}\n");
  EXPECT_EQ(job.spec.vernier.early_stopping, std::nullopt);
  EXPECT_EQ(job.json.find("earlyStopping"), std::string::npos);
}

// A database of an older version has to open, whatever that version accepted.
TEST(JobParserTest, AStoredJobKeepsWhatARuleThatIsNewerRefuses) {
  const std::string json =
      R"({"jobId":"j","trainingInput":{"pythonModule":"t",)"
      R"("region":"r"},"vernier":{"slurm":)"
      R"({"extraArgs":["--job-n=x"]}}})";
  EXPECT_FALSE(ParseJob(json, {}).ok());
  const auto stored = ParseStoredJob(json);
  ASSERT_TRUE(stored.ok()) << stored.status();
  EXPECT_EQ(stored->spec.vernier.slurm.extra_args,
            std::vector<std::string>{"--job-n=x"});
  std::string many = R"({"jobId":"j","trainingInput":{"pythonModule":"t",)"
                     R"("region":"r","args":["a")";
  for (int i = 0; i < 10'000; ++i) many += ",\"a\"";
  many += "]}}";
  EXPECT_FALSE(ParseJob(many, {}).ok());
  EXPECT_TRUE(ParseStoredJob(many).ok());
  EXPECT_FALSE(ParseStoredJob(R"({"jobId":"j"})").ok());
}

}  // namespace
}  // namespace vernier
