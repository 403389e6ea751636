#include "study/foreign_files/sagemaker_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_replace.h"
#include "tests/study/foreign_outcome.h"

namespace vernier {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;

constexpr char kTuningRequest[] = R"json({
  "HyperParameterTuningJobName": "digits",
  "HyperParameterTuningJobConfig": {
    "Strategy": "Bayesian",
    "HyperParameterTuningJobObjective": {"Type": "Maximize", "MetricName": "validation:acc"},
    "ResourceLimits": {"MaxNumberOfTrainingJobs": 8, "MaxParallelTrainingJobs": 2},
    "ParameterRanges": {
      "IntegerParameterRanges": [{"Name": "layers", "MinValue": "1", "MaxValue": "5"}],
      "ContinuousParameterRanges": [
        {"Name": "lr", "MinValue": "0.001", "MaxValue": "1", "ScalingType": "Logarithmic"},
        {"Name": "keep", "MinValue": "0.5", "MaxValue": "0.99", "ScalingType": "ReverseLogarithmic"}],
      "CategoricalParameterRanges": [{"Name": "batch", "Values": ["64", "32"]}]
    },
    "TrainingJobEarlyStoppingType": "Auto",
    "RandomSeed": 7
  },
  "TrainingJobDefinition": {
    "AlgorithmSpecification": {
      "TrainingImage": "1234.dkr.ecr.us-west-2.amazonaws.com/pytorch:2",
      "TrainingInputMode": "File",
      "MetricDefinitions": [
        {"Name": "validation:acc", "Regex": "acc=([0-9\\.]+)"},
        {"Name": "loss", "Regex": "[(]loss: (.*?);"}]
    },
    "StaticHyperParameters": {"sagemaker_program": "\"train.py\"", "sagemaker_region": "\"us\"", "epochs": "10"},
    "ResourceConfig": {"InstanceType": "ml.m4.xlarge", "InstanceCount": 1},
    "StoppingCondition": {"MaxRuntimeInSeconds": 3600},
    "Environment": {"MODE": "fast"},
    "RetryStrategy": {"MaximumRetryAttempts": 2},
    "RoleArn": "arn:aws:iam::1:role/r"
  }
})json";

ForeignOutcome SageMakerWith(const std::string& from, const std::string& to) {
  return ReadForeignWith(kTuningRequest, from, to);
}

TEST(SageMakerFileTest, ARequestBecomesAJob) {
  const ForeignOutcome read = ReadForeign(kTuningRequest);
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.job["jobId"], "digits");
  EXPECT_EQ(read.search()["goal"], "MAXIMIZE");
  EXPECT_EQ(read.search()["hyperparameterMetricTag"], "validation:acc");
  EXPECT_EQ(read.search()["maxTrials"], 8);
  EXPECT_EQ(read.search()["maxParallelTrials"], 2);
  const Json& vernier = read.vernier();
  EXPECT_EQ(vernier["command"], Json({"python3", "train.py"}));
  EXPECT_EQ(vernier["seed"], "7");
  EXPECT_EQ(vernier["earlyStopping"]["rule"], "MEDIAN");
  EXPECT_EQ(vernier["trialTimeLimit"], "3600s");
  EXPECT_EQ(vernier["environment"]["MODE"], "fast");
  EXPECT_EQ(vernier["retry"]["maxInfrastructureRetries"], 2);
  EXPECT_EQ(vernier["metricPatterns"][0]["pattern"],
            "acc=(?P<value>[0-9\\.]+)");
  EXPECT_EQ(vernier["metricPatterns"][1]["pattern"],
            "[(]loss: (?P<value>.*?);");
  EXPECT_THAT(read.ignored,
              IsSupersetOf({"TrainingJobDefinition.RoleArn",
                            "TrainingJobDefinition.ResourceConfig.InstanceType",
                            "TrainingJobDefinition.StaticHyperParameters."
                            "sagemaker_region"}));
  EXPECT_THAT(read.notes, Contains(HasSubstr("dense near MaxValue here")));
}

TEST(SageMakerFileTest, ParametersKeepTheirRanges) {
  const Json params = ReadForeign(kTuningRequest).params();
  ASSERT_EQ(params.size(), 5u);
  EXPECT_EQ(params[0]["type"], "INTEGER");
  EXPECT_EQ(params[0]["maxValue"], 5);
  EXPECT_EQ(params[1]["type"], "DOUBLE");
  EXPECT_EQ(params[1]["scaleType"], "UNIT_LOG_SCALE");
  EXPECT_EQ(params[2]["scaleType"], "UNIT_REVERSE_LOG_SCALE");
  EXPECT_EQ(params[3]["categoricalValues"], Json({"64", "32"}));
  EXPECT_EQ(params[4]["parameterName"], "epochs");
  EXPECT_EQ(params[4]["categoricalValues"], Json::array({"10"}));
}

TEST(SageMakerFileTest, TheConfigAloneIsRead) {
  const ForeignOutcome read = ReadForeign(R"({
    "Strategy": "Hyperband",
    "StrategyConfig": {"HyperbandStrategyConfig": {"MinResource": 1, "MaxResource": 9}},
    "ResourceLimits": {"MaxNumberOfTrainingJobs": 5, "MaxParallelTrainingJobs": 1, "MaxRuntimeInSeconds": 60},
    "TuningJobCompletionCriteria": {"TargetObjectiveMetricValue": 0.9},
    "HyperParameterTuningJobObjective": {"Type": "Minimize", "MetricName": "loss"},
    "ParameterRanges": {"ContinuousParameterRanges": [
      {"Name": "lr", "MinValue": "0", "MaxValue": "1", "ScalingType": "Auto"}]}})");
  ASSERT_EQ(read.error, "");
  EXPECT_THAT(read.notes,
              ElementsAre(HasSubstr("ScalingType: is linear here")));
  EXPECT_EQ(read.vernier()["earlyStopping"]["rule"], "HYPERBAND");
  EXPECT_EQ(read.vernier()["earlyStopping"]["maxSteps"], "9");
  EXPECT_EQ(read.vernier()["limits"]["maxTime"], "60s");
  EXPECT_EQ(read.vernier()["limits"]["target"], 0.9);
}

TEST(SageMakerFileTest, AnImageIsNoProgramHere) {
  const ForeignOutcome read = SageMakerWith("sagemaker_program", "depth");
  ASSERT_EQ(read.error, "");
  EXPECT_FALSE(read.vernier().contains("command"));
  EXPECT_THAT(read.notes,
              Contains(HasSubstr("TrainingImage: reads its parameters from "
                                 "files of SageMaker; give a program")));
}

TEST(SageMakerFileTest, WhatHasNoCounterpartIsRefused) {
  EXPECT_THAT(SageMakerWith("acc=([0-9", "acc(?=x)=([0-9").error,
              HasSubstr("MetricDefinitions[0].Regex: "));
  EXPECT_THAT(
      SageMakerWith("\"Name\": \"validation:acc\"", "\"Name\": \"a\"").error,
      HasSubstr("has no Regex for the metric validation:acc"));
  EXPECT_THAT(
      SageMakerWith("\"InstanceCount\": 1", "\"InstanceCount\": 2").error,
      HasSubstr("f:26:73: TrainingJobDefinition.ResourceConfig."
                "InstanceCount: must be one machine"));
  EXPECT_THAT(SageMakerWith("\"Bayesian\"", "\"Evolution\"").error,
              HasSubstr("f:4:17: HyperParameterTuningJobConfig.Strategy: must "
                        "be Bayesian"));
  EXPECT_THAT(SageMakerWith("\"MaxValue\": \"5\"", "\"MaxValue\": \"0\"").error,
              HasSubstr("HyperParameterTuningJobConfig.ParameterRanges."
                        "IntegerParameterRanges[0].MinValue: must be <="));
  EXPECT_THAT(SageMakerWith("\"RandomSeed\"", "\"Seed\"").error,
              HasSubstr("HyperParameterTuningJobConfig.Seed: is no field of a "
                        "tuning job of SageMaker"));
}

TEST(SageMakerFileTest, AListOfOneDefinitionIsOne) {
  const std::string definition = "\"TrainingJobDefinition\": {";
  const auto with_list = [&](const std::string& rest) {
    return ReadForeignWith(
        absl::StrReplaceAll(kTuningRequest,
                            {{"\"arn:aws:iam::1:role/r\"\n  }\n}", rest}}),
        definition, "\"TrainingJobDefinitions\": [{");
  };
  const ForeignOutcome one = with_list("\"r\"}]}");
  ASSERT_EQ(one.error, "");
  EXPECT_EQ(one.vernier()["command"], Json({"python3", "train.py"}));
  EXPECT_THAT(one.ignored, Contains("TrainingJobDefinitions[0].RoleArn"));
  EXPECT_THAT(
      with_list("\"r\"}, {\"Unknown\": 1}], \"Unknown\": 1}").error,
      testing::AllOf(HasSubstr("f:17:29: TrainingJobDefinitions: tunes several "
                               "algorithms at once"),
                     testing::Not(HasSubstr("\n"))));
  EXPECT_THAT(with_list("\"r\"}], \"TrainingJobDefinition\":{}}").error,
              HasSubstr("must not be given beside TrainingJobDefinition"));
  EXPECT_THAT(SageMakerWith(definition, "\"TrainingJobDefinitions\": {").error,
              HasSubstr("TrainingJobDefinitions: must be a list"));
  EXPECT_EQ(
      SageMakerWith(definition, "\"TrainingJobDefinitions\": [], " + definition)
          .error,
      "");
}

TEST(SageMakerFileTest, CategoriesLoseTheQuotesOfScripts) {
  const ForeignOutcome read =
      SageMakerWith(R"(["64", "32"])", R"(["\"64\"", "32", "\"32\""])");
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.params()[3]["categoricalValues"], Json({"64", "32"}));
  EXPECT_THAT(read.notes,
              Contains(HasSubstr("CategoricalParameterRanges[0]: lists 32 "
                                 "again; each value counts once")));
}

TEST(SageMakerFileTest, ARangeWithoutAScaleIsSaidToBeLinear) {
  EXPECT_THAT(ReadForeign(kTuningRequest).notes,
              Contains(HasSubstr("IntegerParameterRanges[0].ScalingType: is "
                                 "linear here; Logarithmic is a log scale")));
  EXPECT_THAT(SageMakerWith(R"("MaxValue": "5")",
                            R"("MaxValue": "5", "ScalingType": "Linear")")
                  .notes,
              testing::Not(Contains(HasSubstr("is linear here"))));
}

TEST(SageMakerFileTest, TheNameOfTheMetricIsNoParameter) {
  const ForeignOutcome read = SageMakerWith(
      R"("epochs": "10")",
      R"("_tuning_objective_metric": "validation:acc", "epochs": "10")");
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.params().size(), 5u);
  EXPECT_THAT(read.ignored, Contains("TrainingJobDefinition."
                                     "StaticHyperParameters._tuning_objective_"
                                     "metric"));
}

constexpr char kGridConfig[] = R"({
  "Strategy": "Grid",
  "HyperParameterTuningJobObjective": {"Type": "Minimize", "MetricName": "loss"},
  "ResourceLimits": {"MaxParallelTrainingJobs": 9},
  "ParameterRanges": {"CategoricalParameterRanges": [
    {"Name": "a", "Values": ["1", "2", "3"]}, {"Name": "b", "Values": ["x", "y"]}]}
})";

TEST(SageMakerFileTest, TheNumberOfTrialsOfAGridIsItsSize) {
  const ForeignOutcome read = ReadForeign(kGridConfig);
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.search()["maxTrials"], 6);
  EXPECT_EQ(read.search()["maxParallelTrials"], 6);
  EXPECT_EQ(ReadForeignWith(kGridConfig, "{\"MaxParallelTrainingJobs\": 9}",
                            "{\"MaxNumberOfTrainingJobs\": 4}")
                .search()["maxTrials"],
            4);
  EXPECT_THAT(ReadForeignWith(kGridConfig, "\"Grid\"", "\"Random\"").error,
              HasSubstr("ResourceLimits.MaxNumberOfTrainingJobs: is required"));
  EXPECT_THAT(
      SageMakerWith("\"Bayesian\"", "\"Grid\"").error,
      HasSubstr("ContinuousParameterRanges[0]: is a range of numbers, of which "
                "there is no grid: list its values under "
                "CategoricalParameterRanges"));
}

TEST(SageMakerFileTest, RangesAloneNeedAnObjectiveAndLimits) {
  EXPECT_THAT(
      ReadForeign(R"({"ParameterRanges": {"IntegerParameterRanges": [
                {"Name": "n", "MinValue": "1", "MaxValue": "3"}]}})")
          .error,
      testing::AllOf(HasSubstr("HyperParameterTuningJobObjective: is needed"),
                     HasSubstr("ResourceLimits.MaxNumberOfTrainingJobs: is "
                               "required")));
}

TEST(SageMakerFileTest, ErrorsNameTheFieldThatHasTheName) {
  EXPECT_THAT(SageMakerWith("\"batch\"", "\"a b\"").error,
              HasSubstr("CategoricalParameterRanges[0].Name: must not begin"));
  EXPECT_THAT(SageMakerWith("\"epochs\"", "\"a b\"").error,
              HasSubstr("StaticHyperParameters.a b: must not begin"));
}

}  // namespace
}  // namespace vernier
