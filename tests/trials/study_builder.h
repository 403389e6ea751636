#ifndef VERNIER_TESTS_TRIALS_STUDY_BUILDER_H_
#define VERNIER_TESTS_TRIALS_STUDY_BUILDER_H_

#include <memory>
#include <string>
#include <utility>

#include "store/study_kinds.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Returns a valid tuning job over one DOUBLE "x" in [0, 1].
inline JobSpec TuningSpec(int max_trials, int max_parallel_trials) {
  JobSpec spec;
  spec.job_id = "job";
  spec.training_input.master.count = 1;
  HyperparameterSpec tuning;
  tuning.max_trials = max_trials;
  tuning.max_parallel_trials = max_parallel_trials;
  tuning.metric_tag = "loss";
  tuning.goal = Goal::kMinimize;
  ParameterSpec x;
  x.name = "x";
  x.max_value = 1;
  tuning.params = {x};
  spec.training_input.hyperparameters = tuning;
  spec.vernier.command = {"/bin/true"};
  return spec;
}

/// Returns a valid job without hyperparameters.
inline JobSpec PlainSpec() {
  JobSpec spec = TuningSpec(1, 1);
  spec.training_input.hyperparameters.reset();
  return spec;
}

/// Builds a StudySnapshot trial by trial, for tests of pure functions.
class StudyBuilder {
 public:
  explicit StudyBuilder(JobSpec spec) {
    study_.id = StudyId{7};
    study_.name = spec.job_id;
    study_.spec = std::make_shared<const StudySpec>(StudySpecOfStored(spec));
    JobRun& run = study_.run.emplace<JobRun>();
    run.run_dir = "/run";
    run.max_trials = MaxTrials(spec);
    run.spec = std::make_shared<const JobSpec>(std::move(spec));
  }

  StudyRecord& record() { return study_; }
  JobRun& job() { return JobRunOf(study_); }

  /// Adds a trial that is requested and has no attempt yet.
  StudyBuilder& Requested() { return Add(TrialState::kRequested, {}); }

  /// Adds a trial whose newest attempt is in `state`.
  StudyBuilder& Active(AttemptState state = AttemptState::kRunning) {
    return Add(TrialState::kActive, {Attempt(1, state)});
  }

  /// Adds a stopping trial with a live attempt that was asked to end.
  StudyBuilder& Stopping(TrialEndCause cause = TrialEndCause::kCancelled) {
    AttemptRecord attempt = Attempt(1, AttemptState::kRunning);
    attempt.kill_wanted = true;
    attempt.kill_cause = cause;
    return Add(TrialState::kStopping, {attempt});
  }

  StudyBuilder& Completed(double value) {
    Add(TrialState::kCompleted, {Attempt(1, AttemptState::kExited)});
    TrialRecord trial = study_.trials.Get(LastId());
    trial.final_measurement = FinalMeasurement{1, value};
    trial.end_cause = TrialEndCause::kSuccess;
    return Finish(std::move(trial));
  }

  StudyBuilder& Failed(TrialEndCause cause = TrialEndCause::kUserError) {
    Add(TrialState::kFailed, {Attempt(1, AttemptState::kExited)});
    TrialRecord trial = study_.trials.Get(LastId());
    trial.end_cause = cause;
    trial.message = "it broke";
    return Finish(std::move(trial));
  }

  /// Adds a point given by hand that waits.
  StudyBuilder& Queued(double x) {
    auto point = std::make_shared<QueuedPoint>();
    point->trial = TrialId{
        static_cast<std::int64_t>(study_.trials.size() + study_.queued.size()) +
        1};
    point->parameters = {{"x", x}};
    study_.queued.push_back(std::move(point));
    return *this;
  }

  /// Adds a point that `source` proposes.
  StudyBuilder& Proposed(const std::string& source, double x) {
    study_.proposed.push_back(std::make_shared<const ProposedPoint>(
        ProposedPoint{source, {{"x", x}}, {}}));
    return *this;
  }

  /// Changes the newest trial.
  template <typename Edit>
  StudyBuilder& With(const Edit& edit) {
    auto trial = std::make_shared<TrialRecord>(study_.trials.Get(LastId()));
    edit(trial.get());
    study_.trials.Put(trial);
    return *this;
  }

  const StudySnapshot& Build() const { return study_; }
  JobRef Job() const { return JobOf(study_); }

  AttemptKey KeyOf(std::int64_t trial) const {
    const auto& attempts = study_.trials.Get(TrialId{trial}).attempts;
    return {study_.id, TrialId{trial},
            attempts.empty() ? 0 : attempts.back().number};
  }

  static AttemptRecord Attempt(int number, AttemptState state) {
    AttemptRecord attempt;
    attempt.number = number;
    attempt.state = state;
    return attempt;
  }

 private:
  TrialId LastId() const {
    return TrialId{static_cast<std::int64_t>(study_.trials.size())};
  }

  StudyBuilder& Add(TrialState state, std::vector<AttemptRecord> attempts) {
    auto trial = std::make_shared<TrialRecord>();
    trial->id = TrialId{static_cast<std::int64_t>(study_.trials.size()) + 1};
    trial->state = state;
    trial->parameters = {{"x", 0.5}};
    if (!attempts.empty() && !IsTerminal(attempts.back().state)) {
      ++study_.live_attempts;
    }
    trial->attempts = std::move(attempts);
    if (!IsTerminal(state)) study_.open.push_back(trial->id);
    study_.trials.Put(trial);
    return *this;
  }

  StudyBuilder& Finish(TrialRecord trial) {
    ++study_.ended[trial.end_cause];
    study_.trials.Put(std::make_shared<TrialRecord>(std::move(trial)));
    return *this;
  }

  StudySnapshot study_;
};

/// Returns the end of an attempt by exit(`exit_code`) after five minutes.
inline AttemptObservation Exited(const AttemptKey& attempt, int exit_code) {
  AttemptObservation seen;
  seen.attempt = attempt;
  seen.kind = AttemptObservation::Kind::kEnded;
  seen.exit_code = exit_code;
  seen.message = "said so";
  seen.lasted = std::chrono::minutes(5);
  return seen;
}

}  // namespace vernier

#endif  // VERNIER_TESTS_TRIALS_STUDY_BUILDER_H_
