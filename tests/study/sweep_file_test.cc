#include "study/sweep_file/sweep_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const ParseJobOptions kSweepOptions = {"sweep.yaml", false};

std::string JobOfSweep(const std::string& text) {
  const auto job = ParseJob(text, kSweepOptions);
  return job.ok() ? job->json : std::string(job.status().message());
}

std::vector<std::string> ErrorsOfSweep(const std::string& text) {
  std::vector<SpecError> errors;
  const auto job = ParseJob(text, kSweepOptions, &errors);
  EXPECT_FALSE(job.ok());
  std::vector<std::string> texts;
  for (const SpecError& error : errors) texts.push_back(FormatSpecError(error));
  return texts;
}

std::string SweepOf(const std::string& parameters,
                    const std::string& others = "") {
  return absl::StrCat(
      "program: train.py\nmethod: bayes\nmetric: {name: loss}\nrun_cap: 7\n",
      others, "parameters:\n", parameters);
}

TEST(SweepFileTest, BecomesTheJobThatItMeans) {
  EXPECT_EQ(JobOfSweep(R"(
program: train.py
method: bayes
metric: {name: accuracy, goal: maximize, target: 0.9}
run_cap: 60
early_terminate: {type: hyperband, min_iter: 3, eta: 2}
parameters:
  lr: {distribution: log_uniform_values, min: 1e-5, max: 1}
  layers: {min: 1, max: 8}
  dropout: {min: 0.0, max: 0.5}
  optimizer: {values: [sgd, adam]}
  batch: {values: [64, 32]}
  epochs: {value: 10}
)"),
            JobOfSweep(R"({"trainingInput": {"hyperparameters": {
        "goal": "MAXIMIZE", "hyperparameterMetricTag": "accuracy",
        "maxTrials": 60, "params": [
          {"parameterName": "lr", "type": "DOUBLE", "minValue": 1e-5,
           "maxValue": 1, "scaleType": "UNIT_LOG_SCALE"},
          {"parameterName": "layers", "type": "INTEGER", "minValue": 1,
           "maxValue": 8},
          {"parameterName": "dropout", "type": "DOUBLE", "minValue": 0.0,
           "maxValue": 0.5},
          {"parameterName": "optimizer", "type": "CATEGORICAL",
           "categoricalValues": ["sgd", "adam"]},
          {"parameterName": "batch", "type": "DISCRETE",
           "discreteValues": [32, 64]},
          {"parameterName": "epochs", "type": "DISCRETE",
           "discreteValues": [10]}]}},
        "vernier": {"command": ["python3", "train.py"],
          "argStyle": "EQUALS", "limits": {"target": 0.9},
          "earlyStopping": {"rule": "HYPERBAND", "minSteps": 3,
                            "reductionFactor": 2}}})"));
}

TEST(SweepFileTest, DistributionsAreWhatWandbComputes) {
  EXPECT_THAT(
      JobOfSweep(SweepOf("  x: {distribution: log_uniform, min: 0, max: 1}")),
      HasSubstr(R"("minValue":1,"maxValue":2.718281828459045,)"
                R"("scaleType":"UNIT_LOG_SCALE")"));
  EXPECT_THAT(
      JobOfSweep(SweepOf(
          "  x: {distribution: q_uniform, min: 0.12, max: 0.5, q: 0.1}")),
      HasSubstr(R"("discreteValues":[0.1,0.2,0.3,0.4,0.5])"))
      << "rounded, and not cut at the bounds";
  EXPECT_THAT(
      JobOfSweep(SweepOf("  x: {distribution: q_uniform, min: 0.6, max: 5}")),
      HasSubstr(R"("type":"INTEGER","minValue":1,"maxValue":5)"));
  EXPECT_THAT(
      JobOfSweep(SweepOf("  x: {distribution: q_log_uniform_values, min: 8, "
                         "max: 512, q: 8}")),
      HasSubstr(R"("discreteValues":[8,16,24,)"));
  EXPECT_THAT(JobOfSweep(SweepOf("  x: {min: 1.0, max: 3}")),
              HasSubstr(R"("type":"DOUBLE")"))
      << "not both are whole";
  EXPECT_THAT(
      JobOfSweep(SweepOf("  x: {distribution: inv_log_uniform_values, min: "
                         "0.1, max: 10}")),
      HasSubstr(R"("UNIT_LOG_SCALE")"));
}

TEST(SweepFileTest, ValuesAreThoseThatPythonPrints) {
  const std::string job = JobOfSweep(
      SweepOf("  flag: {values: [true, false]}\n  size: {values: [null, 3]}\n"
              "  on: {value: true}\n"));
  EXPECT_THAT(job, HasSubstr(R"(["True","False"])"));
  EXPECT_THAT(job, HasSubstr(R"(["None","3"])"));
  EXPECT_THAT(
      job,
      HasSubstr(R"("on","type":"CATEGORICAL","categoricalValues":["True"])"));
}

TEST(SweepFileTest, TheCommandKeepsTheFormOfItsArguments) {
  const auto command = [](const std::string& words) {
    return JobOfSweep(SweepOf("  x: {min: 0.0, max: 1.0}\n  n: {value: 3}\n",
                              "command: [" + words + "]\n"));
  };
  EXPECT_THAT(command("'${env}', '${interpreter}', '${program}', '${args}'"),
              HasSubstr(R"("command":["python3","train.py"])"));
  const std::string spaced = command("'${program}', '${args_no_equals}'");
  EXPECT_THAT(spaced, HasSubstr(R"("command":["train.py"])"));
  EXPECT_THAT(spaced, Not(HasSubstr("argStyle")));
  EXPECT_THAT(command("python, '${program}', '${args_no_hyphens}'"),
              HasSubstr(R"(["python","train.py","x={x}","n={n}"])"));
  EXPECT_THAT(command("'${program}', '${args_append_hydra}'"),
              HasSubstr(R"(["train.py","+x={x}","+n={n}"])"));
  const std::string before = command("'${program}', '${args}', --verbose");
  EXPECT_THAT(before,
              HasSubstr(R"(["train.py","--x={x}","--n={n}","--verbose"])"));
  EXPECT_THAT(before, HasSubstr(R"("argStyle":"PLACEHOLDERS")"));
  EXPECT_THAT(JobOfSweep(SweepOf("  x: {min: 0.0, max: 1.0}\n",
                                 "command: ['${program}']\n")),
              HasSubstr(R"("argStyle":"NONE")"));
  // A constant that is no value of a parameter stays an argument.
  const std::string with_empty =
      "  x: {min: 0.0, max: 1.0}\n  n: {value: ''}\n";
  EXPECT_THAT(JobOfSweep(SweepOf(with_empty)),
              HasSubstr(R"("command":["python3","train.py","--n="])"));
  EXPECT_THAT(ErrorsOfSweep(SweepOf(with_empty, "command: ['${program}']\n")),
              ElementsAre(HasSubstr("command: has no ${args}, and the "
                                    "constant n is")));
  EXPECT_THAT(
      ErrorsOfSweep(SweepOf("  x: {min: 0, max: 1}\n",
                            "command: ['${program}', '${args_json_file}']\n")),
      testing::Contains(HasSubstr("word without a counterpart here: "
                                  "\"${args_json_file}\"")));
}

// A command has a nested mapping as Python prints it.
TEST(SweepFileTest, NestedParametersHaveNamesWithPoints) {
  const std::string nested =
      "  optimizer:\n"
      "    parameters:\n"
      "      name: {values: [sgd, adam]}\n"
      "      lr: {min: 0.0, max: 1.0}\n"
      "      decay: {parameters: {rate: {values: [1, 2]}}}\n"
      "  data: {value: {size: 3, kind: real, fast: true}}\n"
      "  x: {min: 1, max: 3}\n";
  const std::string job = JobOfSweep(SweepOf(nested));
  for (const char* name :
       {"optimizer.name", "optimizer.lr", "optimizer.decay.rate", "data.size",
        "data.kind", "data.fast"}) {
    EXPECT_THAT(job, HasSubstr(absl::StrCat("\"", name, "\"")));
  }
  EXPECT_THAT(job,
              HasSubstr(R"(["python3","train.py","--x={x}",)"
                        R"("--optimizer={'name': '{optimizer.name}', )"
                        R"('lr': {optimizer.lr}, )"
                        R"('decay': {'rate': {optimizer.decay.rate}}}",)"
                        R"("--data={'size': {data.size}, )"
                        R"('kind': '{data.kind}', 'fast': {data.fast}}"])"));
  EXPECT_THAT(job, HasSubstr(R"("argStyle":"PLACEHOLDERS")"));
  EXPECT_THAT(JobOfSweep(SweepOf(nested, "command: ['${program}']\n")),
              HasSubstr(R"("argStyle":"NONE")"));
  EXPECT_THAT(
      ErrorsOfSweep(SweepOf("  a: {parameters: {b: {value: null}, c: {max: "
                            "1}}}\n")),
      ElementsAre(HasSubstr("parameters.a.b: must have a value, since it is"),
                  HasSubstr("parameters.a.c: must have min and max")));
}

TEST(SweepFileTest, TheNumberOfTrialsOfAGridIsItsSize) {
  EXPECT_THAT(
      JobOfSweep("program: t.py\nmethod: grid\nmetric: {name: m}\n"
                 "parameters: {a: {values: [1, 2, 3]}, b: {values: [x, y]}}"),
      HasSubstr(R"("maxTrials":6)"));
  EXPECT_THAT(JobOfSweep("program: t.py\nmethod: random\nmetric: {name: m}\n"
                         "parameters: {a: {min: 0, max: 9}}"),
              HasSubstr(R"("maxTrials":100)"));
}

TEST(SweepFileTest, AGridHasNoRangesOfNumbers) {
  EXPECT_THAT(
      ErrorsOfSweep("program: t.py\nmethod: grid\nmetric: {name: m}\n"
                    "run_cap: 3\nparameters:\n  a: {values: [1, 2]}\n"
                    "  b: {min: 0.0, max: 1.0}\n  c: {min: 1, max: 3}"),
      ElementsAre(HasSubstr(":7:6: parameters.b: is a range of numbers, "
                            "of which there is no grid: write values")));
}

TEST(SweepFileTest, AValueThatIsListedTwiceCountsOnce) {
  const auto job = ParseJob(
      "program: t.py\nmethod: grid\nmetric: {name: m}\nparameters:\n"
      "  keep: {values: [0.8, 0.8, 0.9]}\n  n: {values: [16, 16.0, 8]}\n"
      "  flag: {values: [true, True, \"True\", x]}\n",
      kSweepOptions);
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_THAT(job->json, HasSubstr(R"("discreteValues":[0.8,0.9])"));
  EXPECT_THAT(job->json, HasSubstr(R"("discreteValues":[8,16])"));
  EXPECT_THAT(job->json, HasSubstr(R"("categoricalValues":["True","x"])"));
  EXPECT_THAT(job->json, HasSubstr(R"("maxTrials":8)"));
  std::vector<std::string> notes;
  for (const SpecError& note : job->notes) {
    notes.push_back(FormatSpecError(note));
  }
  EXPECT_THAT(
      notes,
      ElementsAre("sweep.yaml:5:24: parameters.keep: lists 0.8 again; each "
                  "value counts once",
                  HasSubstr("parameters.n: lists 16 again; each value"),
                  HasSubstr("parameters.flag: lists True and 1 other again")));
}

TEST(SweepFileTest, WhatHasNoCounterpartIsNamed) {
  const auto job =
      ParseJob(SweepOf("  x: {values: [1, 2], probabilities: [0.1, 0.9]}\n",
                       "name: n\nproject: p\nentity: e\n"),
               kSweepOptions);
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_THAT(job->ignored_fields, ElementsAre("parameters.x.probabilities",
                                               "name", "project", "entity"));
  ASSERT_EQ(job->notes.size(), 4u);
  EXPECT_EQ(FormatSpecError(job->notes[0]),
            "sweep.yaml:5:1: name: says how W&B shows the sweep, or where it "
            "keeps it");
  EXPECT_THAT(
      ErrorsOfSweep(SweepOf("  x: {distribution: normal, mu: 0, sigma: 1}\n"
                            "  y: {parameters: [z]}\n"
                            "  w: {min: 0}\n"
                            "  v: {mim: 0, max: 1}\n")),
      ElementsAre(HasSubstr(":6:21: parameters.x: has no counterpart "
                            "here: normal; take a range"),
                  HasSubstr(":7:6: parameters.y: must have nothing beside"),
                  HasSubstr(":8:6: parameters.w: must have min and"),
                  HasSubstr(":9:6: parameters.v: must have min and"),
                  HasSubstr(":9:7: parameters.v.mim: is no field")));
  EXPECT_THAT(ErrorsOfSweep("method: custom\nprogram: t.py\nwhatever: 1\n"
                            "parameters: {x: {min: 0, max: 1}}\n"),
              ElementsAre(HasSubstr("metric: is needed to say which trial"),
                          HasSubstr(":1:9: method: must be bayes, random or "),
                          HasSubstr(":3:1: whatever: is no field of a sweep")));
}

// Errors of the values themselves are the job file's, in the sweep's words.
TEST(SweepFileTest, ErrorsOfValuesHaveTheSweepsWords) {
  EXPECT_THAT(
      ErrorsOfSweep(SweepOf("  x: {distribution: log_uniform_values, min: 0, "
                            "max: 1}\n")),
      ElementsAre(HasSubstr("sweep.yaml:6:46: parameters.x.min: must be > 0")));
  EXPECT_THAT(ErrorsOfSweep(SweepOf("  x: {min: 3, max: 1}\n")),
              testing::Contains(HasSubstr("parameters.x")));
}

TEST(SweepFileTest, BoundsInTheWrongOrderAreAnErrorWithStepsToo) {
  for (const char* distribution : {"q_uniform", "q_log_uniform"}) {
    EXPECT_THAT(
        ErrorsOfSweep(SweepOf(absl::StrCat("  x: {distribution: ", distribution,
                                           ", min: 4, max: 3, q: 0.5}\n"))),
        ElementsAre(HasSubstr("parameters.x: min must be <= max")));
  }
}

TEST(SweepFileTest, HugeBoundsHaveOneStep) {
  EXPECT_THAT(JobOfSweep(SweepOf("  x: {distribution: q_uniform, min: 1e300, "
                                 "max: 1e300, q: 0.5}\n")),
              HasSubstr(R"("discreteValues":[1e+300])"));
}

TEST(SweepFileTest, OnlyASweepIsOne) {
  EXPECT_THAT(
      JobOfSweep("run: x\nmethod: grid\nparameters: {a: {int: [1, 2]}}"),
      HasSubstr("method: is no field of a study file"));
  EXPECT_THAT(JobOfSweep("{program: t.py, parameters: {a: {min: 0, max: 1}}}"),
              HasSubstr("a sweep of Weights & Biases"));
}

}  // namespace
}  // namespace vernier
