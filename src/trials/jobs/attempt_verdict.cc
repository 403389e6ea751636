#include "trials/jobs/attempt_verdict.h"

#include <algorithm>
#include <csignal>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "store/metric_summary.h"
#include "study/metric_renames.h"
#include "study/metrics/metric_sources.h"
#include "trials/jobs/end_rules.h"
#include "trials/jobs/job_versions.h"
#include "trials/jobs/missing_objective.h"
#include "trials/jobs/retry_backoff.h"

namespace vernier {
namespace {

// An attempt's end is judged by the strongest evidence first. A stop that was
// asked for and obeyed explains the end by itself. A success counts even if it
// raced with a stop. Then come the launcher's own knowledge (it could not start
// the program, or the memory ran out), the job's rules and the built-in ones.
// Faults go through JudgeFault, which leaves trial_event unset as long as the
// fault's kind has retries left, so that the trial is launched again.

// Earlier releases stored kUserError for transient faults, too.
bool WasTransient(const AttemptRecord& attempt) {
  if (attempt.end_cause == TrialEndCause::kTransient) return true;
  const std::optional<int> signal = SignalOf(attempt.exit_code, attempt.signal);
  return attempt.end_cause == TrialEndCause::kUserError &&
         (signal == SIGABRT || signal == SIGSEGV);
}

// Returns the number of earlier attempts that ended by the same kind of fault.
// Those that never ran do not count.
int CountRetries(const TrialRecord& trial, TrialEndCause fault) {
  int count = 0;
  for (const AttemptRecord& attempt : trial.attempts) {
    if (!IsTerminal(attempt.state) || NeverRan(attempt)) continue;
    if (attempt.end_cause == fault ||
        (fault == TrialEndCause::kTransient && WasTransient(attempt))) {
      ++count;
    }
  }
  return count;
}

bool MayRetry(JobRef job, const TrialRecord& trial, TrialEndCause fault) {
  const RetryPolicy& retry = job.run().spec->vernier.retry;
  const int allowed =
      fault == TrialEndCause::kInfrastructure ? retry.max_infrastructure_retries
      : fault == TrialEndCause::kTransient    ? retry.max_transient_retries
                                              : retry.max_user_error_retries;
  return CountRetries(trial, fault) < allowed;
}

// An attempt never starts if the service is killed after it stored the intent
// and before the launch. This many in a row are no accident.
constexpr int kMaxUnstarted = 20;

// Returns whether the last attempt has not run, and neither have those right
// before it, which are as many as are allowed.
bool IsNeverStarting(const TrialRecord& trial) {
  const std::vector<AttemptRecord>& attempts = trial.attempts;
  if (attempts.back().running_at.has_value()) return false;
  int count = 1;
  for (auto attempt = attempts.rbegin() + 1; attempt != attempts.rend();
       ++attempt) {
    if (!NeverRan(*attempt)) break;
    ++count;
  }
  return count >= kMaxUnstarted;
}

void GiveUpIfNeverStarting(const TrialRecord& trial, AttemptVerdict* verdict) {
  if (verdict->trial_event.has_value() || !IsNeverStarting(trial)) return;
  verdict->trial_event = TrialEvent::kGiveUp;
  absl::StrAppend(&verdict->message, "; so did the ", kMaxUnstarted - 1,
                  " before it");
}

// Returns the cause of a stopping trial's end. It is the cause for which its
// attempt was killed, unless that was for a new start and a user stopped the
// trial afterwards.
TrialEndCause StopCause(const TrialRecord& trial) {
  const TrialEndCause cause = TrialCause(trial.attempts.back().kill_cause);
  return cause == TrialEndCause::kCancelled &&
                 trial.message == kStoppedByUserReason
             ? TrialEndCause::kStoppedByUser
             : cause;
}

AttemptVerdict JudgeFault(JobRef job, const TrialRecord& trial,
                          TrialEndCause fault, AttemptVerdict verdict) {
  verdict.cause = fault;
  // A stopping trial is not launched again, whatever its last attempt did.
  if (trial.state == TrialState::kStopping) {
    verdict.cause = StopCause(trial);
    verdict.trial_event = TrialEvent::kConfirmStop;
  } else if (!MayRetry(job, trial, fault)) {
    verdict.trial_event = TrialEvent::kGiveUp;
  }
  return verdict;
}

// Says what was lost on a full disk if values of a metric may have been in it;
// otherwise empty. `road` is the source from which the metric's values came so
// far, if any.
std::string LostBy(const JobSpec& spec, std::optional<MetricRoad> road,
                   const AttemptObservation& end) {
  const bool may_be_printed =
      road.has_value()
          ? road == MetricRoad::kStdout
          : ListensTo(spec.vernier.metric_sources, MetricSourceKind::kStdout);
  // A report by a call was answered only once it was stored.
  const bool may_be_in_files =
      road != MetricRoad::kStdout && road != MetricRoad::kReport;
  if (may_be_printed && end.lost_output > 0) {
    return absl::StrCat(end.lost_output, " bytes of its output");
  }
  if (may_be_in_files && !end.full_disk.empty()) {
    return absl::StrCat("more in ", end.full_disk);
  }
  return "";
}

std::string DescribeLoss(JobRef job, const TrialRecord& trial,
                         const AttemptObservation& end) {
  const JobSpec& spec = *job.run().spec;
  if (!spec.training_input.hyperparameters.has_value()) return "";
  for (const std::string& metric : NeededMetrics(*job->spec)) {
    const MetricSummary* const summary = FindSummary(*job->spec, trial, metric);
    const std::string what =
        LostBy(spec, summary == nullptr ? std::nullopt : summary->road, end);
    if (what.empty()) continue;
    return absl::StrCat(
        "It ended well, but there was no room for ", what, ", and values of ",
        ShowText(metric),
        " may have been among them. That is no fault of the trial.");
  }
  return "";
}

// Returns the value of a metric that counts by the job's rules.
std::optional<FinalMeasurement> FinalOf(JobRef job,
                                        const MetricSummary& summary) {
  const VernierSection& rules = job.run().spec->vernier;
  if (summary.not_finite_last.has_value() &&
      rules.not_finite_end == NotFiniteEnd::kInfeasible) {
    return std::nullopt;
  }
  return rules.objective_reduction == ObjectiveReduction::kBest ? summary.best
                                                                : summary.last;
}

// Says that the trial's value is not the last one that its program reported,
// because that could not be read; otherwise empty.
std::string DescribeLaterMiss(JobRef job, const TrialRecord& trial,
                              const AttemptObservation& end) {
  for (const LaterMiss& miss : end.later_misses) {
    const MetricSummary* const summary =
        FindSummary(*job->spec, trial, NameOfReported(*job->spec, miss.metric));
    if (summary == nullptr || summary->road != miss.road) continue;
    return absl::StrCat("its value of ", ShowText(miss.metric),
                        " is an earlier one, since what came later could not "
                        "be read: ",
                        miss.text);
  }
  return "";
}

AttemptVerdict JudgeSuccess(JobRef job, const TrialRecord& trial,
                            const AttemptObservation& end) {
  AttemptVerdict verdict;
  verdict.message = DescribeLoss(job, trial, end);
  if (!verdict.message.empty()) {
    return JudgeFault(job, trial, TrialEndCause::kInfrastructure,
                      std::move(verdict));
  }
  verdict.trial_event = TrialEvent::kReportFinal;
  verdict.cause = TrialEndCause::kSuccess;
  if (!job.run().spec->training_input.hyperparameters.has_value()) {
    return verdict;
  }
  for (const std::string& metric : NeededMetrics(*job->spec)) {
    const MetricSummary* const summary = FindSummary(*job->spec, trial, metric);
    if (summary != nullptr && FinalOf(job, *summary).has_value()) continue;
    if (summary != nullptr && summary->not_finite_count > 0) {
      verdict.cause = TrialEndCause::kNotFinite;
      verdict.trial_event = TrialEvent::kReportInfeasible;
      verdict.message = DescribeNotFinite(metric, *summary);
    } else {
      verdict.cause = TrialEndCause::kNoMetric;
      verdict.message = DescribeMissingMetric(metric, trial, end.message);
    }
    return verdict;
  }
  verdict.message = DescribeLaterMiss(job, trial, end);
  return verdict;
}

// Judges a trial whose program cut its training short, by the same rules as a
// trial whose client says that it did.
AttemptVerdict JudgeStoppedItself(JobRef job, const TrialRecord& trial,
                                  const AttemptObservation& end) {
  AttemptVerdict verdict = JudgeSuccess(job, trial, end);
  if (verdict.cause == TrialEndCause::kSuccess) {
    verdict.cause = TrialEndCause::kStoppedEarly;
    verdict.trial_event = TrialEvent::kConfirmStop;
    verdict.message =
        verdict.message.empty()
            ? "its program stopped it early"
            : absl::StrCat("its program stopped it early; ", verdict.message);
  } else if (verdict.cause == TrialEndCause::kNoMetric) {
    verdict.cause = TrialEndCause::kInfeasible;
    verdict.trial_event = TrialEvent::kReportInfeasible;
    verdict.message = "its program stopped it before it reported a value";
  }
  return verdict;
}

AttemptVerdict JudgeRestarted(const TrialRecord& trial, AttemptEvent event) {
  AttemptVerdict verdict;
  verdict.attempt_event = event;
  verdict.cause = trial.attempts.back().kill_cause;
  if (verdict.cause == TrialEndCause::kStoppedEarly) {
    verdict.message = trial.attempts.back().message;  // From the stopping rule.
    return verdict;
  }
  verdict.message =
      verdict.cause == TrialEndCause::kPreempted
          ? "it was preempted: ended to make room, or for a pause or a stop of "
            "the service"
          : "it was ended to start again with the job's newest version";
  return verdict;
}

AttemptVerdict JudgeKilled(const TrialRecord& trial,
                           const AttemptObservation& end) {
  AttemptVerdict verdict;
  verdict.attempt_event = AttemptEvent::kKill;
  verdict.cause = StopCause(trial);
  verdict.trial_event = trial.state == TrialState::kStopping
                            ? TrialEvent::kConfirmStop
                            : TrialEvent::kGiveUp;
  verdict.message = verdict.cause == TrialEndCause::kTimeLimit
                        ? "it ran longer than vernier.trialTimeLimit allows"
                        : end.message;
  return verdict;
}

AttemptVerdict Infeasible(TrialEndCause cause, AttemptVerdict verdict) {
  verdict.cause = cause;
  verdict.trial_event = TrialEvent::kReportInfeasible;
  return verdict;
}

// Inserts the sentence after the message's first line, which says which replica
// ended and how; the lines of the log follow.
std::string WithSentence(const std::string& message, const std::string& text) {
  if (text.empty()) return message;
  if (message.empty()) return text;
  const std::size_t end = std::min(message.find('\n'), message.size());
  return absl::StrCat(message.substr(0, end), " ", text, message.substr(end));
}

bool HadGpus(JobRef job, const TrialRecord& trial) {
  if (!trial.attempts.back().devices.empty()) return true;
  // A cluster's engine leases GPUs itself.
  const JobSpec& spec = *job.run().spec;
  return !RunsOnThisMachine(spec) &&
         GpusPerReplica(spec, spec.training_input.master) > 0;
}

// Judges an end for which the rule of `match` holds.
AttemptVerdict JudgeByRule(JobRef job, const TrialRecord& trial,
                           const AttemptObservation& end, const EndMatch& match,
                           AttemptVerdict verdict) {
  verdict.message = WithSentence(verdict.message, DescribeMatch(match));
  switch (match.rule.action) {
    case EndAction::kSucceed:
      return JudgeSuccess(job, trial, end);
    case EndAction::kInfeasible:
      return Infeasible(TrialEndCause::kInfeasible, std::move(verdict));
    case EndAction::kOutOfMemory:
      return Infeasible(TrialEndCause::kOutOfMemory, std::move(verdict));
    case EndAction::kInfrastructure:
      return JudgeFault(job, trial, TrialEndCause::kInfrastructure,
                        std::move(verdict));
    case EndAction::kRetry:
      return JudgeFault(job, trial, TrialEndCause::kTransient,
                        std::move(verdict));
    case EndAction::kPause:
      // This uses up no retry, like any end for a pause.
      verdict.cause = TrialEndCause::kPreempted;
      verdict.pause =
          absl::StrCat("paused by vernier.", match.name, ", since trial ",
                       ToInt(trial.id), " ended so: ", verdict.message);
      return verdict;
    case EndAction::kFail:
      break;
  }
  return JudgeFault(job, trial, TrialEndCause::kUserError, std::move(verdict));
}

AttemptVerdict JudgeEnded(JobRef job, const TrialRecord& trial,
                          const AttemptObservation& end) {
  const AttemptRecord& attempt = trial.attempts.back();
  AttemptVerdict verdict;
  verdict.message = end.message;
  if (attempt.kill_wanted && end.stopped_by_request) {
    return IsToStartAgain(trial) ? JudgeRestarted(trial, AttemptEvent::kKill)
                                 : JudgeKilled(trial, end);
  }
  // From here on the attempt ended by itself, perhaps just before a kill
  // reached it.
  std::optional<EndMatch> match;
  // The launcher's own knowledge comes before the job's rules, which see only a
  // status and a log.
  if (!end.launch_failed && !end.out_of_memory) {
    match =
        MatchEnd(job.run().spec->vernier.end_rules, HadGpus(job, trial), end);
    const bool succeeded = match.has_value()
                               ? match->rule.action == EndAction::kSucceed
                               : end.exit_code == 0;
    if (succeeded) return JudgeSuccess(job, trial, end);
  }
  const bool is_of_job = match.has_value() && !match->name.empty();
  const bool stopped_itself = !is_of_job && !end.launch_failed &&
                              !end.out_of_memory &&
                              end.exit_code == kStoppedStatus;
  // A success that races with a stop was kept above; any other end counts as
  // the stop.
  if (trial.state == TrialState::kStopping) return JudgeKilled(trial, end);
  if (IsToStartAgain(trial)) return JudgeRestarted(trial, AttemptEvent::kExit);
  if (stopped_itself) return JudgeStoppedItself(job, trial, end);
  if (end.launch_failed) {
    verdict.cause = TrialEndCause::kLaunchFailed;
    verdict.trial_event = TrialEvent::kGiveUp;
    return verdict;
  }
  if (end.out_of_memory) {
    return Infeasible(TrialEndCause::kOutOfMemory, std::move(verdict));
  }
  if (match.has_value()) {
    return JudgeByRule(job, trial, end, *match, std::move(verdict));
  }
  return JudgeFault(job, trial, TrialEndCause::kUserError, std::move(verdict));
}

// Says for people what an engine's end means. The sentence follows the engine's
// own words.
std::string_view SentenceOf(EngineEnd end) {
  switch (end) {
    case EngineEnd::kNodeFailed:
      return "The machine was lost; that is no fault of the trial.";
    case EngineEnd::kEvicted:
      return "Its machine lacked memory or disk space, or was drained; that is "
             "no fault of the trial.";
    case EngineEnd::kImagePull:
      return "The image may be there later, so it is tried again.";
    case EngineEnd::kUnknown:
    case EngineEnd::kPreempted:
    case EngineEnd::kTimeLimit:
      return "";
  }
  return "";
}

AttemptVerdict JudgeLost(JobRef job, const TrialRecord& trial,
                         const AttemptObservation& observation) {
  AttemptVerdict verdict;
  verdict.attempt_event = AttemptEvent::kLose;
  verdict.message = observation.message;
  const bool is_active = trial.state == TrialState::kActive;
  if (is_active && observation.engine_end == EngineEnd::kPreempted) {
    verdict.cause = TrialEndCause::kPreempted;  // Uses up no retry.
    return verdict;
  }
  if (is_active && observation.engine_end == EngineEnd::kTimeLimit) {
    // A further attempt would end in the same way.
    verdict.cause = TrialEndCause::kTimeLimit;
    verdict.trial_event = TrialEvent::kGiveUp;
    return verdict;
  }
  verdict.message = WithSentence(
      verdict.message, std::string(SentenceOf(observation.engine_end)));
  verdict = JudgeFault(job, trial, TrialEndCause::kInfrastructure,
                       std::move(verdict));
  GiveUpIfNeverStarting(trial, &verdict);
  return verdict;
}

}  // namespace

AttemptVerdict JudgeAttempt(JobRef job, const TrialRecord& trial,
                            const AttemptObservation& observation) {
  AttemptVerdict verdict;
  const bool has_exit = observation.kind == AttemptObservation::Kind::kEnded;
  if (!has_exit && IsToStartAgain(trial)) {
    return JudgeRestarted(trial, AttemptEvent::kLose);
  }
  switch (observation.kind) {
    case AttemptObservation::Kind::kNeverStarted:
      verdict.attempt_event = AttemptEvent::kLose;
      verdict.cause = TrialEndCause::kInfrastructure;
      verdict.message = "the service ended before the attempt was started";
      if (trial.state == TrialState::kStopping) {
        verdict.cause = StopCause(trial);
        verdict.trial_event = TrialEvent::kConfirmStop;
      }
      GiveUpIfNeverStarting(trial, &verdict);
      return verdict;
    case AttemptObservation::Kind::kLost:
      return JudgeLost(job, trial, observation);
    case AttemptObservation::Kind::kEnded:
    case AttemptObservation::Kind::kStarting:
    case AttemptObservation::Kind::kRunning:
      break;
  }
  return JudgeEnded(job, trial, observation);
}

TrialEndCause TrialCause(TrialEndCause cause) {
  switch (cause) {
    case TrialEndCause::kTransient:
      return TrialEndCause::kUserError;
    case TrialEndCause::kPreempted:
      return TrialEndCause::kCancelled;
    default:
      return cause;
  }
}

void SelectFinal(JobRef job, const TrialRecord& trial, MoveTrial* move) {
  move->final_measurement = FinalOf(job, trial.objective);
  if (!HasOtherMetrics(*job->spec)) return;
  MetricReport report;
  for (const std::string& metric : NeededMetrics(*job->spec)) {
    const MetricSummary* const summary = FindSummary(*job->spec, trial, metric);
    if (summary == nullptr) continue;
    const auto value = FinalOf(job, *summary);
    if (!value.has_value()) continue;
    report.step = std::max(report.step, value->step);
    report.metrics.push_back({metric, value->value});
  }
  if (!report.metrics.empty()) move->final_report = std::move(report);
}

}  // namespace vernier
