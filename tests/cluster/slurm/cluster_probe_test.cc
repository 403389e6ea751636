#include "cluster/slurm/cluster_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/version.h"
#include "tests/cluster/local_test_bed.h"
#include "tests/cluster/slurm/fake_slurm_client.h"
#include "tests/support/await_condition.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using ProbeAnswer = SubmissionAnswer::Kind;

class ClusterProbeTest : public testing::Test {
 protected:
  void Begin(milliseconds patience = milliseconds(60000),
             milliseconds period = milliseconds(60000)) {
    SlurmSettings settings;
    settings.program = "/bin/vernier";
    settings.probe_patience = patience;
    settings.probe_period = period;
    settings.record_patience = milliseconds(0);
    probe_ = std::make_unique<ClusterProbe>(
        ClusterProbe::Dependencies{
            std::make_unique<FakeSlurmClient>(controller_), clock_,
            [this] { ++changes_; }, nullptr},
        ClusterProbe::Options{settings, "01234567", std::string(folder_ / ""),
                              ""});
  }
  /// The folder of the probe under way, once its job is there.
  std::string Folder() {
    std::string folder;
    EXPECT_TRUE(AwaitCondition([&] {
      const auto jobs = *controller_.List();
      for (const auto& [name, job] : jobs) {
        if (IsFinal(job.state)) continue;
        name_ = name;
        folder = folder_ / "slurm-probes/" + name.substr(name.rfind('-') + 1);
      }
      return !folder.empty();
    }));
    return folder;
  }

  const SystemClock clock_{};
  const ScratchFolder folder_;
  FakeController controller_;
  std::atomic<int> changes_ = 0;
  std::string name_;
  std::unique_ptr<ClusterProbe> probe_;
};

TEST_F(ClusterProbeTest, LetsJobsGoOnceANodeHasReported) {
  Begin();
  const std::string folder = Folder();
  EXPECT_EQ(probe_->MayLaunch().code(), absl::StatusCode::kUnavailable);
  const NodeReport report{"n1", kVersion, "", std::nullopt};
  ASSERT_TRUE(WriteNodeReport(folder, report).ok());
  EXPECT_TRUE(AwaitCondition([&] { return probe_->MayLaunch().ok(); }));
  EXPECT_EQ(probe_->Hindrance(), "");
  EXPECT_TRUE(AwaitCondition([&] { return changes_ > 0; }));
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(ClusterProbeTest, LetsJobsGoWhileItsOwnIsPendingForLong) {
  Begin(milliseconds(1));
  Folder();
  EXPECT_TRUE(AwaitCondition([&] { return probe_->MayLaunch().ok(); }));
}

TEST_F(ClusterProbeTest, RefusesJobsUntilAProbeSucceeds) {
  Begin(milliseconds(0), milliseconds(10));
  Folder();
  const std::string first = name_;
  controller_.SetState(first, SlurmState::kFailed);
  EXPECT_TRUE(AwaitCondition([&] {
    return testing::Value(std::string(probe_->MayLaunch().message()),
                          HasSubstr("does not see"));
  }));
  const std::string folder = Folder();
  EXPECT_NE(name_, first);
  const NodeReport report{"n1", kVersion, "", std::nullopt};
  ASSERT_TRUE(WriteNodeReport(folder, report).ok());
  EXPECT_TRUE(AwaitCondition([&] { return probe_->MayLaunch().ok(); }));
}

TEST_F(ClusterProbeTest, ARefusedProbeOnlyHinders) {
  controller_.Script({ProbeAnswer::kRefused, "invalid partition", false});
  Begin();
  EXPECT_TRUE(AwaitCondition([&] { return probe_->MayLaunch().ok(); }));
  EXPECT_THAT(probe_->Hindrance(), HasSubstr("invalid partition"));
}

TEST_F(ClusterProbeTest, LeavesNoJobInTheQueue) {
  Begin();
  const std::string folder = Folder();
  probe_.reset();
  EXPECT_EQ((*controller_.List())[name_].state, SlurmState::kCancelled);
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(ClusterProbeTest, AsksAgainWhenTheControllerCannotCancel) {
  Begin();
  Folder();
  controller_.FailCancels(2);
  probe_.reset();
  EXPECT_EQ((*controller_.List())[name_].state, SlurmState::kCancelled);
}

TEST_F(ClusterProbeTest, CancelsTheProbeOfAServiceThatWasKilled) {
  controller_.SetState("vernier-01234567-probe-old", SlurmState::kPending);
  Begin();
  EXPECT_TRUE(AwaitCondition([&] {
    return (*controller_.List())["vernier-01234567-probe-old"].state ==
           SlurmState::kCancelled;
  }));
}

}  // namespace
}  // namespace vernier
