#include "trials/jobs/retry_backoff.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

using std::chrono::milliseconds;

TEST(RetryBackoffTest, EachWaitIsTwiceAsLongUpToTheLongest) {
  const RetryBackoff backoff{milliseconds(5000), milliseconds(30000)};
  EXPECT_EQ(BackoffAfter(0, backoff), milliseconds(0));
  EXPECT_EQ(BackoffAfter(1, backoff), milliseconds(5000));
  EXPECT_EQ(BackoffAfter(2, backoff), milliseconds(10000));
  EXPECT_EQ(BackoffAfter(3, backoff), milliseconds(20000));
  EXPECT_EQ(BackoffAfter(4, backoff), milliseconds(30000));
  EXPECT_EQ(BackoffAfter(1000, backoff), milliseconds(30000));
}

AttemptRecord EndedAttempt(TrialEndCause cause) {
  AttemptRecord attempt;
  attempt.state = AttemptState::kExited;
  attempt.end_cause = cause;
  attempt.lasted = std::chrono::seconds(1);
  return attempt;
}

TEST(RetryBackoffTest, OnlyTheLastOnesInARowCount) {
  TrialRecord trial;
  EXPECT_EQ(MachineFailuresInARow(trial), 0);
  trial.attempts = {EndedAttempt(TrialEndCause::kInfrastructure),
                    EndedAttempt(TrialEndCause::kTransient)};
  EXPECT_EQ(MachineFailuresInARow(trial), 0);
  trial.attempts.push_back(EndedAttempt(TrialEndCause::kInfrastructure));
  // One that never ran is no failure, and breaks no row.
  AttemptRecord unstarted = EndedAttempt(TrialEndCause::kInfrastructure);
  unstarted.state = AttemptState::kLost;
  unstarted.lasted = {};
  trial.attempts.push_back(unstarted);
  EXPECT_EQ(MachineFailuresInARow(trial), 1);
  trial.attempts.push_back(EndedAttempt(TrialEndCause::kInfrastructure));
  EXPECT_EQ(MachineFailuresInARow(trial), 2);
}

}  // namespace
}  // namespace vernier
