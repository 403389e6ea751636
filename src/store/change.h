#ifndef VERNIER_STORE_CHANGE_H_
#define VERNIER_STORE_CHANGE_H_

#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "store/records.h"

namespace vernier {

/// The changes that one transaction may make. Each change is checked against
/// the life-cycle tables, caps and leases inside the transaction that applies
/// it.

/// Stands in a change for the study's newest trial, such as the one that an
/// earlier change of the same commit has added: then whoever adds a trial and
/// says more about it need not know its number before, for which callers at the
/// same time would compete. No request has this number.
inline constexpr TrialId kNewestTrial{std::numeric_limits<std::int64_t>::min()};

/// The changes of every study, whoever runs its trials.

/// A trial to add, in kRequested.
struct NewTrial {
  Parameters parameters;
  SuggestionOrigin origin;
  /// Earlier reports of the point; only trials of client studies have any.
  std::vector<MetricReport> brought = {};
};

/// Adds trials with the next numbers, in order. While points are queued, the
/// next trial is the first of them, which leaves the queue with it.
/// FAILED_PRECONDITION if that would pass the job's max_trials or the job is
/// terminal; ABORTED for another point while one is queued, and for a suggested
/// one that lies outside of an edited search space.
struct CreateTrials {
  StudyId study;
  std::vector<NewTrial> trials;
  /// The number that the first trial must get, else ABORTED; 0: any.
  TrialId first{};
  /// Binds the first trial to a request; see Store::FindRequest.
  /// ALREADY_EXISTS if that was done, INVALID_ARGUMENT if with another digest.
  std::string request_id = "";
  std::uint64_t request_digest = 0;  ///< DigestOf the request's content.
  /// Gets the number of the first trial, and is valid once the commit has
  /// succeeded; null: nobody asks.
  TrialId* made = nullptr;
};

/// Moves a trial without a live attempt by kRequestStop, kConfirmStop,
/// kReportFinal, kReportInfeasible or kGiveUp; `cause` and the final
/// measurement count if it becomes terminal. kRequestStop is allowed with a
/// live attempt, too; its `message` says why until the trial's end brings
/// another.
struct MoveTrial {
  StudyId study;
  TrialId trial;
  TrialEvent event;
  TrialEndCause cause = TrialEndCause::kNone;
  std::string message;
  std::optional<FinalMeasurement> final_measurement;
  /// All metrics, the objective included. A job's trial has it only if its
  /// study needs several metrics.
  std::optional<MetricReport> final_report = std::nullopt;
};

/// Stores measurements of one attempt. Skipped are those whose (attempt,
/// metric, step, reported_at) is already stored and, for a metric that the
/// study needs, those from a less explicit source than earlier ones of the
/// trial. A client's trial has no attempts; its attempt number is 0 here.
/// FAILED_PRECONDITION for a terminal trial and for a client's trial that is
/// not active yet, ABORTED for an attempt that is not the trial's current one.
/// Writes no event.
///
/// For a job's trial, metrics beyond kMaxMetricsSeen or with names longer than
/// kMaxMetricName are left out, and one of its metric_problems says so. A
/// client gets INVALID_ARGUMENT instead.
struct AddMeasurements {
  AttemptKey attempt;
  std::vector<Measurement> measurements;
  /// Skips calls (kReport) that may be repetitions: those with the value of the
  /// latest stored measurement of their metric and step. A measurement from
  /// another source is skipped only if its key is stored already, whatever this
  /// flag says.
  bool may_be_repeated = false;
  /// Messages about other reports that could not be understood.
  std::vector<std::string> problems = {};
  /// Applied after the measurements are stored. The times of the reports decide
  /// which measurements a restart makes void, not the order of the two lists. A
  /// void measurement is neither listed nor counted, and reporting it again
  /// does not bring it back.
  std::vector<CurveRestart> restarts = {};
};

/// The largest size of a study's note in bytes.
inline constexpr std::size_t kMostNoteBytes = 16384;

/// Replaces a study's note, in any state. INVALID_ARGUMENT if it is longer than
/// kMostNoteBytes or not UTF-8.
struct WriteNote {
  StudyId study;
  std::string note;
};

/// One key-value to set; it belongs to the study if there is no trial.
struct MetadataUpdate {
  std::optional<TrialId> trial;
  MetadataKey key;
  MetadataValue value;
};

/// Sets key-values of the study and of trials that are not deleted.
struct UpdateMetadata {
  StudyId study;
  std::vector<MetadataUpdate> updates;
};

/// Adds points that `source` proposes, behind those that were proposed before.
/// Requests are repeated as those of QueuePoints. INVALID_ARGUMENT if `source`
/// is no name of a source (CheckSource); FAILED_PRECONDITION if the study is a
/// job that is terminal or to be stopped; RESOURCE_EXHAUSTED beyond
/// kMostProposedPoints or kMostSources.
struct ProposePoints {
  StudyId study;
  std::string source;
  std::vector<Parameters> points;
  std::string request_id = "";
};

using StudyChange = std::variant<CreateTrials, MoveTrial, AddMeasurements,
                                 ProposePoints, WriteNote, UpdateMetadata>;

/// The changes of jobs. They are FAILED_PRECONDITION for a study that clients
/// run.

/// Queues points given by hand behind those that wait. Repeating a non-empty
/// `request_id` with the same points adds nothing; with others it is
/// INVALID_ARGUMENT. FAILED_PRECONDITION if the job is terminal or to be
/// stopped, or if trials and queued points would pass its max_trials.
struct QueuePoints {
  StudyId study;
  std::vector<Parameters> points;
  std::string request_id = "";
};

/// Adds an attempt of a job's trial in kIntended and leases its devices; a
/// requested trial becomes active. FAILED_PRECONDITION if the number is not the
/// trial's next, the trial has a live attempt or is stopping or terminal, the
/// job does not want to run, or live attempts of the study would pass
/// max_parallel_trials; RESOURCE_EXHAUSTED if a device is leased already.
struct IntendLaunch {
  AttemptKey attempt;
  std::string nonce;
  std::vector<DeviceId> devices;
  std::string message = "";  ///< Why a paused trial continues.
};

/// Moves a live attempt to kLaunching or kRunning.
struct ObserveAttempt {
  AttemptKey attempt;
  AttemptEvent event;  ///< kLaunch or kRun.
};

/// Wants a live attempt to end; the cause becomes its trial's if the trial has
/// to stop. If the cause is kCancelled, a trial that need not stop is launched
/// again; if it is kStoppedEarly, the trial is paused. Repeating it changes
/// nothing. A `message` is put in front of the message that the attempt has.
struct WantKill {
  AttemptKey attempt;
  TrialEndCause cause;
  std::string message = "";
};

/// Ends an attempt and releases its devices.
struct EndAttempt {
  AttemptKey attempt;
  AttemptEvent event;  ///< kExit, kKill or kLose.
  TrialEndCause cause = TrialEndCause::kNone;
  std::optional<int> exit_code;
  std::optional<int> signal;
  std::string message;
  std::chrono::microseconds lasted{0};
};

/// Moves a job. A terminal event is refused while a trial is not terminal.
/// kReopen also sets wanted to kRun, clears error and end time, and begins the
/// counts of failures anew.
struct MoveJob {
  StudyId study;
  JobEvent event;
  std::string error_message;
};

/// Sets what is wanted of a job that is not terminal. When it is wanted to run
/// again, its counts of failures begin anew.
struct SetJobWanted {
  StudyId study;
  JobWanted wanted;
  WantedCause cause;
  std::string reason;  ///< See JobRun::wanted_reason.
};

/// Replaces labels; `expected_version` guards against a lost update.
struct UpdateLabels {
  StudyId study;
  std::map<std::string, std::string> labels;
  std::optional<std::int64_t> expected_version;  ///< ABORTED if it is another.
};

/// Raises max_trials. FAILED_PRECONDITION if it would fall.
struct ExtendJob {
  StudyId study;
  int max_trials;
  /// The number of them that make up for failed trials; nullopt: as before.
  std::optional<int> made_up_trials = std::nullopt;
};

/// Gives a job its next version, whatever its state. Attempts that are intended
/// from now on run this version; ended trials stay as they are. The counts of
/// failures in a row start again. If the search space differs, trials that were
/// suggested, never started, and lie outside of it are cancelled, and
/// max_trials and made_up_trials are raised by their number.
///
/// INVALID_ARGUMENT if goal, metric, resumed job or name are not the present
/// ones; FAILED_PRECONDITION if the space cannot be edited so (PlanSearchEdit),
/// or if max_trials is less than the trials and queued points that there are;
/// ABORTED if the present version is not `replaced_version`. Repeating a
/// non-empty `request_id` with the same digest changes nothing; with another it
/// is INVALID_ARGUMENT.
struct ReviseJob {
  StudyId study;
  int replaced_version;
  std::shared_ptr<const JobSpec> spec;
  std::string spec_json;  ///< As in NewJob.
  std::vector<std::string> ignored_fields;
  std::string code_dir;
  std::string code_digest;
  std::string changes;  ///< In words; see JobRun::version_changes.
  std::map<std::string, std::string> labels;
  int max_trials;
  int made_up_trials;
  std::string request_id = "";
  std::uint64_t request_digest = 0;
};

/// Wants every live attempt of an earlier version to end, so that its trial is
/// launched again with the newest version. It is WantKill with kCancelled for
/// each such trial that is not stopping.
struct RestartOutdated {
  StudyId study;
};

/// Stores the times that the job has waited and run, so that limits hold across
/// restarts. Writes no event.
struct CheckpointJob {
  StudyId study;
  std::chrono::microseconds waited_for;
  std::chrono::microseconds ran_for;
};

/// Stores the numbers of trials that failed in a row. Writes no event.
struct CountFailures {
  StudyId study;
  int consecutive_failures;
  int consecutive_instant_failures;
};

/// Removes a terminal job with its trials, attempts and measurements; its
/// study id and job id history stay in the events. The job id is free again.
struct DeleteJob {
  StudyId study;
};

using JobChange =
    std::variant<QueuePoints, IntendLaunch, ObserveAttempt, WantKill,
                 EndAttempt, MoveJob, SetJobWanted, UpdateLabels, ExtendJob,
                 ReviseJob, RestartOutdated, CheckpointJob, CountFailures,
                 DeleteJob>;

/// The changes of studies that clients run. They are FAILED_PRECONDITION for a
/// job. While such a study is not active, it takes only MoveStudy, ReviseStudy,
/// DeleteStudy, WriteNote and UpdateMetadata.

/// Sets the state, whatever it was. Setting the state that it has changes only
/// the reason.
struct MoveStudy {
  StudyId study;
  StudyState state;
  std::string reason;
};

/// Gives a requested trial to the client that runs it: the trial becomes
/// active. FAILED_PRECONDITION if it is not requested.
struct AssignTrial {
  StudyId study;
  TrialId trial;
  std::string client_id;  ///< Empty: nobody in particular.
};

/// Leaves a tombstone of a terminal trial. NOT_FOUND if that was done before.
struct DeleteTrial {
  StudyId study;
  TrialId trial;
};

/// Gives a study its next spec, whatever its state; the one before is kept as a
/// SpecEdit. Its trials stay as they are: points that a client gave are tried
/// wherever they lie.
///
/// INVALID_ARGUMENT if goal or metrics are not the present ones;
/// FAILED_PRECONDITION if the space cannot be edited so (PlanSearchEdit), or if
/// the study grows by its trials; ABORTED if the present version is not
/// `replaced_version`. Repeating a non-empty `request_id` with the same digest
/// changes nothing; with another it is INVALID_ARGUMENT.
struct ReviseStudy {
  StudyId study;
  int replaced_version;  ///< See SpecVersionOf.
  std::shared_ptr<const StudySpec> spec;
  std::string changes;      ///< In words; see SpecEdit::changes.
  std::string client_data;  ///< See SpecEdit::client_data.
  std::string request_id = "";
  std::uint64_t request_digest = 0;
};

/// Adds to the spec of a study that grows (GrowsByTrials) what a trial of it
/// declares. A parameter that the spec has already gets a range that includes
/// both; INVALID_ARGUMENT if type, scale or choices are others. A constraint on
/// a metric that has one changes nothing. What there is no room for is left
/// out.
struct GrowStudySpec {
  StudyId study;
  std::optional<ParameterSpec> parameter = std::nullopt;
  std::optional<OutcomeConstraint> constraint = std::nullopt;
};

/// Gives an open trial of a study that grows a value of one parameter, in the
/// place of an earlier one. The value may lie outside of the spec.
struct SetTrialParameter {
  StudyId study;
  TrialId trial;
  NamedValue parameter;
};

/// Stores the answer to a client that asked for suggestions. ABORTED if the
/// number is not the study's next.
struct RecordOperation {
  StudyId study;
  std::int64_t number;
  std::string client_id;
  std::vector<TrialId> trials;
};

/// Removes a study with its trials, measurements, metadata and operations; its
/// events stay, and its name is free again.
struct DeleteStudy {
  StudyId study;
};

using ClientChange = std::variant<MoveStudy, AssignTrial, DeleteTrial,
                                  ReviseStudy, GrowStudySpec, SetTrialParameter,
                                  RecordOperation, DeleteStudy>;

/// Any change; each of the three converts to it.
using Change = std::variant<StudyChange, JobChange, ClientChange>;

/// Returns the change if it is a `T`, else null.
template <typename T>
const T* ChangeIf(const Change& change) {
  const T* found = nullptr;
  const auto look = [&](const auto& one) {
    if constexpr (std::is_same_v<std::decay_t<decltype(one)>, T>) found = &one;
  };
  std::visit([&](const auto& kind) { std::visit(look, kind); }, change);
  return found;
}

}  // namespace vernier

#endif  // VERNIER_STORE_CHANGE_H_
