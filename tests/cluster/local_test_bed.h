#ifndef VERNIER_TESTS_CLUSTER_LOCAL_TEST_BED_H_
#define VERNIER_TESTS_CLUSTER_LOCAL_TEST_BED_H_

#include <gtest/gtest.h>
#include <signal.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "cluster/containers/container_record.h"
#include "cluster/containers/replica_containers.h"
#include "cluster/local/claim_file.h"
#include "cluster/local/local_launcher.h"
#include "study/job_file/job_parser.h"
#include "tests/support/await_condition.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"
#include "tests/trials/jobs/launcher_test_bed.h"

namespace vernier {

/// Returns the command of vernier_trial_for_tests as a JSON array of its argv.
inline std::string TrialCommand(const std::vector<std::string>& words) {
  std::string json = "[\"" VERNIER_TRIAL "\"";
  for (const std::string& word : words) json += ",\"" + word + "\"";
  return json + "]";
}

/// Returns a job whose replicas run `command` (a JSON array). `training_input`
/// and `vernier` hold further fields, e.g. "\"scaleTier\":\"BASIC\"".
inline ParsedJob MakeJob(const std::string& command,
                         const std::string& training_input,
                         const std::string& vernier = "\"killGrace\":\"5s\"") {
  const std::string json =
      "{\"jobId\":\"test_job\",\"trainingInput\":{\"region\":\"local\"," +
      training_input + "},\"vernier\":{\"command\":" + command + "," + vernier +
      "}}";
  const absl::StatusOr<ParsedJob> job = ParseJob(json, {});
  EXPECT_TRUE(job.ok()) << job.status() << "\n" << json;
  return job.ok() ? *job : ParsedJob{};
}

/// Returns 32 hex digits that no other test run has.
inline std::string MakeNonce(const std::string& scratch, int number) {
  const std::size_t hash = std::hash<std::string>()(scratch);
  char text[40];
  std::snprintf(text, sizeof(text), "%016zx%016x", hash,
                static_cast<unsigned>(number));
  return text;
}

inline int CountLines(const std::string& text, const std::string& part) {
  std::istringstream lines(text);
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    count += line.find(part) != std::string::npos ? 1 : 0;
  }
  return count;
}

/// LocalLauncher with real supervisors and a scriptable training program.
class LocalTestBed final : public LauncherTestBed {
 public:
  /// With an `image`, which must hold vernier_trial_for_tests, its gangs run
  /// in containers.
  explicit LocalTestBed(LocalLauncherOptions options = {},
                        const std::string& image = "")
      : options_(std::move(options)) {
    if (!image.empty()) {
      image_ = ",\"masterConfig\":{\"imageUri\":\"" + image + "\"}";
      options_.containers.mounts.push_back(dir_.path());
    }
    options_.binary = VERNIER_SUPERVISE;
    if (options_.gpus.empty()) options_.gpus = "none";
    RestartLauncher();
  }
  ~LocalTestBed() override {
    for (const LiveAttempt& attempt : launched_) {
      LoseSupervisor(attempt);
      const auto record = ReadContainerRecord(attempt.run_dir);
      if (!record.ok()) continue;
      EXPECT_TRUE(RemoveContainers(record->engine, record->names,
                                   EngineEnvironment(environ))
                      .ok());
    }
  }

  Launcher& launcher() override { return *launcher_; }
  LocalLauncher& local() { return *launcher_; }
  void RestartLauncher() override {
    launcher_.reset();
    auto launcher = LocalLauncher::Create(options_, clock_);
    EXPECT_TRUE(launcher.ok()) << launcher.status();
    launcher_ = *std::move(launcher);
  }

  std::string notes() const { return dir_ / "notes"; }
  std::string EndFile(int number) const {
    return dir_ / ("end-" + std::to_string(number));
  }
  /// Returns what trainingInput needs for the bed's image; or "".
  const std::string& image_field() const { return image_; }
  const ScratchFolder& dir() const { return dir_; }

  LaunchRequest MakeRequest(int number, const ParsedJob& job) {
    LaunchRequest request;
    request.attempt = {StudyId{1}, TrialId{number}, 1};
    request.nonce = MakeNonce(dir_.path(), number);
    request.spec = std::make_shared<JobSpec>(job.spec);
    request.spec_json = job.json;
    request.run_dir = dir_ / ("run-" + std::to_string(number));
    launched_.push_back({request.attempt, request.nonce, request.run_dir});
    return request;
  }
  LaunchRequest MakeRequest(int number) override {
    return MakeRequest(
        number, MakeJob(TrialCommand({"note", notes(), "only", "worker",
                                      "sleep", "", "await", EndFile(number)}),
                        "\"scaleTier\":\"CUSTOM\",\"masterType\":\"standard\","
                        "\"workerType\":\"standard\",\"workerCount\":\"1\"" +
                            image_));
  }
  LaunchRequest MakeUnrunnable(int number) override {
    return MakeRequest(number, MakeJob("[\"/nowhere/program\"]",
                                       "\"scaleTier\":\"BASIC\"" + image_));
  }
  void EndGang(const LaunchRequest& request, int exit_code) override {
    const int number = static_cast<int>(ToInt(request.attempt.trial));
    const std::string draft = EndFile(number) + ".new";
    WriteText(draft, std::to_string(exit_code));
    std::filesystem::rename(draft, EndFile(number));
  }
  void LoseGang(const LaunchRequest& request) override {
    LoseSupervisor({request.attempt, request.nonce, request.run_dir});
  }
  int CountStarts(const LaunchRequest& request) override {
    return CountLines(ReadText(notes()), "master 0 " + request.nonce);
  }

 private:
  static void LoseSupervisor(const LiveAttempt& attempt) {
    // The claim's pid is the supervisor's only while the claim's lock is held.
    if (!absl::IsUnavailable(ClaimFile::Lock(attempt.run_dir).status())) {
      return;
    }
    const auto content = ReadClaim(attempt.run_dir);
    if (content.ok() && content->claim.pid > 0) {
      ::kill(content->claim.pid, SIGKILL);
    }
  }

  LocalLauncherOptions options_;
  std::string image_;  // Further fields of trainingInput.
  const SystemClock clock_{};
  const ScratchFolder dir_;
  std::unique_ptr<LocalLauncher> launcher_;
  std::vector<LiveAttempt> launched_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_CLUSTER_LOCAL_TEST_BED_H_
