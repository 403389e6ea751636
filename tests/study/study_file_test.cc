#include "study/study_file/study_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "study/job_file/job_parser.h"
#include "study/study_file/study_field.h"
#include "study/study_file/study_file_writer.h"
#include "study/study_file/value_forms.h"
#include "tests/study/test_files.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string JobOf(std::string_view text) {
  const auto job = ParseJob(text, {"study.yaml", false});
  return job.ok() ? job->json : job.status().ToString();
}

std::vector<std::string> ErrorsOf(std::string_view text) {
  std::vector<SpecError> errors;
  (void)ParseJob(text, {"study.yaml", false}, &errors);
  std::vector<std::string> lines;
  for (const SpecError& error : errors) lines.push_back(FormatSpecError(error));
  return lines;
}

// `jobs update --config` takes such a file.
TEST(StudyFileTest, AnEditMayHaveAnyOfItsWordsAlone) {
  const auto errors_of = [](std::string_view text) {
    std::vector<SpecError> errors;
    (void)JobDocument(text, "edit.yaml").ToJob(JobCompleteness::kEdit, &errors);
    return errors.empty() ? "" : FormatSpecError(errors.front());
  };
  for (const char* const field :
       {"trials: 9", "parallel: 2", "algorithm: random", "stop_early: median",
        "env: {A: b}", "limits: {max_time: 1h}", "trial_timeout: 1h",
        "metric: {loss: minimize}", "constraints: [{metric: m, max: 1}]",
        "repeats: 3", "prior_studies: [old]", "prior_rename: {a: b}",
        "renamed_from: {loss: [error]}", "beliefs: {x: {near: 3}}",
        "try_first: [{x: 3}]", "max_failed: 3", "per_cost: true",
        "parameters: {x: {float: [0, 1]}}"}) {
    EXPECT_EQ(errors_of(field), "");
  }
  EXPECT_THAT(errors_of("trials: few"), StartsWith("edit.yaml:1:9: trials: "));
  EXPECT_THAT(errors_of("trials: 9\nparalel: 2\n"),
              HasSubstr("paralel: is no field of a study file; did you mean "
                        "parallel?"));
  // With a word that is none of ours, the file may be of another kind.
  EXPECT_THAT(errors_of("trials: 5\nfolder: x\n"),
              HasSubstr(": trials: unknown field"));
}

TEST(StudyFileTest, MeansAJobFile) {
  EXPECT_EQ(JobOf(R"(
run: python train.py --data "my data"
metric: {accuracy: maximize}
parameters:
  lr: {log: [1e-5, 1], default: 0.001}
  layers: {int: [1, 8]}
  width: {int: [16, 1024], scale: log}
  dropout: {float: [0, 0.5]}
  optimizer: {choice: [sgd, adam]}
  augment: [true, false]
  momentum: {float: [0, 0.99], when: {optimizer: sgd}}
  beta: {values: [0.9, 0.99], when: {optimizer: [adam]}}
trials: 60
parallel: 4
algorithm: random
stop_early: true
seed: 1
env: {MY_dir: x}
limits: {target: 0.99, max_time: 1h 30m}
trial_timeout: 90m
)"),
            JobOf(R"(
vernier:
  command: [python, train.py, --data, my data]
  algorithm: RANDOM_SEARCH
  earlyStopping: AUTO
  seed: 1
  environment: {MY_dir: x}
  limits: {target: 0.99, maxTime: 5400s}
  trialTimeLimit: 5400s
trainingInput:
  hyperparameters:
    goal: MAXIMIZE
    hyperparameterMetricTag: accuracy
    maxTrials: 60
    maxParallelTrials: 4
    params:
    - {parameterName: lr, type: DOUBLE, minValue: 1e-5, maxValue: 1, scaleType: UNIT_LOG_SCALE, defaultValue: 0.001}
    - {parameterName: layers, type: INTEGER, minValue: 1, maxValue: 8}
    - {parameterName: width, type: INTEGER, minValue: 16, maxValue: 1024, scaleType: UNIT_LOG_SCALE}
    - {parameterName: dropout, type: DOUBLE, minValue: 0, maxValue: 0.5}
    - parameterName: optimizer
      type: CATEGORICAL
      categoricalValues: [sgd, adam]
      childParameterSpecs:
      - {parameterName: momentum, type: DOUBLE, minValue: 0, maxValue: 0.99, parentCategoricalValues: {values: [sgd]}}
      - {parameterName: beta, type: DISCRETE, discreteValues: [0.9, 0.99], parentCategoricalValues: {values: [adam]}}
    - {parameterName: augment, type: CATEGORICAL, categoricalValues: [true, false]}
)"));
}

TEST(StudyFileTest, IsRecognisedByItsShape) {
  EXPECT_THAT(JobOf("run: ./train"), HasSubstr("\"command\":[\"./train\"]"));
  EXPECT_THAT(JobOf("parameters: {x: [a, b]}\nmetric: {loss: min}"),
              HasSubstr("\"goal\":\"MINIMIZE\""));
  EXPECT_THAT(JobOf("parameters: {x: {values: [1, 2]}}\nmethod: bayes"),
              HasSubstr("metric: is needed to say which trial is the best"));
  EXPECT_THAT(JobOf("run: x\ntrainingInput: {}"), HasSubstr("unknown"));
  EXPECT_THAT(JobOf("- run: x"), HasSubstr("must be a mapping"));
}

TEST(StudyFileTest, SeveralMetricsAndConstraintsAreTheJobFilesFields) {
  const std::string rest = "\nparameters: {lr: {float: [0, 1]}}\n";
  EXPECT_EQ(
      JobOf("run: t" + rest +
            "metric: {accuracy: max, latency: {goal: minimize, reference: "
            "50}}\nconstraints:\n- {metric: memory, max: 4e9}\n"),
      JobOf(R"({"vernier": {"command": ["t"], "objectives": [
          {"metric": "accuracy", "goal": "MAXIMIZE"},
          {"metric": "latency", "goal": "MINIMIZE", "reference": 50}],
        "metricConstraints": [{"metric": "memory", "max": 4e9}]},
        "trainingInput": {"hyperparameters": {"params": [
          {"parameterName": "lr", "type": "DOUBLE", "minValue": 0,
           "maxValue": 1}]}}})"));
  EXPECT_THAT(JobOf("run: t" + rest + "metric: {a: {goal: min, reference: 2}}"),
              HasSubstr(R"("objectives":[{"metric":"a","goal":"MINIMIZE",)"
                        R"("reference":2}])"));
  const std::string start = "run: t" + rest;
  EXPECT_THAT(
      ErrorsOf(start + "metric: {a: max, b: best, c: {reference: 1}}\n"),
      ElementsAre(
          StartsWith("study.yaml:3:21: metric.b: must be maximize or minimize"),
          StartsWith("study.yaml:3:30: metric.c: must have a goal")));
  EXPECT_THAT(
      ErrorsOf(start + "metric: {a: max, b: {goal: min, ref: 1}}\n"),
      ElementsAre(StartsWith("study.yaml:3:33: metric.b.ref: unknown field")));
  EXPECT_THAT(ErrorsOf(start + "metric: {a: max, b: min}\nmetric_value: best\n"
                               "stop_early: true\nlimits: {target: 1}\n"
                               "constraints: [{metric: c}]\n"),
              ElementsAre(HasSubstr(":4:15: metric_value: must be LAST with"),
                          HasSubstr(":6:9: limits: has target, which is for"),
                          HasSubstr(":7:15: constraints[0].max: must be")));
}

TEST(StudyFileTest, PlacesOfParametersInTheCommandAreFilled) {
  EXPECT_THAT(JobOf("run: train --rate={lr} {n} {other}\nmetric: {m: max}\n"
                    "parameters: {lr: {float: [0, 1]}, n: {int: [1, 2]}}"),
              HasSubstr("\"argStyle\":\"PLACEHOLDERS\""));
  EXPECT_THAT(JobOf("run: train {other}\nmetric: {m: max}\n"
                    "parameters: {lr: {float: [0, 1]}}"),
              testing::Not(HasSubstr("argStyle")));
  EXPECT_THAT(ErrorsOf("run: train {lrr}\nmetric: {m: max}\n"
                       "parameters: {lr: {float: [0, 1]}}"),
              ElementsAre("study.yaml:1:6: run: no parameter is called \"lrr\""
                          "; did you mean lr?"));
  std::vector<SpecError> errors;
  (void)ParseJob(
      "name: a\nrun: train {b}\nmetric: {m: max}\nparameters: {a: [x, y], b: "
      "{float: [0, 1], when: {a: x}}}",
      {"study.yaml", true}, &errors);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].field_path, "run");
  EXPECT_THAT(errors[0].message,
              HasSubstr("must have no place {b}, since the parameter is not "
                        "always active"));
}

TEST(StudyFileTest, AGangNeedsNoMachineTypes) {
  EXPECT_EQ(JobOf("run: t\nworkers: 3\nroles: {evaluator: {count: 1, args: "
                  "--eval}}"),
            JobOf(R"({"vernier": {"command": ["t"]}, "trainingInput": {
                "scaleTier": "CUSTOM", "masterType": "n1-standard-4",
                "workerCount": 3, "workerType": "n1-standard-4",
                "evaluatorCount": 1, "evaluatorType": "n1-standard-4",
                "evaluatorConfig": {"containerArgs": ["--eval"]}}})"));
}

TEST(StudyFileTest, MistakesHaveThePlacesAndWordsOfTheFile) {
  EXPECT_THAT(
      ErrorsOf(R"(run: python train.py
metric: {loss: minimize}
parameters:
  lr: {log: [1, 1e-5]}
  layers: {int: [0.5, 8], default: 9}
  depth: {int: [0, 8], scale: log}
  opt: {choice: [a, a]}
trials: 3
parallel: 4
limits: {max_tiem: 3h}
slurm: {time_limit: soon}
)"),
      ElementsAre(
          "study.yaml:4:14: parameters.lr.log[0]: must be <= the "
          "highest value: 1 > 1e-05",
          "study.yaml:5:18: parameters.layers.int[0]: must be an "
          "integer within +-2^53 for an int: 0.5",
          StartsWith("study.yaml:5:36: parameters.layers.default: must "
                     "be a value that the parameter can take"),
          "study.yaml:6:17: parameters.depth.int[0]: must be > 0 with "
          "a log scale: 0",
          "study.yaml:7:17: parameters.opt.choice: must list each value "
          "once: \"a\"",
          "study.yaml:9:11: parallel: must be <= trials: 4 > 3",
          "study.yaml:10:10: limits.max_tiem: unknown field; did you mean "
          "max_time?",
          StartsWith("study.yaml:11:21: slurm.time_limit: must be a "
                     "duration")));
}

TEST(StudyFileTest, MistakesOfItsOwnWords) {
  EXPECT_THAT(
      ErrorsOf(R"(run: python train.py | tee log
metrics: {loss: minimize}
metric: loss
parameters:
  lr: {logs: [1, 2]}
  a: {float: [1], int: [1, 2]}
  b: 3
  c: {float: [0, 1], when: {aa: 1}}
  d: {float: [0, 1], when: {a: 1}}
  e: {choice: [x], when: {f: x}}
  f: {choice: [x], when: {e: x}}
  g: {int: [0, 1], scale: cubic}
roles: {boss: {count: 1}}
)"),
      ElementsAre(
          StartsWith("study.yaml:1:6: run: has '|', which only a shell"),
          "study.yaml:2:1: metrics: is no field of a study file; did you mean "
          "metric?",
          StartsWith("study.yaml:3:9: metric: must be the metric's name and "),
          StartsWith("study.yaml:5:7: parameters.lr: must say what"),
          "study.yaml:5:8: parameters.lr.logs: is no word of a parameter; did "
          "you mean log?",
          StartsWith("study.yaml:6:14: parameters.a.float: must be a list of"),
          "study.yaml:6:19: parameters.a.int: must not be given beside float",
          StartsWith("study.yaml:7:6: parameters.b: must be a mapping such"),
          "study.yaml:8:29: parameters.c.when: no parameter is called \"aa\"; "
          "did you mean a?",
          "study.yaml:9:29: parameters.d.when: must name a parameter with "
          "distinct values; \"a\" is a float",
          StartsWith("study.yaml:10:3: parameters.e: its `when` leads back"),
          StartsWith("study.yaml:11:3: parameters.f: its `when` leads back"),
          StartsWith("study.yaml:12:27: parameters.g.scale: must be linear"),
          StartsWith("study.yaml:13:9: roles.boss: must be master")));
}

TEST(StudyFileTest, AListOfNumbersMustSayWhatItIs) {
  for (const char* list : {"[1e-5, 1]", "[1, 2, 4]", "[0.5]"}) {
    EXPECT_THAT(
        ErrorsOf(std::string("run: x\nparameters:\n  lr: ") + list),
        ElementsAre(StartsWith(
            "study.yaml:3:7: parameters.lr: may be a range or separate")))
        << list;
  }
  EXPECT_THAT(JobOf("run: x\nparameters: {n: ['1', '2'], m: [1, auto]}"),
              HasSubstr(R"("categoricalValues":["1","2"])"));
}

TEST(StudyFileTest, WhatIsMissingIsCalledByTheFilesWords) {
  EXPECT_THAT(ErrorsOf("run: x\nmetric: {loss: min}"),
              ElementsAre(HasSubstr("parameters: must list at least one")));
  std::vector<SpecError> errors;
  (void)ParseJob("name: a\nparameters: {x: [a]}", {"s.yaml", true}, &errors);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].field_path, "run");
  EXPECT_THAT(errors[0].message,
              HasSubstr("no program to run; give it as run, image or module"));
}

TEST(StudyFileTest, ErrorsNameTheParameterThatTheyAreAbout) {
  EXPECT_THAT(
      ErrorsOf("run: t\nalgorithm: grid\nparameters:\n  a: {float: [0, 1]}\n"
               "  \"b c\": {int: [0, 1]}\n  d: {log: [1, 2]}\n"),
      ElementsAre(HasSubstr(":4:3: parameters.a: must be an int, a choice or "
                            "values, since the algorithm is grid"),
                  HasSubstr(":5:3: parameters.b c: must not begin with"),
                  HasSubstr(":6:3: parameters.d: must be an int")));
}

TEST(StudyFileTest, ErrorsListTheWordsOfAStudyFile) {
  EXPECT_THAT(
      ErrorsOf("run: t\nmetric: {m: min}\nalgorithm: tpe\nstop_early: maybe\n"
               "parameters: {x: [a, b]}\n"),
      ElementsAre(HasSubstr("algorithm: must be one of default, grid, random, "
                            "quasi_random, shuffled_grid: \"tpe\""),
                  HasSubstr("none: \"maybe\"")));
}

// The study file that is written for a job means the same job.
void ExpectComesBack(std::string_view text) {
  const std::string json = JobOf(text);
  const auto written = WriteStudyFile(json);
  ASSERT_TRUE(written.ok()) << json;
  EXPECT_EQ(JobOf(written->text), json) << written->text;
  EXPECT_TRUE(written->left_out.empty()) << written->left_out.front();
}

TEST(StudyFileTest, IsWrittenForAJob) {
  const auto written = WriteStudyFile(JobOf(R"(
trainingInput:
  region: here
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: val loss
    maxTrials: 20
    params:
    - {parameterName: lr, type: DOUBLE, minValue: 1e-5, maxValue: 1, scaleType: UNIT_LOG_SCALE}
    - parameterName: net
      type: CATEGORICAL
      categoricalValues: [a, "b c"]
      childParameterSpecs:
      - {parameterName: depth, type: INTEGER, minValue: 1, maxValue: 8, parentCategoricalValues: {values: [a]}}
    - {parameterName: flag, type: CATEGORICAL, categoricalValues: [true, false]}
vernier:
  command: [python3, train.py, --data, "my data"]
  earlyStopping: AUTO
  limits: {maxTime: 5400s}
)"));
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(written->text, R"(run: "python3 train.py --data 'my data'"
metric: {"val loss": minimize}
parameters:
  lr: {log: [1e-05, 1]}
  net: {choice: [a, "b c"]}
  depth: {int: [1, 8], when: {net: a}}
  flag: {choice: [true, false]}
trials: 20
stop_early: true
limits: {max_time: "1h 30m"}
)");
  EXPECT_THAT(written->left_out, ElementsAre("trainingInput.region"));
}

TEST(StudyFileTest, WhatIsWrittenMeansTheSameJob) {
  ExpectComesBack(
      "run: t\nparameters: {x: [a, b]}\nmetric: {m: max, n: {goal: min, "
      "reference: -0.5}}\nconstraints:\n- {metric: c, min: 0, max: 1}\n");
  ExpectComesBack(
      "run: t {x}\nmetric: {m: max}\nparameters: {x: [yes, 'no', "
      "'true', 1, 'a: b', '-']}\n");
  ExpectComesBack(
      "run: [a, 'b|c', \"it's\"]\nworkers: 2\nparameter_servers: 1\n");
  ExpectComesBack(
      "run: t\nroles: {master: {machine: n1-standard-8}, worker: {count: 2, "
      "machine: n1-highcpu-8, image: i, args: --x 1, accelerator: {type: "
      "NVIDIA_TESLA_T4, count: 2}}}\n");
  ExpectComesBack(
      "run: t\nstop_early: {rule: asha, min_steps: 3}\nretry: "
      "{max_transient_retries: 4}\nend_rules: [{exit_codes: [3], signals: "
      "[SIGSEGV], action: FAIL}]\nenv: {A_b: 'x: y'}\nlabels: {k: v}\n");
  ExpectComesBack(
      "module: trainer.task\nparameters:\n  n: {int: [1, 3], default: 2}\n  "
      "k: {values: [1, 2.5], when: {n: [1, 2]}}\n  r: {float: [1, 2], scale: "
      "reverse_log}\nmetric: {m: min}\nalgorithm: sobol\ntry_first: [{n: 3, "
      "r: 1}]\n");
}

std::string WrittenFor(std::string_view text) {
  const auto written = WriteStudyFile(JobOf(text));
  return written.ok() ? written->text : std::string(written.status().message());
}

std::vector<std::string> LeftOutOf(std::string_view text) {
  const auto written = WriteStudyFile(JobOf(text));
  EXPECT_TRUE(written.ok()) << written.status();
  return written.ok() ? written->left_out : std::vector<std::string>();
}

// A job of one parameter; `fields` are of its hyperparameters, and `sections`
// come after them.
std::string SearchJobWith(const std::string& fields,
                          const std::string& sections = "") {
  return "trainingInput:\n  pythonModule: a.b\n  hyperparameters:\n    params: "
         "[{parameterName: lr, type: INTEGER, minValue: 1, maxValue: 3}]\n" +
         fields + sections;
}

// Fields of AI Platform whose words in a study file are those of our own
// section, which the job need not have.
TEST(StudyFileTest, FieldsWithoutAWordOfTheirOwnMoveToOurs) {
  const struct {
    const char* field;
    const char* section;
    const char* line;
  } cases[] = {
      {"algorithm: RANDOM_SEARCH", "", "algorithm: random\n"},
      {"algorithm: GRID_SEARCH", "", "algorithm: grid\n"},
      {"algorithm: RANDOM_SEARCH", "vernier: {seed: 1}\n",
       "algorithm: random\n"},
      {"enableTrialEarlyStopping: true", "", "stop_early: true\n"},
      {"enableTrialEarlyStopping: true", "vernier: {seed: 1}\n",
       "stop_early: true\n"},
      {"maxTrials: 2", "vernier: {metricSource: STDOUT}\n",
       "metric_sources: [stdout]\n"},
  };
  for (const auto& each : cases) {
    const std::string job =
        SearchJobWith(std::string("    ") + each.field + "\n", each.section);
    EXPECT_THAT(WrittenFor(job), HasSubstr(each.line)) << job;
    EXPECT_THAT(LeftOutOf(job), ElementsAre()) << job;
  }
}

TEST(StudyFileTest, OurFieldsOverrideThoseOfAiPlatform) {
  const std::string job = SearchJobWith(
      "    enableTrialEarlyStopping: true\n    algorithm: GRID_SEARCH\n",
      "vernier: {earlyStopping: MEDIAN, algorithm: RANDOM_SEARCH}\n");
  EXPECT_THAT(WrittenFor(job),
              HasSubstr("algorithm: random\nstop_early: median"));
  EXPECT_THAT(LeftOutOf(job),
              testing::UnorderedElementsAre(
                  "trainingInput.hyperparameters.enableTrialEarlyStopping",
                  "trainingInput.hyperparameters.algorithm"));
}

TEST(StudyFileTest, WhatIsSoAnyhowIsNeitherWrittenNorNamed) {
  const std::string job = SearchJobWith(
      "    enableTrialEarlyStopping: false\n"
      "    algorithm: ALGORITHM_UNSPECIFIED\n");
  EXPECT_THAT(WrittenFor(job), testing::Not(HasSubstr("stop_early")));
  EXPECT_THAT(WrittenFor(job), testing::Not(HasSubstr("algorithm")));
  EXPECT_THAT(LeftOutOf(job), ElementsAre());
}

TEST(StudyFileTest, AMappingForStoppingNeedsNoRule) {
  ExpectComesBack("run: t\nstop_early: {min_steps: 3}\n");
  const auto job =
      ParseJob("run: t\nstop_early: {min_steps: 3}\n", {"s.yaml", false});
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_EQ(job->spec.vernier.early_stopping, StoppingRule::kAuto);
}

// Braces of a job file are the program's own unless it says PLACEHOLDERS.
TEST(StudyFileTest, BracesOfAJobFileStayThePrograms) {
  const struct {
    const char* name;
    const char* fields;
    const char* style;
  } cases[] = {
      {"a name", "  args: ['--x={lr}']\n", "arg_style: space\n"},
      {"nearly a name", "  args: ['--x={lrr}']\n", "arg_style: space\n"},
      {"of a role", "  masterConfig: {containerArgs: ['{lr}'], imageUri: i}\n",
       "arg_style: space\n"},
      {"with a style", "  args: ['{lr}']\nvernier: {argStyle: EQUALS}\n",
       "arg_style: equals\n"},
      {"our command", "vernier: {command: [t, '{lr}'], argStyle: FLAGS}\n",
       "arg_style: flags\n"},
  };
  for (const auto& each : cases) {
    const std::string job = SearchJobWith("    maxTrials: 2\n", each.fields);
    const std::string written = WrittenFor(job);
    EXPECT_THAT(written, HasSubstr(each.style)) << each.name;
    const auto read = ParseJob(written, {"study.yaml", false});
    ASSERT_TRUE(read.ok()) << each.name << read.status() << written;
    EXPECT_NE(read->spec.vernier.arg_style, ArgStyle::kPlaceholders);
  }
  EXPECT_THAT(WrittenFor(SearchJobWith("", "  args: ['{\"depth\": 1}']\n")),
              testing::Not(HasSubstr("arg_style")));
  ExpectComesBack(
      "run: t {lr}\nmetric: {m: minimize}\nparameters: {lr: [a, b]}\n");
}

TEST(StudyFileTest, PlacesAreLookedForOnlyWhereTheyAreFilled) {
  const std::string rest =
      "metric: {m: max}\nparameters: {lr: {float: [0, 1]}}\n";
  for (const char* style : {"space", "equals", "flags", "none", "EQUALS"}) {
    EXPECT_THAT(ErrorsOf("run: t {lrr} {lr}\narg_style: " + std::string(style) +
                         "\n" + rest),
                ElementsAre())
        << style;
  }
  for (const char* style : {"", "arg_style: placeholders\n"}) {
    EXPECT_THAT(ErrorsOf("run: t {lrr} {lr}\n" + std::string(style) + rest),
                ElementsAre(HasSubstr("no parameter is called \"lrr\"")));
  }
}

// A job file may use a name once in each of two branches.
TEST(StudyFileTest, ANameInTwoBranchesCannotBeWritten) {
  const std::string job = R"(
trainingInput:
  pythonModule: a.b
  hyperparameters:
    params:
    - parameterName: net
      type: CATEGORICAL
      categoricalValues: [a, b]
      childParameterSpecs:
      - {parameterName: depth, type: INTEGER, minValue: 1, maxValue: 8, parentCategoricalValues: {values: [a]}}
      - {parameterName: depth, type: INTEGER, minValue: 3, maxValue: 4, parentCategoricalValues: {values: [b]}}
)";
  ASSERT_THAT(ErrorsOf(job), ElementsAre());
  EXPECT_EQ(WrittenFor(job),
            "\"depth\" for {net: b} has the name of another parameter; a study "
            "file cannot use one name twice; run this job file as it is");
}

// Each field of the table can be written, and arrives where the table says.
TEST(StudyFileTest, EachFieldReachesItsPlace) {
  for (const StudyField& field : StudyFields()) {
    EXPECT_FALSE(field.word.empty());
    EXPECT_EQ(SnakeCase(CamelCase(field.word)), field.word);
  }
  EXPECT_THAT(
      JobOf(R"(
name: a
labels: {k: v}
module: trainer.task
packages: [/p.tar.gz]
args: --a 1
arg_style: equals
code: /code
outputs: /out
outputs_as: uri
gs_args: uri
metric_value: best
metric_sources: [stdout, metric_file]
metric_patterns: [{metric: m, pattern: 'm (?P<value>\S+)'}]
not_finite: ignore
parameters: {x: [a, b]}
metric: {m: max}
constraints: [not (x = a)]
try_first: [{x: b}]
max_failed: 1
max_failed_in_a_row: 2
max_failed_at_once: 3
repeats: 3
prior_studies: [old]
prior_rename: {z: x}
beliefs: {x: {near: b}}
can_resume: true
per_cost: true
timeout: 1d
max_wait: 1h
kill_grace: 5s
priority: 7
preemptible: true
retry: {max_transient_retries: 4}
end_rules: [{exit_codes: [3], action: FAIL}]
gpus: 1
gpu_memory: 4G
"on": kubernetes
kubernetes: {labels: {my_Label: v}, node_selector: {a_b: c}, cpus_per_replica: 2}
slurm: {time_limit: 2h, extra_args: [--exclusive]}
python: "3.11"
tf_config_chief: true
)"),
      testing::AllOf(
          HasSubstr(R"("jobId":"a")"), HasSubstr(R"("k":"v")"),
          HasSubstr(R"("args":["--a","1"])"),
          HasSubstr(R"("argStyle":"EQUALS")"),
          HasSubstr(R"("metricSources":["STDOUT","METRIC_FILE"])"),
          HasSubstr(R"("maxRunningTime":"86400s")"),
          HasSubstr(R"("my_Label":"v")"), HasSubstr(R"("a_b":"c")"),
          HasSubstr(R"json("beliefs":{"x":{"near":"b"}})json"),
          HasSubstr(R"("timeLimit":"7200s")"), HasSubstr(R"("perCost":true)"),
          HasSubstr(R"json("parameterConstraints":["not (x = a)"])json"),
          HasSubstr(R"("useChiefInTfConfig":true)")));
}

TEST(StudyFileTest, ThePageListsEachField) {
  std::ifstream file(StudyTestPath("../../docs/study-file.md"));
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  for (const StudyField& field : StudyFields()) {
    EXPECT_THAT(page, HasSubstr("| `" + std::string(field.word) + "` | `" +
                                std::string(field.path)));
  }
}

TEST(ValueFormsTest, SplitsCommandsAsAShellDoes) {
  const auto words = SplitCommand("a  'b c'\t\"d \\\" e\" f\\ g 'x'\"y\"z ''");
  ASSERT_TRUE(words.ok());
  EXPECT_THAT(*words, ElementsAre("a", "b c", "d \" e", "f g", "xyz", ""));
  EXPECT_EQ(SplitCommand(JoinCommand(*words)).value(), *words);
  for (const char* text : {"a | b", "a $HOME", "a; b", "a > f", "\"$x\"",
                           "a && b", "a `b`", "'a", "\"a"}) {
    EXPECT_FALSE(SplitCommand(text).ok()) << text;
  }
  EXPECT_TRUE(SplitCommand("").value().empty());
  EXPECT_THAT(SplitCommand("'$HOME|'").value(), ElementsAre("$HOME|"));
}

TEST(ValueFormsTest, FindsTextsInBraces) {
  EXPECT_THAT(TextsInBraces("--x={lr},{{a}} {b {c} {"),
              ElementsAre("lr", "a", "c"));
  EXPECT_THAT(TextsInBraces("{}"), ElementsAre(""));
  EXPECT_TRUE(TextsInBraces("a}b").empty());
}

TEST(ValueFormsTest, ReadsAndWritesDurations) {
  EXPECT_EQ(SecondsFromWords("1h 30m"), "5400s");
  EXPECT_EQ(SecondsFromWords("1.5d"), "129600s");
  EXPECT_EQ(SecondsFromWords("0.2s"), "1s");
  EXPECT_EQ(SecondsFromWords("3600s"), "3600s");
  for (const char* text :
       {"", "90", "h", "-1h", "1w", "1e99d", "nanh", "1h30"}) {
    EXPECT_EQ(SecondsFromWords(text), std::nullopt) << text;
  }
  EXPECT_EQ(WordsFromSeconds("5400s"), "1h 30m");
  EXPECT_EQ(WordsFromSeconds("86401s"), "1d 1s");
  EXPECT_EQ(WordsFromSeconds("soon"), "soon");
}

}  // namespace
}  // namespace vernier
