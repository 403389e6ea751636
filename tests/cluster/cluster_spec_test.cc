#include "cluster/cluster_spec.h"

#include <gtest/gtest.h>

#include "absl/strings/str_join.h"

namespace vernier {
namespace {

JobSpec Gang(int workers, int parameter_servers, int evaluators) {
  JobSpec spec;
  spec.training_input.master.count = 1;
  spec.training_input.worker.count = workers;
  spec.training_input.parameter_server.count = parameter_servers;
  spec.training_input.evaluator.count = evaluators;
  return spec;
}

ClusterDescription Describe(const JobSpec& spec) {
  ClusterDescription cluster;
  int port = 2000;
  for (const ReplicaId replica : GangReplicas(spec.training_input)) {
    cluster.addresses.push_back({replica, "127.0.0.1", port++});
  }
  cluster.job_json = R"({"scale_tier":"STANDARD_1"})";
  cluster.cloud_id = "w1-ml";
  cluster.trial = TrialId{7};
  return cluster;
}

TEST(ClusterSpecTest, NamesEveryRoleOfAGangOfEight) {
  const ClusterDescription cluster = Describe(Gang(4, 3, 0));
  const std::string roles =
      R"(:["127.0.0.1:2000"],)"
      R"("worker":["127.0.0.1:2001","127.0.0.1:2002","127.0.0.1:2003",)"
      R"("127.0.0.1:2004"],)"
      R"("ps":["127.0.0.1:2005","127.0.0.1:2006","127.0.0.1:2007"]},)"
      R"("environment":"cloud","job":{"scale_tier":"STANDARD_1"},"task":)";
  const struct {
    ReplicaId replica;
    const char* tf_config_task;
    const char* cluster_spec_task;
  } kCases[] = {
      {{ReplicaRole::kMaster, 0},
       R"({"type":"chief","index":0,"trial":"7","cloud":"w1-ml"}})",
       R"({"type":"master","index":0,"trial":"7","cloud":"w1-ml"}})"},
      {{ReplicaRole::kWorker, 3},
       R"({"type":"worker","index":3,"trial":"7","cloud":"w1-ml"}})",
       R"({"type":"worker","index":3,"trial":"7","cloud":"w1-ml"}})"},
      {{ReplicaRole::kParameterServer, 2},
       R"({"type":"ps","index":2,"trial":"7","cloud":"w1-ml"}})",
       R"({"type":"ps","index":2,"trial":"7","cloud":"w1-ml"}})"},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(TfConfig(cluster, "chief", test.replica),
              R"({"cluster":{"chief")" + roles + test.tf_config_task);
    EXPECT_EQ(ClusterSpec(cluster, test.replica),
              R"({"cluster":{"master")" + roles + test.cluster_spec_task);
  }
}

TEST(ClusterSpecTest, KeepsEvaluatorsOutOfTheCluster) {
  const ClusterDescription cluster = Describe(Gang(1, 0, 1));
  EXPECT_EQ(TfConfig(cluster, "master", {ReplicaRole::kEvaluator, 0}),
            R"({"cluster":{"master":["127.0.0.1:2000"],)"
            R"("worker":["127.0.0.1:2001"]},"environment":"cloud",)"
            R"("job":{"scale_tier":"STANDARD_1"},"task":{"type":"evaluator",)"
            R"("index":0,"trial":"7","cloud":"w1-ml"}})");
}

TEST(ClusterSpecTest, HasNoTrialOutsideTuning) {
  ClusterDescription cluster = Describe(Gang(0, 0, 0));
  cluster.trial.reset();
  EXPECT_EQ(TfConfig(cluster, "master", {ReplicaRole::kMaster, 0}),
            R"({"cluster":{"master":["127.0.0.1:2000"]},)"
            R"("environment":"cloud","job":{"scale_tier":"STANDARD_1"},)"
            R"("task":{"type":"master","index":0,"cloud":"w1-ml"}})");
}

TEST(ClusterSpecTest, CallsThePrimaryChiefOrMaster) {
  const struct {
    const char* name;
    const char* module;
    const char* runtime;
    bool use_chief;
    const char* expected;
  } kCases[] = {
      {"a command", "", "", false, "master"},
      {"a command that asks", "", "", true, "chief"},
      {"a module on 2.1", "m", "2.1", false, "chief"},
      {"a module on 2.11", "m", "2.11", false, "chief"},
      {"a module on 3.0", "m", "3.0", false, "chief"},
      {"a module on 2.0", "m", "2.0", false, "master"},
      {"a module on 1.15", "m", "1.15", true, "master"},
      {"a module without runtime", "m", "", false, "master"},
      {"a module without runtime that asks", "m", "", true, "chief"},
  };
  for (const auto& test : kCases) {
    JobSpec spec;
    spec.training_input.python_module = test.module;
    spec.training_input.runtime_version = test.runtime;
    spec.training_input.use_chief_in_tf_config = test.use_chief;
    EXPECT_EQ(PrimaryTaskName(spec), test.expected) << test.name;
  }
  JobSpec spec;
  spec.training_input.python_module = "m";
  spec.training_input.runtime_version = "2.5";
  spec.vernier.command = {"true"};
  EXPECT_EQ(PrimaryTaskName(spec), "master") << "a command overrides a module";
}

std::string Described(const std::string& job) {
  const auto described = TrainingInputForTrial(job);
  EXPECT_TRUE(described.ok()) << described.status();
  EXPECT_TRUE(described->left_out.empty());
  return described->json;
}

TEST(ClusterSpecTest, GivesProgramsTheTrainingInputInSnakeCase) {
  EXPECT_EQ(
      Described(
          R"({"jobId":"j","trainingInput":{"scaleTier":"CUSTOM",)"
          R"("workerCount":"4","masterConfig":{"acceleratorConfig":)"
          R"({"count":"1","type":"NVIDIA_TESLA_V100"}},"args":["--aB=cD"],)"
          R"("hyperparameters":{"params":[{"parameterName":"learnRate",)"
          R"("minValue":1e-05}]}}})"),
      R"({"scale_tier":"CUSTOM","worker_count":"4","master_config":)"
      R"({"accelerator_config":{"count":"1","type":"NVIDIA_TESLA_V100"}},)"
      R"("args":["--aB=cD"],"hyperparameters":{"params":[)"
      R"({"parameter_name":"learnRate","min_value":1e-05}]}})");
  EXPECT_EQ(Described(R"({"jobId":"j"})"), "{}");
  EXPECT_FALSE(TrainingInputForTrial("nothing").ok());
  EXPECT_FALSE(TrainingInputForTrial("[]").ok());
}

TEST(ClusterSpecTest, NamesWhatAVariableHasNoRoomFor) {
  const std::string large = "\"" + std::string(70000, 'x') + "\"";
  const auto described = [](const std::string& input) {
    const auto job =
        TrainingInputForTrial(R"({"trainingInput":)" + input + "}");
    return job->json + " without " + absl::StrJoin(job->left_out, " ");
  };
  EXPECT_EQ(described(R"({"region":"r","args":["a"],"hyperparameters":)"
                      R"({"goal":)" +
                      large + "}}"),
            R"({"region":"r","args":["a"]} without hyperparameters)");
  EXPECT_EQ(described(R"({"region":"r","args":[)" + large + "]}"),
            R"({"region":"r"} without args)");
  EXPECT_EQ(described(R"({"region":"r","packageUris":[)" + large +
                      R"(],"jobDir":"/o"})"),
            R"({"region":"r","job_dir":"/o"} without package_uris)");
}

}  // namespace
}  // namespace vernier
