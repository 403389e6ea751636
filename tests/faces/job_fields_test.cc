#include <gtest/gtest.h>
#include <vernier/v1/job.pb.h>
#include <vernier/v1/permission.pb.h>

#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "faces/messages/job_message.h"
#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// Between them the jobs have every field that a job file may have.
constexpr const char* kJobs[] = {
    R"(
jobId: processes
labels: {team: vision}
trainingInput:
  scaleTier: CUSTOM
  masterType: n1-standard-8
  workerType: n1-standard-4
  parameterServerType: n1-highmem-2
  evaluatorType: n1-standard-16
  workerCount: 2
  parameterServerCount: 1
  evaluatorCount: 1
  masterConfig:
    acceleratorConfig: {count: 2, type: NVIDIA_TESLA_T4}
    diskConfig: {bootDiskType: pd-ssd, bootDiskSizeGb: 200}
    tpuTfVersion: "2.1"
  packageUris: [/packages/trainer-1.tar.gz]
  pythonModule: trainer.task
  args: [--epochs, "3"]
  region: local
  jobDir: /out
  runtimeVersion: "2.1"
  pythonVersion: "3.7"
  encryptionConfig: {kmsKeyName: key}
  scheduling: {maxRunningTime: 3600s, maxWaitTime: 7200s, priority: 3}
  network: projects/1/global/networks/n
  serviceAccount: account@example.com
  useChiefInTfConfig: true
  enableWebAccess: true
  hyperparameters:
    goal: MINIMIZE
    maxTrials: 7
    maxParallelTrials: 2
    maxFailedTrials: 3
    hyperparameterMetricTag: loss
    resumePreviousJobId: earlier
    enableTrialEarlyStopping: true
    algorithm: RANDOM_SEARCH
    params:
    - {parameterName: rate, type: DOUBLE, minValue: 0.001, maxValue: 1, scaleType: UNIT_LOG_SCALE, defaultValue: 0.1}
    - parameterName: layers
      type: INTEGER
      minValue: 1
      maxValue: 3
      childParameterSpecs:
      - {parameterName: width, type: DISCRETE, discreteValues: [8, 16], parentIntValues: {values: [2, 3]}}
    - parameterName: batch
      type: DISCRETE
      discreteValues: [32, 64]
      childParameterSpecs:
      - {parameterName: warmup, type: INTEGER, minValue: 0, maxValue: 9, parentDiscreteValues: {values: [64]}}
    - {parameterName: nesterov, type: CATEGORICAL, categoricalValues: [true, False]}
    - parameterName: optimizer
      type: CATEGORICAL
      categoricalValues: [sgd, adam]
      childParameterSpecs:
      - {parameterName: beta, type: DOUBLE, minValue: 0, maxValue: 1, parentCategoricalValues: {values: [adam]}}
vernier:
  seed: 5
  codeDir: /code
  environment: {OMP_PROC_BIND: "true"}
  callerEnvironment: {HOME: /home/someone}
  launcher: slurm
  slurm:
    partition: gpu
    account: lab
    qos: high
    reservation: mine
    constraint: a100&ib
    nice: 10
    cpusPerReplica: 8
    memoryPerReplica: 16G
    gpuType: a100
    timeLimit: 7200s
    extraArgs: [--mail-type=END]
  kubernetes:
    namespace: lab
    queue: gpus
    scheduler: volcano
    serviceAccount: trainer
    priorityClass: low
    labels: {team: vision}
    annotations: {example.com/note: a b}
    nodeSelector: {pool: a100}
    tolerations: ["gpu=yes:NoSchedule", spot]
    imagePullSecrets: [registry]
    cpusPerReplica: 500m
    memoryPerReplica: 16G
    shmSize: 1G
    gpuResource: amd.com/gpu
    volumes: [{claim: data, mountPath: /data, subPath: sets/a, readOnly: true}]
  gpusPerReplica: 1
  gpuMemoryPerReplica: 8G
  metricSources: [STDOUT, REPORT]
  metricPatterns: [{metric: loss, pattern: 'loss is (?P<value>\S+)'}]
  retry: {maxInfrastructureRetries: 1, maxTransientRetries: 2, maxUserErrorRetries: 1}
  endRules: [{exitCodes: [3], signals: [SIGUSR1], logPattern: gone, action: RETRY, reason: it went}]
  preemptible: true
  objectiveReduction: BEST
  notFiniteEnd: IGNORE
  argStyle: EQUALS
  killGrace: 5s
  trialTimeLimit: 60s
  maxInstantFailures: 4
  maxConsecutiveFailures: 6
  earlyStopping: {rule: HYPERBAND, minSteps: 2, maxSteps: 81, reductionFactor: 4, brackets: 3, minWinProbability: 0.1}
  canResume: true
  limits: {target: 0.25, noProgress: {trials: 20, gain: 0.001}, maxTime: 86400s, maxSteps: 5000, maxGpuTime: 360000s}
  objective: {perCost: true}
  repeats: 3
  parameterConstraints: [rate + layers <= 100]
  initialPoints: [{rate: 0.5, layers: 1, batch: 32, optimizer: sgd, nesterov: true}]
  jobDirForm: URI
  gsArgs: URI
  packageSha256: {/packages/trainer-1.tar.gz: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855}
)",
    R"(
jobId: containers
trainingInput:
  scaleTier: CUSTOM
  masterType: standard
  workerType: standard
  workerCount: 1
  parameterServerType: standard
  parameterServerCount: 1
  evaluatorType: standard
  evaluatorCount: 1
  masterConfig: {imageUri: trainer, containerCommand: [run], containerArgs: [--fast]}
  workerConfig: {imageUri: worker}
  parameterServerConfig: {imageUri: server}
  evaluatorConfig: {imageUri: evaluator}
)",
    R"(
jobId: command
trainingInput:
  region: local
  hyperparameters:
    goal: MAXIMIZE
    hyperparameterMetricTag: accuracy
    params: [{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}]
vernier: {algorithm: QUASI_RANDOM_SEARCH, command: [python3, train.py], metricSource: STDOUT}
)",
    R"(
jobId: later
trainingInput:
  hyperparameters:
    params: [{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}]
vernier:
  command: [python3, train.py]
  priorStudies: [last_week, other_model]
  priorRename: {learning_rate: x}
  beliefs: {x: {near: 0.25, within: 2x}}
)",
    R"(
jobId: several
trainingInput:
  hyperparameters:
    params: [{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}]
vernier:
  command: [python3, train.py]
  objectives: [{metric: accuracy, goal: MAXIMIZE}, {metric: latency, goal: MINIMIZE, reference: 50}]
  metricConstraints: [{metric: memory, min: 0.5, max: 4}]
  renamedFrom: {accuracy: [acc, val_acc], memory: [bytes]}
)"};

bool IsOutput(const FieldDescriptor& field) {
  return field.options().GetExtension(v1::output_only) ||
         field.full_name() == "vernier.v1.Job.etag";  // The call's.
}

// Adds "Message.field" for each field that is set, also of messages in it.
void CollectSetFields(const Message& message, std::set<std::string>& set) {
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    set.insert(message.GetDescriptor()->name() + "." + field->name());
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      CollectSetFields(reflection.GetMessage(message, field), set);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      CollectSetFields(reflection.GetRepeatedMessage(message, field, i), set);
    }
  }
}

TEST(JobFieldsTest, EveryFieldOfAJobFileSurvivesTheWire) {
  std::set<std::string> set;
  for (const char* text : kJobs) {
    const auto job = ParseJob(text, {});
    ASSERT_TRUE(job.ok()) << job.status();
    const v1::Job message = ToProto(*job);
    const auto back = FromProto(message);
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_EQ(back->json, job->json);
    CollectSetFields(message, set);
  }
  // Those without an effect here are listed for whoever sent the job.
  set.erase("VernierSection.ignored_fields");
  // A field that is new has to be in a job above.
  for (const google::protobuf::Descriptor* message :
       {v1::Job::descriptor(),
        v1::TrainingInput::descriptor(),
        v1::ReplicaConfig::descriptor(),
        v1::AcceleratorConfig::descriptor(),
        v1::DiskConfig::descriptor(),
        v1::EncryptionConfig::descriptor(),
        v1::Scheduling::descriptor(),
        v1::HyperparameterSpec::descriptor(),
        v1::ParameterSpec::descriptor(),
        v1::VernierSection::descriptor(),
        v1::VernierSection::Retry::descriptor(),
        v1::VernierSection::MetricPattern::descriptor(),
        v1::VernierSection::EndRule::descriptor(),
        v1::VernierSection::EarlyStopping::descriptor(),
        v1::VernierSection::Limits::descriptor(),
        v1::VernierSection::Limits::NoProgress::descriptor(),
        v1::VernierSection::Objective::descriptor(),
        v1::VernierSection::Belief::descriptor(),
        v1::VernierSection::MetricGoal::descriptor(),
        v1::VernierSection::MetricConstraint::descriptor()}) {
    for (int i = 0; i < message->field_count(); ++i) {
      const FieldDescriptor& field = *message->field(i);
      const std::string name = message->name() + "." + field.name();
      EXPECT_NE(set.contains(name), IsOutput(field)) << name;
    }
  }
}

// Sets a field, if it can be set, to something that is not its default.
void SetField(const FieldDescriptor& field, Message* message) {
  const Reflection& reflection = *message->GetReflection();
  if (field.is_map()) return;
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
    if (field.is_repeated()) {
      reflection.AddString(message, &field, "forged");
    } else {
      reflection.SetString(message, &field, "forged");
    }
  } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_INT32) {
    reflection.SetInt32(message, &field, 7);
  } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_INT64) {
    reflection.SetInt64(message, &field, 7);
  } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    if (field.is_repeated()) {
      reflection.AddMessage(message, &field);
    } else {
      reflection.MutableMessage(message, &field);
    }
  }
}

TEST(JobFieldsTest, WhatACallerSendsInAnOutputIsNotRead) {
  const auto job = ParseJob(kJobs[0], {});
  ASSERT_TRUE(job.ok()) << job.status();
  v1::Job message = ToProto(*job);
  v1::VernierSection& section = *message.mutable_vernier();
  int outputs = 0;
  for (Message* const part : std::initializer_list<Message*>{
           &message, &section, section.mutable_early_stopping()}) {
    for (int i = 0; i < part->GetDescriptor()->field_count(); ++i) {
      const FieldDescriptor& field = *part->GetDescriptor()->field(i);
      if (!field.options().GetExtension(v1::output_only)) continue;
      SetField(field, part);
      ++outputs;
    }
  }
  EXPECT_EQ(section.secrets_file(), "forged");
  EXPECT_GT(outputs, 20);
  const auto back = FromProto(message);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->json, job->json);
}

}  // namespace
}  // namespace vernier
