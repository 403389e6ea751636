// What `vernier why` says of each way to wait and of each way to end is in
// golden/why.txt. To accept a change of words, read the difference, and write
// them there by hand.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <string>

#include "tests/support/text_file.h"
#include "tests/trials/study_builder.h"
#include "trials/jobs/attempt_verdict.h"
#include "trials/jobs/explain.h"
#include "trials/jobs/plan.h"

namespace vernier {
namespace {

/// Collects what is said of one situation after the other.
class WhyGoldenTest : public testing::Test {
 protected:
  /// A job with one GPU a trial.
  static JobSpec Spec() {
    JobSpec spec = TuningSpec(9, 2);
    spec.vernier.gpus_per_replica = 1;
    return spec;
  }

  static StudyBuilder Running() {
    StudyBuilder study(Spec());
    study.job().state = JobState::kRunning;
    return study;
  }

  void TellJob(const std::string& title, const StudyBuilder& study,
               const Hindrance& hindrance = {}) {
    text_ += "== " + title + "\n" + ExplainJob(study.Build(), hindrance) + "\n";
  }

  void TellTrial(const std::string& title, StudyBuilder study,
                 const Hindrance& hindrance = {}) {
    study.With([](TrialRecord* trial) { trial->origin.suggester = "DEFAULT"; });
    const StudySnapshot& built = study.Build();
    text_ += "== " + title + "\n" +
             ExplainTrial(built, built.trials.Get(TrialId{1}), hindrance) +
             "\n";
  }

  /// Judges `seen` as the orchestrator does, and tells of the trial after it.
  void TellEnd(const std::string& title, StudyBuilder study,
               AttemptObservation seen) {
    seen.attempt = study.KeyOf(1);
    const AttemptVerdict verdict =
        JudgeAttempt(study.Job(), study.Build().trials.Get(TrialId{1}), seen);
    study.With([&](TrialRecord* trial) {
      AttemptRecord& attempt = trial->attempts.back();
      attempt.state = *Next(attempt.state, verdict.attempt_event);
      attempt.exit_code = seen.exit_code;
      attempt.signal = seen.signal;
      attempt.end_cause = verdict.cause;
      attempt.message = verdict.message;
      attempt.lasted = seen.lasted;
      if (!verdict.trial_event.has_value()) return;
      trial->state = *Next(trial->state, *verdict.trial_event);
      trial->end_cause = TrialCause(verdict.cause);
      if (verdict.cause != TrialEndCause::kStoppedEarly) {
        trial->message = verdict.message;
      }
    });
    TellTrial(title, study);
  }

  /// An end with the status, as a launcher reports it.
  static AttemptObservation End(int exit_code, const std::string& log) {
    AttemptObservation seen = Exited({}, exit_code);
    seen.message =
        exit_code == 0
            ? log
            : "The replica master 0 exited with a non-zero status of " +
                  std::to_string(exit_code) + ". Termination reason: Error.\n" +
                  log;
    seen.log_tail = log;
    return seen;
  }
  static AttemptObservation Signal(int signal, const std::string& name) {
    AttemptObservation seen = Exited({}, 0);
    seen.exit_code.reset();
    seen.signal = signal;
    seen.message = "The replica master 0 exited with a non-zero status of " +
                   std::to_string(signal) + "(" + name +
                   "). Termination reason: Error.";
    return seen;
  }

  void TellJobs() {
    TellJob("a job that was just submitted", StudyBuilder(Spec()));
    TellJob("a job whose trials run", Running().Active());
    TellJob("a job that lacks GPUs", Running(), {});
    TellJob("a job whose project has used up its quota", Running(),
            {"room in the quota of project p1: 4 of 4 parallel trials run", "",
             ""});
    TellJob(
        "a job on a full disk", Running().Active(),
        {"", "", "room on the disk, since nothing can be stored: disk full"});
    {
      StudyBuilder paused = Running();
      paused.job().wanted = JobWanted::kPause;
      paused.job().wanted_reason = "paused by the user";
      paused.Active();
      TellJob("a job that was paused while a trial runs", paused);
    }
    {
      StudyBuilder stopping = Running();
      stopping.job().state = JobState::kCancelling;
      stopping.job().wanted = JobWanted::kStop;
      stopping.job().wanted_reason =
          "it has been running for longer than scheduling.maxRunningTime (1 "
          "min)";
      stopping.Stopping();
      TellJob("a job that has run for too long", stopping);
    }
    TellJob("a job whose trial cannot be launched now",
            Running().Active(AttemptState::kIntended),
            {"", "Slurm cannot be used: there is no sbatch", ""});
  }

  void TellTrialsUnderWay() {
    TellTrial("a trial that is to be launched",
              Running().Active(AttemptState::kIntended));
    TellTrial("a trial that cannot be launched now",
              Running().Active(AttemptState::kIntended),
              {"", "/data/runs/7/1/1: No space left on device", ""});
    TellTrial("a trial that starts",
              Running().Active(AttemptState::kLaunching));
    TellTrial("a trial that runs", Running().Active());
    TellTrial("a trial that is being cancelled", Running().Stopping());
    TellTrial("a trial that is being preempted",
              Running().Active().With([](TrialRecord* trial) {
                trial->attempts.back().kill_wanted = true;
                trial->attempts.back().kill_cause = TrialEndCause::kPreempted;
              }));
  }

  void TellPausedTrials() {
    const std::string pause =
        "ASHA paused it at step 3: of the 9 trials compared at step 3 it is "
        "number 5, with 0.5, and only the best 3 go on.";
    const std::string resume =
        "ASHA resumes it at step 3: of the 15 trials compared at step 3 it is "
        "number 5, with 0.5, and only the best 5 go on.";
    const auto pausing = [&](TrialRecord* trial) {
      AttemptRecord& attempt = trial->attempts.back();
      attempt.kill_wanted = true;
      attempt.kill_cause = TrialEndCause::kStoppedEarly;
      attempt.message = pause;
    };
    const auto paused = [&](TrialRecord* trial) {
      pausing(trial);
      AttemptRecord& attempt = trial->attempts.back();
      attempt.state = AttemptState::kKilled;
      attempt.signal = SIGTERM;
      attempt.end_cause = TrialEndCause::kStoppedEarly;
      attempt.lasted = std::chrono::seconds(90);
    };
    TellTrial("a trial that is being paused", Running().Active().With(pausing));
    TellTrial("a paused trial",
              Running().Active(AttemptState::kKilled).With(paused));
    TellTrial("a trial that was resumed",
              Running().Active().With([&](TrialRecord* trial) {
                paused(trial);
                trial->attempts.push_back(
                    StudyBuilder::Attempt(2, AttemptState::kRunning));
                trial->attempts.back().message = resume;
              }));
    TellJob("a job with a paused trial",
            Running().Active(AttemptState::kKilled).With(paused).Active());
  }

  void TellJobThatHasDoneEnough() {
    JobSpec limited = Spec();
    limited.vernier.limits.max_steps = 100;
    StudyBuilder enough(limited);
    enough.job().state = JobState::kRunning;
    enough.job().wanted_cause = WantedCause::kEnough;
    enough.job().wanted_reason =
        "its trials have trained 104 of 100 steps (vernier.limits.maxSteps)";
    enough.Completed(0.5).Stopping(TrialEndCause::kStoppedEarly);
    TellJob("a job that has done enough while a trial runs", enough);
  }

  void TellEndsOfPrograms() {
    const auto reported = [](TrialRecord* trial) {
      trial->objective.last = trial->objective.best = FinalMeasurement{3, 0.25};
      trial->objective.finite_count = 1;
    };
    const StudyBuilder one = Running().Active();
    TellEnd("success", Running().Active().With(reported), End(0, ""));
    TellEnd("no value of the metric", one, End(0, "done\n"));
    TellEnd("NaN at the end", Running().Active().With([](TrialRecord* trial) {
      trial->objective.not_finite_count = 1;
      trial->objective.not_finite_last = {12, std::nan(""), 1, {}};
    }),
            End(0, ""));
    TellEnd("exit 78", one, End(78, "batch does not fit\n"));
    TellEnd("exit 75", one, End(75, "try again\n"));
    TellEnd("a bug in the program", one,
            End(1, "Traceback (most recent call last):\nKeyError: 'lr'\n"));
  }

  void TellEndsByTheMachine() {
    const StudyBuilder one = Running().Active();
    {
      AttemptObservation killed = Signal(SIGKILL, "SIGKILL");
      killed.out_of_memory = true;
      killed.message =
          "The replica master 0 ran out-of-memory and exited with a non-zero "
          "status of 9(SIGKILL).";
      TellEnd("killed by the kernel for memory", one, killed);
    }
    TellEnd("a GPU's memory is used up",
            Running().Active().With([](TrialRecord* trial) {
              trial->attempts.back().devices = {"GPU-1"};
            }),
            End(1,
                "torch.OutOfMemoryError: CUDA out of memory. Tried to "
                "allocate 20.00 GiB\n"));
    TellEnd("a GPU fails", Running().Active().With([](TrialRecord* trial) {
      trial->attempts.back().devices = {"GPU-1"};
    }),
            End(1,
                "RuntimeError: CUDA error: uncorrectable ECC error "
                "encountered\n"));
    TellEnd("a full disk", one,
            End(1, "OSError: [Errno 28] No space left on device\n"));
    TellEnd("a signal from outside", one, Signal(SIGTERM, "SIGTERM"));
    TellEnd("a crash", one, Signal(SIGSEGV, "SIGSEGV"));
  }

  void TellLostAttempts() {
    AttemptObservation lost;
    lost.kind = AttemptObservation::Kind::kLost;
    lost.message = "the machine was restarted while the attempt ran";
    lost.lasted = std::chrono::minutes(5);
    TellEnd("a lost machine", Running().Active(), lost);
    lost.lasted = {};
    lost.kind = AttemptObservation::Kind::kNeverStarted;
    TellEnd("a launch that the end of the service cut off",
            Running().Active(AttemptState::kIntended), lost);
  }

  void TellFailedLaunch() {
    AttemptObservation failed = End(127, "");
    failed.launch_failed = true;
    failed.message =
        "The replica master 0 could not be started: train.py: No such file or "
        "directory";
    TellEnd("a program that is not there", Running().Active(), failed);
  }

  void TellEndsByRequest() {
    const auto killed_for = [](TrialEndCause cause) {
      return Running().Active().With([cause](TrialRecord* trial) {
        trial->attempts.back().kill_wanted = true;
        trial->attempts.back().kill_cause = cause;
      });
    };
    AttemptObservation stopped = Signal(SIGTERM, "SIGTERM");
    stopped.stopped_by_request = true;
    stopped.message =
        "The replica master 0 was stopped on request and ended with status "
        "15(SIGTERM).";
    TellEnd("a trial that ran for too long",
            killed_for(TrialEndCause::kTimeLimit), stopped);
    TellEnd("a trial that was preempted", killed_for(TrialEndCause::kPreempted),
            stopped);
    TellEnd("a trial that was cancelled", Running().Stopping(), stopped);
    TellEnd("a trial that was stopped early",
            Running()
                .Stopping(TrialEndCause::kStoppedEarly)
                .With([](TrialRecord* trial) {
                  trial->message = "The median rule stopped it at step 2.";
                }),
            stopped);
  }

  void TellEndByRule() {
    JobSpec spec = Spec();
    EndRule rule;
    rule.exit_codes = {3};
    rule.log_pattern = "licen[cs]e";
    rule.action = EndAction::kRetry;
    rule.reason = "The licence server is away.";
    spec.vernier.end_rules = {rule};
    StudyBuilder study(spec);
    study.job().state = JobState::kRunning;
    study.Active();
    TellEnd("an end that the job has a rule for", study,
            End(3, "no license left\n"));
  }

  std::string text_;
};

TEST_F(WhyGoldenTest, EachWayToWaitAndToEndIsTold) {
  TellJobs();
  TellTrialsUnderWay();
  TellPausedTrials();
  TellJobThatHasDoneEnough();
  TellEndsOfPrograms();
  TellEndsByTheMachine();
  TellLostAttempts();
  TellFailedLaunch();
  TellEndsByRequest();
  TellEndByRule();
  EXPECT_EQ(text_, ReadText(std::string(VERNIER_TESTDATA_DIR) +
                            "/trials/jobs/golden/why.txt"));
}

}  // namespace
}  // namespace vernier
