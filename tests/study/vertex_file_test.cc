#include "study/foreign_files/vertex_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/json.h"
#include "study/job_file/job_parser.h"
#include "study/study_file/study_file_writer.h"
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

constexpr char kRequest[] = R"({"parent": "projects/p",
  "hyperparameter_tuning_job": {"max_trial_count": 4, "study_spec": {
    "algorithm": 3, "measurement_selection_type": 2,
    "metrics": [{"metric_id": "loss", "goal": 2}],
    "parameters": [
      {"parameter_id": "x", "double_value_spec": {"min_value": 1, "max_value": 2}, "scale_type": 2},
      {"parameter_id": "y", "double_value_spec": {"min_value": 1, "max_value": 2}, "scale_type": 3},
      {"parameter_id": "z", "double_value_spec": {"min_value": 1, "max_value": 2}, "scale_type": 1}]},
    "trial_job_spec": {"worker_pool_specs": [{"replica_count": 1,
      "machine_spec": {"accelerator_type": 5, "accelerator_count": 1},
      "container_spec": {"image_uri": "gcr.io/p/i"}}]}}})";

TEST(VertexFileTest, ARequestWithNumbersForNamesIsRead) {
  const ForeignOutcome read = ReadForeign(kRequest);
  ASSERT_EQ(read.error, "");
  EXPECT_THAT(read.ignored, ElementsAre("parent"));
  EXPECT_EQ(read.search()["goal"], "MINIMIZE");
  EXPECT_EQ(read.search()["maxTrials"], 4);
  EXPECT_EQ(read.params()[0]["scaleType"], "UNIT_LOG_SCALE");
  EXPECT_EQ(read.params()[1]["scaleType"], "UNIT_REVERSE_LOG_SCALE");
  EXPECT_FALSE(read.params()[2].contains("scaleType"));
  EXPECT_EQ(read.vernier()["algorithm"], "RANDOM_SEARCH");
  EXPECT_EQ(read.vernier()["objectiveReduction"], "BEST");
  EXPECT_EQ(read.vernier()["gpusPerReplica"], 1);
  EXPECT_EQ(
      ReadForeignWith(kRequest, "\"goal\": 2", "\"goal\": 1").search()["goal"],
      "MAXIMIZE");
  EXPECT_THAT(ReadForeignWith(kRequest, "\"goal\": 2", "\"goal\": 7").error,
              HasSubstr("studySpec.metrics[0].goal: must be one of"));
  EXPECT_THAT(
      ReadForeignWith(kRequest, "\"algorithm\": 3", "\"algorithm\": 2").error,
      HasSubstr("studySpec.parameters[0]: is a range of numbers, of which "
                "there is no grid: write discreteValueSpec"));
  EXPECT_THAT(ReadForeignWith(kRequest, "\"parent\"", "\"parents\"").error,
              HasSubstr("f:1:2: parents: is no field of a tuning job"));
}

TEST(VertexFileTest, AParameterHasOneValueSpec) {
  EXPECT_THAT(
      VertexWith("integerValueSpec: {",
                 "doubleValueSpec: {maxValue: 1}\n    integerValueSpec: {")
          .error,
      HasSubstr("studySpec.parameters[1]: must not have both doubleValueSpec "
                "and integerValueSpec"));
  EXPECT_THAT(VertexWith("    integerValueSpec: {minValue: \"1\", maxValue: "
                         "\"5\"}\n",
                         "")
                  .error,
              HasSubstr("studySpec.parameters[1]: must have parameterId and a "
                        "ValueSpec"));
}

TEST(VertexFileTest, AValueThatIsListedTwiceCountsOnce) {
  const ForeignOutcome read = VertexWith("[16, 32, 64]", "[32, 16, 16.0, 64]");
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.params()[2]["discreteValues"], Json({16, 32, 64}));
  EXPECT_THAT(read.notes,
              Contains(HasSubstr("studySpec.parameters[2].discreteValueSpec."
                                 "values: lists 16 again; each value counts")));
}

// What is written for such a file is read as a study file of the same job.
TEST(VertexFileTest, BracesOfTheProgramStay) {
  const ForeignOutcome read =
      VertexWith("args: [--epochs, \"5\"]", "args: [\"--x={layer}\"]");
  ASSERT_EQ(read.error, "");
  const auto written = WriteStudyFile(DumpJson(read.job));
  ASSERT_TRUE(written.ok()) << written.status();
  const auto again = ParseJob(written->text, {"study.yaml", false});
  ASSERT_TRUE(again.ok()) << again.status() << written->text;
  EXPECT_EQ(again->json, DumpJson(read.job));
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
