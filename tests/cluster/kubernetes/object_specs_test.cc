#include "cluster/kubernetes/object_specs.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_replace.h"
#include "base/json.h"
#include "base/process_environment.h"
#include "cluster/kubernetes/pod_gang.h"
#include "study/job_file/job_parser.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

constexpr char kJob[] = R"(
jobId: job_1
trainingInput:
  region: local
  scaleTier: CUSTOM
  masterType: n1-standard-4
  masterConfig: {imageUri: "registry/image:1", acceleratorConfig: {count: 2, type: NVIDIA_TESLA_V100}}
  workerType: n1-standard-4
  workerCount: 2
  workerConfig: {acceleratorConfig: {count: 1, type: NVIDIA_TESLA_V100}}
  args: [--cost, $5]
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    params: [{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}]
vernier:
  command: [python3, train.py]
  environment: {PRICE: $(x)}
  killGrace: 30s
  trialTimeLimit: 3600s
  kubernetes:
    queue: gpus
    scheduler: volcano
    priorityClass: low
    labels: {team: vision}
    annotations: {example.com/note: a b}
    nodeSelector: {pool: a}
    tolerations: ["gpu=yes:NoSchedule", spot]
    imagePullSecrets: [registry]
    cpusPerReplica: 500m
    memoryPerReplica: 16G
    shmSize: 1G
    volumes: [{claim: data, mountPath: /data, subPath: sets/a, readOnly: true}]
)";

struct Planned {
  ParsedJob job;
  LaunchFile launch;
  KubernetesSettings settings;

  Planned() : Planned(kJob) {}
  explicit Planned(const std::string& text) {
    const auto parsed = ParseJob(text, {});
    EXPECT_TRUE(parsed.ok()) << parsed.status();
    if (parsed.ok()) job = *parsed;
    launch.attempt = {StudyId{1}, TrialId{7}, 1};
    launch.nonce = "0123456789abcdef0123456789abcdef";
    launch.spec_json = job.json;
    launch.parameters = {{"x", 0.5}};
    launch.work_dir = "/data/run/work";
    launch.resources.service.attempt_token = "TOKEN";
    launch.resources.service.storage_emulator_host = "https://head/a/TOKEN";
    settings.gpu_nodes["NVIDIA_TESLA_V100"] = {"gke-accelerator", "v100"};
  }
  absl::StatusOr<PodGang> Plan() const {
    static const char* const kNothing[] = {nullptr};
    return PlanPodGang(launch, job.spec, settings,
                       {"/data/run", "cafe0123", "lab"}, kNothing);
  }
};

std::string Golden(const std::string& name) {
  return ReadText(std::string(VERNIER_TESTDATA_DIR) +
                  "/cluster/kubernetes/golden/" + name);
}

// With $VERNIER_WRITE_GOLDEN the files are written: read what changes.
void ExpectGolden(const std::string& name, const std::string& json) {
  const std::string text = ParseJson(json)->dump(1) + "\n";
  const std::string folder = EnvironmentVariable("VERNIER_WRITE_GOLDEN");
  if (!folder.empty()) WriteText(folder + "/" + name, text);
  EXPECT_EQ(text, Golden(name)) << name;
}

TEST(ObjectSpecsTest, AGangIsOneJobSet) {
  const auto gang = Planned().Plan();
  ASSERT_TRUE(gang.ok()) << gang.status();
  const auto spec = PrimarySpec(GangKind::kJobSet, *gang);
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->path,
            "/apis/jobset.x-k8s.io/v1alpha2/namespaces/lab/jobsets");
  EXPECT_EQ(spec->name, "vernier-cafe0123-0123456789abcdef");
  ExpectGolden("jobset.json", spec->json);
  const auto more = DependentSpecs(GangKind::kJobSet, *gang, "uid-1");
  ASSERT_EQ(more->size(), 1u);
  ExpectGolden("secret.json", more->at(0).json);
}

TEST(ObjectSpecsTest, WithoutJobSetsItIsAJobForEachReplica) {
  const auto gang = Planned().Plan();
  ASSERT_TRUE(gang.ok()) << gang.status();
  const auto spec = PrimarySpec(GangKind::kJobs, *gang);
  ExpectGolden("master_job.json", spec->json);
  const auto more = DependentSpecs(GangKind::kJobs, *gang, "uid-1");
  ASSERT_EQ(more->size(), 4u);
  ExpectGolden("service.json", more->at(1).json);
  ExpectGolden("worker_job.json", more->at(3).json);
}

TEST(ObjectSpecsTest, NoObjectButTheSecretHoldsAToken) {
  const auto gang = Planned().Plan();
  ASSERT_TRUE(gang.ok());
  for (const GangKind kind : {GangKind::kJobSet, GangKind::kJobs}) {
    EXPECT_EQ(PrimarySpec(kind, *gang)->json.find("TOKEN\""),
              std::string::npos);
    const auto more = DependentSpecs(kind, *gang, "u");
    ASSERT_TRUE(more.ok());
    for (const ObjectSpec& spec : *more) {
      if (spec.path.find("/secrets") != std::string::npos) continue;
      EXPECT_EQ(spec.json.find("a/TOKEN"), std::string::npos) << spec.json;
    }
  }
}

TEST(ObjectSpecsTest, ATombstoneHasTheNameAndRunsNothing) {
  for (const GangKind kind : {GangKind::kJobSet, GangKind::kJobs}) {
    const auto gang = Planned().Plan();
    const ObjectSpec real = *PrimarySpec(kind, *gang);
    const ObjectSpec spec = TombstoneSpec(PrimaryOf(kind, "lab", gang->name),
                                          "cafe0123", gang->nonce);
    EXPECT_EQ(spec.path, real.path);
    EXPECT_EQ(spec.name, real.name);
    EXPECT_NE(spec.json.find("\"suspend\":true"), std::string::npos);
    EXPECT_NE(spec.json.find("\"parallelism\":0"), std::string::npos);
    // No Service either, which JobSet's controller would make.
    EXPECT_EQ(
        spec.json.find("\"enableDNSHostnames\":false") == std::string::npos,
        kind == GangKind::kJobs);
  }
}

TEST(PodGangTest, WhatCannotRunHereIsRefusedWithWhatWouldDo) {
  Planned image(R"({"jobId":"j","trainingInput":{"region":"local",
"scaleTier":"BASIC"},"vernier":{"command":["true"]}})");
  image.launch.parameters.clear();
  EXPECT_NE(std::string(image.Plan().status().message())
                .find("needs an image: give "
                      "trainingInput.masterConfig.imageUri"),
            std::string::npos);
  image.settings.image = "default:1";
  EXPECT_EQ(image.Plan()->roles.at(0).image, "default:1");
  Planned code;
  code.launch.code_dir = "/data/code";
  EXPECT_NE(std::string(code.Plan().status().message())
                .find("--kubernetes-data-claim"),
            std::string::npos);
  code.settings.data_claim = "claim";
  code.settings.data_dir = "/data";
  ASSERT_TRUE(code.Plan().ok());
  EXPECT_EQ(code.Plan()->roles[0].work_dir, "/data/run/work");
  EXPECT_EQ(code.Plan()->roles[0].environments[0].count("VERNIER_METRICS"), 1u);
  EXPECT_EQ(code.Plan()->roles[0].environments[0].count("WANDB_DIR"), 1u);
  EXPECT_EQ(code.Plan()->roles[0].environments[0].count("TRACKIO_DIR"), 1u);
  Planned without;
  without.job.spec.vernier.environment["WANDB_DIR"] = "/in/the/image";
  const Environment bare = without.Plan()->roles[0].environments[0];
  EXPECT_EQ(bare.count("VERNIER_METRICS"), 0u);
  EXPECT_EQ(bare.count("WANDB_SWEEP_PARAM_PATH"), 0u);
  EXPECT_EQ(bare.at("WANDB_DIR"), "/in/the/image");
  EXPECT_EQ(bare.count("WANDB_MODE"), 0u);
  EXPECT_EQ(bare.count("TRACKIO_DIR"), 0u);
  Planned packages;
  packages.launch.resources.packages = {"a.tar.gz"};
  EXPECT_NE(std::string(packages.Plan().status().message()).find("packageUris"),
            std::string::npos);
  Planned folder;
  folder.job.spec.training_input.job_dir = "/elsewhere/out";
  EXPECT_NE(std::string(folder.Plan().status().message())
                .find("the pods do not see trainingInput.jobDir"),
            std::string::npos);
  folder.job.spec.training_input.job_dir = "/data/out";
  EXPECT_TRUE(folder.Plan().ok()) << folder.Plan().status();
}

TEST(PodGangTest, OneTextHoldsForAllReplicasOfARole) {
  const auto gang = Planned().Plan();
  const std::vector<Environment>& workers = gang->roles.at(1).environments;
  ASSERT_EQ(workers.size(), 2u);
  const auto common = CommonEnvironment(workers, "$(I)", "$(R)");
  ASSERT_TRUE(common.ok()) << common.status();
  EXPECT_EQ(common->at("RANK"), "$(R)");
  EXPECT_EQ(common->at("PRICE"), "$$(x)");
  for (std::size_t i = 0; i < workers.size(); ++i) {
    for (std::string name : {"TF_CONFIG", "CLUSTER_SPEC", "RANK"}) {
      std::string text = common->at(name);
      const std::pair<std::string, std::string> values[] = {
          {"$(I)", std::to_string(i)}, {"$(R)", std::to_string(i + 1)}};
      for (const auto& [key, value] : values) {
        const std::size_t at = text.find(key);
        if (at != std::string::npos) text.replace(at, key.size(), value);
      }
      EXPECT_EQ(absl::StrReplaceAll(text, {{"$$", "$"}}), workers[i].at(name));
    }
  }
  EXPECT_FALSE(
      CommonEnvironment({{{"A", "x"}}, {{"A", "y"}}}, "$(I)", "$(R)").ok());
  EXPECT_FALSE(CommonEnvironment({{{"A", "x"}}, {}}, "$(I)", "$(R)").ok());
}

TEST(PodGangTest, ReplicasFindEachOtherByName) {
  const auto gang = Planned().Plan();
  EXPECT_NE(gang->roles[0]
                .environments[0]
                .at("CLUSTER_SPEC")
                .find("\"vernier-cafe0123-0123456789abcdef-worker-1-0.vernier-"
                      "cafe0123-0123456789abcdef:2222\""),
            std::string::npos);
  EXPECT_EQ(gang->roles[1].environments[0].at("MASTER_ADDR"),
            "vernier-cafe0123-0123456789abcdef-master-0-0.vernier-cafe0123-"
            "0123456789abcdef");
  EXPECT_EQ(gang->secrets.at("VERNIER_REPORT_URL"),
            "https://head/a/TOKEN/v1/report");
}

}  // namespace
}  // namespace vernier
