#ifndef VERNIER_TESTS_CLUSTER_SLURM_SLURM_TEST_BED_H_
#define VERNIER_TESTS_CLUSTER_SLURM_SLURM_TEST_BED_H_

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cluster/slurm/job_identity.h"
#include "cluster/slurm/slurm_client.h"
#include "cluster/slurm/slurm_environment.h"
#include "cluster/slurm/slurm_launcher.h"
#include "tests/cluster/local_test_bed.h"
#include "tests/support/await_condition.h"
#include "tests/trials/jobs/launcher_test_bed.h"

namespace vernier {

/// Returns a folder that the nodes of the cluster share, for tests; empty if
/// there is no cluster. tests/slurm/slurm_lab.sh makes one.
inline std::string SharedSlurmFolder() {
  const char* folder = std::getenv("VERNIER_SLURM_SHARED");
  return folder == nullptr ? "" : folder;
}

/// SlurmLauncher on a real cluster, with a scriptable training program.
class SlurmTestBed final : public LauncherTestBed {
 public:
  explicit SlurmTestBed(SlurmSettings settings = {})
      : settings_(std::move(settings)), dir_(MakeFolder()) {
    settings_.program = VERNIER_SUPERVISE;
    settings_.list_period = std::chrono::milliseconds(500);
    settings_.quick_list_period = std::chrono::milliseconds(200);
    settings_.list_share = 1;
    settings_.settle_time = std::chrono::milliseconds(2000);
    settings_.record_patience = std::chrono::milliseconds(500);
    settings_.max_submissions_per_second = 100;
    char instance[16];
    std::snprintf(instance, sizeof(instance), "%08x",
                  static_cast<unsigned>(std::hash<std::string>()(dir_)));
    instance_ = instance;
    RestartLauncher();
  }
  ~SlurmTestBed() override {
    for (const LiveAttempt& attempt : launched_) {
      EXPECT_TRUE(
          client().Cancel(NameOf(attempt.nonce), CancelKind::kEnd).ok());
    }
    AwaitNoJobs();
    std::error_code ignored;
    std::filesystem::remove_all(dir_, ignored);
  }

  Launcher& launcher() override { return *launcher_; }
  void RestartLauncher() override {
    launcher_.reset();
    SlurmLauncherOptions options;
    options.settings = settings_;
    options.instance = instance_;
    auto launcher = MakeSlurmLauncher(
        std::move(options),
        std::make_unique<SlurmCommands>(SlurmEnvironment(environ), kTimeLimit),
        clock_);
    EXPECT_TRUE(launcher.ok()) << launcher.status();
    launcher_ = *std::move(launcher);
  }

  std::string NameOf(const std::string& nonce) const {
    return JobName(instance_, nonce);
  }
  const std::string& instance() const { return instance_; }
  const std::string& dir() const { return dir_; }
  std::string notes() const { return dir_ + "/notes"; }
  std::string EndFile(int number) const {
    return dir_ + "/end-" + std::to_string(number);
  }

  LaunchRequest MakeRequest(int number, const ParsedJob& job) {
    LaunchRequest request;
    request.attempt = {StudyId{1}, TrialId{number}, 1};
    request.nonce = MakeNonce(dir_, number);
    request.spec = std::make_shared<JobSpec>(job.spec);
    request.spec_json = job.json;
    request.run_dir = dir_ + "/run-" + std::to_string(number);
    launched_.push_back({request.attempt, request.nonce, request.run_dir});
    return request;
  }
  LaunchRequest MakeRequest(int number) override {
    return MakeRequest(
        number, MakeJob(TrialCommand({"note", notes(), "only", "worker",
                                      "sleep", "", "await", EndFile(number)}),
                        "\"scaleTier\":\"CUSTOM\",\"masterType\":\"standard\","
                        "\"workerType\":\"standard\",\"workerCount\":\"1\""));
  }
  LaunchRequest MakeUnrunnable(int number) override {
    return MakeRequest(
        number, MakeJob("[\"/nowhere/program\"]", "\"scaleTier\":\"BASIC\""));
  }
  void EndGang(const LaunchRequest& request, int exit_code) override {
    const int number = static_cast<int>(ToInt(request.attempt.trial));
    const std::string draft = EndFile(number) + ".new";
    WriteText(draft, std::to_string(exit_code));
    std::filesystem::rename(draft, EndFile(number));
  }
  void LoseGang(const LaunchRequest& request) override {
    const std::string words =
        "scancel --batch --signal=KILL --name=" + NameOf(request.nonce);
    EXPECT_EQ(std::system(words.c_str()), 0);
  }
  int CountStarts(const LaunchRequest& request) override {
    return CountLines(ReadText(notes()), "master 0 " + request.nonce);
  }

 private:
  static std::string MakeFolder() {
    std::string path = SharedSlurmFolder() + "/bed-XXXXXX";
    EXPECT_NE(::mkdtemp(path.data()), nullptr) << path;
    return path;
  }
  static constexpr std::chrono::seconds kTimeLimit{30};

  static SlurmCommands client() {
    return SlurmCommands(SlurmEnvironment(environ), kTimeLimit);
  }
  void AwaitNoJobs() {
    SlurmCommands commands = client();
    EXPECT_TRUE(AwaitCondition([&] {
      const auto listing = commands.List(JobNamePrefix(instance_));
      if (!listing.ok()) return false;
      for (const auto& [name, job] : *listing) {
        if (!IsFinal(job.state)) return false;
      }
      return true;
    })) << "a job is left in the queue";
  }

  SlurmSettings settings_;
  const SystemClock clock_{};
  const std::string dir_;
  std::string instance_;
  std::unique_ptr<Launcher> launcher_;
  std::vector<LiveAttempt> launched_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_CLUSTER_SLURM_SLURM_TEST_BED_H_
