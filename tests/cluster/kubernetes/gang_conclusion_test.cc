#include "cluster/kubernetes/gang_conclusion.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/timestamp_text.h"

namespace vernier {
namespace {

using Kind = AttemptObservation::Kind;

Timestamp At(const char* text) { return *ParseTimestamp(text); }

ObservedPod Running(const char* replica) {
  ObservedPod pod;
  pod.name = std::string("g-") + replica + "-0-abcde";
  pod.uid = pod.name;
  pod.job = std::string("g-") + replica;
  pod.node = "n1";
  pod.phase = "Running";
  pod.has_started = true;
  return pod;
}

ObservedPod Ended(const char* replica, int exit_code,
                  const char* at = "2026-02-03T04:05:09Z") {
  ObservedPod pod = Running(replica);
  pod.phase = exit_code == 0 ? "Succeeded" : "Failed";
  pod.end = ProgramEnd{exit_code, "Error", "", At(at)};
  return pod;
}

GangEvidence Evidence(std::vector<ObservedPod> pods) {
  GangEvidence evidence;
  evidence.view.stage = GangView::Stage::kInCluster;
  evidence.view.primary.emplace();
  evidence.view.pods = std::move(pods);
  evidence.name = "g";
  evidence.replicas = {{ReplicaRole::kMaster, 0}, {ReplicaRole::kWorker, 0}};
  evidence.now = At("2026-02-03T04:10:00Z");
  return evidence;
}

TEST(GangConclusionTest, AGangRunsOnceAllItsProgramsHaveStarted) {
  EXPECT_EQ(ConcludeGang(Evidence({})).kind, Kind::kStarting);
  EXPECT_EQ(ConcludeGang(Evidence({Running("master-0")})).kind,
            Kind::kStarting);
  EXPECT_EQ(
      ConcludeGang(Evidence({Running("master-0"), Running("worker-0")})).kind,
      Kind::kRunning);
}

TEST(GangConclusionTest, AProgramsOwnEndDecides) {
  const struct {
    std::vector<ObservedPod> pods;
    std::size_t deciding;
    bool must_end;
  } kCases[] = {
      {{Ended("master-0", 0), Running("worker-0")}, 0, true},
      // A Job may still make the worker's pod.
      {{Ended("master-0", 0)}, 0, true},
      {{Ended("master-0", 7), Ended("worker-0", 3)}, 0, true},
      {{Running("master-0"), Ended("worker-0", 3)}, 1, true},
  };
  for (const auto& test : kCases) {
    const GangConclusion end = ConcludeGang(Evidence(test.pods));
    EXPECT_EQ(end.kind, Kind::kEnded);
    EXPECT_EQ(end.deciding, test.deciding);
    EXPECT_EQ(end.must_end, test.must_end);
    EXPECT_FALSE(end.must_delete);
  }
  // A worker may end early with success.
  EXPECT_EQ(
      ConcludeGang(Evidence({Running("master-0"), Ended("worker-0", 0)})).kind,
      Kind::kRunning);
}

TEST(GangConclusionTest, AMasterThatWasEndedForAWorkersFaultDoesNotDecide) {
  ObservedPod master = Ended("master-0", 143);
  master.deletion_asked_at = At("2026-02-03T04:05:08Z");
  const GangConclusion end =
      ConcludeGang(Evidence({master, Ended("worker-0", 3)}));
  EXPECT_EQ(end.kind, Kind::kEnded);
  EXPECT_EQ(end.deciding, 1u);
  EXPECT_EQ(end.ends[0].signal, SIGTERM);
}

TEST(GangConclusionTest, APodThatEndedBeforeItsDeletionEndedByItself) {
  ObservedPod master = Ended("master-0", 5);
  master.deletion_asked_at = At("2026-02-03T04:05:10Z");
  master.disruption = "EvictionByEvictionAPI";
  master.disrupted_at = At("2026-02-03T04:05:10Z");
  EXPECT_EQ(ConcludeGang(Evidence({master})).deciding, 0u);
}

TEST(GangConclusionTest, WhatKubernetesEndsIsLostForItsReason) {
  const struct {
    const char* reason;
    const char* disruption;
    EngineEnd end;
  } kCases[] = {
      {"", "PreemptionByScheduler", EngineEnd::kPreempted},
      {"", "EvictionByEvictionAPI", EngineEnd::kEvicted},
      {"", "TerminationByKubelet", EngineEnd::kEvicted},
      {"Evicted", "TerminationByKubelet", EngineEnd::kEvicted},
      {"", "DeletionByTaintManager", EngineEnd::kNodeFailed},
      {"", "DeletionByPodGC", EngineEnd::kNodeFailed},
      {"NodeLost", "", EngineEnd::kNodeFailed},
      {"DeadlineExceeded", "", EngineEnd::kTimeLimit},
      {"", "SomethingNew", EngineEnd::kUnknown},
  };
  for (const auto& test : kCases) {
    ObservedPod pod = Ended("worker-0", 143);
    pod.reason = test.reason;
    pod.disruption = test.disruption;
    pod.disrupted_at = At("2026-02-03T04:05:08Z");
    pod.message = "in its words";
    const GangConclusion end =
        ConcludeGang(Evidence({Running("master-0"), pod}));
    EXPECT_EQ(end.kind, Kind::kLost) << test.disruption;
    EXPECT_EQ(end.engine_end, test.end) << test.reason << test.disruption;
    EXPECT_TRUE(end.must_delete);
    EXPECT_NE(end.message.find("pod g-worker-0-0-abcde on n1 as "),
              std::string::npos)
        << end.message;
    EXPECT_NE(end.message.find("(in its words)"), std::string::npos);
  }
}

TEST(GangConclusionTest, APodOnANodeThatDoesNotAnswerIsLostAfterAWhile) {
  ObservedPod pod = Running("master-0");
  pod.deletion_asked_at = At("2026-02-03T04:05:00Z");
  pod.deletion_due_at = At("2026-02-03T04:05:30Z");
  GangEvidence evidence = Evidence({pod, Running("worker-0")});
  evidence.now = At("2026-02-03T04:05:40Z");
  EXPECT_EQ(ConcludeGang(evidence).kind, Kind::kRunning);
  evidence.now = At("2026-02-03T04:07:00Z");
  EXPECT_EQ(ConcludeGang(evidence).engine_end, EngineEnd::kNodeFailed);
  // Likewise if the service itself had it deleted.
  evidence.is_killed = true;
  EXPECT_EQ(ConcludeGang(evidence).kind, Kind::kStarting);
  evidence.view.primary->is_deleting = true;
  evidence.view.pods.pop_back();
  EXPECT_TRUE(ConcludeGang(evidence).stopped_by_request);
}

TEST(GangConclusionTest, AnImageIsWaitedForUnlessItsNameIsNone) {
  ObservedPod pod = Running("master-0");
  pod.has_started = false;
  pod.waiting_reason = "ImagePullBackOff";
  GangEvidence evidence = Evidence({pod});
  evidence.image_missing_for = std::chrono::seconds(119);
  EXPECT_EQ(ConcludeGang(evidence).kind, Kind::kStarting);
  evidence.image_missing_for = std::chrono::seconds(120);
  EXPECT_EQ(ConcludeGang(evidence).engine_end, EngineEnd::kImagePull);
  evidence.view.pods[0].waiting_reason = "InvalidImageName";
  evidence.image_missing_for = std::chrono::seconds(0);
  EXPECT_TRUE(ConcludeGang(evidence).launch_failed);
}

TEST(GangConclusionTest, AProgramThatCannotBeRunIsAFailedLaunch) {
  ObservedPod pod = Ended("worker-0", 128);
  pod.has_started = false;
  pod.end->message = "no such file";
  const GangConclusion end = ConcludeGang(Evidence({Running("master-0"), pod}));
  EXPECT_TRUE(end.launch_failed);
  EXPECT_EQ(end.message,
            "The replica worker 0 could not be started: no such file");
}

TEST(GangConclusionTest, MemoryIsTheReasonIfKubernetesSaysSo) {
  ObservedPod pod = Ended("master-0", 137);
  pod.end->reason = "OOMKilled";
  const GangConclusion end = ConcludeGang(Evidence({pod}));
  EXPECT_TRUE(end.out_of_memory);
  EXPECT_EQ(end.ends[0].signal, SIGKILL);
}

TEST(GangConclusionTest, ASecondPodOfAReplicaEndsTheAttempt) {
  ObservedPod second = Running("master-0");
  second.uid = "another";
  const GangConclusion end =
      ConcludeGang(Evidence({Running("master-0"), second}));
  EXPECT_EQ(end.kind, Kind::kLost);
  EXPECT_TRUE(end.must_delete);
}

TEST(GangConclusionTest, WithoutPodsTheObjectTells) {
  GangEvidence evidence = Evidence({});
  evidence.view.primary->is_failed = true;
  evidence.view.primary->failure_reason = "DeadlineExceeded";
  EXPECT_EQ(ConcludeGang(evidence).engine_end, EngineEnd::kTimeLimit);
  evidence = Evidence({});
  evidence.view.is_gone = true;
  EXPECT_EQ(ConcludeGang(evidence).kind, Kind::kLost);
}

TEST(GangConclusionTest, AKilledGangHasEndedOnceItIsGone) {
  GangEvidence evidence = Evidence({Ended("master-0", 143)});
  evidence.is_killed = evidence.gang_ran = true;
  EXPECT_EQ(ConcludeGang(evidence).kind, Kind::kRunning);
  evidence.view.is_gone = true;
  const GangConclusion end = ConcludeGang(evidence);
  EXPECT_TRUE(end.stopped_by_request);
  EXPECT_EQ(end.ends[*end.deciding].signal, SIGTERM);
}

TEST(GangConclusionTest, WhatWasNotMadeSaysSo) {
  GangEvidence evidence = Evidence({});
  evidence.view.stage = GangView::Stage::kRefused;
  evidence.view.words = "no such namespace (404)";
  EXPECT_TRUE(ConcludeGang(evidence).launch_failed);
  EXPECT_EQ(ConcludeGang(evidence).message,
            "Kubernetes refused its job: no such namespace (404)");
  evidence.view.stage = GangView::Stage::kRevoked;
  EXPECT_EQ(ConcludeGang(evidence).kind, Kind::kNeverStarted);
  evidence.is_killed = true;
  EXPECT_TRUE(ConcludeGang(evidence).stopped_by_request);
}

TEST(GangConclusionTest, TellsWhatAGangWaitsFor) {
  GangEvidence evidence = Evidence({});
  evidence.view.warning = "FailedCreate: exceeded quota: lab";
  EXPECT_EQ(DescribeGangWait(evidence.view),
            "in Kubernetes, which makes its pods: FailedCreate: exceeded "
            "quota: lab");
  evidence.view.primary->name = "g";
  evidence.view.primary->is_suspended = true;
  EXPECT_EQ(DescribeGangWait(evidence.view),
            "in Kubernetes as g, suspended: its queue has no room yet");
  ObservedPod pod;
  pod.unscheduled_reason = "Unschedulable";
  pod.unscheduled_message = "0/2 nodes";
  evidence.view.pods = {pod};
  EXPECT_EQ(DescribeGangWait(evidence.view),
            "waiting for a node: Unschedulable (0/2 nodes)");
}

TEST(GangConclusionTest, ExitCodesOf128AndMoreAreSignals) {
  EXPECT_EQ(EndFromExitCode(143).signal, SIGTERM);
  EXPECT_EQ(EndFromExitCode(128).exit_code, 128);
  EXPECT_EQ(EndFromExitCode(193).exit_code, 193);
  EXPECT_EQ(EndFromExitCode(3).exit_code, 3);
}

}  // namespace
}  // namespace vernier
