#include "faces/messages/job_message.h"

#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

constexpr char kFile[] = R"(
jobId: census_1
labels: {team: vision}
trainingInput:
  scaleTier: STANDARD_1
  region: here
  jobDir: /out
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: rmse
    maxTrials: 6
    params:
    - {parameterName: lr, type: DOUBLE, minValue: 0.0001, maxValue: 1, scaleType: UNIT_LOG_SCALE}
    - {parameterName: units, type: DISCRETE, discreteValues: [16, 39]}
vernier: {command: [/bin/true]}
)";

Timestamp At(int seconds) {
  return Timestamp(std::chrono::sys_days(std::chrono::year(2021) / 2 / 26) +
                   std::chrono::seconds(seconds));
}

ParsedJob Parsed() {
  const auto parsed = ParseJob(kFile, {});
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return *parsed;
}

/// Six trials, one of each kind of end, in a job that has succeeded.
StudySnapshot FinishedStudy() {
  const ParsedJob parsed = Parsed();
  StudyBuilder builder(parsed.spec);
  StudyRecord& job = builder.record();
  JobRunOf(job).spec_json = parsed.json;
  job.labels = {{"team", "audio"}};
  JobRunOf(job).state = JobState::kSucceeded;
  job.created_at = At(0);
  JobRunOf(job).started_at = At(10);
  JobRunOf(job).ended_at = At(20);
  job.seed = 7;
  job.version = 42;
  const auto point = [](double lr, double units) {
    return [lr, units](TrialRecord* trial) {
      trial->parameters = {{"lr", lr}, {"units", units}};
      trial->started_at = At(11);
      trial->ended_at = At(12) + std::chrono::milliseconds(500);
    };
  };
  const auto end = [](TrialState state, TrialEndCause cause) {
    return [state, cause](TrialRecord* trial) {
      trial->state = state;
      trial->end_cause = cause;
    };
  };
  builder.Completed(2.5).With(point(0.5, 16));
  builder.Completed(0.1).With(point(0.1, 39));
  builder.Failed().With(point(0.2, 16));
  builder.Failed()
      .With(point(0.3, 16))
      .With(end(TrialState::kInfeasible, TrialEndCause::kNotFinite));
  builder.Completed(1.5)
      .With(point(0.4, 16))
      .With(end(TrialState::kStopped, TrialEndCause::kStoppedEarly));
  builder.Failed()
      .With(point(0.6, 16))
      .With(end(TrialState::kStopped, TrialEndCause::kCancelled));
  return builder.Build();
}

std::string Print(const google::protobuf::Message& message) {
  std::string json;
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  EXPECT_TRUE(
      google::protobuf::util::MessageToJsonString(message, &json, options)
          .ok());
  return json;
}

TEST(JobMessageTest, EachStateHasItsOwnNameInTheApi) {
  const ParsedJob parsed = Parsed();
  for (int number = 1; number <= static_cast<int>(JobState::kCancelled);
       ++number) {
    const auto state = static_cast<JobState>(number);
    StudyBuilder builder(parsed.spec);
    JobRunOf(builder.record()).state = state;
    const StudySnapshot study = builder.Build();
    const v1::Job job = ToProto(JobOf(study), TrialsInJob::kWithout);
    EXPECT_EQ(v1::Job::State_Name(job.state()), ToString(state));
  }
}

// The names, types and order that clients of ml.googleapis.com rely on: int64
// as text, values of hyperparameters as text, the best trial first.
TEST(JobMessageTest, AFinishedJobHasAiPlatformsShape) {
  v1::Job job = ToProto(JobOf(FinishedStudy()), TrialsInJob::kWith);
  job.clear_vernier();
  job.mutable_training_input()->clear_hyperparameters();
  job.mutable_training_output()->mutable_trials()->DeleteSubrange(1, 5);
  // Objects have no order; lists have.
  EXPECT_EQ(nlohmann::json::parse(Print(job)), nlohmann::json::parse(R"({
 "jobId": "census_1",
 "trainingInput": {
  "scaleTier": "STANDARD_1",
  "region": "here",
  "jobDir": "/out"
 },
 "createTime": "2021-02-26T00:00:00Z",
 "startTime": "2021-02-26T00:00:10Z",
 "endTime": "2021-02-26T00:00:20Z",
 "state": "SUCCEEDED",
 "trainingOutput": {
  "completedTrialCount": "4",
  "trials": [
   {
    "trialId": "2",
    "hyperparameters": {
     "lr": "0.1",
     "units": "39"
    },
    "finalMetric": {
     "trainingStep": "1",
     "objectiveValue": 0.1
    },
    "startTime": "2021-02-26T00:00:11Z",
    "endTime": "2021-02-26T00:00:12.500Z",
    "state": "SUCCEEDED"
   }
  ],
  "isHyperparameterTuningJob": true,
  "hyperparameterMetricTag": "rmse"
 },
 "labels": {
  "team": "audio"
 },
 "etag": "NDI="
})"));
}

// Trial 5 was stopped early: its value is the better one, but not an end's.
TEST(JobMessageTest, TrialsAreBestFirstAndThoseWithoutAMetricLast) {
  const v1::Job job = ToProto(JobOf(FinishedStudy()), TrialsInJob::kWith);
  std::string order;
  for (const auto& trial : job.training_output().trials()) {
    order += trial.trial_id() + (trial.has_final_metric() ? "+ " : "- ");
  }
  EXPECT_EQ(order, "2+ 1+ 5+ 3- 4- 6- ");
}

TEST(JobMessageTest, EndsOfTrialsHaveAiPlatformsStates) {
  const v1::Job job = ToProto(JobOf(FinishedStudy()), TrialsInJob::kWith);
  std::map<std::string, std::string> states;
  for (const auto& trial : job.training_output().trials()) {
    states[trial.trial_id()] = v1::Job::State_Name(trial.state());
    EXPECT_EQ(trial.is_trial_stopped_early(), trial.trial_id() == "5");
  }
  EXPECT_EQ(states["2"], "SUCCEEDED");
  EXPECT_EQ(states["3"], "FAILED");
  EXPECT_EQ(states["4"], "SUCCEEDED");  // Exit 0 with NaN: no final metric.
  EXPECT_EQ(states["5"], "SUCCEEDED");  // Stopped early.
  EXPECT_EQ(states["6"], "CANCELLED");
  EXPECT_EQ(job.training_output().completed_trial_count(), 4);
}

TEST(JobMessageTest, OpenTrialsSayHowFarTheyAre) {
  StudyBuilder builder(TuningSpec(9, 9));
  builder.Requested()
      .Active(AttemptState::kIntended)
      .Active(AttemptState::kLaunching)
      .Active(AttemptState::kRunning)
      .Active(AttemptState::kLost)
      .Stopping();
  std::string states;
  const StudySnapshot& study = builder.Build();
  for (std::int64_t i = 1; i <= 6; ++i) {
    states +=
        v1::Job::State_Name(TrialStateInJob(study.trials.Get(TrialId{i}))) +
        " ";
  }
  EXPECT_EQ(states, "QUEUED PREPARING PREPARING RUNNING QUEUED CANCELLING ");
}

TEST(JobMessageTest, OurSectionTellsTheSeedTheWantedStateAndTheCounts) {
  const v1::Job job = ToProto(JobOf(FinishedStudy()), TrialsInJob::kWithout);
  EXPECT_EQ(job.training_output().trials_size(), 0);
  EXPECT_EQ(job.vernier().seed(), 7);
  EXPECT_EQ(job.vernier().wanted(), "RUN");
  EXPECT_EQ(job.vernier().max_trials(), 6);
  EXPECT_EQ(job.vernier().trial_counts().at("completed"), 2);
  EXPECT_EQ(job.vernier().trial_counts().at("stopped"), 2);
}

TEST(JobMessageTest, WhatRunsAndWhatIsPausedIsCountedApart) {
  StudyBuilder builder(TuningSpec(9, 9));
  builder.job().spec_json = "{}";
  builder.job().state = JobState::kRunning;
  builder.job().wanted = JobWanted::kPause;
  builder.Active().Active(AttemptState::kKilled).Requested();
  const v1::VernierSection section =
      ToProto(builder.Job(), TrialsInJob::kWithout).vernier();
  EXPECT_EQ(section.trial_counts().at("active"), 2);
  EXPECT_EQ(section.running_trials(), 1);
  EXPECT_EQ(section.paused_trials(), 1);
}

TEST(JobMessageTest, ARunningJobWithoutItsMetricSaysSo) {
  StudyBuilder builder(TuningSpec(9, 9));
  builder.job().spec_json = "{}";
  builder.job().state = JobState::kRunning;
  builder.Failed(TrialEndCause::kNoMetric).Active();
  StudySnapshot study = builder.Build();
  EXPECT_EQ(
      ToProto(JobOf(study), TrialsInJob::kWithout).error_message(),
      "1 trial has ended without a value of the metric \"loss\", and none "
      "with one. Trial 1: it broke");
  JobRunOf(study).state = JobState::kSucceeded;
  EXPECT_EQ(ToProto(JobOf(study), TrialsInJob::kWithout).error_message(), "");
}

TEST(JobMessageTest, SaysWhatEarlyStoppingHasSaved) {
  StudyBuilder builder(TuningSpec(9, 9));
  builder.job().spec_json = "{}";
  builder.Completed(1).With([](TrialRecord* trial) {
    trial->objective.last = FinalMeasurement{20, 1};
  });
  EXPECT_FALSE(ToProto(builder.Job(), TrialsInJob::kWithout)
                   .vernier()
                   .has_early_stopping());
  builder.Failed(TrialEndCause::kStoppedEarly);
  const v1::VernierSection section =
      ToProto(builder.Job(), TrialsInJob::kWithout).vernier();
  EXPECT_EQ(section.early_stopping().stopped_trials(), 1);
  EXPECT_EQ(section.early_stopping().saved_steps(), 20);
  EXPECT_EQ(section.early_stopping().trained_steps(), 20);
  EXPECT_EQ(section.early_stopping().text(),
            "1 of 2 trials was stopped early, which saved 20 of 40 steps "
            "(50 %)");
}

TEST(JobMessageTest, APausedJobSaysWhy) {
  StudySnapshot study = FinishedStudy();
  JobRunOf(study).state = JobState::kRunning;
  JobRunOf(study).wanted = JobWanted::kPause;
  JobRunOf(study).wanted_reason = "3 instant failures in a row";
  EXPECT_EQ(ToProto(JobOf(study), TrialsInJob::kWithout).error_message(),
            "3 instant failures in a row");
}

TEST(JobMessageTest, AJobThatComesBackFromDescribeParsesToTheSameSpec) {
  const v1::Job described = ToProto(JobOf(FinishedStudy()), TrialsInJob::kWith);
  const auto parsed = FromProto(described);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const HyperparameterSpec& tuning =
      *parsed->spec.training_input.hyperparameters;
  EXPECT_EQ(tuning.params,
            Parsed().spec.training_input.hyperparameters->params);
  EXPECT_EQ(tuning.max_trials, 6);
  EXPECT_EQ(parsed->spec.training_input.worker.count, 4);
  EXPECT_EQ(parsed->spec.labels.at("team"), "audio");
}

TEST(JobMessageTest, AllMistakesOfAMessageAreToldAtOnce) {
  v1::Job job;
  job.set_job_id("1bad");
  auto* tuning = job.mutable_training_input()->mutable_hyperparameters();
  tuning->set_max_trials(-1);
  auto* parameter = tuning->add_params();
  parameter->set_parameter_name("lr");
  parameter->set_type(v1::ParameterSpec::DOUBLE);
  parameter->set_min_value(5);
  parameter->set_max_value(3);
  const absl::Status status = FromProto(job).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  const std::string message(status.message());
  EXPECT_NE(message.find("jobId"), std::string::npos) << message;
  EXPECT_NE(message.find("maxTrials"), std::string::npos) << message;
  EXPECT_NE(message.find("minValue"), std::string::npos) << message;
}

// What the parser knows and the API does not would be lost on the way to the
// service without a word.
TEST(JobMessageTest, ConditionalParametersSurviveTheApi) {
  const auto parsed = ParseJob(R"(
jobId: tree
trainingInput:
  hyperparameters:
    params:
    - parameterName: optimizer
      type: CATEGORICAL
      categoricalValues: [sgd, adam]
      defaultValue: adam
      childParameterSpecs:
      - {parameterName: momentum, type: DOUBLE, minValue: 0, maxValue: 1, defaultValue: 0.5, parentCategoricalValues: {values: [sgd]}}
      - parameterName: layers
        type: INTEGER
        minValue: 1
        maxValue: 4
        parentCategoricalValues: {values: [adam]}
        childParameterSpecs:
        - {parameterName: width, type: DISCRETE, discreteValues: [8, 16.5], parentIntValues: {values: [2, 3]}}
    - parameterName: batch
      type: DISCRETE
      discreteValues: [32, 64]
      childParameterSpecs:
      - {parameterName: steps, type: INTEGER, minValue: 1, maxValue: 9, parentDiscreteValues: {values: [64]}}
vernier: {command: [/bin/true]}
)",
                               {});
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  v1::Job message;
  const auto read =
      google::protobuf::util::JsonStringToMessage(parsed->json, &message);
  ASSERT_TRUE(read.ok()) << std::string(read.message());
  std::string json;
  ASSERT_TRUE(google::protobuf::util::MessageToJsonString(message, &json).ok());
  const auto again = ParseJob(json, {});
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->spec.training_input.hyperparameters->params,
            parsed->spec.training_input.hyperparameters->params);
  EXPECT_EQ(parsed->spec.training_input.hyperparameters->params.size(), 6u);
}

TEST(JobMessageTest, InitialPointsSurviveTheApi) {
  const auto parsed = ParseJob(R"(
jobId: points
trainingInput:
  hyperparameters:
    maxTrials: 3
    params:
    - {parameterName: lr, type: DOUBLE, minValue: 1e-9, maxValue: 1}
    - {parameterName: n, type: INTEGER, minValue: 1, maxValue: 9007199254740991}
    - {parameterName: act, type: CATEGORICAL, categoricalValues: ["1.10", tanh], defaultValue: tanh}
vernier:
  command: [/bin/true]
  initialPoints:
  - {lr: 1.2345678901234567e-7, n: 9007199254740991, act: 1.10}
  - {lr: 0.1, n: 1}
)",
                               {});
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  v1::Job message;
  const auto read =
      google::protobuf::util::JsonStringToMessage(parsed->json, &message);
  ASSERT_TRUE(read.ok()) << std::string(read.message());
  EXPECT_EQ(message.vernier().initial_points_size(), 2);
  message.mutable_vernier()->add_queued_points();  // Output only.
  const auto again = FromProto(message);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->spec.vernier.initial_points,
            parsed->spec.vernier.initial_points);
  EXPECT_EQ(again->json, parsed->json);
}

}  // namespace
}  // namespace vernier
