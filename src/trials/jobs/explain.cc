#include "trials/jobs/explain.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/counted_noun.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "store/present_space.h"
#include "study/job_file/code_notes.h"
#include "study/stopping/stopping_rule_name.h"
#include "study/words/duration_text.h"
#include "study/words/end_words.h"
#include "study/words/shown_job_state.h"
#include "trials/engine/failure_report.h"
#include "trials/engine/study_view.h"
#include "trials/engine/waiting_proposals.h"
#include "trials/jobs/early_stopping_savings.h"
#include "trials/jobs/failure_policy.h"
#include "trials/jobs/missing_objective.h"
#include "trials/jobs/waits_for.h"
#include "trials/results/best_trials.h"
#include "trials/results/final_values.h"
#include "trials/results/front.h"
#include "trials/stopping/set_aside.h"
#include "trials/stopping/study_curves.h"

namespace vernier {
namespace {

std::string LimitsOf(const StudySnapshot& study) {
  const auto job = AsJob(study);
  if (!job.has_value()) {
    std::size_t count = 0;
    ForEachTrial(study, [&count](const TrialBrief&) { ++count; });
    return absl::StrCat(Counted(count, "trial"), " created");
  }
  return absl::StrCat(
      study.trials.size(), " of ", Counted(job->run().max_trials, "trial"),
      " created, at most ", MaxParallelTrialsOf(job->run()), " at a time");
}

// Describes the state of a study that clients run.
std::string DescribeClientStudy(
    ClientStudyRef study, std::optional<std::chrono::microseconds> idle_for) {
  const std::string state =
      idle_for.has_value()
          ? absl::StrCat("idle: nobody has worked on it for ",
                         *idle_for < std::chrono::seconds(1)
                             ? "less than a second"
                             : DurationText(*idle_for))
          : absl::AsciiStrToLower(std::string(ToString(study.run().state)));
  std::string text = absl::StrCat("Study ", study->name, " is ", state,
                                  "; its clients run the trials.\n");
  if (!study.run().state_reason.empty()) {
    absl::StrAppend(&text, "Reason: ", study.run().state_reason, "\n");
  }
  if (study->spec->metrics.size() > 1) {
    absl::StrAppend(&text, "It looks for the front of its ",
                    study->spec->metrics.size(),
                    " metrics: the trials that no other one beats in all.\n");
  }
  return text;
}

std::string DescribeOrigin(const SuggestionOrigin& origin) {
  if (origin.record.has_value()) {
    return absl::StrCat(DescribeSuggestion(*origin.record), "\n");
  }
  if (origin.suggester == kChosenByClient) {
    return "Its client chose its parameters itself.\n";
  }
  // Trials of an early release have no record of their suggestion.
  return absl::StrCat("It was chosen by the algorithm ", origin.suggester,
                      ".\n");
}

std::string DescribeQueue(const StudySnapshot& study) {
  if (study.queued.empty()) return "";
  const QueuedPoint& next = *study.queued.front();
  return absl::StrCat(
      study.queued.size() == 1
          ? "1 point given by hand waits"
          : absl::StrCat(study.queued.size(), " points given by hand wait"),
      "; trial ", ToInt(next.trial), " will be (",
      DescribeParameters(study, next.parameters), ").\n");
}

std::string DescribeProposals(const StudySnapshot& study) {
  std::map<std::string, int> counts;
  for (const Proposal& proposal : WaitingProposals(study)) {
    ++counts[proposal.source];
  }
  std::string text;
  for (const auto& [source, count] : counts) {
    absl::StrAppend(&text, count, count == 1 ? " point" : " points",
                    " proposed by \"", source,
                    count == 1 ? "\" waits" : "\" wait", " until \"", source,
                    "\" is trusted more than the search itself.\n");
  }
  return text;
}

// Describes the versions after the first, of a job or of a client study's
// search.
std::string DescribeVersions(const StudySnapshot& study) {
  std::vector<std::pair<int, std::string>> versions;
  if (const auto job = AsJob(study)) {
    for (const auto& version : job->run().earlier_versions) {
      versions.emplace_back(version->number, version->changes);
    }
    versions.emplace_back(job->run().code_version, job->run().version_changes);
    versions.erase(versions.begin());
  } else {
    for (const auto& edit : ClientStudyOf(study).run().edits) {
      versions.emplace_back(edit->version, edit->changes);
    }
  }
  if (versions.empty()) return "";
  std::string text = absl::StrCat("Its version ", versions.back().first,
                                  " brought: ", versions.back().second, ".\n");
  for (std::size_t i = versions.size() - 1; i > 0; --i) {
    absl::StrAppend(&text, "  version ", versions[i - 1].first, ": ",
                    versions[i - 1].second, "\n");
  }
  return text;
}

std::string DescribeMadeUp(const JobRun& run) {
  if (run.made_up_trials == 0) return "";
  return absl::StrCat("Beyond what was asked for, ",
                      Counted(run.made_up_trials, "trial"),
                      IsTerminal(run.state) ? " could" : " may",
                      " run in place of ones that failed or were cancelled "
                      "before it went on.\n");
}

std::string VersionOf(JobRef job, const AttemptRecord& attempt) {
  if (job.run().code_version == 1) return "";
  return absl::StrCat(" (version ", attempt.code_version, ")");
}

// Returns whether a stopping rule ended the attempt but not its trial. After a
// stop no further attempt follows, and the trial ends with it.
bool WasPaused(const TrialRecord& trial, const AttemptRecord& attempt) {
  if (attempt.end_cause != TrialEndCause::kStoppedEarly ||
      !attempt.kill_wanted) {  // Its program stopped by itself.
    return false;
  }
  return attempt.number < CurrentAttemptOf(trial) || IsPaused(trial) ||
         (!attempt.message.empty() &&
          trial.message.rfind(attempt.message, 0) == 0);
}

// Describes an attempt's end. `is_paused` means that a stopping rule ended the
// attempt and left its trial open.
std::string DescribeEnd(const AttemptRecord& attempt, bool is_paused) {
  std::string text(ToString(attempt.state));
  if (attempt.exit_code.has_value()) {
    absl::StrAppend(&text, " with status ", *attempt.exit_code);
  } else if (attempt.signal.has_value()) {
    absl::StrAppend(&text, " by signal ", *attempt.signal);
  }
  if (is_paused) {
    absl::StrAppend(&text, " (paused)");
  } else if (attempt.end_cause != TrialEndCause::kNone) {
    absl::StrAppend(&text, " (", CauseWords(ToString(attempt.end_cause)), ")");
  }
  if (attempt.lasted.count() > 0) {
    absl::StrAppend(&text, " after ", DurationText(attempt.lasted));
  }
  return text;
}

// Indents each line of an attempt's message, to stand below the attempt's own
// line.
std::string Indented(const std::string& message) {
  std::string text;
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = std::min(message.find('\n', at), message.size());
    absl::StrAppend(&text, "  ", message.substr(at, end - at), "\n");
    at = end + 1;
  }
  return text;
}

// Returns whether the study has reached one of its limits.
bool HasDoneEnough(JobRef job) {
  return job.run().wanted == JobWanted::kRun &&
         job.run().wanted_cause == WantedCause::kEnough;
}

// Describes the state of a job, and what it waits for.
std::string DescribeState(JobRef job, const Hindrance& hindrance) {
  const JobRun& run = job.run();
  std::string text =
      absl::StrCat("Job ", job->name, " ",
                   std::string(StateWords(run.state, run.wanted)), ".\n");
  const std::string waits = JobWaitsFor(job, hindrance);
  if (!waits.empty()) absl::StrAppend(&text, "It waits for ", waits, ".\n");
  if (HasDoneEnough(job)) {
    absl::StrAppend(&text,
                    IsTerminal(run.state)
                        ? "It has done enough: "
                        : "It has done enough, and starts no more trials: ",
                    run.wanted_reason, ".\n");
  }
  if (!run.error_message.empty()) {
    absl::StrAppend(&text, "Reason: ", PlainEnd(run.error_message), "\n");
  } else if (!IsTerminal(run.state)) {
    for (const std::string& note :
         {MissingObjectiveNote(job), OtherMetricsNote(job)}) {
      if (!note.empty()) absl::StrAppend(&text, note, "\n");
    }
  }
  return text;
}

// Describes the trials that an edit of the search has left outside.
std::string DescribeOutside(const StudySnapshot& study) {
  const std::size_t outside = CountOutside(study);
  if (outside == 0) return "";
  std::size_t count = 0;
  ForEachTrial(study, [&count](const TrialBrief&) { ++count; });
  return absl::StrCat(outside, " of ", Counted(count, "trial"),
                      outside == 1 ? " lies" : " lie",
                      " outside the search space as it is now: the choice of "
                      "new points does not use ",
                      outside == 1 ? "it" : "them", ".\n");
}

std::string YetToEnd(const StudySnapshot& study) {
  if (study.trials.size() == 0) return "";
  if (study.open.empty()) return "; all have ended";
  const auto paused = std::count_if(
      study.open.begin(), study.open.end(),
      [&](TrialId id) { return IsSetAside(study, study.trials.Get(id)); });
  return absl::StrCat(
      "; ", study.open.size(), study.open.size() == 1 ? " has" : " have",
      " yet to end",
      paused > 0 ? absl::StrCat(", ", paused, " of them paused") : "");
}

// "Trials 3, 7 and 15 are optimal: ...".
std::string DescribeFront(const StudySnapshot& study) {
  constexpr std::size_t kMostNamed = 20;
  const std::optional<Front> found = FrontOf(study);
  if (!found.has_value()) return "";
  const std::vector<TrialId>& front = found->trials;
  std::string text = front.size() == 1 ? "Trial " : "Trials ";
  for (std::size_t i = 0; i < std::min(front.size(), kMostNamed); ++i) {
    const bool is_last = i + 1 == front.size();
    absl::StrAppend(&text,
                    i == 0    ? ""
                    : is_last ? " and "
                              : ", ",
                    ToInt(front[i]));
  }
  if (front.size() > kMostNamed) {
    absl::StrAppend(&text, " and ", front.size() - kMostNamed, " more");
  }
  absl::StrAppend(&text, front.size() == 1 ? " is" : " are",
                  " optimal so far: no other trial is as good in all metrics "
                  "and better in one.");
  if (found->knee.has_value()) {
    absl::StrAppend(&text, " Trial ", ToInt(*found->knee),
                    " is the most balanced of them.");
  }
  return text + "\n";
}

}  // namespace

std::string ExplainJob(const StudySnapshot& study, const Hindrance& hindrance,
                       std::optional<std::chrono::microseconds> idle_for) {
  const auto job = AsJob(study);
  std::string text = job.has_value()
                         ? DescribeState(*job, hindrance)
                         : DescribeClientStudy(ClientStudyOf(study), idle_for);
  absl::StrAppend(&text, LimitsOf(study), YetToEnd(study), ".\n",
                  DescribeQueue(study), DescribeProposals(study));
  absl::StrAppend(&text, DescribeVersions(study));
  if (job.has_value()) absl::StrAppend(&text, DescribeMadeUp(job->run()));
  absl::StrAppend(&text, DescribeOutside(study));
  for (const auto& [cause, count] : study.ended) {
    absl::StrAppend(&text, "  ", EndsText(cause, count), "\n");
  }
  if (const auto savings = SavingsOf(study)) {
    absl::StrAppend(&text, DescribeSavings(*savings), ".\n");
  }
  if (study.spec->metrics.size() > 1) {
    absl::StrAppend(&text, DescribeFront(study));
  } else if (const TrialRecord* const best = BestTrial(study)) {
    absl::StrAppend(&text, "Best so far: trial ", ToInt(best->id), " with ",
                    // The addition removes the sign of a zero.
                    best->final_measurement->value + 0.0, " (",
                    DescribeParameters(study, best->parameters), ").\n");
  }
  if (!job.has_value()) return text;
  for (const std::string& field : job->run().ignored_fields) {
    absl::StrAppend(&text, "Has no effect here: ", field, "\n");
  }
  for (const std::string& note : CodeNotesOf(job->run().spec_json)) {
    absl::StrAppend(&text, "Its code: ", note, "\n");
  }
  return text;
}

namespace {

// "Its program failed, which counts as a failed trial."
std::string HowItEnded(TrialEndCause cause) {
  std::string meaning(LawOf(cause).meaning);
  if (!meaning.empty())
    meaning[0] = absl::ascii_toupper(static_cast<unsigned char>(meaning[0]));
  return absl::StrCat(meaning, ".");
}

// Returns a line for each constraint on a metric that the trial does not meet.
std::string DescribeBrokenConstraints(const StudySpec& spec,
                                      const TrialRecord& trial) {
  std::string text;
  if (trial.state != TrialState::kCompleted) return text;
  const std::vector<std::optional<double>> slacks = SlacksOf(spec, trial);
  for (std::size_t i = 0; i < slacks.size(); ++i) {
    const OutcomeConstraint& one = spec.constraints[i];
    const std::string bounds =
        absl::StrCat(ShowText(one.metric), " ", BoundsText(one));
    if (!slacks[i].has_value()) {
      absl::StrAppend(&text, "It has no value for the constraint ", bounds,
                      ", and is not the best therefore.\n");
    } else if (*slacks[i] < 0) {
      absl::StrAppend(&text, "It breaks the constraint ", bounds, " with ",
                      NumberText(*FinalValueOf(spec, trial, one.metric)),
                      ".\n");
    }
  }
  return text;
}

}  // namespace

std::string ExplainTrial(const StudySnapshot& study, const TrialRecord& trial,
                         const Hindrance& hindrance) {
  const auto job = AsJob(study);
  std::string text = absl::StrCat(
      "Trial ", ToInt(trial.id), job.has_value() ? " of job " : " of study ",
      study.name, " is ",
      IsSetAside(study, trial) ? "paused" : std::string(ToString(trial.state)),
      ".\n");
  const std::string waits = TrialWaitsFor(study, trial, hindrance);
  if (!waits.empty()) absl::StrAppend(&text, "It waits for ", waits, ".\n");
  if (trial.end_cause != TrialEndCause::kNone) {
    absl::StrAppend(&text, HowItEnded(trial.end_cause), "\n");
  }
  if (!trial.message.empty()) {
    const std::string message = PlainEnd(trial.message);
    absl::StrAppend(&text, message, message.back() == '\n' ? "" : "\n");
  }
  absl::StrAppend(&text, DescribeBrokenConstraints(*study.spec, trial));
  absl::StrAppend(&text,
                  "Parameters: ", DescribeParameters(study, trial.parameters),
                  "\n", DescribeOrigin(trial.origin));
  const std::string boundaries = DescribeBoundariesAt(study, trial.parameters);
  if (!boundaries.empty()) absl::StrAppend(&text, boundaries, "\n");
  if (!PresentSpace(study).Read(trial.parameters).has_value()) {
    absl::StrAppend(&text,
                    "It lies outside the search space as it is now: the "
                    "choice of new points does not use it.\n");
  }
  for (const std::string& problem : trial.metric_problems) {
    absl::StrAppend(&text, "Of its reports: ", problem, "\n");
  }
  if (!job.has_value()) return text;  // Its attempt is the client's.
  for (const AttemptRecord& attempt : trial.attempts) {
    const bool is_paused = WasPaused(trial, attempt);
    absl::StrAppend(&text, "Attempt ", attempt.number, VersionOf(*job, attempt),
                    ": ", DescribeEnd(attempt, is_paused));
    const std::string attempt_waits = AttemptWaitsFor(attempt);
    if (!attempt_waits.empty()) {
      absl::StrAppend(&text, ", waits for ", attempt_waits);
    }
    absl::StrAppend(&text, ".\n");
    // The trial's own message stands above.
    if (attempt.message != trial.message) {
      absl::StrAppend(&text, Indented(PlainEnd(attempt.message)));
    }
  }
  return text;
}

}  // namespace vernier
