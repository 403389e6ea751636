#include "cluster/trial_environment.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/small_file.h"
#include "cluster/in_place_command.h"
#include "cluster/trial_parameters.h"
#include "cluster/wandb_environment.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

constexpr char kNonce[] = "00112233445566778899aabbccddeeff";

JobSpec TuningJob(int workers, int parameter_servers, int evaluators) {
  JobSpec spec;
  spec.job_id = "digits";
  TrainingInput& input = spec.training_input;
  input.master.count = 1;
  input.worker.count = workers;
  input.parameter_server.count = parameter_servers;
  input.evaluator.count = evaluators;
  input.region = "us-east1";
  input.job_dir = "gs://bucket/out";
  input.hyperparameters.emplace().metric_tag = "accuracy";
  return spec;
}

GangContext ContextOf(const JobSpec& spec) {
  GangContext context;
  context.spec = &spec;
  context.attempt = {StudyId{3}, TrialId{7}, 2};
  context.nonce = kNonce;
  context.restart_count = 1;
  context.run_dir = "/data/run";
  context.job_json = "{}";
  int port = 2000;
  for (const ReplicaId replica : GangReplicas(spec.training_input)) {
    context.addresses.push_back({replica, "127.0.0.1", port});
    port += 10;
  }
  context.master_port = 2001;
  return context;
}

// All but the two whose text cluster_spec_test checks, which must be there.
std::string PrintEnvironment(Environment environment) {
  EXPECT_EQ(environment.erase("TF_CONFIG"), 1u);
  EXPECT_EQ(environment.erase("CLUSTER_SPEC"), 1u);
  std::string text;
  for (const auto& [name, value] : environment) {
    text += name + "=" + value + "\n";
  }
  return text;
}

std::string CommonTuningLines(const std::string& metric_file) {
  return "AIP_CHECKPOINT_DIR=gs://bucket/out/7/checkpoints/\n"
         "AIP_MODEL_DIR=gs://bucket/out/7/model/\n"
         "AIP_TENSORBOARD_LOG_DIR=gs://bucket/out/7/logs/\n"
         "CLOUD_ML_HP_METRIC_FILE=/data/run/metrics/" +
         metric_file +
         "\n"
         "CLOUD_ML_HP_METRIC_TAG=accuracy\n"
         "CLOUD_ML_JOB={}\n"
         "CLOUD_ML_JOB_ID=digits\n"
         "CLOUD_ML_REGION=us-east1\n"
         "CLOUD_ML_TRIAL_ID=7\n";
}

std::string ProcessGroupLines(const std::string& rank,
                              const std::string& path_and_rank) {
  return "LOCAL_RANK=0\n"
         "MASTER_ADDR=127.0.0.1\n"
         "MASTER_PORT=2001\n" +
         path_and_rank + "RANK=" + rank + "\n";
}

constexpr char kPathLines[] =
    "PATH=/usr/local/bin:/usr/bin:/bin\nPYTHONUNBUFFERED=1\n";
std::string IdentityLines(const std::string& replica,
                          const std::string& outputs = "gs://bucket/out/7") {
  return "VERNIER_ATTEMPT=00112233445566778899aabbccddeeff\n"
         "VERNIER_ATTEMPT_NUMBER=2\n"
         "VERNIER_JOB=digits\n"
         "VERNIER_METRICS=/data/run/metrics/" +
         replica +
         ".jsonl\n"
         "VERNIER_OUTPUT_DIR=" +
         outputs +
         "\n"
         "VERNIER_RESTART_COUNT=1\n"
         "VERNIER_TRIAL=7\n";
}

std::string TrackioLines(const std::string& replica = "") {
  return "TRACKIO_DIR=/data/run/metrics/trackio" + replica +
         "\nTRACKIO_STORAGE_MODE=sqlite\n";
}

// A bucket is no folder to which a library could write.
std::string WandbLines(const std::string& folder = "") {
  return "WANDB_DIR=/data/run/metrics" + folder +
         "\n"
         "WANDB_MODE=offline\n"
         "WANDB_SWEEP_PARAM_PATH=/data/run/metrics/wandb.yaml\n";
}

TEST(TrialEnvironmentTest, OfEachRoleOfAGangOfEight) {
  const JobSpec spec = TuningJob(4, 3, 0);
  const GangContext context = ContextOf(spec);
  ASSERT_EQ(context.addresses.size(), 8u);
  EXPECT_EQ(PrintEnvironment(ReplicaEnvironment(context, 0)),
            CommonTuningLines("master-replica-0.metrics") +
                ProcessGroupLines("0", kPathLines) + TrackioLines() +
                IdentityLines("master-replica-0") + WandbLines() +
                "WORLD_SIZE=5\n");
  EXPECT_EQ(PrintEnvironment(ReplicaEnvironment(context, 4)),
            CommonTuningLines("worker-replica-3.metrics") +
                ProcessGroupLines("4", kPathLines) +
                TrackioLines("-worker-replica-3") +
                IdentityLines("worker-replica-3") +
                WandbLines("/wandb-worker-replica-3") + "WORLD_SIZE=5\n");
  EXPECT_EQ(PrintEnvironment(ReplicaEnvironment(context, 7)),
            CommonTuningLines("ps-replica-2.metrics") + kPathLines +
                TrackioLines("-ps-replica-2") + IdentityLines("ps-replica-2") +
                WandbLines("/wandb-ps-replica-2"));
}

TEST(TrialEnvironmentTest, ParametersArriveHoweverLongTheyAre) {
  const JobSpec spec = TuningJob(0, 0, 0);
  GangContext context = ContextOf(spec);
  context.inherited["VERNIER_PARAMETERS_FILE"] = "/of/another/trial";
  context.parameters_json = R"({"rate":0.5,"flag":true})";
  Environment environment = ReplicaEnvironment(context, 0);
  EXPECT_EQ(environment["VERNIER_PARAMETERS"], R"({"rate":0.5,"flag":true})");
  EXPECT_EQ(environment.count("VERNIER_PARAMETERS_FILE"), 0u);
  context.parameters_json = std::string(kLongestVariable + 1, 'x');
  environment = ReplicaEnvironment(context, 0);
  EXPECT_EQ(environment.count("VERNIER_PARAMETERS"), 0u);
  EXPECT_EQ(environment["VERNIER_PARAMETERS_FILE"],
            "/data/run/metrics/parameters.json");
  EXPECT_EQ(ServiceVariables(spec).count("VERNIER_PARAMETERS"), 1u);
}

TEST(TrialEnvironmentTest, LongParametersAreWrittenIntoTheFile) {
  const ScratchFolder folder;
  JobSpec spec = TuningJob(0, 0, 0);
  ParameterSpec parameter;
  parameter.name = "c";
  parameter.type = ParameterType::kCategorical;
  const std::string value(kLongestVariable, 'x');
  parameter.categorical_values = {value};
  spec.training_input.hyperparameters->params = {parameter};
  const std::string path = TrialParametersFile(folder.path());
  ASSERT_TRUE(WriteLongParameters(folder.path(), spec, {{"c", value}}).ok());
  EXPECT_EQ(*ReadSmallFile(path), R"({"c":")" + value + "\"}");
  EXPECT_EQ(TrialParametersJson(spec, {{"c", value}}), *ReadSmallFile(path));
}

TEST(TrialEnvironmentTest, OfAnEvaluator) {
  const JobSpec spec = TuningJob(0, 0, 1);
  EXPECT_EQ(PrintEnvironment(ReplicaEnvironment(ContextOf(spec), 1)),
            CommonTuningLines("evaluator-replica-0.metrics") + kPathLines +
                TrackioLines() + IdentityLines("evaluator-replica-0") +
                WandbLines());
}

TEST(TrialEnvironmentTest, WhatTheJobSaysToWandbStays) {
  JobSpec spec = TuningJob(0, 0, 0);
  spec.training_input.job_dir = "/out";
  GangContext context = ContextOf(spec);
  EXPECT_EQ(ReplicaEnvironment(context, 0).at("WANDB_DIR"), "/out/7");
  spec.training_input.job_dir = "";
  EXPECT_EQ(ReplicaEnvironment(context, 0).at("WANDB_DIR"), "/data/run/work");
  spec.vernier.command = CommandInFolder("/code", {"python3", "train.py"});
  EXPECT_EQ(ReplicaEnvironment(context, 0).at("WANDB_DIR"),
            "/data/run/metrics");
  spec.vernier.environment = {{"WANDB_DIR", "/mine"}};
  context.secrets = {{"WANDB_API_KEY", "key"}};
  EXPECT_EQ(ReplicaEnvironment(context, 0).at("WANDB_DIR"), "/mine");
  EXPECT_EQ(ReplicaEnvironment(context, 0).count("WANDB_MODE"), 0u);
  EXPECT_EQ(ServiceVariables(spec).count("WANDB_SWEEP_PARAM_PATH"), 0u);
  spec.vernier.metric_sources = {MetricSourceKind::kStdout};
  EXPECT_EQ(ReplicaEnvironment(context, 0).count("WANDB_SWEEP_PARAM_PATH"), 0u);
}

TEST(TrialEnvironmentTest, WhatTheJobSaysToTrackioStays) {
  JobSpec spec = TuningJob(0, 0, 0);
  GangContext context = ContextOf(spec);
  EXPECT_EQ(ServiceVariables(spec).count("TRACKIO_DIR"), 0u);
  spec.vernier.environment = {{"TRACKIO_DIR", "/mine"}};
  EXPECT_EQ(ReplicaEnvironment(context, 0).at("TRACKIO_DIR"), "/mine");
  EXPECT_EQ(ReplicaEnvironment(context, 0).at("TRACKIO_STORAGE_MODE"),
            "sqlite");
  // The library sends all it gets there.
  spec.vernier.environment = {{"TRACKIO_SPACE_ID", "me/space"}};
  EXPECT_EQ(ReplicaEnvironment(context, 0).count("TRACKIO_DIR"), 0u);
  spec.vernier.environment.clear();
  context.secrets = {{"TRACKIO_SERVER_URL", "https://x/?write_token=y"}};
  EXPECT_EQ(ReplicaEnvironment(context, 0).count("TRACKIO_DIR"), 0u);
  context.secrets.clear();
  spec.vernier.metric_sources = {MetricSourceKind::kWandb};
  EXPECT_EQ(ReplicaEnvironment(context, 0).count("TRACKIO_DIR"), 0u);
}

// PyYAML, which W&B's library uses, takes 1e-05 for a text.
TEST(TrialEnvironmentTest, WandbGetsAllParametersWithTheirTypes) {
  EXPECT_EQ(WandbParametersText(
                R"({"lr":1e-05,"n":3,"opt":"a: \"b\"","on":true,"x":2.5e-07})"),
            "wandb_version: 1\n"
            "\n\"lr\":\n  value: 1.0e-05\n"
            "\n\"n\":\n  value: 3\n"
            "\n\"opt\":\n  value: \"a: \\\"b\\\"\"\n"
            "\n\"on\":\n  value: true\n"
            "\n\"x\":\n  value: 2.5e-07\n");
  const ScratchFolder folder;
  JobSpec spec = TuningJob(1, 0, 0);
  ASSERT_TRUE(PrepareWandb(folder.path(), spec, {}).ok());
  EXPECT_EQ(*ReadSmallFile(folder / "wandb.yaml"), "wandb_version: 1\n");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "wandb-worker-replica-0"));
}

// A name with a point may be one of a sweep's nested mapping, or not.
TEST(TrialEnvironmentTest, WandbGetsNestedMappingsToo) {
  EXPECT_EQ(
      WandbParametersText(R"({"a.b.c":1e-05,"a.d":"x","e":1,"e.f":2,".g":3})"),
      "wandb_version: 1\n"
      "\n\"a.b.c\":\n  value: 1.0e-05\n"
      "\n\"a.d\":\n  value: \"x\"\n"
      "\n\"e\":\n  value: 1\n"
      "\n\"e.f\":\n  value: 2\n"
      "\n\".g\":\n  value: 3\n"
      "\n\"a\":\n  value: {\"b\": {\"c\": 1.0e-05}, \"d\": \"x\"}\n");
}

TEST(TrialEnvironmentTest, OutsideTuningSaysNothingOfTrialsAndMetrics) {
  JobSpec spec = TuningJob(0, 0, 0);
  spec.training_input.hyperparameters.reset();
  spec.training_input.job_dir = "/out/";
  spec.training_input.region = "";
  EXPECT_EQ(PrintEnvironment(ReplicaEnvironment(ContextOf(spec), 0)),
            "AIP_CHECKPOINT_DIR=/out/checkpoints/\n"
            "AIP_MODEL_DIR=/out/model/\n"
            "AIP_TENSORBOARD_LOG_DIR=/out/logs/\n"
            "CLOUD_ML_JOB={}\n"
            "CLOUD_ML_JOB_ID=digits\n" +
                ProcessGroupLines("0", kPathLines) +
                IdentityLines("master-replica-0", "/out/") + "WORLD_SIZE=1\n");
}

TEST(TrialEnvironmentTest, WithoutAJobDirOutputsBelongIntoTheWorkingDirectory) {
  JobSpec spec = TuningJob(0, 0, 0);
  spec.training_input.job_dir = "";
  EXPECT_EQ(ReplicaEnvironment(ContextOf(spec), 0).at("VERNIER_OUTPUT_DIR"),
            "/data/run/work");
}

TEST(TrialEnvironmentTest, TheJobsOwnVariablesWinOverTheServicesButNotOurs) {
  JobSpec spec = TuningJob(0, 0, 0);
  spec.vernier.environment = {{"PATH", "/mine"},
                              {"PYTHONUNBUFFERED", ""},
                              {"RANK", "99"},
                              {"OTHER", "x"}};
  GangContext context = ContextOf(spec);
  context.inherited = {{"PATH", "/theirs"}, {"HOME", "/home"}};
  const Environment environment = ReplicaEnvironment(context, 0);
  EXPECT_EQ(environment.at("PATH"), "/mine");
  EXPECT_EQ(environment.at("PYTHONUNBUFFERED"), "");
  EXPECT_EQ(environment.at("RANK"), "0");
  EXPECT_EQ(environment.at("OTHER"), "x");
  EXPECT_EQ(environment.at("HOME"), "/home");
}

TEST(TrialEnvironmentTest, NamesTheJobsProjectUnlessItIsTheDefaultOne) {
  const JobSpec spec = TuningJob(0, 0, 0);
  GangContext context = ContextOf(spec);
  EXPECT_EQ(ReplicaEnvironment(context, 0).count("CLOUD_ML_PROJECT_ID"), 0u);
  context.inherited = {{"CLOUD_ML_PROJECT_ID", "ours"}};
  EXPECT_EQ(ReplicaEnvironment(context, 0).at("CLOUD_ML_PROJECT_ID"), "ours");
  context.project = "p1";
  EXPECT_EQ(ReplicaEnvironment(context, 0).at("CLOUD_ML_PROJECT_ID"), "p1");
  EXPECT_EQ(ReplicaEnvironment(context, 0).at("CLOUD_ML_JOB_ID"), spec.job_id);
}

TEST(TrialEnvironmentTest, TellsItsPlaceInATraceIfThereIsOne) {
  JobSpec spec = TuningJob(0, 0, 0);
  spec.vernier.environment = {{"TRACEPARENT", "the job's"}};
  GangContext context = ContextOf(spec);
  EXPECT_EQ(ReplicaEnvironment(context, 0).at("TRACEPARENT"), "the job's");
  context.trace_parent = "00-1-2-01";
  EXPECT_EQ(ReplicaEnvironment(context, 0).at("TRACEPARENT"), "00-1-2-01");
}

TEST(TrialEnvironmentTest, InheritsOnlyWhatIsAllowed) {
  const char* const environ[] = {
      "PATH=/bin", "LC_ALL=C", "SECRET=x",       "NCCL_DEBUG=1",
      "broken",    "HOME=",    "VERNIER_HOME=/", nullptr};
  EXPECT_EQ(AllowedEnvironment(environ), (Environment{{"PATH", "/bin"},
                                                      {"LC_ALL", "C"},
                                                      {"NCCL_DEBUG", "1"},
                                                      {"HOME", ""}}));
}

TEST(TrialEnvironmentTest, InheritsFromWhoSubmittedTheJob) {
  const char* const environ[] = {"PATH=/bin", "LANG=de", nullptr};
  JobSpec spec = TuningJob(0, 0, 0);
  EXPECT_EQ(InheritedEnvironment(spec, environ),
            (Environment{{"PATH", "/bin"}, {"LANG", "de"}}));
  spec.vernier.caller_environment = {{"PATH", "/venv/bin"},
                                     {"CUDA_VISIBLE_DEVICES", "0"}};
  EXPECT_EQ(InheritedEnvironment(spec, environ),
            (Environment{{"PATH", "/venv/bin"}}));
}

TEST(TrialEnvironmentTest, SecretsGoBeforeTheJobsOwnAndOursBeforeAll) {
  JobSpec spec = TuningJob(0, 0, 0);
  spec.vernier.environment = {{"A", "plain"}, {"B", "plain"}};
  GangContext context = ContextOf(spec);
  context.secrets = {{"B", "secret"}, {"VERNIER_TRIAL", "99"}};
  const Environment environment = ReplicaEnvironment(context, 0);
  EXPECT_EQ(environment.at("A"), "plain");
  EXPECT_EQ(environment.at("B"), "secret");
  EXPECT_EQ(environment.at("VERNIER_TRIAL"), "7");
}

TEST(TrialEnvironmentTest, FindsFoldersOfTheCodeInItsCopy) {
  const ScratchFolder dir;
  WriteText(dir / "copy/src/module.py", "");
  const std::string source = dir / "project";
  EXPECT_EQ(FoldersInCopy(source + "/src:" + source + ":/usr/lib:" + source +
                              "/.venv/lib:" + source + "2/src:relative:",
                          source, dir / "copy"),
            (dir / "copy/src") + ":" + (dir / "copy") + ":/usr/lib:" + source +
                "/.venv/lib:" + source + "2/src:relative:");
}

TEST(TrialEnvironmentTest, ShowsEachReplicaItsOwnGpus) {
  JobSpec spec = TuningJob(1, 1, 0);
  spec.vernier.gpus_per_replica = 2;
  GangContext context = ContextOf(spec);
  EXPECT_EQ(ReplicaEnvironment(context, 0).count("CUDA_VISIBLE_DEVICES"), 0u);

  context.machine_has_gpus = true;
  EXPECT_EQ(ReplicaEnvironment(context, 0).at("CUDA_VISIBLE_DEVICES"), "");

  context.devices = *SplitDevices(spec, {"a", "b", "c", "d", "e", "f"});
  EXPECT_EQ(ReplicaEnvironment(context, 0).at("CUDA_VISIBLE_DEVICES"), "a,b");
  EXPECT_EQ(ReplicaEnvironment(context, 2).at("CUDA_VISIBLE_DEVICES"), "e,f");
  EXPECT_EQ(ReplicaEnvironment(context, 2).at("CUDA_DEVICE_ORDER"),
            "PCI_BUS_ID");
}

TEST(TrialEnvironmentTest, AProgramThatSharesItsGpuIsToldItsShare) {
  JobSpec spec = TuningJob(0, 0, 0);
  spec.vernier.gpus_per_replica = 1;
  GangContext context = ContextOf(spec);
  context.machine_has_gpus = true;
  context.devices = *SplitDevices(spec, {"GPU-a+8192M.2"});
  const Environment share = ReplicaEnvironment(context, 0);
  EXPECT_EQ(share.at("CUDA_VISIBLE_DEVICES"), "GPU-a");
  EXPECT_EQ(share.at("VERNIER_GPU_MEMORY_MB"), "8192");
  EXPECT_EQ(share.at("TF_FORCE_GPU_ALLOW_GROWTH"), "true");
  EXPECT_EQ(share.at("CUDA_MPS_PINNED_DEVICE_MEM_LIMIT"), "0=8192M");
  spec.vernier.environment["TF_FORCE_GPU_ALLOW_GROWTH"] = "false";
  EXPECT_EQ(ReplicaEnvironment(context, 0).at("TF_FORCE_GPU_ALLOW_GROWTH"),
            "false");
  context.devices = *SplitDevices(spec, {"GPU-a"});
  EXPECT_FALSE(
      ReplicaEnvironment(context, 0).contains("VERNIER_GPU_MEMORY_MB"));
}

TEST(TrialEnvironmentTest, RefusesTheWrongNumberOfGpus) {
  JobSpec spec = TuningJob(1, 0, 0);
  spec.vernier.gpus_per_replica = 1;
  EXPECT_TRUE(SplitDevices(spec, {"a", "b"}).ok());
  EXPECT_TRUE(SplitDevices(spec, {}).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(SplitDevices(spec, {"a"}).status()));
  EXPECT_TRUE(
      absl::IsInvalidArgument(SplitDevices(spec, {"a", "b", "c"}).status()));
}

TEST(TrialEnvironmentTest, JoinsTheJobDirWithTheTrial) {
  JobSpec spec = TuningJob(0, 0, 0);
  EXPECT_EQ(TrialJobDir(spec, TrialId{12}), "gs://bucket/out/12");
  spec.training_input.job_dir = "/out/";
  EXPECT_EQ(TrialJobDir(spec, TrialId{12}), "/out/12");
  spec.training_input.hyperparameters.reset();
  EXPECT_EQ(TrialJobDir(spec, TrialId{12}), "/out/");
  spec.training_input.job_dir = "";
  EXPECT_EQ(TrialJobDir(spec, TrialId{12}), "");
}

}  // namespace
}  // namespace vernier
