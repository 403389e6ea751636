#include "study/foreign_files/determined_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/study/foreign_outcome.h"

namespace vernier {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kExperimentOfDetermined[] = R"(name: digits
entrypoint: python3 train.py --epochs 10
hyperparameters:
  lr: {type: log, base: 10, minval: -3, maxval: 0}
  size: {type: log, base: 2, minval: 4, maxval: 6}
  layers: {type: int, minval: 1, maxval: 5}
  dropout: {type: double, minval: 0.1, maxval: 0.5}
  batch: {type: categorical, vals: [64, 32]}
  optimizer:
    name: {type: categorical, vals: [sgd, adam]}
    momentum: {type: double, minval: 0, maxval: 1}
  nesterov: true
  epochs: {type: const, val: 10}
searcher:
  name: adaptive_asha
  metric: loss
  divisor: 3
  max_trials: 8
  max_concurrent_trials: 20
max_restarts: 2
resources: {slots_per_trial: 1}
environment:
  image: registry.example/digits:3
  environment_variables: [MODE=fast]
reproducibility: {experiment_seed: 7}
)";

ForeignOutcome WithChange(const std::string& from, const std::string& to) {
  return ReadForeignWith(kExperimentOfDetermined, from, to);
}

TEST(DeterminedFileTest, AnExperimentBecomesAJob) {
  const ForeignOutcome read = ReadForeign(kExperimentOfDetermined);
  ASSERT_EQ(read.error, "");
  EXPECT_THAT(read.ignored, IsEmpty());
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("f:2:13: entrypoint: gets its "
                                                "hyperparameters by")));
  EXPECT_EQ(read.job["jobId"], "digits");
  EXPECT_EQ(read.search()["goal"], "MINIMIZE") << "what is not said";
  EXPECT_EQ(read.search()["hyperparameterMetricTag"], "loss");
  EXPECT_EQ(read.search()["maxTrials"], 8);
  EXPECT_EQ(read.search()["maxParallelTrials"], 8);
  const Json& vernier = read.vernier();
  EXPECT_EQ(vernier["command"],
            Json({"python3", "train.py", "--epochs", "10"}));
  EXPECT_EQ(vernier["argStyle"], "NONE");
  EXPECT_EQ(vernier["earlyStopping"]["rule"], "ASHA");
  EXPECT_EQ(vernier["earlyStopping"]["reductionFactor"], 3);
  EXPECT_EQ(vernier["retry"]["maxUserErrorRetries"], 2);
  EXPECT_EQ(vernier["gpusPerReplica"], 1);
  EXPECT_EQ(vernier["environment"]["MODE"], "fast");
  EXPECT_EQ(vernier["seed"], "7");
  EXPECT_EQ(read.job["trainingInput"]["masterConfig"]["imageUri"],
            "registry.example/digits:3");
}

TEST(DeterminedFileTest, ParametersAreWhatDeterminedDraws) {
  const Json params = ReadForeign(kExperimentOfDetermined).params();
  ASSERT_EQ(params.size(), 9u);
  EXPECT_EQ(params[0]["minValue"], 0.001);
  EXPECT_EQ(params[0]["maxValue"], 1);
  EXPECT_EQ(params[0]["scaleType"], "UNIT_LOG_SCALE");
  EXPECT_EQ(params[1]["minValue"], 16) << "exponents of the base";
  EXPECT_EQ(params[1]["maxValue"], 64);
  EXPECT_EQ(params[2]["type"], "INTEGER");
  EXPECT_EQ(params[2]["maxValue"], 5) << "both ends";
  EXPECT_EQ(params[3]["type"], "DOUBLE");
  EXPECT_EQ(params[4]["discreteValues"], Json({32, 64}));
  EXPECT_EQ(params[5]["parameterName"], "optimizer.name");
  EXPECT_EQ(params[6]["parameterName"], "optimizer.momentum");
  EXPECT_EQ(params[7]["categoricalValues"], Json::array({"true"}));
  EXPECT_EQ(params[7]["booleanValues"], true);
  EXPECT_EQ(params[8]["discreteValues"], Json::array({10}));
}

TEST(DeterminedFileTest, AGridHasDeterminedsOwnPoints) {
  const ForeignOutcome read = ReadForeign(R"(
entrypoint: python3 t.py
searcher: {name: grid, metric: acc, smaller_is_better: false}
hyperparameters:
  lr: {type: log, base: 10, minval: -2, maxval: 0, count: 3}
  units: {type: int, minval: 1, maxval: 3, count: 10}
  rate: {type: double, minval: 0, maxval: 1, count: 1}
)");
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.params()[0]["discreteValues"], Json({0.01, 0.1, 1}));
  EXPECT_EQ(read.params()[1]["discreteValues"], Json({1, 2, 3}));
  EXPECT_EQ(read.params()[2]["discreteValues"], Json::array({0.5}));
  EXPECT_EQ(read.search()["maxTrials"], 9);
  EXPECT_EQ(read.search()["goal"], "MAXIMIZE");
  EXPECT_EQ(read.vernier()["algorithm"], "GRID_SEARCH");
  EXPECT_THAT(WithChange("name: adaptive_asha", "name: grid").error,
              HasSubstr("hyperparameters.lr.count: must be a whole number"));
}

TEST(DeterminedFileTest, OneRunNeedsNoSearch) {
  const ForeignOutcome read = ReadForeign(
      "entrypoint: python3 t.py\nsearcher: {name: single, metric: loss}\n");
  ASSERT_EQ(read.error, "");
  EXPECT_FALSE(read.job["trainingInput"].contains("hyperparameters"));
  EXPECT_THAT(read.ignored, ElementsAre("searcher"));
  const ForeignOutcome constants = ReadForeign(
      "entrypoint: python3 t.py\nsearcher: {name: single, metric: loss}\n"
      "hyperparameters: {lr: 0.1}\n");
  EXPECT_EQ(constants.search()["maxTrials"], 1);
}

TEST(DeterminedFileTest, WhatHasNoCounterpartIsNamedWithTheReason) {
  const ForeignOutcome read =
      WithChange("max_restarts: 2", "checkpoint_policy: all\nweight: 3");
  EXPECT_THAT(read.error, HasSubstr("f:21:1: weight: is no field of an "
                                    "experiment of Determined"));
  const ForeignOutcome trial = WithChange(
      "entrypoint: python3 train.py --epochs 10", "entrypoint: model:Trial");
  EXPECT_THAT(trial.ignored, ElementsAre("entrypoint", "environment.image"));
  EXPECT_FALSE(trial.vernier().contains("command"));
  EXPECT_THAT(trial.notes,
              Contains(HasSubstr("f:2:13: entrypoint: is a class for")));
  EXPECT_THAT(WithChange("  max_trials: 8\n",
                         "  max_trials: 8\n  max_length: {batches: 9}\n")
                  .notes,
              Contains(HasSubstr("f:19:3: searcher.max_length: is how long")));
  EXPECT_THAT(WithChange("python3 train.py --epochs 10",
                         "python3 -m determined.launch.torch_distributed t.py")
                  .ignored,
              Contains("entrypoint"));
}

// A file of some megabytes must not become one of terabytes.
TEST(DeterminedFileTest, ManyParametersAndLongNamesAreRefusedEarly) {
  std::string many = "entrypoint: t\nhyperparameters:\n";
  for (int i = 0; i < 1010; ++i) {
    many += "  p" + std::to_string(i) +
            ": {type: double, minval: 0, maxval: 1, count: 1000}\n";
  }
  many += "searcher: {name: grid, metric: m}\n";
  const std::string error = ReadForeign(many).error;
  EXPECT_THAT(error, HasSubstr("p1000: is one of more than 1000"));
  EXPECT_THAT(error, testing::Not(HasSubstr("p1001")));
  const std::string name(300, 'n');
  EXPECT_THAT(
      WithChange("  nesterov:", "  " + name + ": {a: 1}\n  nesterov:").error,
      HasSubstr("has too long names"));
  EXPECT_THAT(WithChange("  nesterov:", "  " + name + ":").error,
              HasSubstr("must have at most 256 characters"));
}

TEST(DeterminedFileTest, AShellIsKeptWhereItIsNeeded) {
  EXPECT_EQ(WithChange("--epochs 10", "--data $DATA").vernier()["command"],
            Json({"sh", "-c", "python3 train.py --data $DATA"}));
}

TEST(DeterminedFileTest, ErrorsHaveTheExperimentsWords) {
  EXPECT_THAT(WithChange("name: adaptive_asha", "name: adaptive").error,
              HasSubstr("f:15:9: searcher.name: has no counterpart here: "
                        "adaptive"));
  EXPECT_THAT(WithChange("  metric: loss\n", "").error,
              HasSubstr("searcher.metric: is needed"));
  EXPECT_THAT(WithChange("  max_trials: 8\n", "").error,
              HasSubstr("searcher.max_trials: is required"));
  EXPECT_THAT(WithChange("type: int, minval: 1", "type: int, minval: 9").error,
              HasSubstr("f:6:3: hyperparameters.layers.minval: must be <="));
  EXPECT_THAT(WithChange("type: double, minval: 0.1", "type: float").error,
              HasSubstr("hyperparameters.dropout.type: must be const"));
  EXPECT_THAT(WithChange("vals: [64, 32]", "vals: [[1], 32]").error,
              HasSubstr("must have numbers, texts and booleans as values, and "
                        "not a list"));
  EXPECT_THAT(WithChange("max_trials: 8", "max_trials: -1").error,
              HasSubstr("searcher.max_trials"));
}

}  // namespace
}  // namespace vernier
