#include "trials/jobs/attempt_verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

using Kind = AttemptObservation::Kind;

std::optional<FinalMeasurement> FinalOfFirst(JobRef job) {
  MoveTrial move{};
  SelectFinal(job, job->trials.Get(TrialId{1}), &move);
  return move.final_measurement;
}

class AttemptVerdictTest : public testing::Test {
 protected:
  AttemptVerdict Judge(const AttemptObservation& seen) {
    return JudgeAttempt(study_.Job(), study_.Build().trials.Get(TrialId{1}),
                        seen);
  }
  AttemptObservation EndedBySignal(int signal) {
    AttemptObservation seen = Exited(study_.KeyOf(1), 0);
    seen.exit_code.reset();
    seen.signal = signal;
    return seen;
  }
  static void GiveValue(TrialRecord* trial) {
    trial->objective.last = FinalMeasurement{3, 0.25};
    trial->objective.best = FinalMeasurement{2, 0.125};
    trial->objective.finite_count = 2;
  }

  StudyBuilder study_ = StudyBuilder(TuningSpec(10, 2)).Active();
};

TEST_F(AttemptVerdictTest, ExitZeroWithValueIsSuccess) {
  study_.With(GiveValue);
  const AttemptVerdict verdict = Judge(Exited(study_.KeyOf(1), 0));
  EXPECT_EQ(verdict.cause, TrialEndCause::kSuccess);
  EXPECT_EQ(verdict.trial_event, TrialEvent::kReportFinal);
  EXPECT_EQ(verdict.attempt_event, AttemptEvent::kExit);
}

TEST_F(AttemptVerdictTest, ExitZeroWithoutMetricIsSuccessAndNamesWhatWasSeen) {
  study_.With([](TrialRecord* trial) { trial->metrics_seen = {{"acc"}}; });
  const AttemptVerdict verdict = Judge(Exited(study_.KeyOf(1), 0));
  EXPECT_EQ(verdict.cause, TrialEndCause::kNoMetric);
  EXPECT_EQ(verdict.trial_event, TrialEvent::kReportFinal);
  EXPECT_EQ(verdict.message,
            "the program ended well but reported no value of the metric "
            "\"loss\"; it reported: \"acc\" (REPORT)");
}

TEST_F(AttemptVerdictTest, ExitZeroWithoutAnyReportShowsTheLog) {
  EXPECT_EQ(Judge(Exited(study_.KeyOf(1), 0)).message,
            "the program ended well but reported no value of the metric "
            "\"loss\"; it reported no metric at all. The last lines of its "
            "log:\nsaid so");
  study_.With(GiveValue);
  EXPECT_EQ(Judge(Exited(study_.KeyOf(1), 0)).message, "");
}

void EndInNan(TrialRecord* trial) {
  trial->objective.not_finite_count = 1;
  trial->objective.not_finite_last = {12, std::nan(""), 1, {}};
}

TEST_F(AttemptVerdictTest, ATrainingThatEndsInNanIsInfeasible) {
  study_.With(EndInNan);
  for (const bool has_finite_values : {false, true}) {
    if (has_finite_values) study_.With(GiveValue);
    const AttemptVerdict verdict = Judge(Exited(study_.KeyOf(1), 0));
    EXPECT_EQ(verdict.cause, TrialEndCause::kNotFinite);
    EXPECT_EQ(verdict.trial_event, TrialEvent::kReportInfeasible);
    EXPECT_EQ(verdict.message, "its last value of loss was nan at step 12");
  }
  // That it was to be stopped makes it no better.
  study_.With([](TrialRecord* trial) {
    trial->state = TrialState::kStopping;
    trial->attempts.back().kill_wanted = true;
    trial->attempts.back().kill_cause = TrialEndCause::kStoppedEarly;
  });
  EXPECT_EQ(Judge(Exited(study_.KeyOf(1), 0)).trial_event,
            TrialEvent::kReportInfeasible);
  AttemptObservation killed = Exited(study_.KeyOf(1), 0);
  killed.stopped_by_request = true;
  EXPECT_EQ(Judge(killed).cause, TrialEndCause::kStoppedEarly);
  EXPECT_EQ(FinalOfFirst(study_.Job()), std::nullopt);
}

TEST_F(AttemptVerdictTest, AJobMayIgnoreValuesThatAreNotFinite) {
  for (const ObjectiveReduction reduction :
       {ObjectiveReduction::kLast, ObjectiveReduction::kBest}) {
    JobSpec spec = TuningSpec(10, 2);
    spec.vernier.objective_reduction = reduction;
    const auto judge = [&](const auto& reported) {
      StudyBuilder study = StudyBuilder(spec).Active().With(EndInNan);
      study.With(reported);
      return JudgeAttempt(study.Job(), study.Build().trials.Get(TrialId{1}),
                          Exited(study.KeyOf(1), 0));
    };
    EXPECT_EQ(judge(GiveValue).cause, TrialEndCause::kNotFinite);
    spec.vernier.not_finite_end = NotFiniteEnd::kIgnore;
    EXPECT_EQ(judge(GiveValue).cause, TrialEndCause::kSuccess);
    // Then nothing is left.
    EXPECT_EQ(judge([](TrialRecord*) {}).cause, TrialEndCause::kNotFinite);
  }
}

// The last value may be among the output that the full disk had no room for.
TEST_F(AttemptVerdictTest, AHoleInTheOutputThatTheValueCameByIsNoSuccess) {
  AttemptObservation seen = Exited(study_.KeyOf(1), 0);
  seen.lost_output = 37;
  const auto by = [&](std::optional<MetricRoad> road) {
    study_.With([&](TrialRecord* trial) {
      trial->objective = {};
      if (road.has_value()) GiveValue(trial);
      trial->objective.road = road;
    });
    return Judge(seen);
  };
  EXPECT_EQ(by(MetricRoad::kReport).cause, TrialEndCause::kSuccess);
  EXPECT_EQ(by(MetricRoad::kStdout).cause, TrialEndCause::kInfrastructure);
  EXPECT_EQ(by(MetricRoad::kStdout).trial_event, std::nullopt)
      << "it is tried again";
  EXPECT_EQ(by(MetricRoad::kStdout).message,
            "It ended well, but there was no room for 37 bytes of its output, "
            "and values of loss may have been among them. That is no fault of "
            "the trial.");
  EXPECT_EQ(by(std::nullopt).cause, TrialEndCause::kInfrastructure);
  JobSpec deaf = TuningSpec(10, 2);
  deaf.vernier.metric_sources = {MetricSourceKind::kReport};
  study_ = StudyBuilder(deaf).Active();
  EXPECT_EQ(by(std::nullopt).cause, TrialEndCause::kNoMetric);
  study_ = StudyBuilder(PlainSpec()).Active();
  EXPECT_EQ(by(std::nullopt).cause, TrialEndCause::kSuccess);
}

TEST_F(AttemptVerdictTest, NeitherIsAFullDiskOfTheFileThatTheValueCameBy) {
  AttemptObservation seen = Exited(study_.KeyOf(1), 0);
  seen.full_disk = "VERNIER_METRICS";
  const auto by = [&](MetricRoad road) {
    study_.With([&](TrialRecord* trial) {
      trial->objective = {};
      GiveValue(trial);
      trial->objective.road = road;
    });
    return Judge(seen);
  };
  EXPECT_EQ(by(MetricRoad::kReport).cause, TrialEndCause::kSuccess);
  EXPECT_EQ(by(MetricRoad::kStdout).cause, TrialEndCause::kSuccess);
  for (const MetricRoad road :
       {MetricRoad::kMetricFile, MetricRoad::kHypertuneFile,
        MetricRoad::kEvents}) {
    EXPECT_EQ(by(road).cause, TrialEndCause::kInfrastructure);
    EXPECT_EQ(by(road).trial_event, std::nullopt) << "it is tried again";
  }
  EXPECT_EQ(by(MetricRoad::kMetricFile).message,
            "It ended well, but there was no room for more in VERNIER_METRICS, "
            "and values of loss may have been among them. That is no fault of "
            "the trial.");
}

// An older value than the program's last is never one without a word.
TEST_F(AttemptVerdictTest, SaysThatALaterValueCouldNotBeRead) {
  AttemptObservation seen = Exited(study_.KeyOf(1), 0);
  seen.later_misses = {{"other", MetricRoad::kStdout, "line 1"},
                       {"loss", MetricRoad::kStdout, "line 2"}};
  const auto by = [&](MetricRoad road) {
    study_.With([&](TrialRecord* trial) {
      trial->objective = {};
      GiveValue(trial);
      trial->objective.road = road;
    });
    return Judge(seen);
  };
  EXPECT_EQ(by(MetricRoad::kStdout).cause, TrialEndCause::kSuccess);
  EXPECT_EQ(by(MetricRoad::kStdout).message,
            "its value of loss is an earlier one, since what came later could "
            "not be read: line 2");
  EXPECT_EQ(by(MetricRoad::kReport).message, "");
}

// As a client that tells its trial "stopped".
TEST_F(AttemptVerdictTest, AProgramThatStopsItselfIsStoppedEarly) {
  const AttemptObservation seen = Exited(study_.KeyOf(1), kStoppedStatus);
  AttemptVerdict verdict = Judge(seen);
  EXPECT_EQ(verdict.cause, TrialEndCause::kInfeasible);
  EXPECT_EQ(verdict.trial_event, TrialEvent::kReportInfeasible);
  EXPECT_EQ(verdict.message,
            "its program stopped it before it reported a value");
  study_.With(GiveValue);
  verdict = Judge(seen);
  EXPECT_EQ(verdict.cause, TrialEndCause::kStoppedEarly);
  EXPECT_EQ(verdict.trial_event, TrialEvent::kConfirmStop);
  EXPECT_EQ(verdict.message, "its program stopped it early");
}

TEST_F(AttemptVerdictTest, ExitCodesMeanWhatTheyDo) {
  const struct {
    int exit_code;
    TrialEndCause cause;
    bool ends;
  } kCases[] = {
      {1, TrialEndCause::kUserError, true},
      {78, TrialEndCause::kInfeasible, true},
      {75, TrialEndCause::kInfrastructure, false},
      {134, TrialEndCause::kTransient, false},
      {139, TrialEndCause::kTransient, false},
  };
  for (const auto& one : kCases) {
    const AttemptVerdict verdict =
        Judge(Exited(study_.KeyOf(1), one.exit_code));
    EXPECT_EQ(verdict.cause, one.cause) << one.exit_code;
    EXPECT_EQ(verdict.trial_event.has_value(), one.ends) << one.exit_code;
  }
}

TEST_F(AttemptVerdictTest, TheEvidenceStandsBehindWhoEndedHow) {
  AttemptObservation seen = Exited(study_.KeyOf(1), 1);
  seen.message =
      "The replica master 0 exited with a non-zero status of 1.\nT\n";
  seen.log_tail = "before\nOSError: [Errno 28] No space left on device\nT\n";
  const AttemptVerdict verdict = Judge(seen);
  EXPECT_EQ(verdict.cause, TrialEndCause::kInfrastructure);
  EXPECT_EQ(verdict.message,
            "The replica master 0 exited with a non-zero status of 1. A disk "
            "is full; its log says: OSError: [Errno 28] No space left on "
            "device.\nT\n");
}

TEST_F(AttemptVerdictTest, TheJobsRulesDecide) {
  const auto judge = [](EndAction action, int exit_code) {
    JobSpec spec = TuningSpec(10, 2);
    EndRule rule;
    rule.exit_codes = {exit_code};
    rule.action = action;
    spec.vernier.end_rules = {rule};
    StudyBuilder study = StudyBuilder(spec).Active().With(GiveValue);
    return JudgeAttempt(study.Job(), study.Build().trials.Get(TrialId{1}),
                        Exited(study.KeyOf(1), exit_code));
  };
  EXPECT_EQ(judge(EndAction::kSucceed, 1).cause, TrialEndCause::kSuccess);
  EXPECT_EQ(judge(EndAction::kSucceed, 1).trial_event,
            TrialEvent::kReportFinal);
  EXPECT_EQ(judge(EndAction::kInfeasible, 0).cause, TrialEndCause::kInfeasible);
  EXPECT_EQ(judge(EndAction::kInfeasible, 0).trial_event,
            TrialEvent::kReportInfeasible);
  EXPECT_EQ(judge(EndAction::kOutOfMemory, 9).cause,
            TrialEndCause::kOutOfMemory);
  // Not what the built-in rule says.
  EXPECT_EQ(judge(EndAction::kFail, 75).cause, TrialEndCause::kUserError);
  EXPECT_EQ(judge(EndAction::kFail, 75).trial_event, TrialEvent::kGiveUp);
  EXPECT_EQ(judge(EndAction::kRetry, 9).cause, TrialEndCause::kTransient);
  EXPECT_EQ(judge(EndAction::kRetry, 9).trial_event, std::nullopt);
  EXPECT_EQ(judge(EndAction::kInfrastructure, 9).cause,
            TrialEndCause::kInfrastructure);
  const AttemptVerdict paused = judge(EndAction::kPause, 9);
  EXPECT_EQ(paused.trial_event, std::nullopt);
  EXPECT_EQ(paused.pause,
            "paused by vernier.endRules[0], since trial 1 ended so: said so It "
            "is one of vernier.endRules[0].");
}

TEST_F(AttemptVerdictTest, ACrashThatIsTheProgramsFaultUsesUpItsRetries) {
  JobSpec spec = TuningSpec(10, 2);
  EndRule rule;
  rule.signals = {SIGSEGV};
  rule.action = EndAction::kFail;
  spec.vernier.end_rules = {rule};
  spec.vernier.retry.max_user_error_retries = 1;
  StudyBuilder study = StudyBuilder(spec).Active();
  const auto judge = [&] {
    return JudgeAttempt(study.Job(), study.Build().trials.Get(TrialId{1}),
                        EndedBySignal(SIGSEGV));
  };
  EXPECT_EQ(judge().trial_event, std::nullopt);
  study.With([](TrialRecord* trial) {
    AttemptRecord& crashed = trial->attempts.back();
    crashed.state = AttemptState::kExited;
    crashed.end_cause = TrialEndCause::kUserError;
    crashed.signal = SIGSEGV;
    trial->attempts.push_back(StudyBuilder::Attempt(2, AttemptState::kRunning));
  });
  EXPECT_EQ(judge().trial_event, TrialEvent::kGiveUp);
}

TEST_F(AttemptVerdictTest, TransientFaultsOfEarlierReleasesCount) {
  study_.With([](TrialRecord* trial) {
    trial->attempts.clear();
    for (int number = 1; number <= 3; ++number) {
      AttemptRecord crashed =
          StudyBuilder::Attempt(number, AttemptState::kExited);
      crashed.end_cause = TrialEndCause::kUserError;
      crashed.signal = SIGSEGV;
      trial->attempts.push_back(crashed);
    }
    trial->attempts.push_back(StudyBuilder::Attempt(4, AttemptState::kRunning));
  });
  const AttemptVerdict verdict = Judge(EndedBySignal(SIGSEGV));
  EXPECT_EQ(verdict.trial_event, TrialEvent::kGiveUp);
  EXPECT_EQ(TrialCause(verdict.cause), TrialEndCause::kUserError);
}

TEST_F(AttemptVerdictTest, APreemptedTrialStartsAgain) {
  study_.With([](TrialRecord* trial) {
    trial->attempts.back().kill_wanted = true;
    trial->attempts.back().kill_cause = TrialEndCause::kPreempted;
  });
  // It wrote its checkpoint and ended well.
  AttemptObservation seen = Exited(study_.KeyOf(1), 0);
  seen.stopped_by_request = true;
  EXPECT_EQ(Judge(seen).trial_event, std::nullopt);
  EXPECT_EQ(Judge(seen).cause, TrialEndCause::kPreempted);
  EXPECT_EQ(Judge(seen).attempt_event, AttemptEvent::kKill);
  // It is cancelled with its job meanwhile, or a user stops it.
  study_.With([](TrialRecord* trial) { trial->state = TrialState::kStopping; });
  EXPECT_EQ(Judge(seen).trial_event, TrialEvent::kConfirmStop);
  EXPECT_EQ(Judge(seen).cause, TrialEndCause::kCancelled);
  study_.With(
      [](TrialRecord* trial) { trial->message = kStoppedByUserReason; });
  EXPECT_EQ(Judge(seen).cause, TrialEndCause::kStoppedByUser);
}

TEST_F(AttemptVerdictTest, SignalsFromOutsideAreTheMachinesFault) {
  EXPECT_EQ(Judge(EndedBySignal(SIGKILL)).cause,
            TrialEndCause::kInfrastructure);
  EXPECT_EQ(Judge(EndedBySignal(SIGTERM)).cause,
            TrialEndCause::kInfrastructure);
  EXPECT_EQ(Judge(EndedBySignal(SIGBUS)).cause, TrialEndCause::kUserError);
  EXPECT_TRUE(Judge(EndedBySignal(SIGBUS)).trial_event.has_value());
  // Transient by AI Platform's rule.
  EXPECT_FALSE(Judge(EndedBySignal(SIGSEGV)).trial_event.has_value());
}

TEST_F(AttemptVerdictTest, GivesUpATrialThatNeverStarts) {
  int earlier = 18;
  const auto with_attempts = [&](TrialRecord* trial) {
    trial->attempts.clear();
    for (int number = 1; number <= earlier; ++number) {
      AttemptRecord lost = StudyBuilder::Attempt(number, AttemptState::kLost);
      lost.end_cause = TrialEndCause::kInfrastructure;
      lost.running_at.reset();
      trial->attempts.push_back(lost);
    }
    trial->attempts.push_back(
        StudyBuilder::Attempt(earlier + 1, AttemptState::kIntended));
  };
  study_.With(with_attempts);
  AttemptObservation seen;
  seen.attempt = study_.KeyOf(1);
  for (const Kind kind : {Kind::kNeverStarted, Kind::kLost}) {
    seen.kind = kind;
    EXPECT_FALSE(Judge(seen).trial_event.has_value());
  }
  earlier = 19;
  study_.With(with_attempts);
  for (const Kind kind : {Kind::kNeverStarted, Kind::kLost}) {
    seen.kind = kind;
    EXPECT_EQ(Judge(seen).trial_event, TrialEvent::kGiveUp);
    EXPECT_NE(Judge(seen).message.find("; so did the 19 before it"),
              std::string::npos);
  }
}

TEST_F(AttemptVerdictTest, RetriesEndAfterTheAllowedNumber) {
  study_.With([](TrialRecord* trial) {
    trial->attempts.clear();
    for (int number = 1; number <= 3; ++number) {
      AttemptRecord lost = StudyBuilder::Attempt(number, AttemptState::kExited);
      lost.end_cause = TrialEndCause::kInfrastructure;
      trial->attempts.push_back(lost);
    }
    trial->attempts.push_back(StudyBuilder::Attempt(4, AttemptState::kRunning));
  });
  AttemptObservation lost;
  lost.attempt = study_.KeyOf(1);
  lost.kind = Kind::kLost;
  EXPECT_EQ(Judge(lost).trial_event, TrialEvent::kGiveUp);
  EXPECT_EQ(Judge(lost).attempt_event, AttemptEvent::kLose);
  // Another kind of fault has retries of its own.
  EXPECT_FALSE(Judge(EndedBySignal(SIGSEGV)).trial_event.has_value());
}

TEST_F(AttemptVerdictTest, AnEngineThatPreemptsCostsNoRetry) {
  study_.With([](TrialRecord* trial) {
    trial->attempts.clear();
    for (int number = 1; number <= 9; ++number) {
      AttemptRecord lost = StudyBuilder::Attempt(number, AttemptState::kLost);
      lost.end_cause = TrialEndCause::kPreempted;
      trial->attempts.push_back(lost);
    }
    trial->attempts.push_back(
        StudyBuilder::Attempt(10, AttemptState::kRunning));
  });
  AttemptObservation lost;
  lost.attempt = study_.KeyOf(1);
  lost.kind = Kind::kLost;
  lost.engine_end = EngineEnd::kPreempted;
  lost.message = "Slurm ended job 17 on n2 as PREEMPTED.";
  EXPECT_EQ(Judge(lost).cause, TrialEndCause::kPreempted);
  EXPECT_EQ(Judge(lost).trial_event, std::nullopt);
  EXPECT_EQ(Judge(lost).message, lost.message);
}

TEST_F(AttemptVerdictTest, AnEnginesTimeLimitEndsTheTrial) {
  AttemptObservation lost;
  lost.attempt = study_.KeyOf(1);
  lost.kind = Kind::kLost;
  lost.engine_end = EngineEnd::kTimeLimit;
  EXPECT_EQ(Judge(lost).cause, TrialEndCause::kTimeLimit);
  EXPECT_EQ(Judge(lost).trial_event, TrialEvent::kGiveUp);
}

TEST_F(AttemptVerdictTest, AnEnginesFaultIsInfrastructureInItsWordsAndOurs) {
  const std::pair<EngineEnd, std::string> kCases[] = {
      {EngineEnd::kNodeFailed,
       "It ended. The machine was lost; that is no fault of the trial."},
      {EngineEnd::kEvicted,
       "It ended. Its machine lacked memory or disk space, or was drained; "
       "that "
       "is no fault of the trial."},
      {EngineEnd::kImagePull,
       "It ended. The image may be there later, so it is tried again."},
      {EngineEnd::kUnknown, "It ended."}};
  for (const auto& [end, message] : kCases) {
    AttemptObservation lost;
    lost.attempt = study_.KeyOf(1);
    lost.kind = Kind::kLost;
    lost.engine_end = end;
    lost.message = "It ended.";
    EXPECT_EQ(Judge(lost).cause, TrialEndCause::kInfrastructure);
    EXPECT_EQ(Judge(lost).trial_event, std::nullopt);
    EXPECT_EQ(Judge(lost).message, message);
  }
}

TEST_F(AttemptVerdictTest, AnAttemptThatNeverStartedCostsNoRetry) {
  study_.With([](TrialRecord* trial) {
    trial->attempts.clear();
    for (int number = 1; number <= 9; ++number) {
      AttemptRecord lost = StudyBuilder::Attempt(number, AttemptState::kLost);
      lost.end_cause = TrialEndCause::kInfrastructure;
      trial->attempts.push_back(lost);
    }
    trial->attempts.push_back(
        StudyBuilder::Attempt(10, AttemptState::kIntended));
  });
  AttemptObservation never;
  never.attempt = study_.KeyOf(1);
  never.kind = Kind::kNeverStarted;
  EXPECT_FALSE(Judge(never).trial_event.has_value());
  never.kind = Kind::kLost;
  EXPECT_FALSE(Judge(never).trial_event.has_value());
}

TEST_F(AttemptVerdictTest, AResultThatRacesWithTheStopIsKept) {
  StudyBuilder study = StudyBuilder(TuningSpec(10, 2)).Stopping();
  study.With(GiveValue);
  const auto judge = [&](const AttemptObservation& seen) {
    return JudgeAttempt(study.Job(), study.Build().trials.Get(TrialId{1}),
                        seen);
  };
  AttemptObservation seen = Exited(study.KeyOf(1), 0);
  EXPECT_EQ(judge(seen).trial_event, TrialEvent::kReportFinal);
  EXPECT_EQ(judge(seen).cause, TrialEndCause::kSuccess);
  seen.stopped_by_request = true;
  EXPECT_EQ(judge(seen).trial_event, TrialEvent::kConfirmStop);
  EXPECT_EQ(judge(seen).cause, TrialEndCause::kCancelled);
  EXPECT_EQ(judge(seen).attempt_event, AttemptEvent::kKill);
}

TEST_F(AttemptVerdictTest, WhatEndsBeforeAnEarlyStopReachesItIsJudgedByItself) {
  StudyBuilder study =
      StudyBuilder(TuningSpec(10, 2)).Stopping(TrialEndCause::kStoppedEarly);
  study.With(GiveValue);
  const struct {
    int exit_code;
    bool stopped_by_request;
    TrialEvent event;
    TrialEndCause cause;
  } kCases[] = {
      {0, false, TrialEvent::kReportFinal, TrialEndCause::kSuccess},
      // A program that catches SIGTERM and ends well has not finished.
      {0, true, TrialEvent::kConfirmStop, TrialEndCause::kStoppedEarly},
      // Failing at the last moment does not make a stop a failure.
      {1, false, TrialEvent::kConfirmStop, TrialEndCause::kStoppedEarly},
      {1, true, TrialEvent::kConfirmStop, TrialEndCause::kStoppedEarly},
      {75, false, TrialEvent::kConfirmStop, TrialEndCause::kStoppedEarly},
      {78, false, TrialEvent::kConfirmStop, TrialEndCause::kStoppedEarly},
  };
  for (const auto& one : kCases) {
    AttemptObservation seen = Exited(study.KeyOf(1), one.exit_code);
    seen.stopped_by_request = one.stopped_by_request;
    const AttemptVerdict verdict =
        JudgeAttempt(study.Job(), study.Build().trials.Get(TrialId{1}), seen);
    EXPECT_EQ(verdict.trial_event, one.event) << one.exit_code;
    EXPECT_EQ(verdict.cause, one.cause) << one.exit_code;
  }
}

TEST_F(AttemptVerdictTest, ALostAttemptOfAStoppingTrialIsNotRetried) {
  StudyBuilder study = StudyBuilder(TuningSpec(10, 2)).Stopping();
  AttemptObservation lost;
  lost.attempt = study.KeyOf(1);
  lost.kind = Kind::kLost;
  const AttemptVerdict verdict =
      JudgeAttempt(study.Job(), study.Build().trials.Get(TrialId{1}), lost);
  EXPECT_EQ(verdict.trial_event, TrialEvent::kConfirmStop);
  EXPECT_EQ(verdict.cause, TrialEndCause::kCancelled);
}

// However it ends meanwhile: it runs what its job does not want any more.
TEST_F(AttemptVerdictTest,
       ARestartedAttemptIsLaunchedAgainAndCountsForNothing) {
  study_.With([](TrialRecord* trial) {
    trial->attempts.back().kill_wanted = true;
    trial->attempts.back().kill_cause = TrialEndCause::kCancelled;
  });
  AttemptObservation killed = EndedBySignal(SIGTERM);
  killed.stopped_by_request = true;
  AttemptObservation lost;
  lost.attempt = study_.KeyOf(1);
  lost.kind = Kind::kLost;
  AttemptObservation never = lost;
  never.kind = Kind::kNeverStarted;
  const struct {
    AttemptObservation seen;
    AttemptEvent event;
  } kCases[] = {{killed, AttemptEvent::kKill},
                {Exited(study_.KeyOf(1), 1), AttemptEvent::kExit},
                {Exited(study_.KeyOf(1), 78), AttemptEvent::kExit},
                {lost, AttemptEvent::kLose},
                {never, AttemptEvent::kLose}};
  for (const auto& each : kCases) {
    const AttemptVerdict verdict = Judge(each.seen);
    EXPECT_EQ(verdict.trial_event, std::nullopt);
    EXPECT_EQ(verdict.cause, TrialEndCause::kCancelled);
    EXPECT_EQ(verdict.attempt_event, each.event);
  }
  study_.With(GiveValue);
  EXPECT_EQ(Judge(Exited(study_.KeyOf(1), 0)).cause, TrialEndCause::kSuccess)
      << "a result is worth keeping";
}

TEST_F(AttemptVerdictTest, ATimeLimitFailsTheTrial) {
  study_.With([](TrialRecord* trial) {
    trial->attempts.back().kill_wanted = true;
    trial->attempts.back().kill_cause = TrialEndCause::kTimeLimit;
  });
  AttemptObservation seen = EndedBySignal(SIGTERM);
  seen.stopped_by_request = true;
  EXPECT_EQ(Judge(seen).trial_event, TrialEvent::kGiveUp);
  EXPECT_EQ(Judge(seen).cause, TrialEndCause::kTimeLimit);
}

TEST_F(AttemptVerdictTest, OutOfMemoryAndLaunchFailuresAreNotRetried) {
  AttemptObservation seen = EndedBySignal(SIGKILL);
  seen.out_of_memory = true;
  EXPECT_EQ(Judge(seen).trial_event, TrialEvent::kReportInfeasible);
  EXPECT_EQ(Judge(seen).cause, TrialEndCause::kOutOfMemory);
  AttemptObservation failed = Exited(study_.KeyOf(1), 127);
  failed.launch_failed = true;
  EXPECT_EQ(Judge(failed).trial_event, TrialEvent::kGiveUp);
  EXPECT_EQ(Judge(failed).cause, TrialEndCause::kLaunchFailed);
}

TEST_F(AttemptVerdictTest, TheReductionChoosesLastOrBest) {
  study_.With(GiveValue);
  EXPECT_EQ(FinalOfFirst(study_.Job()), (FinalMeasurement{3, 0.25}));
  JobSpec spec = TuningSpec(10, 2);
  spec.vernier.objective_reduction = ObjectiveReduction::kBest;
  StudyBuilder best = StudyBuilder(spec).Active().With(GiveValue);
  EXPECT_EQ(FinalOfFirst(best.Job()), (FinalMeasurement{2, 0.125}));
}

JobSpec SpecOfTwoMetrics() {
  JobSpec spec = TuningSpec(10, 2);
  const HyperparameterSpec& tuning = *spec.training_input.hyperparameters;
  spec.vernier.objectives = {{tuning.metric_tag, tuning.goal},
                             {"latency", Goal::kMinimize}};
  spec.vernier.metric_constraints = {{"memory", std::nullopt, 4e9}};
  return spec;
}

TEST_F(AttemptVerdictTest, ATrialNeedsAValueOfEachMetricOfItsStudy) {
  StudyBuilder study = StudyBuilder(SpecOfTwoMetrics()).Active();
  const auto judge = [&](const std::function<void(TrialRecord*)>& edit) {
    study.With([&](TrialRecord* trial) {
      trial->objective = {};
      trial->others.clear();
      GiveValue(trial);
      edit(trial);
    });
    return JudgeAttempt(study.Job(), study.Build().trials.Get(TrialId{1}),
                        Exited(study.KeyOf(1), 0));
  };
  const auto give = [](TrialRecord* trial, const char* metric, double value) {
    MetricSummary& summary = trial->others[metric];
    summary.last = FinalMeasurement{4, value};
    summary.finite_count = 1;
  };
  const AttemptVerdict without = judge([](TrialRecord*) {});
  EXPECT_EQ(without.cause, TrialEndCause::kNoMetric);
  EXPECT_NE(without.message.find("\"latency\""), std::string::npos);
  EXPECT_EQ(
      judge([&](TrialRecord* trial) { give(trial, "latency", 20); }).cause,
      TrialEndCause::kNoMetric);
  const AttemptVerdict not_finite = judge([&](TrialRecord* trial) {
    give(trial, "latency", 20);
    give(trial, "memory", 1e9);
    trial->others["memory"].not_finite_last =
        MetricSummary::NotFinite{5, INFINITY, 1, Timestamp{}};
    trial->others["memory"].not_finite_count = 1;
  });
  EXPECT_EQ(not_finite.cause, TrialEndCause::kNotFinite);
  EXPECT_EQ(not_finite.message, "its last value of memory was inf at step 5");
  EXPECT_EQ(judge([&](TrialRecord* trial) {
              give(trial, "latency", 20);
              give(trial, "memory", 1e9);
            }).cause,
            TrialEndCause::kSuccess);
  MoveTrial move{};
  SelectFinal(study.Job(), study.Build().trials.Get(TrialId{1}), &move);
  EXPECT_EQ(move.final_measurement, (FinalMeasurement{3, 0.25}));
  ASSERT_TRUE(move.final_report.has_value());
  EXPECT_EQ(move.final_report->step, 4);
  EXPECT_EQ(move.final_report->metrics,
            (std::vector<MetricValue>{
                {SpecOfTwoMetrics().vernier.objectives.front().name, 0.25},
                {"latency", 20},
                {"memory", 1e9}}));
}

}  // namespace
}  // namespace vernier
