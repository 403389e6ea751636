#include "tests/trials/jobs/launcher_conformance.h"

#include <set>

#include "tests/cluster/attempt/fake_engine.h"
#include "tests/cluster/container_image_for_tests.h"
#include "tests/cluster/kubernetes/kubernetes_test_bed.h"
#include "tests/cluster/local_test_bed.h"
#include "tests/cluster/slurm/slurm_test_bed.h"
#include "tests/fakes/fake_launcher.h"

namespace vernier {
namespace {

INSTANTIATE_TEST_SUITE_P(LocalLauncher, LauncherConformance,
                         testing::Values([] {
                           return std::make_unique<LocalTestBed>();
                         }));

/// The same gangs in containers of a real engine.
std::unique_ptr<LauncherTestBed> MakeContainerBed() {
  const ContainerImageForTests& image = ContainerImageForTests::Get();
  if (!image.unavailable().empty()) {
    return std::make_unique<UnavailableTestBed>(image.unavailable());
  }
  LocalLauncherOptions options;
  options.containers = image.settings();
  return std::make_unique<LocalTestBed>(options, image.name());
}

INSTANTIATE_TEST_SUITE_P(Containers, LauncherConformance,
                         testing::Values(&MakeContainerBed));

/// What all engines share, without an engine's threads and files.
INSTANTIATE_TEST_SUITE_P(FakeEngine, LauncherConformance, testing::Values([] {
                           return std::make_unique<FakeEngineBed>();
                         }));

/// On a real cluster, which tests/e2e/slurm_test.py starts.
std::unique_ptr<LauncherTestBed> MakeSlurmBed() {
  if (SharedSlurmFolder().empty()) {
    return std::make_unique<UnavailableTestBed>(
        "VERNIER_SLURM_SHARED names no folder of a Slurm cluster");
  }
  return std::make_unique<SlurmTestBed>();
}

INSTANTIATE_TEST_SUITE_P(Slurm, LauncherConformance,
                         testing::Values(&MakeSlurmBed));

INSTANTIATE_TEST_SUITE_P(
    FakeKubernetes, LauncherConformance,
    testing::Values(
        [] { return std::make_unique<FakeKubernetesBed>(GangKind::kJobSet); },
        [] { return std::make_unique<FakeKubernetesBed>(GangKind::kJobs); }));

/// On a real cluster, which tests/e2e/kubernetes_test.py starts.
template <GangKind kind>
std::unique_ptr<LauncherTestBed> MakeClusterBed() {
  if (ClusterConfig().empty()) {
    return std::make_unique<UnavailableTestBed>(
        "VERNIER_KUBERNETES_CONFIG names no kubeconfig");
  }
  return std::make_unique<ClusterBed>(kind);
}

INSTANTIATE_TEST_SUITE_P(Kubernetes, LauncherConformance,
                         testing::Values(&MakeClusterBed<GangKind::kJobSet>,
                                         &MakeClusterBed<GangKind::kJobs>));

/// The fake must promise what the real one does, or tests of the orchestrator
/// prove nothing.
class FakeTestBed final : public LauncherTestBed {
 public:
  FakeTestBed() {
    fake_.set_on_start([this](const LaunchRequest& request) {
      if (unrunnable_.count(request.nonce) == 0) return;
      AttemptObservation end;
      end.attempt = request.attempt;
      end.kind = AttemptObservation::Kind::kEnded;
      end.launch_failed = true;
      end.message = "The replica master 0 could not be started";
      fake_.End(end);
    });
  }

  Launcher& launcher() override { return fake_; }
  void RestartLauncher() override { fake_.Restart(); }
  LaunchRequest MakeRequest(int number) override {
    LaunchRequest request;
    request.attempt = {StudyId{1}, TrialId{number}, 1};
    request.nonce = MakeNonce("fake", number);
    return request;
  }
  LaunchRequest MakeUnrunnable(int number) override {
    const LaunchRequest request = MakeRequest(number);
    unrunnable_.insert(request.nonce);
    return request;
  }
  void EndGang(const LaunchRequest& request, int exit_code) override {
    fake_.Exit(request.attempt, exit_code);
  }
  void LoseGang(const LaunchRequest& request) override {
    fake_.Lose(request.attempt);
  }
  int CountStarts(const LaunchRequest& request) override {
    return fake_.StartsOf(request.nonce);
  }

 private:
  FakeLauncher fake_;
  std::set<std::string> unrunnable_;
};

INSTANTIATE_TEST_SUITE_P(FakeLauncher, LauncherConformance, testing::Values([] {
                           return std::make_unique<FakeTestBed>();
                         }));

}  // namespace
}  // namespace vernier
