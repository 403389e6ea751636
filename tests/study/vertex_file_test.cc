#include "study/foreign_files/vertex_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/study/foreign_outcome.h"

namespace vernier {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kTuningJob[] = R"(displayName: digits
maxTrialCount: 8
parallelTrialCount: 2
maxFailedTrialCount: 3
labels: {team: vision}
studySpec:
  metrics:
  - {metricId: accuracy, goal: MAXIMIZE}
  measurementSelectionType: BEST_MEASUREMENT
  medianAutomatedStoppingSpec: {useElapsedDuration: false}
  parameters:
  - parameterId: learning-rate
    scaleType: UNIT_LOG_SCALE
    doubleValueSpec: {minValue: 0.001, maxValue: 1}
  - parameterId: layers
    integerValueSpec: {minValue: "1", maxValue: "5"}
  - parameterId: batch
    discreteValueSpec: {values: [16, 32, 64]}
  - parameterId: optimizer
    categoricalValueSpec: {values: [sgd, adam]}
    conditionalParameterSpecs:
    - parentCategoricalValues: {values: [sgd]}
      parameterSpec:
        parameterId: momentum
        doubleValueSpec: {maxValue: 0.99}
trialJobSpec:
  workerPoolSpecs:
  - machineSpec: {machineType: n1-standard-4, acceleratorType: NVIDIA_TESLA_T4, acceleratorCount: 2}
    replicaCount: 1
    pythonPackageSpec:
      executorImageUri: us-docker.pkg.dev/vertex-ai/training/pytorch-cpu.2-1:latest
      packageUris: [gs://my-bucket/trainer-0.1.tar.gz]
      pythonModule: trainer.task
      args: [--epochs, "5"]
      env: [{name: MODE, value: fast}]
  scheduling: {timeout: 3600s}
)";

ForeignOutcome VertexWith(const std::string& from, const std::string& to) {
  return ReadForeignWith(kTuningJob, from, to);
}

TEST(VertexFileTest, ATuningJobBecomesAJob) {
  const ForeignOutcome read = ReadForeign(kTuningJob);
  ASSERT_EQ(read.error, "");
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("machineSpec.machineType: "),
                                      HasSubstr("executorImageUri: is not")));
  EXPECT_EQ(read.job["jobId"], "digits");
  EXPECT_EQ(read.job["labels"]["team"], "vision");
  EXPECT_EQ(read.search()["goal"], "MAXIMIZE");
  EXPECT_EQ(read.search()["hyperparameterMetricTag"], "accuracy");
  EXPECT_EQ(read.search()["maxTrials"], 8);
  EXPECT_EQ(read.search()["maxParallelTrials"], 2);
  EXPECT_EQ(read.search()["maxFailedTrials"], 3);
  const Json& input = read.job["trainingInput"];
  EXPECT_EQ(input["pythonModule"], "trainer.task");
  EXPECT_EQ(input["packageUris"],
            Json::array({"gs://my-bucket/trainer-0.1.tar.gz"}));
  EXPECT_EQ(input["args"], Json({"--epochs", "5"}));
  const Json& vernier = read.vernier();
  EXPECT_EQ(vernier["argStyle"], "EQUALS");
  EXPECT_EQ(vernier["objectiveReduction"], "BEST");
  EXPECT_EQ(vernier["earlyStopping"]["rule"], "MEDIAN");
  EXPECT_EQ(vernier["gpusPerReplica"], 2);
  EXPECT_EQ(vernier["environment"]["MODE"], "fast");
  EXPECT_EQ(vernier["trialTimeLimit"], "3600s");
}

TEST(VertexFileTest, ParametersKeepRangesAndConditions) {
  const Json params = ReadForeign(kTuningJob).params();
  ASSERT_EQ(params.size(), 4u);
  EXPECT_EQ(params[0]["scaleType"], "UNIT_LOG_SCALE");
  EXPECT_EQ(params[1]["type"], "INTEGER");
  EXPECT_EQ(params[1]["maxValue"], 5);
  EXPECT_EQ(params[2]["discreteValues"], Json({16, 32, 64}));
  const Json& child = params[3]["childParameterSpecs"][0];
  EXPECT_EQ(child["parameterName"], "momentum");
  EXPECT_EQ(child["minValue"], 0) << "the API leaves out what is zero";
  EXPECT_EQ(child["parentCategoricalValues"]["values"], Json::array({"sgd"}));
}

TEST(VertexFileTest, ContainersAndSeveralPoolsBecomeRoles) {
  const ForeignOutcome read = ReadForeign(R"({"display_name": "two words",
    "max_trial_count": 4, "parallel_trial_count": 1, "study_spec": {
      "metrics": [{"metric_id": "loss", "goal": "MINIMIZE"}, {"metric_id": "size", "goal": "MINIMIZE"}],
      "parameters": [{"parameter_id": "x", "double_value_spec": {"min_value": 0, "max_value": 1}}]},
    "trial_job_spec": {"worker_pool_specs": [
      {"machine_spec": {"machine_type": "n1-standard-4"}, "replica_count": 1,
       "container_spec": {"image_uri": "gcr.io/p/i", "command": ["python3"], "args": ["t.py"]}},
      {"machine_spec": {"machine_type": "n1-standard-4"}, "replica_count": "2",
       "container_spec": {"image_uri": "gcr.io/p/i"}}]}})");
  ASSERT_EQ(read.error, "");
  EXPECT_THAT(read.ignored, ElementsAre("displayName"));
  const Json& input = read.job["trainingInput"];
  EXPECT_EQ(input["scaleTier"], "CUSTOM");
  EXPECT_EQ(input["workerCount"], "2");
  EXPECT_EQ(input["masterConfig"]["containerCommand"],
            Json::array({"python3"}));
  EXPECT_EQ(input["workerConfig"]["imageUri"], "gcr.io/p/i");
  EXPECT_EQ(read.vernier()["objectives"].size(), 2u);
}

TEST(VertexFileTest, WhatHasNoCounterpartIsNamed) {
  EXPECT_THAT(VertexWith("NVIDIA_TESLA_T4", "TPU_V3").error,
              HasSubstr("f:28:64: trialJobSpec.workerPoolSpecs[0].machineSpec."
                        "acceleratorType: must be a GPU"));
  EXPECT_THAT(VertexWith("replicaCount: 1", "replicaCount: 2").error,
              HasSubstr("replicaCount: must be 1"));
  EXPECT_THAT(VertexWith("maxTrialCount: 8\nparallelTrialCount: 2\n"
                         "maxFailedTrialCount: 3\n",
                         "")
                  .notes,
              Contains(HasSubstr("f:1:1: maxTrialCount: is not there")));
  EXPECT_THAT(VertexWith("scheduling: ",
                         "baseOutputDirectory: {}\n  "
                         "scheduling: ")
                  .ignored,
              Contains("trialJobSpec.baseOutputDirectory"));
  EXPECT_THAT(VertexWith("maxValue: \"5\"", "maxValue: \"0\"").error,
              HasSubstr("f:15:18: studySpec.parameters[1].minValue: must be "
                        "<="));
  EXPECT_THAT(VertexWith("goal: MAXIMIZE", "goal: UP").error,
              HasSubstr("studySpec.metrics[0].goal: must be one of"));
  EXPECT_THAT(VertexWith("parallelTrialCount", "parallelTrials").error,
              HasSubstr("parallelTrials: is no field of a tuning job of Vertex "
                        "AI"));
}

}  // namespace
}  // namespace vernier
