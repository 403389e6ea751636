#ifndef VERNIER_TESTS_CLUSTER_KUBERNETES_KUBERNETES_TEST_BED_H_
#define VERNIER_TESTS_CLUSTER_KUBERNETES_KUBERNETES_TEST_BED_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/process_environment.h"
#include "cluster/kubernetes/curl_api.h"
#include "cluster/kubernetes/kubernetes_access.h"
#include "cluster/kubernetes/kubernetes_launcher.h"
#include "cluster/kubernetes/object_names.h"
#include "cluster/kubernetes/object_specs.h"
#include "tests/cluster/kubernetes/fake_api_server.h"
#include "tests/cluster/local_test_bed.h"
#include "tests/trials/jobs/launcher_test_bed.h"

namespace vernier {

/// Returns the kubeconfig of a cluster for tests; empty if there is none.
inline std::string ClusterConfig() {
  return EnvironmentVariable("VERNIER_KUBERNETES_CONFIG");
}

/// The common part of both beds: a launcher whose settings suit tests.
class KubernetesBed : public LauncherTestBed {
 public:
  Launcher& launcher() override { return *launcher_; }
  void RestartLauncher() override {
    launcher_.reset();
    KubernetesLauncherOptions options;
    options.settings = settings_;
    options.instance = instance_;
    options.name_space = name_space_;
    auto launcher =
        MakeKubernetesLauncher(std::move(options), MakeApi(), clock_);
    EXPECT_TRUE(launcher.ok()) << launcher.status();
    launcher_ = *std::move(launcher);
  }

  const std::string& instance() const { return instance_; }
  const std::string& path() const { return dir_.path(); }
  KubernetesSettings& settings() { return settings_; }

  using LauncherTestBed::MakeRequest;
  LaunchRequest MakeRequest(int number, const ParsedJob& job) {
    LaunchRequest request;
    request.attempt = {StudyId{1}, TrialId{number}, 1};
    request.nonce = MakeNonce(dir_.path(), number);
    // Names have only the first half of it.
    std::swap_ranges(request.nonce.begin(), request.nonce.begin() + 16,
                     request.nonce.begin() + 16);
    request.nonce.replace(0, 8, instance_);
    request.spec = std::make_shared<JobSpec>(job.spec);
    request.spec_json = job.json;
    request.run_dir = dir_ / ("run-" + std::to_string(number));
    launched_.push_back({request.attempt, request.nonce, request.run_dir});
    return request;
  }

 protected:
  KubernetesBed() {
    settings_.retry_period = std::chrono::milliseconds(50);
    settings_.settle_time = std::chrono::milliseconds(300);
    settings_.log_patience = std::chrono::milliseconds(5000);
    char instance[16];
    std::snprintf(instance, sizeof(instance), "%08x",
                  static_cast<unsigned>(std::hash<std::string>()(dir_.path())));
    instance_ = instance;
  }
  virtual std::unique_ptr<KubernetesApi> MakeApi() = 0;
  static std::string Counts() {
    return "\"scaleTier\":\"CUSTOM\",\"masterType\":\"standard\","
           "\"workerType\":\"standard\",\"workerCount\":\"1\","
           "\"masterConfig\":{\"imageUri\":\"localhost/host:1\"}";
  }

  KubernetesSettings settings_;
  const SystemClock clock_{};
  const ScratchFolder dir_;
  std::string instance_;
  std::string name_space_ = "lab";
  std::vector<LiveAttempt> launched_;
  std::unique_ptr<Launcher> launcher_;
};

/// KubernetesLauncher on an API server in memory.
class FakeKubernetesBed final : public KubernetesBed {
 public:
  explicit FakeKubernetesBed(GangKind kind)
      : server_(std::make_shared<FakeApiServer>(kind == GangKind::kJobSet)) {
    RestartLauncher();
  }
  ~FakeKubernetesBed() override { launcher_.reset(); }

  FakeApiServer& server() { return *server_; }

  using KubernetesBed::MakeRequest;
  LaunchRequest MakeRequest(int number) override {
    return MakeRequest(number, MakeJob("[\"program\"]", Counts()));
  }
  LaunchRequest MakeUnrunnable(int number) override {
    return MakeRequest(number, MakeJob("[\"/nowhere/program\"]", Counts()));
  }
  void EndGang(const LaunchRequest& request, int exit_code) override {
    server_->EndMaster(request.nonce, exit_code);
  }
  void LoseGang(const LaunchRequest& request) override {
    server_->DeletePrimary(request.nonce);
  }
  int CountStarts(const LaunchRequest& request) override {
    return server_->starts(request.nonce);
  }

 private:
  std::unique_ptr<KubernetesApi> MakeApi() override {
    return std::make_unique<FakeApi>(server_);
  }

  // Shared with the launchers' connections.
  const std::shared_ptr<FakeApiServer> server_;
};

/// KubernetesLauncher on a real cluster whose nodes see this machine's files,
/// which tests/e2e/kubernetes_test.py starts.
class ClusterBed final : public KubernetesBed {
 public:
  explicit ClusterBed(GangKind kind) : kind_(kind) {
    settings_.objects = kind == GangKind::kJobSet ? "jobset" : "jobs";
    settings_.settle_time = std::chrono::milliseconds(2000);
    const auto access = Access();
    EXPECT_TRUE(access.ok()) << access.status();
    if (access.ok()) name_space_ = access->name_space;
    RestartLauncher();
  }
  ~ClusterBed() override {
    for (const LiveAttempt& attempt : launched_) Delete(attempt.nonce);
  }

  std::string notes() const { return dir_ / "notes"; }
  std::string EndFile(int number) const {
    return dir_ / ("end-" + std::to_string(number));
  }

  using KubernetesBed::MakeRequest;
  LaunchRequest MakeRequest(int number) override {
    // A program that is the first process of its container gets no SIGTERM
    // unless it handles it.
    const std::string script =
        "p=; trap 'if [ $p ]; then kill -TERM $p; else exit 143; fi' TERM; "
        "\\\"$@\\\" & p=$!; wait $p; e=$?; trap - TERM; "
        "while kill -0 $p; do wait $p; e=$?; done 2>/dev/null; exit $e";
    std::string command = TrialCommand({"note", notes(), "only", "worker",
                                        "sleep", "", "await", EndFile(number)});
    command = "[\"sh\",\"-c\",\"" + script + "\",\"sh\"," + command.substr(1);
    return MakeRequest(number, MakeJob(command, Counts(),
                                       "\"killGrace\":\"5s\","
                                       "\"trialTimeLimit\":\"100s\""));
  }
  LaunchRequest MakeUnrunnable(int number) override {
    return MakeRequest(number, MakeJob("[\"/nowhere/program\"]", Counts()));
  }
  void EndGang(const LaunchRequest& request, int exit_code) override {
    const int number = static_cast<int>(ToInt(request.attempt.trial));
    const std::string draft = EndFile(number) + ".new";
    WriteText(draft, std::to_string(exit_code));
    std::filesystem::rename(draft, EndFile(number));
  }
  void LoseGang(const LaunchRequest& request) override {
    EXPECT_EQ(Delete(request.nonce), 200);
  }
  int CountStarts(const LaunchRequest& request) override {
    return CountLines(ReadText(notes()), "master 0 " + request.nonce);
  }

 private:
  static absl::StatusOr<KubernetesAccess> Access() {
    return FindKubernetesAccess(ClusterConfig(), "", {});
  }
  std::unique_ptr<KubernetesApi> MakeApi() override {
    auto api = CurlApi::Create(Access().value(), settings_.request_limit);
    EXPECT_TRUE(api.ok()) << api.status();
    return *std::move(api);
  }
  int Delete(const std::string& nonce) {
    const PrimaryObject primary =
        PrimaryOf(kind_, name_space_, GangName(instance_, nonce));
    const auto reply = MakeApi()->Call(
        {"DELETE", CollectionPath(kind_, name_space_) + "/" + primary.name,
         DeleteOptionsJson("Foreground", -1)});
    return reply.ok() ? reply->status : 0;
  }

  const GangKind kind_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_CLUSTER_KUBERNETES_KUBERNETES_TEST_BED_H_
