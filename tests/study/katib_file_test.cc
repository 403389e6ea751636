#include "study/katib_file/katib_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "base/json.h"
#include "study/config/spec_error.h"
#include "study/job_file/job_document.h"
#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kExperiment[] = R"(apiVersion: kubeflow.org/v1beta1
kind: Experiment
metadata: {name: digits, namespace: kubeflow}
spec:
  objective: {type: minimize, goal: 0.01, objectiveMetricName: loss, additionalMetricNames: [accuracy]}
  algorithm: {algorithmName: random, algorithmSettings: [{name: random_state, value: "7"}]}
  earlyStopping: {algorithmName: medianstop}
  maxTrialCount: 8
  parallelTrialCount: 2
  maxFailedTrialCount: 3
  parameters:
  - {name: lr, parameterType: double, feasibleSpace: {min: "0.001", max: "1", distribution: logUniform}}
  - {name: layers, parameterType: int, feasibleSpace: {min: "1", max: "5"}}
  - {name: width, parameterType: int, feasibleSpace: {min: "16", max: "64", step: "16"}}
  - {name: dropout, parameterType: double, feasibleSpace: {min: "0.1", max: "0.3", step: "0.1"}}
  - {name: batch, parameterType: discrete, feasibleSpace: {list: ["64", "16", "32"]}}
  - {name: optimizer, parameterType: categorical, feasibleSpace: {list: [sgd, adam]}}
  trialTemplate:
    primaryContainerName: training
    trialParameters:
    - {name: learningRate, reference: lr}
    - {name: optimizer, reference: optimizer}
    trialSpec:
      apiVersion: batch/v1
      kind: Job
      spec:
        template:
          spec:
            nodeSelector: {pool: gpus}
            tolerations: [{key: gpu, operator: Equal, value: "yes", effect: NoSchedule}]
            imagePullSecrets: [{name: registry}]
            containers:
            - name: training
              image: registry.example/digits:3
              command: [python3, train.py, "--lr=${trialParameters.learningRate}"]
              args: ["--optimizer=${trialParameters.optimizer}"]
              env: [{name: MODE, value: fast}]
              resources: {limits: {cpu: "2", memory: 4Gi, nvidia.com/gpu: 1}}
              volumeMounts: [{name: data, mountPath: /data, readOnly: true}]
            volumes: [{name: data, persistentVolumeClaim: {claimName: sets}}]
            restartPolicy: Never
)";

struct Outcome {
  Json job;
  std::vector<std::string> ignored;
  std::string error;
};

Outcome Read(const std::string& text) {
  const JobDocument document(text, "e.yaml");
  const auto job = document.ToJob(JobCompleteness::kMayBeAdded);
  if (!job.ok()) return {Json(), {}, std::string(job.status().message())};
  return {*ParseJson(job->json), job->ignored_fields, ""};
}

Outcome ReadWith(const std::string& from, const std::string& to) {
  const std::string text = absl::StrReplaceAll(kExperiment, {{from, to}});
  EXPECT_NE(text, kExperiment) << from;
  return Read(text);
}

TEST(KatibFileTest, AnExperimentBecomesAJob) {
  const Outcome read = Read(kExperiment);
  ASSERT_EQ(read.error, "");
  EXPECT_THAT(read.ignored, IsEmpty());
  const Json& job = read.job;
  EXPECT_EQ(job["jobId"], "digits");
  const Json& input = job["trainingInput"];
  const Json& search = input["hyperparameters"];
  EXPECT_EQ(search["goal"], "MINIMIZE");
  EXPECT_EQ(search["hyperparameterMetricTag"], "loss");
  EXPECT_EQ(search["maxTrials"], 8);
  EXPECT_EQ(search["maxParallelTrials"], 2);
  EXPECT_EQ(search["maxFailedTrials"], 3);
  const Json& master = input["masterConfig"];
  EXPECT_EQ(master["imageUri"], "registry.example/digits:3");
  EXPECT_EQ(master["containerCommand"],
            Json({"python3", "train.py", "--lr={lr}"}));
  EXPECT_EQ(master["containerArgs"], Json::array({"--optimizer={optimizer}"}));
  const Json& vernier = job["vernier"];
  EXPECT_EQ(vernier["launcher"], "kubernetes");
  EXPECT_EQ(vernier["argStyle"], "PLACEHOLDERS");
  EXPECT_EQ(vernier["algorithm"], "RANDOM_SEARCH");
  EXPECT_EQ(vernier["seed"], "7");
  EXPECT_EQ(vernier["objectiveReduction"], "BEST");
  EXPECT_EQ(vernier["environment"]["MODE"], "fast");
  EXPECT_EQ(vernier["gpusPerReplica"], 1);
  EXPECT_EQ(vernier["limits"]["target"], 0.01);
  const Json& cluster = vernier["kubernetes"];
  EXPECT_EQ(cluster["namespace"], "kubeflow");
  EXPECT_EQ(cluster["nodeSelector"]["pool"], "gpus");
  EXPECT_EQ(cluster["tolerations"], Json::array({"gpu=yes:NoSchedule"}));
  EXPECT_EQ(cluster["imagePullSecrets"], Json::array({"registry"}));
  EXPECT_EQ(cluster["cpusPerReplica"], "2");
  EXPECT_EQ(cluster["memoryPerReplica"], "4G");
  EXPECT_EQ(cluster["volumes"][0]["claim"], "sets");
}

TEST(KatibFileTest, ParametersKeepTheirRanges) {
  const Json params =
      Read(kExperiment).job["trainingInput"]["hyperparameters"]["params"];
  ASSERT_EQ(params.size(), 6u);
  EXPECT_EQ(params[0]["type"], "DOUBLE");
  EXPECT_EQ(params[0]["minValue"], 0.001);
  EXPECT_EQ(params[0]["scaleType"], "UNIT_LOG_SCALE");
  EXPECT_EQ(params[1]["type"], "INTEGER");
  EXPECT_EQ(params[1]["maxValue"], 5);
  EXPECT_EQ(params[2]["discreteValues"], Json({16, 32, 48, 64}));
  EXPECT_EQ(params[3]["discreteValues"], Json({0.1, 0.2, 0.3}));
  EXPECT_EQ(params[4]["discreteValues"], Json({16, 32, 64}));
  EXPECT_EQ(params[5]["categoricalValues"], Json({"sgd", "adam"}));
}

TEST(KatibFileTest, WhatHasNoCounterpartIsNamed) {
  EXPECT_THAT(ReadWith("  maxTrialCount: 8\n",
                       "  maxTrialCount: 8\n  resumePolicy: Never\n")
                  .ignored,
              ElementsAre("spec.resumePolicy"));
  EXPECT_THAT(ReadWith("    primaryContainerName: training\n",
                       "    primaryContainerName: training\n    retain: true\n")
                  .ignored,
              ElementsAre("spec.trialTemplate.retain"));
  EXPECT_THAT(
      ReadWith("distribution: logUniform", "distribution: normal").ignored,
      ElementsAre("spec.parameters[0].feasibleSpace.distribution"));
  EXPECT_THAT(
      ReadWith("persistentVolumeClaim: {claimName: sets}", "emptyDir: {}")
          .ignored,
      ElementsAre("spec.trialTemplate.trialSpec.spec.template.spec."
                  "containers[0].volumeMounts[0]"));
}

TEST(KatibFileTest, WhatIsLeftOutSaysItsLineAndWhy) {
  const auto notes = [](const std::string& from, const std::string& to) {
    const JobDocument document(absl::StrReplaceAll(kExperiment, {{from, to}}),
                               "e.yaml");
    const auto job = document.ToJob(JobCompleteness::kMayBeAdded);
    EXPECT_TRUE(job.ok()) << job.status();
    std::vector<std::string> texts;
    for (const SpecError& note : job->notes) {
      texts.push_back(FormatSpecError(note));
    }
    return texts;
  };
  EXPECT_THAT(
      notes("  maxTrialCount: 8\n",
            "  maxTrialCount: 8\n  resumePolicy: Never\n"),
      ElementsAre("e.yaml:9:3: spec.resumePolicy: has no counterpart: every "
                  "job can be resumed"));
  EXPECT_THAT(notes("namespace: kubeflow", "labels: {a: b}"),
              ElementsAre("e.yaml:3:26: metadata.labels: is about the object "
                          "in a cluster, which a job is not"));
  EXPECT_THAT(
      notes("max: \"64\", step: \"16\"", "max: \"9000\", step: \"2\""),
      ElementsAre("e.yaml:14:85: spec.parameters[2].feasibleSpace.step: makes "
                  "more than 1000 values, so all between min and max are "
                  "searched"));
  EXPECT_THAT(notes("env: [{name: MODE, value: fast}]",
                    "env: [{name: MODE, valueFrom: {}}]"),
              ElementsAre(HasSubstr("containers[0].env[0]: is no variable with "
                                    "a value")));
  EXPECT_THAT(
      notes("{algorithmName: medianstop}",
            "{algorithmName: medianstop, algorithmSettings: []}"),
      ElementsAre("e.yaml:7:65: spec.earlyStopping.algorithmSettings: has no "
                  "counterpart in the rule for early stopping here"));
  EXPECT_THAT(notes("random_state", "sigma"),
              ElementsAre(HasSubstr("e.yaml:6:58: spec.algorithm."
                                    "algorithmSettings[0]: shapes an")));
}

TEST(KatibFileTest, ErrorsNameTheFieldAndTheLine) {
  EXPECT_THAT(ReadWith("kind: Job", "kind: MPIJob").error,
              HasSubstr("e.yaml:25:13: spec.trialTemplate.trialSpec.kind: must "
                        "be Job"));
  EXPECT_THAT(ReadWith("min: \"1\"", "min: one").error,
              HasSubstr("spec.parameters[1].feasibleSpace.min: must be a "
                        "finite number: \"one\""));
  EXPECT_THAT(ReadWith("algorithmName: random,", "algorithmName: enas,").error,
              HasSubstr("spec.algorithm.algorithmName: has no counterpart: "
                        "\"enas\""));
  EXPECT_THAT(ReadWith("  maxTrialCount: 8\n", "").error,
              HasSubstr("spec.maxTrialCount: is required"));
  EXPECT_THAT(
      ReadWith("reference: lr", "reference: \"${trialSpec.Name}\"").error,
      HasSubstr("is of the trial's metadata"));
  EXPECT_THAT(
      ReadWith("{trialParameters.optimizer}", "{trialParameters.opt}").error,
      HasSubstr("\"opt\" is none of trialParameters"));
  EXPECT_THAT(
      ReadWith("value: fast", "value: \"${trialParameters.optimizer}\"").error,
      HasSubstr("a parameter in a variable has no counterpart"));
}

// Faults that a job file can have, too, are reported in the Experiment's words.
TEST(KatibFileTest, FaultsOfTheJobHaveTheExperimentsWords) {
  EXPECT_THAT(ReadWith("max: \"5\"", "max: \"0\"").error,
              HasSubstr("spec.parameters[1].feasibleSpace.min"));
  EXPECT_THAT(ReadWith("cpu: \"2\"", "cpu: many").error,
              HasSubstr("containers[0].resources.limits.cpu"));
  EXPECT_THAT(ReadWith("maxTrialCount: 8", "maxTrialCount: some").error,
              HasSubstr("spec.maxTrialCount"));
}

TEST(KatibFileTest, StrategiesChooseTheValueOfATraining) {
  const auto with = [](const std::string& strategy) {
    return ReadWith("goal: 0.01,", "metricStrategies: [{name: loss, value: " +
                                       strategy + "}],");
  };
  EXPECT_EQ(with("latest").job["vernier"]["objectiveReduction"], "LAST");
  EXPECT_EQ(with("min").job["vernier"]["objectiveReduction"], "BEST");
  EXPECT_THAT(with("max").error, HasSubstr("must be min or latest"));
}

TEST(KatibFileTest, KatibsDefaultsHold) {
  const Outcome read = ReadWith("  parallelTrialCount: 2\n", "");
  EXPECT_EQ(read.job["trainingInput"]["hyperparameters"]["maxParallelTrials"],
            3);
  const Outcome few = ReadWith("maxTrialCount: 8\n  parallelTrialCount: 2",
                               "maxTrialCount: 2\n  parallelTrialCount: 9");
  EXPECT_NE(few.error, "");  // Three may fail of two.
  EXPECT_THAT(few.error, testing::Not(HasSubstr("parallelTrialCount")));
}

TEST(KatibFileTest, OtherVersionsAreNotRead) {
  EXPECT_THAT(ReadWith("v1beta1", "v1alpha3").error,
              HasSubstr("an experiment of Katib"));
}

}  // namespace
}  // namespace vernier
