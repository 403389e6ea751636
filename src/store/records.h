#ifndef VERNIER_STORE_RECORDS_H_
#define VERNIER_STORE_RECORDS_H_

#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "store/study_records.h"
#include "study/attempt_state.h"
#include "study/ids.h"
#include "study/job_spec.h"
#include "study/job_state.h"
#include "study/measurement.h"
#include "study/suggestion.h"
#include "study/trial_state.h"

namespace vernier {

/// Names a device for leases, e.g. a GPU's UUID.
using DeviceId = std::string;

/// The stored state of one launch. Immutable once terminal.
struct AttemptRecord {
  int number = 0;     ///< 1, 2, ... in its trial.
  std::string nonce;  ///< 32 hex digits; the identity of its processes.
  AttemptState state = AttemptState::kIntended;
  bool kill_wanted = false;  ///< Wanted state; never withdrawn.
  TrialEndCause kill_cause = TrialEndCause::kNone;  ///< Why the kill is wanted.
  int code_version = 1;           ///< The job's version that it runs.
  std::vector<DeviceId> devices;  ///< Leased while not terminal.
  Timestamp intended_at{};
  /// When it was first seen to run. If it ended before that, the time follows
  /// from `lasted`.
  std::optional<Timestamp> running_at;
  std::optional<Timestamp> ended_at;
  std::optional<int> exit_code;  ///< Of the primary, if it called exit().
  std::optional<int> signal;     ///< Of the primary, if a signal ended it.
  /// The judged cause of the attempt's end; kNone while not terminal.
  TrialEndCause end_cause = TrialEndCause::kNone;
  std::string message;  ///< For people; last log lines of the culprit.
  /// The time from the start of its programs to their end, by the steady clock;
  /// 0 if none was seen to run.
  std::chrono::microseconds lasted{0};
};

/// A finite value of the study's metric and where in training it was reported.
struct FinalMeasurement {
  std::int64_t step = 0;
  double value = 0;

  friend bool operator==(const FinalMeasurement&,
                         const FinalMeasurement&) = default;
};

/// A metric as reported so far. It can arrive from several sources; only the
/// most explicit one counts: when a better one appears, the values of the
/// others are discarded, and their later ones ignored.
struct MetricSummary {
  /// A value that is not finite, and its place among the others.
  struct NotFinite {
    std::int64_t step = 0;
    double value = 0;
    int attempt = 0;
    Timestamp reported_at{};
  };

  std::optional<MetricRoad> road;        ///< Unset: nothing was reported.
  std::optional<FinalMeasurement> last;  ///< The latest (attempt, time).
  int last_attempt = 0;                  ///< 0: a client's.
  Timestamp last_reported_at{};
  std::optional<FinalMeasurement>
      best;  ///< By the metric's goal; first of ties.
  /// Set if the newest of all values is not finite: `last` is an older one.
  std::optional<NotFinite> not_finite_last;
  std::int64_t finite_count = 0;
  std::int64_t not_finite_count = 0;
};

/// The "suggester" of a trial whose client chooses its parameters.
inline constexpr char kChosenByClient[] = "CLIENT";

/// The origin of a trial's parameters.
struct SuggestionOrigin {
  std::string suggester;        ///< E.g. "GAUSSIAN_PROCESS", "SOBOL", "USER".
  EventSequence seen_events{};  ///< Last event of the state it was made from.
  /// Unset if the job is not tuned.
  std::optional<SuggestionRecord> record = std::nullopt;
};

/// A metric that a trial has reported.
struct SeenMetric {
  std::string name;
  MetricRoad road = MetricRoad::kReport;  ///< The source of its first report.

  friend bool operator==(const SeenMetric&, const SeenMetric&) = default;
};

/// One trial. Immutable once terminal.
struct TrialRecord {
  TrialId id{};
  TrialState state = TrialState::kRequested;
  /// Never change, unless the study grows by its trials (GrowsByTrials) and the
  /// trial is open.
  Parameters parameters;
  SuggestionOrigin origin;
  /// By number; the last is current. Empty for a client's trial.
  std::vector<AttemptRecord> attempts;
  MetricSummary objective;
  /// Summaries of the other metrics that the study needs (NeededMetrics), by
  /// name, as far as they were reported. Kept until the trial ends.
  std::map<std::string, MetricSummary> others;
  /// Names are distinct; at most kMaxMetricsSeen besides the objective's.
  std::vector<SeenMetric> metrics_seen;
  /// Messages about reports that could not be taken, with the reasons; at most
  /// kMaxMetricProblems.
  std::vector<std::string> metric_problems;
  Timestamp created_at{};
  std::optional<Timestamp> started_at;  ///< First attempt running.
  std::optional<Timestamp> ended_at;
  std::optional<FinalMeasurement> final_measurement;  ///< Set when terminal.
  /// All metrics at the end. A job's trial has it only if its study needs
  /// several metrics.
  std::optional<MetricReport> final_report;
  TrialEndCause end_cause = TrialEndCause::kNone;
  /// The reason why it is stopping or ended as it did; empty on success.
  std::string message;

  // Only trials that a client runs have these.
  std::vector<MetricReport> brought;  ///< Reports that came with the point.
  std::string client_id;              ///< Empty: nobody's, or unnamed.
  /// A tombstone: the trial counts no more and is not listed.
  std::optional<Timestamp> deleted_at;
  Metadata metadata;
};

/// Returns the number of the attempt that reports now; 0 if there is none, as
/// for a client's trial.
inline int CurrentAttemptOf(const TrialRecord& trial) {
  return static_cast<int>(trial.attempts.size());
}

/// True for a tombstone: a trial that counts no more and is not listed.
inline bool IsDeleted(const TrialRecord& trial) {
  return trial.deleted_at.has_value();
}

/// A point given by hand that waits to become a trial. Immutable.
struct QueuedPoint {
  TrialId trial{};        ///< The trial that it will be.
  Parameters parameters;  ///< Complete, in the order of the search space.
  Timestamp queued_at{};
};

/// The most points that may be proposed in a study, those that were tried
/// included.
inline constexpr std::size_t kMostProposedPoints = 10'000;

/// The most names under which points may be proposed in a study.
inline constexpr std::size_t kMostSources = 100;

/// A point that somebody thinks worth a trial; whether it becomes one is up to
/// the search (Proposal in suggest/space/study_view.h). It stays when it has
/// become one. Immutable.
struct ProposedPoint {
  std::string source;     ///< The name of who proposed it; see CheckSource.
  Parameters parameters;  ///< Complete, in the order of the search space.
  Timestamp proposed_at{};
};

/// A version of a job that was replaced by a revision. Immutable.
struct JobVersion {
  int number = 1;
  std::shared_ptr<const JobSpec> spec;  ///< Shared: immutable, large.
  std::string spec_json;                ///< ParsedJob::json of `spec`.
  std::string code_dir;                 ///< As in JobRun; may be gone.
  std::string changes;                  ///< As JobRun::version_changes.
  Timestamp created_at{};
};

/// The part of a study that only a job has, which the service runs. `spec`,
/// `spec_json`, `ignored_fields`, `code_dir` and `code_digest` are those of the
/// newest version, which every attempt runs that is intended from now on.
struct JobRun {
  std::shared_ptr<const JobSpec> spec;  ///< Shared: immutable, large.
  std::string spec_json;                ///< ParsedJob::json of `spec`.
  std::vector<std::string> ignored_fields;
  /// The spec's max_trials, or another number after an extension, plus
  /// `made_up_trials`.
  int max_trials = 1;
  /// The number of trials that failed or were cancelled before the job
  /// continued, and that do not count against the number that its user wanted.
  int made_up_trials = 0;
  JobState state = JobState::kQueued;
  JobWanted wanted = JobWanted::kRun;
  WantedCause wanted_cause = WantedCause::kNone;
  /// Who paused or cancelled it, and why, for people. Of a pause it is a clause
  /// that begins with "paused".
  std::string wanted_reason;
  std::string error_message;    ///< Of a failed or cancelled job.
  std::string code_dir;         ///< Absolute path of the pinned copy, or empty.
  std::string code_digest;      ///< Of the pinned copy; empty: not known.
  int code_version = 1;         ///< 1, 2, ...; grows when the job is revised.
  std::string version_changes;  ///< A description of what the version changed.
  /// When the newest version came; the study's created_at for the first.
  Timestamp version_at{};
  /// Versions 1 .. code_version - 1, in order.
  std::vector<std::shared_ptr<const JobVersion>> earlier_versions;
  std::string run_dir;                   ///< Absolute; attempts live below it.
  std::optional<StudyId> resumed_study;  ///< Its trials are data for this one.
  std::optional<Timestamp> started_at;
  std::optional<Timestamp> ended_at;
  std::chrono::microseconds waited_for{0};  ///< In QUEUED or PREPARING.
  std::chrono::microseconds ran_for{0};     ///< In RUNNING; survives restarts.
  /// Numbers of trials in a row that failed, and that failed soon after their
  /// start.
  int consecutive_failures = 0;
  int consecutive_instant_failures = 0;
  /// StudySnapshot::ended when a user last resumed the job. The rules that
  /// pause or fail a job count only trials that ended after that.
  std::map<TrialEndCause, int> ended_before_resume;
};

/// The part of a study that it has only if clients run its trials.
struct ClientRun {
  /// The spec as its owner wrote it. Shared: immutable, large. Never null.
  std::shared_ptr<const OriginalSpec> original =
      std::make_shared<const OriginalSpec>();
  StudyState state = StudyState::kActive;
  std::string state_reason;
  /// Edits of the search, in order. The study's spec is what the last one made.
  std::vector<std::shared_ptr<const SpecEdit>> edits;
  std::int64_t last_operation = 0;  ///< See OperationRecord::number.
};

/// The specification and state of a study, without its trials.
struct StudyRecord {
  StudyId id{};
  /// Unique: a job's id (study/job_id.h), or PARENT/studies/NAME.
  std::string name;
  std::shared_ptr<const StudySpec> spec;  ///< Shared: immutable, large.
  std::uint64_t seed = 0;
  std::map<std::string, std::string> labels;
  /// People's notes about it, in their own words; at most kMostNoteBytes.
  std::string note;
  Timestamp created_at{};
  std::int64_t version = 1;  ///< Grows with every change; the API's etag.
  /// Shared: copied when it is changed. Never null.
  std::shared_ptr<const Metadata> metadata = std::make_shared<const Metadata>();

  /// Says who runs the trials: the service, if it is a job, or else clients.
  /// Which of the two it is never changes. What reads a study asks AsJob or
  /// AsClientStudy (store/study_kinds.h).
  std::variant<ClientRun, JobRun> run;
};

/// True if the service runs the trials as a job, and false if clients do.
inline bool IsJob(const StudyRecord& study) {
  return std::holds_alternative<JobRun>(study.run);
}

/// Returns the part that only a job has. `study` must be a job.
inline const JobRun& JobRunOf(const StudyRecord& study) {
  VERNIER_CHECK(IsJob(study));
  return *std::get_if<JobRun>(&study.run);
}
inline JobRun& JobRunOf(StudyRecord& study) {
  VERNIER_CHECK(IsJob(study));
  return *std::get_if<JobRun>(&study.run);
}

/// Returns the part that only a study of clients has. `study` must be one.
inline const ClientRun& ClientRunOf(const StudyRecord& study) {
  VERNIER_CHECK(!IsJob(study));
  return *std::get_if<ClientRun>(&study.run);
}
inline ClientRun& ClientRunOf(StudyRecord& study) {
  VERNIER_CHECK(!IsJob(study));
  return *std::get_if<ClientRun>(&study.run);
}

/// True if the trials of the study declare its search space while they run.
inline bool GrowsByTrials(const StudyRecord& study) {
  const auto* const run = std::get_if<ClientRun>(&study.run);
  return run != nullptr && run->original->format == kGrowingSpecFormat;
}

/// Returns the version of a job that its record describes: the newest.
inline JobVersion PresentVersion(const JobRun& run) {
  return {run.code_version,    run.spec,      run.spec_json, run.code_dir,
          run.version_changes, run.version_at};
}

/// Returns the number of the newest version of the spec of a study that clients
/// run: 1, 2, ...
inline int SpecVersionOf(const ClientRun& run) {
  return static_cast<int>(run.edits.size()) + 1;
}

/// True if the study is a job that has ended.
inline bool IsFinishedJob(const StudyRecord& study) {
  return IsJob(study) && IsTerminal(JobRunOf(study).state);
}

/// Returns the largest number of trials that the study may have: a job's limit.
/// Client studies have none.
inline int MaxTrialsOf(const StudyRecord& study) {
  return IsJob(study) ? JobRunOf(study).max_trials
                      : std::numeric_limits<int>::max();
}

/// Returns the largest number of a job's trials that may run at once.
inline int MaxParallelTrialsOf(const JobRun& run) {
  const auto& tuning = run.spec->training_input.hyperparameters;
  return tuning.has_value() ? tuning->max_parallel_trials : 1;
}

/// One row of the append-only event table.
struct Event {
  EventSequence sequence{};
  StudyId study{};
  std::optional<TrialId> trial;
  int attempt = 0;      ///< 0: not about an attempt.
  std::string kind;     ///< E.g. "trial.active", "job.created".
  std::string payload;  ///< One JSON object with the details.
  Timestamp at{};
};

/// The answer that a request id is bound to.
struct RememberedRequest {
  StudyId study{};
  /// DigestOf the request's content: the job's spec_json, the points, or a
  /// trial.
  std::uint64_t digest = 0;
  TrialId trial{};  ///< The trial that it made; 0: none, or several.
};

}  // namespace vernier

#endif  // VERNIER_STORE_RECORDS_H_
