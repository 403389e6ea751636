#include "cluster/dispatch/dispatching_launcher.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "study/job_spec.h"
#include "tests/fakes/fake_launcher.h"
#include "tests/support/scratch_folder.h"

namespace vernier {
namespace {

using Kind = AttemptObservation::Kind;

class DispatchingLauncherTest : public testing::Test {
 protected:
  void SetUp() override { Restart(); }
  // As when the service is started again.
  void Restart() {
    local_.Restart();
    auto slurm = std::make_unique<FakeLauncher>();
    slurm_ = slurm.get();
    next_ = std::move(slurm);
    all_ = std::make_unique<DispatchingLauncher>(
        local_, std::map<LauncherName, DispatchingLauncher::Factory>{
                    {LauncherName::kSlurm,
                     [this]() -> absl::StatusOr<std::unique_ptr<Launcher>> {
                       if (!trouble_.ok()) return trouble_;
                       return std::move(next_);
                     }}});
  }
  LaunchRequest Request(int trial, std::optional<LauncherName> name) {
    LaunchRequest request;
    request.attempt = {StudyId{1}, TrialId{trial}, 1};
    request.nonce = std::string(31, '0') + std::to_string(trial);
    JobSpec spec;
    spec.vernier.launcher = name;
    request.spec = std::make_shared<JobSpec>(spec);
    request.run_dir = folder_ / std::to_string(trial);
    return request;
  }
  static LiveAttempt Live(const LaunchRequest& request) {
    return {request.attempt, request.nonce, request.run_dir};
  }

  const ScratchFolder folder_;
  absl::Status trouble_;
  FakeLauncher local_;
  FakeLauncher* slurm_ = nullptr;
  std::unique_ptr<Launcher> next_;
  std::unique_ptr<DispatchingLauncher> all_;
};

TEST_F(DispatchingLauncherTest, RunsEachAttemptWhereItsJobSays) {
  const auto here = Request(1, std::nullopt);
  const auto there = Request(2, LauncherName::kSlurm);
  ASSERT_TRUE(all_->Launch(here).ok());
  ASSERT_TRUE(all_->Launch(there).ok());
  EXPECT_EQ(local_.started().size(), 1u);
  EXPECT_EQ(slurm_->started().size(), 1u);
  slurm_->Exit(there.attempt, 7);
  const auto seen = all_->Observe({Live(there), Live(here)});
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].attempt, there.attempt);
  EXPECT_EQ(seen[0].exit_code, 7);
  EXPECT_EQ(seen[1].kind, Kind::kRunning);
  ASSERT_TRUE(all_->Kill(Live(here), std::chrono::seconds(1)).ok());
  EXPECT_EQ(local_.kills().size(), 1u);
  EXPECT_TRUE(slurm_->kills().empty());
  all_->Forget(there.attempt);
  EXPECT_EQ(slurm_->forgotten().size(), 1u);
}

TEST_F(DispatchingLauncherTest, FindsTheLauncherOfAnAttemptAgain) {
  const auto there = Request(2, LauncherName::kSlurm);
  ASSERT_TRUE(all_->Launch(there).ok());
  Restart();
  all_->Observe({Live(there)});
  EXPECT_TRUE(absl::IsInvalidArgument(slurm_->Launch(there)))
      << "the new launcher has revoked what it does not know";
  EXPECT_TRUE(local_.Launch(there).ok()) << "the local one was not asked";
}

TEST_F(DispatchingLauncherTest, WaitsForAnEngineThatCannotBeHad) {
  const auto there = Request(2, LauncherName::kSlurm);
  trouble_ = absl::NotFoundError("sbatch is not in PATH");
  const absl::Status status = all_->Launch(there);
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_EQ(status.message(), "sbatch is not in PATH");
  trouble_ = absl::OkStatus();
  EXPECT_TRUE(all_->Launch(there).ok());
  EXPECT_EQ(slurm_->started().size(), 1u);
}

TEST_F(DispatchingLauncherTest, ConcludesNothingWithoutTheEngine) {
  const auto there = Request(2, LauncherName::kSlurm);
  ASSERT_TRUE(all_->Launch(there).ok());
  Restart();
  trouble_ = absl::NotFoundError("sbatch is not in PATH");
  const auto seen = all_->Observe({Live(there)});
  EXPECT_EQ(seen.at(0).kind, Kind::kStarting);
  EXPECT_TRUE(
      absl::IsNotFound(all_->Kill(Live(there), std::chrono::seconds(1))));
}

}  // namespace
}  // namespace vernier
