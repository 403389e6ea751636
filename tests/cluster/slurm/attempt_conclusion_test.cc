#include "cluster/slurm/attempt_conclusion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vernier {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Kind = AttemptObservation::Kind;
using Stage = JobView::Stage;

AttemptEvidence Ended(SlurmState state, const std::string& word,
                      JobClaim::Kind claim = JobClaim::Kind::kHeld) {
  AttemptEvidence evidence;
  evidence.job.knowledge.job = {17, state, word, "", "n2"};
  evidence.claim = claim;
  evidence.gang_ran = claim == JobClaim::Kind::kHeld;
  return evidence;
}

AttemptEvidence Gone(JobClaim::Kind claim) {
  AttemptEvidence evidence;
  evidence.job.knowledge.is_gone = true;
  evidence.job.knowledge.is_accounted = true;
  evidence.claim = claim;
  return evidence;
}

TEST(AttemptConclusionTest, AnEndByTheEngineIsLostInItsOwnWords) {
  const struct {
    SlurmState state;
    const char* word;
    EngineEnd end;
  } kCases[] = {
      {SlurmState::kNodeFailed, "NODE_FAIL", EngineEnd::kNodeFailed},
      {SlurmState::kPreempted, "PREEMPTED", EngineEnd::kPreempted},
      {SlurmState::kTimeLimit, "TIMEOUT", EngineEnd::kTimeLimit},
      {SlurmState::kCancelled, "CANCELLED", EngineEnd::kUnknown},
      {SlurmState::kFailed, "FAILED", EngineEnd::kUnknown},
  };
  for (const auto& test : kCases) {
    const auto observation = Conclude(Ended(test.state, test.word)).observation;
    EXPECT_EQ(observation.kind, Kind::kLost) << test.word;
    EXPECT_EQ(observation.engine_end, test.end) << test.word;
    EXPECT_EQ(observation.message,
              std::string("Slurm ended job 17 on n2 as ") + test.word + ".");
  }
}

TEST(AttemptConclusionTest, AGangThatEndsWhilePreemptedWasPreempted) {
  AttemptEvidence evidence = Ended(SlurmState::kFailed, "FAILED");
  evidence.preempted_at = "2026-11-23T23:38:59";
  const auto observation = Conclude(evidence).observation;
  EXPECT_EQ(observation.kind, Kind::kLost);
  EXPECT_EQ(observation.engine_end, EngineEnd::kPreempted);
  EXPECT_EQ(observation.message,
            "Slurm preempted its job at 2026-11-23T23:38:59. Slurm ended job "
            "17 on n2 as FAILED.");
}

TEST(AttemptConclusionTest, MemoryIsTheParametersFault) {
  const auto observation =
      Conclude(Ended(SlurmState::kOutOfMemory, "OUT_OF_MEMORY")).observation;
  EXPECT_EQ(observation.kind, Kind::kEnded);
  EXPECT_TRUE(observation.out_of_memory);
}

TEST(AttemptConclusionTest, WhatWasToEndHasEndedOnRequest) {
  for (const auto claim : {JobClaim::Kind::kHeld, JobClaim::Kind::kNone,
                           JobClaim::Kind::kRevoked}) {
    AttemptEvidence evidence =
        Ended(SlurmState::kCancelled, "CANCELLED", claim);
    evidence.is_killed = true;
    const auto conclusion = Conclude(evidence);
    EXPECT_EQ(conclusion.observation.kind, Kind::kEnded);
    EXPECT_TRUE(conclusion.observation.stopped_by_request);
    EXPECT_EQ(conclusion.must_revoke, claim == JobClaim::Kind::kNone);
  }
}

TEST(AttemptConclusionTest, ARefusedJobCouldNotBeLaunched) {
  AttemptEvidence evidence;
  evidence.job.stage = Stage::kRefused;
  evidence.job.words = "invalid partition specified: nope";
  const auto conclusion = Conclude(evidence);
  EXPECT_TRUE(conclusion.must_revoke);
  EXPECT_TRUE(conclusion.observation.launch_failed);
  EXPECT_THAT(conclusion.observation.message,
              HasSubstr("invalid partition specified: nope"));
}

TEST(AttemptConclusionTest, AJobThatNeverCameToBeIsRevoked) {
  const auto conclusion = Conclude(Gone(JobClaim::Kind::kNone));
  EXPECT_TRUE(conclusion.must_revoke);
  EXPECT_EQ(conclusion.observation.kind, Kind::kNeverStarted);
  EXPECT_EQ(Conclude(Gone(JobClaim::Kind::kRevoked)).observation.kind,
            Kind::kNeverStarted);
}

TEST(AttemptConclusionTest, AForgottenJobIsLost) {
  const auto conclusion = Conclude(Gone(JobClaim::Kind::kHeld));
  EXPECT_FALSE(conclusion.must_revoke);
  EXPECT_EQ(conclusion.observation.kind, Kind::kLost);
  EXPECT_EQ(conclusion.observation.message,
            "Slurm does not know its job any more.");
}

TEST(AttemptConclusionTest, NothingIsConcludedTooEarly) {
  AttemptEvidence gone = Gone(JobClaim::Kind::kHeld);
  gone.job.knowledge.is_accounted = false;
  EXPECT_EQ(Conclude(gone).observation.kind, Kind::kStarting);
  AttemptEvidence ended = Ended(SlurmState::kFailed, "FAILED");
  ended.may_have_record = true;
  EXPECT_EQ(Conclude(ended).observation.kind, Kind::kRunning);
}

TEST(AttemptConclusionTest, SaysWhatAJobWaitsFor) {
  JobView job;
  job.knowledge.job = {17, SlurmState::kPending, "PENDING", "Resources", ""};
  EXPECT_EQ(DescribeWait(job),
            "in Slurm's queue as job 17: Resources (the nodes that it needs "
            "are busy)");
  job.knowledge.job->state = SlurmState::kRunning;
  EXPECT_EQ(DescribeWait(job), "being started by Slurm as job 17");
  job = {};
  job.stage = Stage::kWaiting;
  EXPECT_EQ(DescribeWait(job), "waiting to be submitted to Slurm");
  job.words = "AssocMaxSubmitJobLimit";
  EXPECT_THAT(DescribeWait(job), StartsWith("waiting to be submitted to Slurm: "
                                            "Assoc"));
}

}  // namespace
}  // namespace vernier
