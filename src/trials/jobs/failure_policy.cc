#include "trials/jobs/failure_policy.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "study/search_space.h"
#include "study/words/duration_text.h"
#include "study/words/end_words.h"
#include "trials/jobs/missing_objective.h"

namespace vernier {
namespace {

const HyperparameterSpec& TuningOf(JobRef job) {
  return *job.run().spec->training_input.hyperparameters;
}

std::string Details(JobRef job, const TrialRecord& last) {
  return absl::StrCat("trial ", ToInt(last.id), " (",
                      DescribeParameters(job, last.parameters),
                      "): ", last.message);
}

std::string Row(int trials) {
  return trials == 1 ? "1 trial" : absl::StrCat(trials, " trials in a row");
}

std::optional<std::string> FailureByAiPlatform(JobRef job,
                                               const TrialTally& tally,
                                               const TrialRecord& last) {
  if (last.id == TrialId{1} && tally.succeeded == 0) {
    return absl::StrCat(
        "the first trial failed, and none had succeeded: mend the program and "
        "resume, or let the job go on after failures "
        "(vernier.maxConsecutiveFailures). What failed was ",
        Details(job, last));
  }
  if (tally.failed >= kManyFailures && tally.failed > tally.succeeded) {
    return absl::StrCat(tally.failed, " trials failed and only ",
                        tally.succeeded,
                        " succeeded; maxFailedTrials allows more. The last "
                        "one was ",
                        Details(job, last));
  }
  return std::nullopt;
}

std::optional<std::string> FailureByRow(JobRef job, const TrialTally& tally,
                                        int longest, const TrialRecord& last) {
  if (longest == 0) return std::nullopt;
  if (tally.failed_in_a_row >= longest) {
    return absl::StrCat(
        Row(tally.failed_in_a_row),
        " failed (vernier.maxConsecutiveFailures allows fewer than ", longest,
        "). The last one was ", Details(job, last));
  }
  const int ended = tally.succeeded + tally.failed + tally.infeasible;
  if (ended >= kManyTrials && 2 * tally.failed > ended) {
    return absl::StrCat(tally.failed, " of ", ended,
                        " trials failed, which is more than half; "
                        "maxFailedTrials allows more. The last one was ",
                        Details(job, last));
  }
  return std::nullopt;
}

// Returns how many trials in a row, `last` among them, failed with the same
// error since the job was last resumed. Zero if `last` did not fail.
int RepeatsOf(JobRef job, const TrialTally& tally, const TrialRecord& last) {
  if (last.end_cause != TrialEndCause::kUserError) return 0;
  const std::string signature = ErrorSignature(last.message);
  if (signature.empty()) return 0;
  // The newest ends come first. The row is short unless a user has switched the
  // other limits off, and this runs at failures only.
  std::vector<std::shared_ptr<const TrialRecord>> failed;
  for (std::size_t n = job->trials.size(); n > 0; --n) {
    const TrialId id{static_cast<std::int64_t>(n)};
    if (id == last.id ||
        job->trials.Brief(id).end_cause != TrialEndCause::kUserError) {
      continue;
    }
    failed.push_back(job->trials.Share(id));
    if (failed.size() > std::size_t{4} * kRowAnyway) break;
  }
  std::stable_sort(
      failed.begin(), failed.end(),
      [](const auto& a, const auto& b) { return a->ended_at > b->ended_at; });
  int count = 1;
  for (const auto& trial : failed) {
    if (count >= tally.failed_in_a_row) break;
    if (ErrorSignature(trial->message) != signature) break;
    ++count;
  }
  return count;
}

void AddEnds(TrialEndCause cause, int count, TrialTally* tally) {
  if (CountsAsFailed(cause)) tally->failed += count;
  if (CountsAsInfeasible(cause)) tally->infeasible += count;
  if (CountsAsSucceeded(cause)) tally->succeeded += count;
  if (cause == TrialEndCause::kNoMetric) tally->no_metric += count;
  if (cause == TrialEndCause::kInfrastructure) tally->infrastructure += count;
}

}  // namespace

std::string EndsText(TrialEndCause cause, int count) {
  const TrialEndLaw& law = LawOf(cause);
  if (law.happened.empty()) {
    return absl::StrCat(count, " ended (", CauseWords(ToString(cause)), ")");
  }
  return absl::StrCat(count,
                      !law.is_passive ? " "
                      : count == 1    ? " was "
                                      : " were ",
                      std::string(law.happened));
}

TrialTally TallyOf(JobRef job) {
  TrialTally tally;
  for (const auto& [cause, total] : job->ended) {
    // A failure of an earlier version says nothing about this one, however late
    // the attempt ended.
    const int earlier =
        IsMadeUpFor(cause) ? CountOf(job->ended_earlier, cause) : 0;
    const int count =
        total -
        std::max(earlier, CountOf(job.run().ended_before_resume, cause));
    AddEnds(cause, count, &tally);
  }
  tally.failed_in_a_row = job.run().consecutive_failures;
  tally.instant_failures_in_a_row = job.run().consecutive_instant_failures;
  return tally;
}

void CountEnd(TrialEndCause cause, std::chrono::microseconds lasted,
              std::chrono::microseconds instant_failure, TrialTally* tally) {
  AddEnds(cause, 1, tally);
  if (CountsAsFailed(cause)) ++tally->failed_in_a_row;
  if (CountsAsInfeasible(cause) || CountsAsSucceeded(cause)) {
    tally->failed_in_a_row = 0;
  }
  switch (LawOf(cause).program) {
    case ProgramSign::kFails:
      tally->instant_failures_in_a_row =
          lasted < instant_failure ? tally->instant_failures_in_a_row + 1 : 0;
      return;
    case ProgramSign::kWorks:
      tally->instant_failures_in_a_row = 0;
      return;
    case ProgramSign::kNothing:
      return;
  }
}

std::string DescribeParameters(const StudyRecord& study,
                               const Parameters& parameters) {
  std::string text;
  const std::vector<std::string> values =
      FormatValues(study.spec->parameters, parameters);
  for (std::size_t i = 0; i < values.size(); ++i) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", parameters[i].name, "=",
                    values[i]);
  }
  return text;
}

std::optional<std::string> JobFailure(JobRef job, const TrialTally& tally,
                                      const TrialRecord& last) {
  if (!job.run().spec->training_input.hyperparameters.has_value()) {
    return last.message;
  }
  // All trials share the job's environment, so no other trial would do better.
  if (last.end_cause == TrialEndCause::kLaunchFailed && tally.succeeded == 0 &&
      !job.run().spec->training_input.package_uris.empty()) {
    return last.message;
  }
  const int limit = TuningOf(job).max_failed_trials;
  const int counted = tally.failed + tally.infeasible;
  if (limit > 0) {
    if (counted < limit) return std::nullopt;
    return absl::StrCat(counted, " of ", limit,
                        " allowed trials (maxFailedTrials) failed, the last "
                        "one being ",
                        Details(job, last));
  }
  if (!CountsAsFailed(last.end_cause)) return std::nullopt;
  const auto& row = job.run().spec->vernier.max_consecutive_failures;
  return row.has_value() ? FailureByRow(job, tally, *row, last)
                         : FailureByAiPlatform(job, tally, last);
}

std::string ErrorSignature(const std::string& message) {
  std::size_t end = message.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return "";
  const std::size_t newline = message.find_last_of('\n', end);
  const std::size_t from = newline == std::string::npos ? 0 : newline + 1;
  std::string signature;
  bool in_number = false;
  for (const char c : message.substr(from, end + 1 - from)) {
    // Hexadecimal digits count, too, because addresses differ from run to run.
    const bool is_digit =
        (c >= '0' && c <= '9') ||
        (in_number && (c == '.' || c == 'x' || (c >= 'a' && c <= 'f')));
    if (!is_digit) signature += c;
    if (is_digit && !in_number) signature += '#';
    in_number = is_digit;
  }
  return signature;
}

std::optional<std::string> JobPause(JobRef job, const TrialTally& tally,
                                    std::chrono::milliseconds instant_failure,
                                    const TrialRecord& last) {
  if (!job.run().spec->training_input.hyperparameters.has_value()) {
    return std::nullopt;
  }
  const int limit = job.run().spec->vernier.max_instant_failures;
  // A program that has succeeded is not broken, but fails for some parameters.
  const int longest_row =
      tally.succeeded == 0 ? limit : std::max(limit, kRowAnyway);
  if (CountsAsFailed(last.end_cause) &&
      tally.instant_failures_in_a_row >= longest_row) {
    return absl::StrCat("paused after ", Row(tally.instant_failures_in_a_row),
                        " failed within ", DurationText(instant_failure),
                        " of their start; mend the program and resume. The "
                        "last one said: ",
                        last.message);
  }
  const int repeats = RepeatsOf(job, tally, last);
  if (repeats >= longest_row) {
    return absl::StrCat("paused after ", Row(repeats),
                        " failed with the same error; mend the program and "
                        "resume. The last one said: ",
                        last.message);
  }
  if (last.end_cause == TrialEndCause::kInfrastructure &&
      tally.infrastructure >= limit && tally.infrastructure > tally.succeeded) {
    return absl::StrCat(
        "paused after ", tally.infrastructure,
        tally.infrastructure == 1 ? " trial was" : " trials were",
        " given up by the machine's fault; mend it and resume. The last one "
        "said: ",
        last.message);
  }
  if (last.end_cause == TrialEndCause::kNoMetric && tally.no_metric >= limit &&
      tally.no_metric == tally.succeeded) {
    return absl::StrCat(
        "paused because ", tally.no_metric,
        tally.no_metric == 1 ? " trial has" : " trials have",
        " ended well without a value of the metric and none with one. ",
        HowToReportObjective(job), " The last one: ", last.message);
  }
  return std::nullopt;
}

}  // namespace vernier
