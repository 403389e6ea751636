#include "study/trial_state.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace vernier {
namespace {

constexpr TrialState kAllTrialStates[] = {
    TrialState::kRequested, TrialState::kActive,  TrialState::kStopping,
    TrialState::kCompleted, TrialState::kStopped, TrialState::kInfeasible,
    TrialState::kFailed};
constexpr TrialEvent kAllTrialEvents[] = {TrialEvent::kLease,
                                          TrialEvent::kRequestStop,
                                          TrialEvent::kConfirmStop,
                                          TrialEvent::kReportFinal,
                                          TrialEvent::kReportInfeasible,
                                          TrialEvent::kGiveUp};

// Spells the legal pairs out a second time, in another form, so that a change
// of the table must be made twice, on purpose.
TEST(TrialStateTest, ExactlyTheseMovesAreLegal) {
  std::string legal;
  for (const TrialState from : kAllTrialStates) {
    for (const TrialEvent event : kAllTrialEvents) {
      if (const auto to = Next(from, event)) {
        legal += std::string(ToString(from)) + ">" +
                 std::string(ToString(*to)) + " ";
      }
    }
  }
  EXPECT_EQ(legal,
            "requested>active requested>stopped "
            "active>stopping active>completed active>infeasible active>failed "
            "stopping>stopped stopping>completed stopping>infeasible "
            "stopping>stopped ");
}

TEST(TrialStateTest, ExactlyTheLastFourStatesAreTerminal) {
  std::string terminal;
  for (const TrialState state : kAllTrialStates) {
    if (IsTerminal(state)) terminal += std::string(ToString(state)) + " ";
  }
  EXPECT_EQ(terminal, "completed stopped infeasible failed ");
}

TEST(TrialStateTest, StoredNumbersAreFixed) {
  int number = 0;
  for (const TrialState state : kAllTrialStates) {
    EXPECT_EQ(static_cast<int>(state), ++number) << ToString(state);
  }
}

TEST(TrialEndCauseTest, EveryCauseHasItsOwnNameAndNumber) {
  std::string names;
  for (int number = 0; number <= static_cast<int>(kLastEndCause); ++number) {
    names += std::string(ToString(static_cast<TrialEndCause>(number))) + " ";
  }
  EXPECT_EQ(names,
            "none success no_metric not_finite infeasible out_of_memory "
            "user_error infrastructure time_limit cancelled stopped_early "
            "launch_failed preempted transient stopped_by_user ");
}

TEST(TrialEndCauseTest, OnlyWhatTheParametersCausedTeaches) {
  std::string teaching;
  for (int number = 0; number <= static_cast<int>(kLastEndCause); ++number) {
    const auto cause = static_cast<TrialEndCause>(number);
    if (TeachesInfeasible(cause))
      teaching += std::string(ToString(cause)) + " ";
  }
  EXPECT_EQ(teaching,
            "no_metric not_finite infeasible out_of_memory user_error "
            "time_limit ");
}

TEST(TrialEndCauseTest, EachLessonIsOfOneKindOfFailure) {
  std::string kinds;
  for (int number = 0; number <= static_cast<int>(kLastEndCause); ++number) {
    const TrialEndLaw& law = LawOf(static_cast<TrialEndCause>(number));
    if (law.failure == FailureKind::kNone) continue;
    kinds +=
        std::string(law.name) + "=" + std::string(ToString(law.failure)) + " ";
  }
  EXPECT_EQ(kinds,
            "no_metric=OTHER not_finite=DIVERGENCE infeasible=OTHER "
            "out_of_memory=OUT_OF_MEMORY user_error=OTHER "
            "time_limit=TIME_LIMIT ");
}

}  // namespace
}  // namespace vernier
