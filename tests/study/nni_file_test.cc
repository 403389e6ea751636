#include "study/foreign_files/nni_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/status/status.h"
#include "tests/study/foreign_outcome.h"

namespace vernier {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kExperimentOfNni[] = R"(experimentName: digits
searchSpace:
  lr: {_type: loguniform, _value: [0.001, 1]}
  layers: {_type: randint, _value: [1, 6]}
  width: {_type: quniform, _value: [1, 10, 4]}
  dropout: {_type: uniform, _value: [0, 0.5]}
  batch: {_type: choice, _value: [64, 32]}
  epochs: {_type: quniform, _value: [2, 8, 1]}
  block:
    _type: choice
    _value:
    - _name: conv
      size: {_type: choice, _value: [3, 5]}
    - _name: pool
      size: {_type: randint, _value: [2, 4]}
    - {_name: none}
trialCommand: python3 train.py
trialCodeDirectory: code
trialGpuNumber: 0
trialConcurrency: 2
maxTrialNumber: 8
maxExperimentDuration: 1h
maxTrialDuration: 600
tuner: {name: TPE, classArgs: {optimize_mode: minimize}}
assessor: {name: Medianstop, classArgs: {optimize_mode: minimize, start_step: 5}}
trainingService: {platform: local, useActiveGpu: false}
)";

ForeignOutcome NniWith(const std::string& from, const std::string& to) {
  return ReadForeignWith(kExperimentOfNni, from, to);
}

TEST(NniFileTest, AnExperimentBecomesAJob) {
  const ForeignOutcome read = ReadForeign(kExperimentOfNni);
  ASSERT_EQ(read.error, "");
  EXPECT_THAT(
      read.notes,
      ElementsAre(
          HasSubstr("f:17:15: trialCommand: has to take its parameters"),
          HasSubstr("assessor.classArgs.start_step: "),
          HasSubstr("trainingService.useActiveGpu: ")));
  EXPECT_THAT(read.ignored, ElementsAre("assessor.classArgs.start_step",
                                        "trainingService.useActiveGpu"));
  EXPECT_EQ(read.job["jobId"], "digits");
  EXPECT_EQ(read.search()["goal"], "MINIMIZE");
  EXPECT_EQ(read.search()["hyperparameterMetricTag"], "default");
  EXPECT_EQ(read.search()["maxTrials"], 8);
  EXPECT_EQ(read.search()["maxParallelTrials"], 2);
  const Json& vernier = read.vernier();
  EXPECT_EQ(vernier["command"], Json({"python3", "train.py"}));
  EXPECT_EQ(vernier["argStyle"], "NONE");
  EXPECT_EQ(vernier["codeDir"], "code");
  EXPECT_EQ(vernier["gpusPerReplica"], 0);
  EXPECT_EQ(vernier["limits"]["maxTime"], "3600s");
  EXPECT_EQ(vernier["trialTimeLimit"], "600s");
  EXPECT_EQ(vernier["earlyStopping"]["rule"], "MEDIAN");
}

TEST(NniFileTest, ParametersAreWhatNniDraws) {
  const Json params = ReadForeign(kExperimentOfNni).params();
  ASSERT_EQ(params.size(), 7u);
  EXPECT_EQ(params[0]["minValue"], 0.001) << "values, and no exponents";
  EXPECT_EQ(params[0]["scaleType"], "UNIT_LOG_SCALE");
  EXPECT_EQ(params[1]["type"], "INTEGER");
  EXPECT_EQ(params[1]["maxValue"], 5) << "the end is not among them";
  EXPECT_EQ(params[2]["discreteValues"], Json({1, 4, 8}))
      << "rounded to 0, 4 and 8, and cut at 1";
  EXPECT_EQ(params[3]["type"], "DOUBLE");
  EXPECT_EQ(params[4]["discreteValues"], Json({32, 64}));
  EXPECT_EQ(params[5]["type"], "INTEGER");
  const Json& block = params[6];
  EXPECT_EQ(block["categoricalValues"], Json({"conv", "pool", "none"}));
  const Json& children = block["childParameterSpecs"];
  ASSERT_EQ(children.size(), 2u);
  EXPECT_EQ(children[0]["parameterName"], "block.conv.size");
  EXPECT_EQ(children[0]["discreteValues"], Json({3, 5}));
  EXPECT_EQ(children[0]["parentCategoricalValues"]["values"],
            Json::array({"conv"}));
  EXPECT_EQ(children[1]["parameterName"], "block.pool.size");
  EXPECT_EQ(children[1]["maxValue"], 3);
  EXPECT_EQ(children[1]["parentCategoricalValues"]["values"],
            Json::array({"pool"}));
}

TEST(NniFileTest, VersionOneIsRead) {
  const ForeignOutcome read = ReadForeign(R"(
authorName: default
experimentName: digits
trialConcurrency: 1
maxExecDuration: 2h
maxTrialNum: 10
trainingServicePlatform: local
searchSpace: {lr: {_type: uniform, _value: [0, 1]}}
useAnnotation: false
tuner: {builtinTunerName: Random, classArgs: {optimize_mode: maximize}}
trial: {command: python3 t.py, codeDir: ., gpuNum: 1}
)");
  ASSERT_EQ(read.error, "");
  EXPECT_THAT(read.ignored, ElementsAre("authorName"));
  EXPECT_EQ(read.search()["maxTrials"], 10);
  EXPECT_EQ(read.search()["goal"], "MAXIMIZE");
  EXPECT_EQ(read.vernier()["algorithm"], "RANDOM_SEARCH");
  EXPECT_EQ(read.vernier()["gpusPerReplica"], 1);
  EXPECT_EQ(read.vernier()["command"], Json({"python3", "t.py"}));
}

constexpr char kSpaceElsewhere[] = R"(searchSpaceFile: space.json
trialCommand: python3 train.py
trialConcurrency: 1
maxTrialNumber: 8
tuner: {name: GridSearch}
trainingService: {platform: local}
)";

TEST(NniFileTest, TheSearchSpaceMayBeInAFileOfItsOwn) {
  const auto read_as = [](const std::string& space) {
    return ReadForeign(kSpaceElsewhere, [space](const std::string& name) {
      EXPECT_EQ(name, "space.json");
      return space;
    });
  };
  const ForeignOutcome read =
      read_as("{\"n\": {\"_type\": \"randint\", \"_value\": [0, 3]}}");
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.params()[0]["maxValue"], 2);
  EXPECT_EQ(read.vernier()["algorithm"], "GRID_SEARCH");
  EXPECT_THAT(
      read_as("{\"n\":\n {\"_type\": \"normal\", \"_value\": [0, 3]}}").error,
      HasSubstr("space.json:2:12: searchSpace.n._type: has no "
                "counterpart here: normal"));
  EXPECT_THAT(read_as("{\"n\":\n }").error,
              HasSubstr("space.json:1:2: searchSpace.n: must have"));
  EXPECT_THAT(
      ReadForeign(kSpaceElsewhere,
                  [](const std::string&) -> absl::StatusOr<std::string> {
                    return absl::NotFoundError("it is not there");
                  })
          .error,
      HasSubstr("f:1:18: searchSpaceFile: it is not there"));
  EXPECT_THAT(ReadForeign(kSpaceElsewhere).error,
              HasSubstr("f:1:18: searchSpaceFile: cannot be read here"));
}

TEST(NniFileTest, WhatHasNoCounterpartIsRefused) {
  EXPECT_THAT(NniWith("name: TPE", "name: PBTTuner").error,
              HasSubstr("f:24:15: tuner.name: has no counterpart here: "
                        "PBTTuner"));
  EXPECT_THAT(NniWith("tuner: {name: TPE, ", "advisor: {name: BOHB, ").error,
              HasSubstr("advisor: has no counterpart: it gives each trial a "
                        "budget"));
  EXPECT_THAT(NniWith("_type: uniform", "_type: normal").error,
              HasSubstr("searchSpace.dropout._type: has no counterpart"));
  EXPECT_THAT(NniWith("_value: [1, 10, 4]", "_value: [1, 10]").error,
              HasSubstr("searchSpace.width._value: must be a list of 3"));
  EXPECT_THAT(NniWith("  - {_name: none}", "  - [1, 2]").error,
              HasSubstr("searchSpace.block: must have numbers, texts"));
  EXPECT_THAT(NniWith("maxTrialNumber: 8", "maxTrial: 8").error,
              HasSubstr("maxTrial: is no field of an experiment of NNI that is "
                        "known here; did you mean"));
  EXPECT_THAT(NniWith("trialGpuNumber: 0", "useAnnotation: true").error,
              HasSubstr("useAnnotation: has the search space in the program"));
  EXPECT_THAT(NniWith("platform: local", "platform: remote").ignored,
              Contains("trainingService"));
  EXPECT_THAT(NniWith("_value: [0.001, 1]", "_value: [0, 1]").error,
              HasSubstr("f:3:3: searchSpace.lr._value: must be > 0 with a log "
                        "scale"));
}

}  // namespace
}  // namespace vernier
