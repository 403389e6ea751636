#include "study/foreign_files/azure_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_replace.h"
#include "tests/study/foreign_outcome.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kAzureSweep[] =
    R"($schema: https://azuremlschemas.azureedge.net/latest/sweepJob.schema.json
type: sweep
display_name: digits
trial:
  code: src
  command: >-
    python train.py --lr ${{search_space.lr}} --layers ${{search_space.layers}}
    --drop=${{search_space.drop}} --batch ${{search_space.batch}}
    --optimizer ${{ search_space.optimizer }} --epochs ${{inputs.epochs}}
  environment: azureml:cpu@latest
  environment_variables: {MODE: fast}
inputs: {epochs: 10, data: {type: uri_file, path: azureml:digits@latest}}
sampling_algorithm: random
search_space:
  lr: {type: loguniform, min_value: -6.907755278982137, max_value: 0}
  layers: {type: randint, upper: 5}
  drop: {type: quniform, min_value: 0.12, max_value: 0.5, q: 0.1}
  batch: {type: choice, values: [64, 32]}
  optimizer: {type: choice, values: [sgd, adam]}
objective: {goal: Maximize, primary_metric: accuracy}
limits: {max_total_trials: 8, max_concurrent_trials: 9, timeout: 7200, trial_timeout: 600}
early_termination: {type: median_stopping, delay_evaluation: 5}
)";

ForeignOutcome AzureWith(const std::string& from, const std::string& to) {
  return ReadForeignWith(kAzureSweep, from, to);
}

TEST(AzureFileTest, ASweepBecomesAJob) {
  const ForeignOutcome read = ReadForeign(kAzureSweep);
  ASSERT_EQ(read.error, "");
  EXPECT_THAT(read.notes,
              ElementsAre(HasSubstr("f:3:1: display_name: is what Azure's"),
                          HasSubstr("f:10:3: trial.environment: is an env"),
                          HasSubstr("early_termination.delay_evaluation: ")));
  EXPECT_EQ(read.search()["goal"], "MAXIMIZE");
  EXPECT_EQ(read.search()["hyperparameterMetricTag"], "accuracy");
  EXPECT_EQ(read.search()["maxTrials"], 8);
  EXPECT_EQ(read.search()["maxParallelTrials"], 8);
  const Json& vernier = read.vernier();
  EXPECT_EQ(vernier["command"],
            Json({"python", "train.py", "--lr", "{lr}", "--layers", "{layers}",
                  "--drop={drop}", "--batch", "{batch}", "--optimizer",
                  "{optimizer}", "--epochs", "10"}));
  EXPECT_EQ(vernier["argStyle"], "PLACEHOLDERS");
  EXPECT_EQ(vernier["codeDir"], "src");
  EXPECT_EQ(vernier["algorithm"], "RANDOM_SEARCH");
  EXPECT_EQ(vernier["environment"]["MODE"], "fast");
  EXPECT_EQ(vernier["limits"]["maxTime"], "7200s");
  EXPECT_EQ(vernier["trialTimeLimit"], "600s");
  EXPECT_EQ(vernier["earlyStopping"]["rule"], "MEDIAN");
}

TEST(AzureFileTest, ParametersAreWhatAzureDraws) {
  const Json params = ReadForeign(kAzureSweep).params();
  ASSERT_EQ(params.size(), 5u);
  EXPECT_NEAR(params[0]["minValue"].get<double>(), 0.001, 1e-12)
      << "exponents of e";
  EXPECT_EQ(params[0]["maxValue"], 1);
  EXPECT_EQ(params[0]["scaleType"], "UNIT_LOG_SCALE");
  EXPECT_EQ(params[1]["minValue"], 0);
  EXPECT_EQ(params[1]["maxValue"], 4) << "the end is not among them";
  EXPECT_EQ(params[2]["discreteValues"], Json({0.1, 0.2, 0.3, 0.4, 0.5}))
      << "rounded, and not cut at the bounds";
  EXPECT_EQ(params[3]["discreteValues"], Json({32, 64}));
  EXPECT_EQ(params[4]["categoricalValues"], Json({"sgd", "adam"}));
  EXPECT_THAT(AzureWith("type: quniform, min_value: 0.12, max_value: 0.5, q: "
                        "0.1",
                        "type: quniform, min_value: 1, max_value: 100, q: 1")
                  .params()[2]["type"],
              "INTEGER");
}

TEST(AzureFileTest, HugeBoundsHaveOneStep) {
  EXPECT_EQ(AzureWith("min_value: 0.12, max_value: 0.5, q: 0.1",
                      "min_value: 1.0e+300, max_value: 1.0e+300, q: 0.5")
                .params()[2]["discreteValues"],
            Json({1e300}));
}

TEST(AzureFileTest, AShellIsKeptWhereItIsNeeded) {
  const Json command =
      AzureWith("values: [sgd, adam]", "values: [sgd, \"adam --fast\"]")
          .vernier()["command"];
  ASSERT_EQ(command.size(), 3u);
  EXPECT_EQ(command[0], "bash");
  EXPECT_THAT(command[2].get<std::string>(), HasSubstr("--lr {lr} "));
  EXPECT_EQ(AzureWith("python train.py", "pip install x && python train.py")
                .vernier()["command"][0],
            "bash");
}

TEST(AzureFileTest, WhatHasNoCounterpartIsRefused) {
  EXPECT_THAT(AzureWith("{{inputs.epochs}}", "{{inputs.data}}").error,
              HasSubstr("f:6:12: trial.command: ${{inputs.data}} is data that "
                        "Azure brings"));
  EXPECT_THAT(AzureWith("{{inputs.epochs}}", "{{outputs.model}}").error,
              HasSubstr("${{outputs.model}} has no counterpart"));
  EXPECT_THAT(AzureWith("--batch ${{search_space.batch}}", "").error,
              HasSubstr("has no ${{search_space.batch}}"));
  EXPECT_THAT(AzureWith("search_space.batch", "search_space.size").error,
              HasSubstr("\"size\" is no parameter"));
  EXPECT_THAT(
      AzureWith("type: randint, upper: 5", "type: normal, mu: 0, sigma: 1")
          .error,
      HasSubstr("f:16:11: search_space.layers.type: has no "
                "counterpart here: normal"));
  EXPECT_THAT(AzureWith("  code: src\n",
                        "  code: src\n  resources: {instance_count: 2}\n")
                  .error,
              HasSubstr("trial.resources.instance_count: must be 1"));
  EXPECT_THAT(AzureWith("sampling_algorithm: random",
                        "sampling_algorithm: {type: random, logbase: 2}")
                  .error,
              HasSubstr("sampling_algorithm.logbase: must be e; give the "
                        "bounds as powers of e: 2"));
  EXPECT_THAT(AzureWith("goal: Maximize", "goal: up").error,
              HasSubstr("objective.goal: must be"));
  EXPECT_THAT(AzureWith("max_total_trials: 8", "max_trials: 8").error,
              HasSubstr("limits.max_trials: is no field of a sweep of Azure "
                        "ML that is known here"));
}

TEST(AzureFileTest, BoundsArePowersOfE) {
  for (const char* base : {"e", "2.718281828459045"}) {
    const ForeignOutcome read = AzureWith(
        "sampling_algorithm: random",
        std::string("sampling_algorithm: {type: random, rule: random, "
                    "logbase: ") +
            base + "}");
    EXPECT_EQ(read.error, "");
    EXPECT_EQ(read.vernier()["algorithm"], "RANDOM_SEARCH");
  }
}

TEST(AzureFileTest, SingleBracesAreReadToo) {
  const std::string sweep = absl::StrReplaceAll(
      kAzureSweep, {{"${{search_space.lr}}", "{search_space.lr}"},
                    {"${{inputs.epochs}}",
                     "{inputs.epochs} --keep {x} "
                     "{{inputs.epochs}}"}});
  const ForeignOutcome read = ReadForeign(sweep);
  ASSERT_EQ(read.error, "");
  EXPECT_THAT(read.vernier()["command"][3], "{lr}");
  EXPECT_EQ(read.vernier()["command"].back(), "{{inputs.epochs}}");
  EXPECT_THAT(read.notes, testing::Contains(HasSubstr(
                              "f:6:12: trial.command: has places in single "
                              "braces, the old form of ${{...}}")));
  EXPECT_THAT(AzureWith("${{inputs.epochs}}", "{inputs.data}").error,
              HasSubstr("${{inputs.data}} is data that Azure brings"));
  EXPECT_THAT(AzureWith("${{inputs.epochs}}", "{outputs.model}").error,
              HasSubstr("${{outputs.model}} has no counterpart"));
  EXPECT_EQ(AzureWith("${{inputs.epochs}}", "{inputs.epochs").error, "");
}

TEST(AzureFileTest, CodeIsAFolderHere) {
  EXPECT_THAT(AzureWith("code: src", "code: {local_path: lib}").error,
              HasSubstr("f:5:9: trial.code: must be a folder: write code: "
                        "lib"));
  EXPECT_THAT(AzureWith("code: src", "code: azureml:digits:1").error,
              HasSubstr("f:5:9: trial.code: is code at Azure"));
  for (const char* code :
       {"git+https://github.com/a/b", "https://github.com/a/b#main:src",
        "git@github.com:a/b"}) {
    EXPECT_THAT(
        AzureWith("code: src", std::string("code: \"") + code + "\"").error,
        HasSubstr("trial.code: is code on another machine, which is not "
                  "fetched"));
  }
}

TEST(AzureFileTest, TimesAreNumbersOfSeconds) {
  for (const char* time : {"10m", "PT1H", "-5", "[1]"}) {
    EXPECT_THAT(
        AzureWith(" timeout: 7200", std::string(" timeout: ") + time).error,
        HasSubstr(
            "limits.timeout: must be a number of seconds, such as 3600: "))
        << time;
  }
  EXPECT_THAT(AzureWith("trial_timeout: 600", "trial_timeout: 10m").error,
              HasSubstr("f:21:87: limits.trial_timeout: must be a number of "
                        "seconds, such as 3600: 10m"));
}

TEST(AzureFileTest, AParametersNameIsItsKey) {
  EXPECT_THAT(AzureWith("layers", "a=b").error,
              HasSubstr("f:16:3: search_space.a=b: must not begin with"));
}

TEST(AzureFileTest, AGridHasNoRangesOfNumbers) {
  EXPECT_THAT(
      AzureWith("sampling_algorithm: random", "sampling_algorithm: grid").error,
      HasSubstr("f:15:3: search_space.lr: is a range of numbers, of which "
                "there is no grid: write choice, randint"));
}

TEST(AzureFileTest, AValueThatIsListedTwiceCountsOnce) {
  const ForeignOutcome numbers = AzureWith("[64, 32]", "[64, 32, 64.0, 32]");
  ASSERT_EQ(numbers.error, "");
  EXPECT_EQ(numbers.params()[3]["discreteValues"], Json({32, 64}));
  EXPECT_THAT(numbers.notes,
              testing::Contains(
                  HasSubstr("search_space.batch: lists 64 and 1 other again")));
  const ForeignOutcome texts = AzureWith("[sgd, adam]", "[sgd, adam, sgd]");
  ASSERT_EQ(texts.error, "");
  EXPECT_EQ(texts.params()[4]["categoricalValues"], Json({"sgd", "adam"}));
  EXPECT_THAT(texts.notes,
              testing::Contains(HasSubstr("search_space.optimizer: lists sgd "
                                          "again; each value counts once")));
}

TEST(AzureFileTest, AzuresDefaultsHold) {
  EXPECT_EQ(AzureWith("max_total_trials: 8, ", "").search()["maxTrials"], 1000);
  EXPECT_EQ(AzureWith("sampling_algorithm: random",
                      "sampling_algorithm: {type: random, rule: sobol, seed: "
                      "3}")
                .vernier()["algorithm"],
            "QUASI_RANDOM_SEARCH");
}

}  // namespace
}  // namespace vernier
