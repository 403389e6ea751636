#include "cluster/attempt/engine_launcher.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "cluster/attempt/launch_phase.h"
#include "tests/cluster/attempt/fake_engine.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Kind = AttemptObservation::Kind;

/// What LauncherConformance leaves open: time, and an engine in trouble.
class EngineLauncherTest : public testing::Test {
 protected:
  static LiveAttempt Live(const LaunchRequest& request) {
    return {request.attempt, request.nonce, request.run_dir};
  }
  Launcher& launcher() { return bed_.launcher(); }
  FakeCluster& cluster() { return bed_.cluster(); }
  AttemptObservation Observe(const LaunchRequest& request) {
    return launcher().Observe({Live(request)}).at(0);
  }
  LaunchRequest Launch() {
    const LaunchRequest request = bed_.MakeRequest(1);
    EXPECT_TRUE(launcher().Launch(request).ok());
    return request;
  }

  FakeEngineBed bed_;
};

TEST_F(EngineLauncherTest, EndsByForceWhatDoesNotEndInTime) {
  cluster().obeys_end = false;
  const LaunchRequest request = Launch();
  EXPECT_TRUE(launcher().Kill(Live(request), seconds(5)).ok());
  bed_.clock().Advance(seconds(5) + bed_.kKillMargin - milliseconds(1));
  EXPECT_EQ(Observe(request).kind, Kind::kRunning);
  EXPECT_EQ(cluster().ended_by_force, 0);
  bed_.clock().Advance(milliseconds(1));
  Observe(request);
  EXPECT_EQ(cluster().ended_by_force, 1);
  EXPECT_EQ(Observe(request).kind, Kind::kEnded);
  bed_.clock().Advance(seconds(60));
  Observe(request);
  EXPECT_EQ(cluster().ended_by_force, 1);
}

TEST_F(EngineLauncherTest, AsksForTheEndAgainAfterARestart) {
  cluster().obeys_end = false;
  const LaunchRequest request = Launch();
  EXPECT_TRUE(launcher().Kill(Live(request), seconds(5)).ok());
  EXPECT_TRUE(launcher().Kill(Live(request), seconds(7)).ok());
  ASSERT_EQ(cluster().asked_to_end.size(), 1u);
  bed_.RestartLauncher();
  Observe(request);
  ASSERT_EQ(cluster().asked_to_end.size(), 2u);
  EXPECT_EQ(cluster().asked_to_end[1], seconds(5));
  EXPECT_TRUE(launcher().Kill(Live(request), seconds(9)).ok());
  EXPECT_EQ(cluster().asked_to_end.size(), 2u);
}

TEST_F(EngineLauncherTest, AnAttemptOfAnotherNonceHasNeverStarted) {
  const LaunchRequest request = Launch();
  LaunchRequest other = bed_.MakeRequest(2);
  other.attempt = request.attempt;
  EXPECT_EQ(Observe(other).kind, Kind::kNeverStarted);
  EXPECT_TRUE(absl::IsInvalidArgument(launcher().Launch(other)));
  EXPECT_EQ(Observe(request).kind, Kind::kRunning);
}

TEST_F(EngineLauncherTest, ARefusalIsALaunchThatFailedForGood) {
  const LaunchRequest request = bed_.MakeUnrunnable(1);
  EXPECT_TRUE(launcher().Launch(request).ok());
  EXPECT_TRUE(Observe(request).launch_failed);
  cluster().refused.clear();
  bed_.RestartLauncher();
  const AttemptObservation end = Observe(request);
  EXPECT_EQ(end.kind, Kind::kEnded);
  EXPECT_TRUE(end.launch_failed);
  EXPECT_EQ(end.message, "no such queue");
  EXPECT_TRUE(launcher().Launch(request).ok());
  EXPECT_EQ(bed_.CountStarts(request), 0);
}

TEST_F(EngineLauncherTest, LaunchesLaterIfTheEngineCannotStartNow) {
  cluster().may_start = absl::UnavailableError("no node sees the folder");
  const LaunchRequest request = bed_.MakeRequest(1);
  EXPECT_EQ(launcher().Launch(request), cluster().may_start);
  cluster().may_start = absl::OkStatus();
  EXPECT_TRUE(launcher().Launch(request).ok());
  EXPECT_EQ(bed_.CountStarts(request), 1);
}

TEST_F(EngineLauncherTest, StartsNothingWhileTheMarkCannotBeRead) {
  cluster().mark_error = absl::PermissionDeniedError("mark");
  const LaunchRequest request = bed_.MakeRequest(1);
  EXPECT_TRUE(absl::IsUnavailable(launcher().Launch(request)));
  EXPECT_EQ(bed_.CountStarts(request), 0);
  cluster().mark_error = absl::OkStatus();
  EXPECT_TRUE(launcher().Launch(request).ok());
}

TEST_F(EngineLauncherTest, NotesWhatAStartWaitsFor) {
  cluster().runs_at_once = false;
  const LaunchRequest request = Launch();
  EXPECT_EQ(Observe(request).kind, Kind::kStarting);
  EXPECT_EQ(LaunchPhaseOf(request.run_dir), "in the queue");
  cluster().gangs.at(request.nonce).state = FakeCluster::State::kRunning;
  EXPECT_EQ(Observe(request).kind, Kind::kRunning);
  EXPECT_EQ(LaunchPhaseOf(request.run_dir), "");
}

TEST_F(EngineLauncherTest, AGangLastsFromWhenItWasSeenRunning) {
  cluster().runs_at_once = false;
  const LaunchRequest request = Launch();
  bed_.clock().Advance(seconds(10));
  EXPECT_EQ(Observe(request).lasted, seconds(0));
  cluster().gangs.at(request.nonce).state = FakeCluster::State::kRunning;
  EXPECT_EQ(Observe(request).lasted, seconds(0));
  bed_.clock().Advance(seconds(3));
  EXPECT_EQ(Observe(request).lasted, seconds(3));
  bed_.LoseGang(request);
  bed_.clock().Advance(seconds(2));
  EXPECT_EQ(Observe(request).kind, Kind::kLost);
  bed_.clock().Advance(seconds(2));
  EXPECT_EQ(Observe(request).lasted, seconds(5));
}

TEST_F(EngineLauncherTest, StrangersAreEndedOnlyOnceTheLivingAreKnown) {
  const LaunchRequest request = Launch();
  EXPECT_EQ(cluster().stranger_hunts, 0);
  Observe(request);
  EXPECT_EQ(cluster().stranger_hunts, 1);
}

TEST_F(EngineLauncherTest, TheEngineForgetsOnlyWhatIsForgotten) {
  const LaunchRequest request = Launch();
  bed_.RestartLauncher();
  Observe(request);
  EXPECT_EQ(cluster().dropped, 0);
  launcher().Forget(request.attempt);
  launcher().Forget(request.attempt);
  EXPECT_EQ(cluster().dropped, 1);
}

TEST_F(EngineLauncherTest, AChangeEndsAWait) {
  cluster().on_change();
  launcher().Wait(seconds(60));
  EXPECT_EQ(bed_.changes(), 1);
}

TEST_F(EngineLauncherTest, RefusesALogWithoutRoom) {
  EngineLauncher::Options options;
  options.log_cap_bytes = 5;
  EXPECT_EQ(EngineLauncher::Create(
                options,
                [this](const std::function<void()>&) {
                  return std::make_unique<FakeEngine>(cluster());
                },
                bed_.clock())
                .status()
                .message(),
            "log_cap_bytes must be >= 65536: 5");
}

}  // namespace
}  // namespace vernier
