#ifndef VERNIER_TESTS_TRIALS_JOBS_LAUNCHER_CONFORMANCE_H_
#define VERNIER_TESTS_TRIALS_JOBS_LAUNCHER_CONFORMANCE_H_

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/trials/jobs/launcher_test_bed.h"
#include "trials/jobs/launcher.h"

namespace vernier {

using LauncherTestBedFactory =
    std::function<std::unique_ptr<LauncherTestBed>()>;

/// The specification of Launcher; instantiate it for each implementation.
class LauncherConformance
    : public testing::TestWithParam<LauncherTestBedFactory> {
 protected:
  using Kind = AttemptObservation::Kind;

  void SetUp() override {
    const std::string why = bed_->Unavailable();
    if (!why.empty()) GTEST_SKIP() << why;
  }

  static constexpr std::chrono::seconds kPatience{60};
  static constexpr std::chrono::milliseconds kGrace{20000};

  static LiveAttempt Live(const LaunchRequest& request) {
    return {request.attempt, request.nonce, request.run_dir};
  }
  Launcher& launcher() { return bed_->launcher(); }
  AttemptObservation Observe(const LaunchRequest& request) {
    return launcher().Observe({Live(request)}).at(0);
  }
  /// Waits, as the orchestrator does, until the attempt is as `wanted`.
  AttemptObservation AwaitKind(const LaunchRequest& request, Kind wanted) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    AttemptObservation observation = Observe(request);
    while (observation.kind != wanted &&
           std::chrono::steady_clock::now() < deadline) {
      launcher().Wait(std::chrono::milliseconds(1000));
      observation = Observe(request);
    }
    EXPECT_EQ(observation.kind, wanted) << observation.message;
    EXPECT_EQ(observation.attempt, request.attempt);
    return observation;
  }
  LaunchRequest LaunchOne(int number) {
    LaunchRequest request = bed_->MakeRequest(number);
    const absl::Status launched = launcher().Launch(request);
    EXPECT_TRUE(launched.ok()) << launched;
    return request;
  }

  const std::unique_ptr<LauncherTestBed> bed_ = GetParam()();
};

TEST_P(LauncherConformance, RunsAGangToItsEnd) {
  const LaunchRequest request = LaunchOne(1);
  AwaitKind(request, Kind::kRunning);
  bed_->EndGang(request, 0);
  const AttemptObservation end = AwaitKind(request, Kind::kEnded);
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(end.signal, std::nullopt);
  EXPECT_EQ(end.message, "");
  EXPECT_FALSE(end.launch_failed);
  EXPECT_FALSE(end.stopped_by_request);
  EXPECT_FALSE(end.out_of_memory);
  EXPECT_GT(end.lasted.count(), 0);
}

TEST_P(LauncherConformance, SaysHowAGangFailed) {
  const LaunchRequest request = LaunchOne(1);
  AwaitKind(request, Kind::kRunning);
  bed_->EndGang(request, 7);
  const AttemptObservation end = AwaitKind(request, Kind::kEnded);
  EXPECT_EQ(end.exit_code, 7);
  EXPECT_EQ(end.message.rfind("The replica master 0 exited with a non-zero "
                              "status of 7. Termination reason: Error.",
                              0),
            0u)
      << end.message;
}

TEST_P(LauncherConformance, AnswersTheSameUntilForget) {
  const LaunchRequest request = LaunchOne(1);
  bed_->EndGang(request, 3);
  const AttemptObservation end = AwaitKind(request, Kind::kEnded);
  for (int i = 0; i < 3; ++i) {
    const AttemptObservation again = Observe(request);
    EXPECT_EQ(again.kind, Kind::kEnded);
    EXPECT_EQ(again.exit_code, 3);
    EXPECT_EQ(again.message, end.message);
  }
  launcher().Forget(request.attempt);
  launcher().Forget(request.attempt);
}

TEST_P(LauncherConformance, StartsOneGangForANonce) {
  const LaunchRequest request = LaunchOne(1);
  EXPECT_TRUE(launcher().Launch(request).ok());
  AwaitKind(request, Kind::kRunning);
  EXPECT_TRUE(launcher().Launch(request).ok());
  bed_->RestartLauncher();
  EXPECT_TRUE(launcher().Launch(request).ok());
  bed_->EndGang(request, 0);
  AwaitKind(request, Kind::kEnded);
  EXPECT_TRUE(launcher().Launch(request).ok());
  EXPECT_EQ(bed_->CountStarts(request), 1);
}

TEST_P(LauncherConformance, RunsGangsSideBySide) {
  std::vector<LaunchRequest> requests;
  for (int i = 1; i <= 3; ++i) requests.push_back(LaunchOne(i));
  for (const LaunchRequest& request : requests) {
    AwaitKind(request, Kind::kRunning);
  }
  bed_->EndGang(requests[1], 4);
  EXPECT_EQ(AwaitKind(requests[1], Kind::kEnded).exit_code, 4);
  EXPECT_EQ(Observe(requests[0]).kind, Kind::kRunning);
  EXPECT_EQ(Observe(requests[2]).kind, Kind::kRunning);
  std::vector<LiveAttempt> live;
  for (const LaunchRequest& request : requests) live.push_back(Live(request));
  const auto all = launcher().Observe(live);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[1].attempt, requests[1].attempt);
  EXPECT_EQ(all[1].kind, Kind::kEnded);
}

TEST_P(LauncherConformance, StopsAGangOnRequest) {
  const LaunchRequest request = LaunchOne(1);
  AwaitKind(request, Kind::kRunning);
  EXPECT_TRUE(launcher().Kill(Live(request), kGrace).ok());
  EXPECT_TRUE(launcher().Kill(Live(request), kGrace).ok());
  const AttemptObservation end = AwaitKind(request, Kind::kEnded);
  EXPECT_TRUE(end.stopped_by_request);
  EXPECT_EQ(end.signal, SIGTERM);
  EXPECT_TRUE(launcher().Kill(Live(request), kGrace).ok());
}

TEST_P(LauncherConformance, StopsAGangRightAfterItsLaunch) {
  const LaunchRequest request = LaunchOne(1);
  EXPECT_TRUE(launcher().Kill(Live(request), kGrace).ok());
  EXPECT_TRUE(AwaitKind(request, Kind::kEnded).stopped_by_request);
}

TEST_P(LauncherConformance, SaysThatAProgramCannotBeRun) {
  const LaunchRequest request = bed_->MakeUnrunnable(1);
  ASSERT_TRUE(launcher().Launch(request).ok());
  const AttemptObservation end = AwaitKind(request, Kind::kEnded);
  EXPECT_TRUE(end.launch_failed);
  EXPECT_NE(end.message, "");
}

TEST_P(LauncherConformance, RevokesWhatWasNeverStarted) {
  const LaunchRequest request = bed_->MakeRequest(1);
  EXPECT_EQ(Observe(request).kind, Kind::kNeverStarted);
  EXPECT_EQ(Observe(request).kind, Kind::kNeverStarted);
  EXPECT_TRUE(absl::IsInvalidArgument(launcher().Launch(request)));
  bed_->RestartLauncher();
  EXPECT_TRUE(absl::IsInvalidArgument(launcher().Launch(request)));
  EXPECT_EQ(Observe(request).kind, Kind::kNeverStarted);
  EXPECT_EQ(bed_->CountStarts(request), 0);
}

TEST_P(LauncherConformance, AdoptsWhatRunsAfterARestart) {
  const LaunchRequest request = LaunchOne(1);
  AwaitKind(request, Kind::kRunning);
  bed_->RestartLauncher();
  AwaitKind(request, Kind::kRunning);
  bed_->EndGang(request, 5);
  EXPECT_EQ(AwaitKind(request, Kind::kEnded).exit_code, 5);
  EXPECT_EQ(bed_->CountStarts(request), 1);
}

TEST_P(LauncherConformance, FindsAnEndThatCameWhileItWasAway) {
  const LaunchRequest request = LaunchOne(1);
  AwaitKind(request, Kind::kRunning);
  bed_->EndGang(request, 5);
  AwaitKind(request, Kind::kEnded);
  bed_->RestartLauncher();
  EXPECT_EQ(Observe(request).kind, Kind::kEnded);
  EXPECT_EQ(Observe(request).exit_code, 5);
}

TEST_P(LauncherConformance, StopsAnAdoptedGang) {
  const LaunchRequest request = LaunchOne(1);
  AwaitKind(request, Kind::kRunning);
  bed_->RestartLauncher();
  EXPECT_TRUE(launcher().Kill(Live(request), kGrace).ok());
  EXPECT_TRUE(AwaitKind(request, Kind::kEnded).stopped_by_request);
}

TEST_P(LauncherConformance, SaysThatAGangIsLost) {
  const LaunchRequest request = LaunchOne(1);
  AwaitKind(request, Kind::kRunning);
  bed_->LoseGang(request);
  AwaitKind(request, Kind::kLost);
  bed_->RestartLauncher();
  AwaitKind(request, Kind::kLost);
  EXPECT_LE(bed_->CountStarts(request), 1);
}

TEST_P(LauncherConformance, WakeEndsAWait) {
  // Wake is called twice: before the wait, and at a time when the wait may
  // last.
  launcher().Wake();
  launcher().Wait(kPatience);
  std::thread other([this] { launcher().Wake(); });
  launcher().Wait(kPatience);
  other.join();
}

TEST_P(LauncherConformance, KnowsItsDevicesForGood) {
  const std::vector<Device> devices = launcher().Devices();
  const std::vector<Device> again = launcher().Devices();
  ASSERT_EQ(devices.size(), again.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    EXPECT_EQ(devices[i].id, again[i].id);
  }
}

}  // namespace vernier

#endif  // VERNIER_TESTS_TRIALS_JOBS_LAUNCHER_CONFORMANCE_H_
