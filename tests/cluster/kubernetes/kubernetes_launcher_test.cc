// What befalls a launcher between it and an API server.

#include "cluster/kubernetes/kubernetes_launcher.h"

#include <gtest/gtest.h>

#include "cluster/attempt/launch_phase.h"
#include "cluster/kubernetes/attempt_mark.h"
#include "cluster/replica_log.h"
#include "tests/cluster/kubernetes/kubernetes_test_bed.h"
#include "tests/support/await_condition.h"

namespace vernier {
namespace {

using Kind = AttemptObservation::Kind;
using std::chrono::milliseconds;

class KubernetesLauncherTest : public testing::TestWithParam<GangKind> {
 protected:
  FakeApiServer& server() { return bed_.server(); }
  Launcher& launcher() { return bed_.launcher(); }
  std::string collection() const {
    return GetParam() == GangKind::kJobSet ? "jobsets" : "jobs";
  }
  static LiveAttempt Live(const LaunchRequest& request) {
    return {request.attempt, request.nonce, request.run_dir};
  }
  AttemptObservation Observe(const LaunchRequest& request) {
    return launcher().Observe({Live(request)}).at(0);
  }
  AttemptObservation Await(const LaunchRequest& request, Kind wanted) {
    AttemptObservation observation;
    EXPECT_TRUE(AwaitCondition([&] {
      observation = Observe(request);
      return observation.kind == wanted;
    })) << observation.message;
    return observation;
  }
  LaunchRequest Launch(int number = 1) {
    const LaunchRequest request = bed_.MakeRequest(number);
    EXPECT_TRUE(launcher().Launch(request).ok());
    return request;
  }
  [[nodiscard]] bool AwaitPhase(const LaunchRequest& request,
                                const std::string& words) {
    return AwaitCondition([&] {
      Observe(request);
      return LaunchPhaseOf(request.run_dir).find(words) != std::string::npos;
    });
  }

  FakeKubernetesBed bed_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Both, KubernetesLauncherTest,
                         testing::Values(GangKind::kJobSet, GangKind::kJobs));

TEST_P(KubernetesLauncherTest, ALostAnswerStartsNothingTwice) {
  server().LoseAnswers(3);
  const LaunchRequest request = Launch();
  Await(request, Kind::kRunning);
  EXPECT_EQ(server().starts(request.nonce), 1);
}

TEST_P(KubernetesLauncherTest, WhatWasBegunAndIsNotThereNeverStarts) {
  const LaunchRequest request = bed_.MakeRequest(1);
  AttemptMark mark;
  mark.state = AttemptMark::State::kBegun;
  mark.kind = GetParam();
  mark.name_space = "lab";
  ASSERT_TRUE(WriteAttemptMark(request.run_dir, mark).ok());
  Await(request, Kind::kNeverStarted);
  // A creation that was under way comes too late: the name is taken.
  EXPECT_EQ(server().names(collection()).size(), 1u);
  EXPECT_EQ(server().names("pods").size(), 0u);
  EXPECT_TRUE(absl::IsInvalidArgument(launcher().Launch(request)));
  // The mark may not say so yet when the launcher ends; then the next one asks
  // the cluster again.
  bed_.RestartLauncher();
  Await(request, Kind::kNeverStarted);
  EXPECT_EQ(server().names("pods").size(), 0u);
}

TEST_P(KubernetesLauncherTest, AKillBeforeTheServerAnswersRevokes) {
  server().set_down(true);
  const LaunchRequest request = Launch();
  EXPECT_TRUE(AwaitPhase(request, "nobody answers"));
  EXPECT_TRUE(launcher().Kill(Live(request), milliseconds(1)).ok());
  server().set_down(false);
  EXPECT_TRUE(Await(request, Kind::kEnded).stopped_by_request);
  EXPECT_EQ(server().starts(request.nonce), 0);
}

TEST_P(KubernetesLauncherTest, AServerThatIsAwayChangesNothing) {
  const LaunchRequest request = Launch();
  Await(request, Kind::kRunning);
  server().set_down(true);
  bed_.RestartLauncher();
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(IsOver(Observe(request).kind));
    launcher().Wait(milliseconds(50));
  }
  server().EndMaster(request.nonce, 4);
  server().set_down(false);
  EXPECT_EQ(Await(request, Kind::kEnded).exit_code, 4);
}

TEST_P(KubernetesLauncherTest, AnEmptyListingIsNotAnEnd) {
  const LaunchRequest request = Launch();
  Await(request, Kind::kRunning);
  server().set_hides_all(true);
  const int before = server().count("&limit=");
  server().Compact();
  EXPECT_TRUE(
      AwaitCondition([&] { return server().count("&limit=") > before; }));
  EXPECT_EQ(Observe(request).kind, Kind::kRunning);
  server().set_hides_all(false);
  launcher().Wait(milliseconds(600));
  EXPECT_EQ(Observe(request).kind, Kind::kRunning);
}

TEST_P(KubernetesLauncherTest, AnExpiredWatchIsListedAgain) {
  const LaunchRequest request = Launch();
  Await(request, Kind::kRunning);
  server().Compact();
  server().EndMaster(request.nonce, 0);
  EXPECT_EQ(Await(request, Kind::kEnded).exit_code, 0);
  EXPECT_GE(server().count("&limit="), 3);
}

TEST_P(KubernetesLauncherTest, ARefusalIsAFailedLaunchInTheServersWords) {
  server().Refuse("POST /apis", 422, "spec.x: Invalid value");
  const LaunchRequest request = Launch();
  const AttemptObservation end = Await(request, Kind::kEnded);
  EXPECT_TRUE(end.launch_failed);
  EXPECT_EQ(end.message,
            "Kubernetes refused its job: spec.x: Invalid value (422)");
}

TEST_P(KubernetesLauncherTest, AQuotaAndAnOverloadAreWaitedFor) {
  for (const int status : {403, 429, 500, 401}) {
    server().Refuse("POST /apis", status, "exceeded quota: lab");
    const LaunchRequest request = Launch(status);
    EXPECT_TRUE(AwaitPhase(request, "exceeded quota: lab")) << status;
    EXPECT_EQ(Observe(request).kind, Kind::kStarting);
    EXPECT_TRUE(launcher().Kill(Live(request), milliseconds(1)).ok());
    server().Refuse("", 0, "");
    EXPECT_TRUE(Await(request, Kind::kEnded).stopped_by_request);
    EXPECT_EQ(server().starts(request.nonce), 0);
  }
}

TEST_P(KubernetesLauncherTest, ASecretThatCannotBeMadeIsTriedAgain) {
  if (GetParam() == GangKind::kJobSet) GTEST_SKIP() << "the job has no secret";
  server().Refuse("/services", 500, "later");
  const LaunchRequest request = Launch();
  EXPECT_TRUE(AwaitPhase(request, "later"));
  server().Refuse("", 0, "");
  Await(request, Kind::kRunning);
}

TEST_P(KubernetesLauncherTest, SaysWhatAPodWaitsFor) {
  server().set_has_room(false);
  const LaunchRequest request = Launch();
  EXPECT_TRUE(AwaitPhase(
      request, "waiting for a node: Unschedulable (0/1 nodes are there)"));
}

TEST_P(KubernetesLauncherTest, AnEvictionIsToldAlsoAfterARestart) {
  const LaunchRequest request = Launch();
  Await(request, Kind::kRunning);
  server().SetStatus(
      request.nonce, "worker",
      R"({"phase":"Failed","reason":"Evicted","message":"low on memory"})");
  const AttemptObservation lost = Await(request, Kind::kLost);
  EXPECT_EQ(lost.engine_end, EngineEnd::kEvicted);
  // Its objects are gone, but not what they told.
  EXPECT_TRUE(server().names(collection()).empty());
  bed_.RestartLauncher();
  const AttemptObservation again = Await(request, Kind::kLost);
  EXPECT_EQ(again.engine_end, EngineEnd::kEvicted);
  EXPECT_EQ(again.message, lost.message);
}

TEST_P(KubernetesLauncherTest, APodThatSomebodyDeletesIsLost) {
  const LaunchRequest request = Launch();
  Await(request, Kind::kRunning);
  server().DeletePods(request.nonce);
  EXPECT_NE(Await(request, Kind::kLost).message.find("somebody deleted"),
            std::string::npos);
}

TEST_P(KubernetesLauncherTest, ForgetDeletesTheObjects) {
  const LaunchRequest request = Launch();
  server().EndMaster(request.nonce, 0);
  Await(request, Kind::kEnded);
  EXPECT_FALSE(server().names(collection()).empty());
  launcher().Forget(request.attempt);
  EXPECT_TRUE(AwaitCondition([&] {
    return server().names(collection()).empty() &&
           server().names("pods").empty() && server().names("services").empty();
  }));
}

TEST_P(KubernetesLauncherTest, ObjectsOfNobodyAreDeletedAfterAWhile) {
  const LaunchRequest request = Launch();
  Await(request, Kind::kRunning);
  bed_.settings().stranger_patience = milliseconds(100);
  bed_.RestartLauncher();
  launcher().Observe({});
  EXPECT_TRUE(
      AwaitCondition([&] { return server().names(collection()).empty(); }));
}

TEST_P(KubernetesLauncherTest, TheLogIsWholeHoweverStreamsBreak) {
  const LaunchRequest request = Launch();
  Await(request, Kind::kRunning);
  std::string wanted;
  for (int i = 0; i < 300; ++i) {
    server().Print(request.nonce, "master", "line " + std::to_string(i));
    wanted += "line " + std::to_string(i) + "\n";
    if (i % 50 == 49) server().BreakStreams();
    if (i % 100 == 99) {
      bed_.RestartLauncher();
      Observe(request);
    }
  }
  server().EndMaster(request.nonce, 1);
  const AttemptObservation end = Await(request, Kind::kEnded);
  EXPECT_EQ(
      ReadReplicaLog(request.run_dir, "master-replica-0", 0, 1 << 20)->data,
      wanted);
  EXPECT_NE(end.message.find("\nline 280\n"), std::string::npos);
  EXPECT_NE(end.log_tail.find("line 100\n"), std::string::npos);
}

TEST_P(KubernetesLauncherTest, WhatIsAdoptedAfterTheListingIsFollowed) {
  const LaunchRequest first = Launch(1);
  const LaunchRequest second = Launch(2);
  Await(first, Kind::kRunning);
  Await(second, Kind::kRunning);
  bed_.RestartLauncher();
  server().EndMaster(first.nonce, 0);
  Await(first, Kind::kEnded);
  server().EndMaster(second.nonce, 4);
  EXPECT_EQ(Await(second, Kind::kEnded).exit_code, 4);
}

TEST_P(KubernetesLauncherTest, ALogThatMayNotBeReadIsTold) {
  bed_.settings().log_patience = milliseconds(100);
  bed_.RestartLauncher();
  server().Refuse("/log?", 403, "pods/log is forbidden");
  const LaunchRequest request = Launch();
  Await(request, Kind::kRunning);
  server().EndMaster(request.nonce, 1);
  const AttemptObservation end = Await(request, Kind::kEnded);
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_NE(end.message.find("What it printed could not be read: pods/log is "
                             "forbidden (403)"),
            std::string::npos)
      << end.message;
}

TEST_P(KubernetesLauncherTest, ADefaultImageServesJobsWithoutOne) {
  const LaunchRequest request =
      bed_.MakeRequest(1, MakeJob("[\"program\"]", "\"scaleTier\":\"BASIC\""));
  ASSERT_TRUE(launcher().Launch(request).ok());
  EXPECT_NE(Observe(request).message.find("needs an image"), std::string::npos);
  EXPECT_TRUE(Observe(request).launch_failed);
}

}  // namespace
}  // namespace vernier
