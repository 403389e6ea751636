#ifndef VERNIER_STUDY_TRIAL_END_H_
#define VERNIER_STUDY_TRIAL_END_H_

#include <cstddef>
#include <iterator>
#include <string_view>

namespace vernier {

/// The cause of a trial's end. Values are stored; do not renumber.
enum class TrialEndCause {
  kNone = 0,            ///< Not terminal.
  kSuccess = 1,         ///< Exit 0; a trial of a study has a final measurement.
  kNoMetric = 2,        ///< Exit 0, but nothing was reported for the metric.
  kNotFinite = 3,       ///< Ended well, but with a value that is not finite.
  kInfeasible = 4,      ///< Exit 78 (EX_CONFIG).
  kOutOfMemory = 5,     ///< Killed by the kernel for memory.
  kUserError = 6,       ///< Non-zero exit, or a signal the program caused.
  kInfrastructure = 7,  ///< Lost machine, exit 75, signal from outside.
  kTimeLimit = 8,       ///< Ran longer than it may.
  kCancelled = 9,       ///< With its job; once also by a user.
  kStoppedEarly = 10,   ///< By a stopping rule, a limit, or its client.
  kLaunchFailed = 11,   ///< The program could not be started.
  // These end attempts only; the trials start again.
  kPreempted = 12,  ///< Ended to make room, or for a pause.
  kTransient = 13,  ///< A fault that may not occur again.
  // These end trials, too.
  kStoppedByUser = 14,  ///< A user stopped this trial of a job.
};

/// The group of a job's counts in which an end is.
enum class EndCounts {
  kNothing,     ///< The machine's and people's doing says nothing of trials.
  kSuccess,     ///< completedTrialCount.
  kInfeasible,  ///< The parameters cannot be evaluated, which is a result.
  kFailure,     ///< A failed trial.
};

/// The kind of a trial that died, which says something about its parameters.
enum class FailureKind {
  kNone,         ///< It did not die, or not because of its parameters.
  kOutOfMemory,  ///< It needed more memory than there is.
  kDivergence,   ///< Its last value is not finite.
  kTimeLimit,    ///< It ran for longer than it may.
  kOther,        ///< The program failed, or said no more than "infeasible".
};

/// The kind with the largest number.
inline constexpr FailureKind kLastFailureKind = FailureKind::kOther;

/// What an end says of whether the program works at all.
enum class ProgramSign {
  kNothing,
  kWorks,
  kFails,  ///< If it came at once.
};

/// All that follows from the cause of an end.
struct TrialEndLaw {
  TrialEndCause cause;
  std::string_view name;
  /// NaN counts as a success: programs that end with 0 after a NaN rely on it.
  EndCounts counts;
  /// A kind other than kNone says something about the parameters, so that a
  /// suggester should learn from the end even without a value.
  FailureKind failure;
  /// The program or the machine may have caused it, so that a newer version of
  /// the job could succeed. A job that continues tries another point in the
  /// trial's place, and no suggester learns from the end once the job has a
  /// newer version.
  bool is_made_up_for;
  ProgramSign program;
  /// What it means for a trial or an attempt and its job, as the rest of a
  /// sentence.
  std::string_view meaning;
  /// What comes after a number of trials that ended so, and after "was" or
  /// "were" if `is_passive`. Empty for what ends no trial.
  std::string_view happened;
  bool is_passive;
};

/// The laws of all causes, each at the place of its number.
inline constexpr TrialEndLaw kTrialEndLaws[] = {
    {TrialEndCause::kNone, "none", EndCounts::kNothing, FailureKind::kNone,
     false, ProgramSign::kNothing, "", "", false},
    {TrialEndCause::kSuccess, "success", EndCounts::kSuccess,
     FailureKind::kNone, false, ProgramSign::kWorks, "its program ended well",
     "ended well", false},
    {TrialEndCause::kNoMetric, "no_metric", EndCounts::kSuccess,
     FailureKind::kOther, true, ProgramSign::kWorks,
     "its program ended well, but reported no value of the metric",
     "ended well without a value of the metric", false},
    {TrialEndCause::kNotFinite, "not_finite", EndCounts::kSuccess,
     FailureKind::kDivergence, false, ProgramSign::kWorks,
     "the last value that it reported is not finite, so its parameters are "
     "taken as infeasible",
     "ended with a value that is not finite", false},
    {TrialEndCause::kInfeasible, "infeasible", EndCounts::kInfeasible,
     FailureKind::kOther, false, ProgramSign::kWorks,
     "its parameters cannot be evaluated, and others like them are avoided",
     "had parameters that cannot be evaluated", false},
    {TrialEndCause::kOutOfMemory, "out_of_memory", EndCounts::kInfeasible,
     FailureKind::kOutOfMemory, true, ProgramSign::kNothing,
     "its parameters need more memory than there is, and others like them are "
     "avoided",
     "needed more memory than there is", false},
    {TrialEndCause::kUserError, "user_error", EndCounts::kFailure,
     FailureKind::kOther, true, ProgramSign::kFails,
     "its program failed, which counts as a failed trial",
     "failed by an error of the program", false},
    {TrialEndCause::kInfrastructure, "infrastructure", EndCounts::kNothing,
     FailureKind::kNone, true, ProgramSign::kNothing,
     "the machine failed it, which does not count for the job's limits of "
     "failures",
     "given up by a fault of the machine", true},
    {TrialEndCause::kTimeLimit, "time_limit", EndCounts::kFailure,
     FailureKind::kTimeLimit, true, ProgramSign::kWorks,
     "it ran for longer than it may, which counts as a failed trial",
     "ran into the time limit", false},
    {TrialEndCause::kCancelled, "cancelled", EndCounts::kNothing,
     FailureKind::kNone, true, ProgramSign::kNothing,
     "it was stopped with its job", "cancelled", true},
    {TrialEndCause::kStoppedEarly, "stopped_early", EndCounts::kSuccess,
     FailureKind::kNone, false, ProgramSign::kWorks,
     "it was stopped early, before its training was over", "stopped early",
     true},
    {TrialEndCause::kLaunchFailed, "launch_failed", EndCounts::kFailure,
     FailureKind::kNone, true, ProgramSign::kFails,
     "its program could not be started, which counts as a failed trial",
     "could not be started", false},
    {TrialEndCause::kPreempted, "preempted", EndCounts::kNothing,
     FailureKind::kNone, false, ProgramSign::kNothing,
     "it made room, and starts again", "", false},
    {TrialEndCause::kTransient, "transient", EndCounts::kNothing,
     FailureKind::kNone, false, ProgramSign::kNothing,
     "the fault may not occur again, so it is tried again", "", false},
    {TrialEndCause::kStoppedByUser, "stopped_by_user", EndCounts::kNothing,
     FailureKind::kNone, true, ProgramSign::kNothing, "a user stopped it",
     "stopped by a user", true},
};

/// The cause with the largest number.
inline constexpr TrialEndCause kLastEndCause = TrialEndCause::kStoppedByUser;

/// That of kNone for a number that is no cause, as damaged bytes may have.
constexpr const TrialEndLaw& LawOf(TrialEndCause cause) {
  const auto number = static_cast<std::size_t>(cause);
  return kTrialEndLaws[number < std::size(kTrialEndLaws) ? number : 0];
}

/// Stable lower-case name such as "user_error"; "unknown" for no cause.
std::string_view ToString(TrialEndCause cause);

/// Stable upper-case name such as "OUT_OF_MEMORY"; empty for kNone.
std::string_view ToString(FailureKind kind);

constexpr bool TeachesInfeasible(TrialEndCause cause) {
  return LawOf(cause).failure != FailureKind::kNone;
}
constexpr bool IsMadeUpFor(TrialEndCause cause) {
  return LawOf(cause).is_made_up_for;
}
constexpr bool CountsAsFailed(TrialEndCause cause) {
  return LawOf(cause).counts == EndCounts::kFailure;
}
constexpr bool CountsAsInfeasible(TrialEndCause cause) {
  return LawOf(cause).counts == EndCounts::kInfeasible;
}
constexpr bool CountsAsSucceeded(TrialEndCause cause) {
  return LawOf(cause).counts == EndCounts::kSuccess;
}

}  // namespace vernier

#endif  // VERNIER_STUDY_TRIAL_END_H_
