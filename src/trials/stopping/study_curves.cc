#include "trials/stopping/study_curves.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "store/metric_summary.h"
#include "suggest/curves/put_curve.h"
#include "trials/results/final_values.h"

namespace vernier {
namespace {

// If a trial has more reports, those between these and the last are not
// compared.
constexpr std::size_t kMaxReports = 100000;

constexpr std::uint64_t kAllSampled = 1024;

// Returns whether the last attempt was, or is to be, ended by a rule that
// leaves its trial open.
bool IsHeldByRule(const TrialRecord& trial) {
  return trial.state == TrialState::kActive && !trial.attempts.empty() &&
         trial.attempts.back().kill_wanted &&
         trial.attempts.back().kill_cause == TrialEndCause::kStoppedEarly;
}

// Returns the state in which the trial counts for a rule; nullopt if it does
// not count.
std::optional<CurveState> StateOf(const TrialRecord& trial) {
  if (IsDeleted(trial)) return std::nullopt;
  if (IsTerminal(trial.state)) {
    if (!trial.final_measurement.has_value()) return std::nullopt;
    // A stopped trial counts, as in Vizier, but only up to its last step.
    // Without it the reference would be the survivors alone: their median rises
    // with each stop, so that ever more trials would be stopped.
    if (trial.end_cause == TrialEndCause::kStoppedEarly) {
      return CurveState::kStoppedEarly;
    }
    return trial.end_cause == TrialEndCause::kSuccess
               ? std::optional(CurveState::kCompleted)
               : std::nullopt;
  }
  if (trial.state != TrialState::kActive) return std::nullopt;
  if (IsPaused(trial) || IsPausing(trial)) return CurveState::kPaused;
  const bool is_under_way =
      trial.attempts.empty() || (!IsTerminal(trial.attempts.back().state) &&
                                 !trial.attempts.back().kill_wanted);
  return is_under_way ? std::optional(CurveState::kRunning) : std::nullopt;
}

// Returns whether the trial has reports that count. A retry is not judged by
// what its predecessor reported, unless it continues from there.
bool HasReported(const StudySnapshot& study, const TrialRecord& trial,
                 const std::optional<MetricSummary>& summary) {
  if (!summary.has_value() || !summary->last.has_value()) return false;
  return IsTerminal(trial.state) || study.spec->can_resume ||
         summary->last_attempt == CurrentAttemptOf(trial);
}

// Returns whether the trial, which has ended, is known to break a constraint,
// or is complete without being known to meet them.
bool BreaksConstraint(const StudySpec& spec, const TrialRecord& trial) {
  if (spec.constraints.empty() || !IsTerminal(trial.state)) return false;
  if (trial.end_cause == TrialEndCause::kSuccess) {
    return !MeetsConstraints(spec, trial);
  }
  const auto slacks = SlacksOf(spec, trial);
  return std::any_of(slacks.begin(), slacks.end(), [](const auto& slack) {
    return slack.has_value() && *slack < 0;
  });
}

// Returns whether reports of this source may be taken back: event files say
// when a program went back to an earlier step.
bool MayTakeBack(const std::optional<MetricRoad>& road) {
  return road >= MetricRoad::kValidationEvents &&
         road <= MetricRoad::kTrainingEvents;
}

}  // namespace

bool IsSampled(TrialId id) {
  const auto number = static_cast<std::uint64_t>(ToInt(id));
  const std::uint64_t share = (number + kAllSampled - 1) / kAllSampled;
  return number % std::bit_ceil(share) == 0;
}

bool IsPaused(const TrialRecord& trial) {
  return trial.state == TrialState::kActive && !trial.attempts.empty() &&
         IsTerminal(trial.attempts.back().state) &&
         trial.attempts.back().end_cause == TrialEndCause::kStoppedEarly;
}

bool IsPausing(const TrialRecord& trial) {
  return IsHeldByRule(trial) && !IsTerminal(trial.attempts.back().state);
}

// Reads only the trials that were open and the new ones, because a study may
// have a million.
absl::Status StudyCurves::Update(const StudySnapshot& study) {
  // This caller's snapshot may be older than that of an earlier caller.
  const bool is_older = study.trials.size() < num_seen_ ||
                        ToInt(study.last_event) < ToInt(last_event_);
  if (is_older) return absl::OkStatus();
  last_event_ = study.last_event;
  curves_.space = study.spec->parameters;
  curves_.goal = study.spec->metrics[metric_].goal;
  curves_.seed = study.seed;
  curves_.can_resume = IsJob(study) && study.spec->can_resume;
  // A client may delete a trial that has ended.
  const std::size_t deleted =
      std::erase_if(curves_.trials, [&](const TrialCurve& curve) {
        return study.trials.Brief(TrialId{curve.trial}).is_deleted;
      });
  if (deleted > 0) ++revision_;
  const PresentSpace space(study);
  for (auto id = open_.begin(); id != open_.end();) {
    const std::shared_ptr<const TrialRecord> trial = study.trials.Share(*id);
    VERNIER_RETURN_IF_ERROR(Look(study, space, *trial));
    id = IsTerminal(trial->state) ? open_.erase(id) : std::next(id);
  }
  while (num_seen_ < study.trials.size()) {
    const TrialId id{static_cast<std::int64_t>(num_seen_) + 1};
    // This is not Get, because that would keep all of them unpacked.
    const std::shared_ptr<const TrialRecord> trial = study.trials.Share(id);
    VERNIER_RETURN_IF_ERROR(Look(study, space, *trial));
    if (!IsTerminal(trial->state)) open_.insert(id);
    ++num_seen_;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<MetricSummary>> StudyCurves::SummaryOf(
    const StudySnapshot& study, const TrialRecord& trial) const {
  const MetricSummary* const kept =
      FindSummary(*study.spec, trial, NameIn(study));
  if (kept != nullptr) return *kept;
  if (!IsTerminal(trial.state)) return std::optional<MetricSummary>();
  VERNIER_ASSIGN_OR_RETURN(
      const std::vector<Measurement> reports,
      store_.ListMeasurements(study.id, trial.id, NameIn(study), kMaxReports));
  if (reports.empty()) return std::optional<MetricSummary>();
  return Summarize(curves_.goal, std::nullopt, reports);
}

absl::Status StudyCurves::Look(const StudySnapshot& study,
                               const PresentSpace& space,
                               const TrialRecord& trial) {
  const bool is_over = IsTerminal(trial.state);
  std::optional<CurveState> state;
  if (!is_over || IsSampled(trial.id)) state = StateOf(trial);
  std::optional<double> final_value;
  if (state == CurveState::kCompleted) {
    final_value = FinalValueOf(*study.spec, trial, NameIn(study));
    if (!final_value.has_value()) state.reset();
  }
  std::optional<MetricSummary> summary;
  if (state.has_value()) {
    VERNIER_ASSIGN_OR_RETURN(summary, SummaryOf(study, trial));
  }
  const bool has_reported = HasReported(study, trial, summary);
  // A metric other than the first may have no value but the final one.
  const bool has_final_only =
      !has_reported && metric_ > 0 && final_value.has_value();
  std::optional<Parameters> parameters;
  if (state.has_value() && (has_reported || has_final_only)) {
    parameters = space.Read(trial.parameters);
  }
  if (!parameters.has_value()) {
    if (DropCurve(ToInt(trial.id), &curves_)) ++revision_;
    // The reports of an open trial may count again later.
    if (is_over) sources_.erase(trial.id);
    return absl::OkStatus();
  }
  TrialCurve curve;
  curve.trial = ToInt(trial.id);
  curve.parameters = *std::move(parameters);
  curve.state = *state;
  curve.final_value = final_value;
  curve.breaks_constraint = BreaksConstraint(*study.spec, trial);
  if (has_reported) {
    VERNIER_RETURN_IF_ERROR(Follow(study, trial, *summary));
    curve.reports = sources_.at(trial.id).sample.Points();
  }
  if (PutCurve(std::move(curve), &curves_)) ++revision_;
  if (is_over) sources_.erase(trial.id);
  return absl::OkStatus();
}

// Brings the trial's sample up to date. Mostly there is one more report, which
// the summary has, or a few more, which are read (ReadOn). Otherwise all of the
// trial's reports are read (ReadAgain).
absl::Status StudyCurves::Follow(const StudySnapshot& study,
                                 const TrialRecord& trial,
                                 const MetricSummary& summary) {
  const auto [at, is_new] = sources_.try_emplace(
      trial.id, Source{CurveSample(curves_.goal), {}, 0, 0, {}});
  Source& source = at->second;
  const bool is_same_road =
      source.road == summary.road && !MayTakeBack(summary.road);
  const bool is_same_attempt = source.attempt == summary.last_attempt;
  const CurvePoint last{summary.last->step, summary.last->value};
  // An ended trial counts whole, a running one without what earlier attempts
  // reported.
  const bool is_another_curve = IsTerminal(trial.state) &&
                                trial.attempts.size() > 1 &&
                                !study.spec->can_resume;
  if (!is_new && !is_another_curve && source.road == summary.road &&
      is_same_attempt && source.finite_count == summary.finite_count &&
      source.reported_at == summary.last_reported_at &&
      // The latest value may be of an earlier step.
      (source.sample.last() == last || last.step < source.sample.last().step)) {
    return absl::OkStatus();
  }
  const bool is_first = is_new && summary.finite_count == 1;
  const bool goes_on = !is_new && !is_another_curve && is_same_road &&
                       is_same_attempt &&
                       summary.finite_count > source.finite_count &&
                       last.step > source.sample.last().step;
  const bool may_be_read =
      static_cast<std::size_t>(summary.finite_count) < kMaxReports;
  if (is_first || (goes_on && may_be_read &&
                   summary.finite_count == source.finite_count + 1)) {
    source.sample.Add(last);
  } else if (goes_on && source.full.has_value()) {
    source.sample = *source.full;  // Without the report that was the last.
    source.sample.Add(last);
  } else {
    absl::StatusOr<bool> read = false;
    if (goes_on && may_be_read) read = ReadOn(study, trial, summary, &source);
    if (read.ok() && !*read) {
      const absl::Status again = ReadAgain(study, trial, summary, &source);
      if (!again.ok()) read = again;
    }
    if (!read.ok()) {
      sources_.erase(at);
      return read.status();
    }
  }
  source.road = summary.road;
  source.attempt = summary.last_attempt;
  source.finite_count = summary.finite_count;
  source.reported_at = summary.last_reported_at;
  return absl::OkStatus();
}

absl::Status StudyCurves::ReadAgain(const StudySnapshot& study,
                                    const TrialRecord& trial,
                                    const MetricSummary& summary,
                                    Source* source) {
  VERNIER_ASSIGN_OR_RETURN(
      const std::vector<Measurement> reports,
      store_.ListMeasurements(study.id, trial.id, NameIn(study), kMaxReports));
  const bool goes_on = IsTerminal(trial.state) || study.spec->can_resume;
  Curve curve;
  int attempt = 0;
  for (const Measurement& report : reports) {
    // Reports from less explicit sources, from before the metric came from this
    // one, do not count.
    if (report.road != summary.road || !std::isfinite(report.value)) {
      continue;
    }
    if (!goes_on && report.attempt != CurrentAttemptOf(trial)) continue;
    // The reports are ordered by attempt, step and time. An attempt that
    // continues from an earlier one's checkpoint replaces what that one
    // reported after it. If a step was reported twice, the latest report
    // counts.
    if (curve.empty() || report.attempt != attempt ||
        curve.back().step == report.step) {
      while (!curve.empty() && curve.back().step >= report.step) {
        curve.pop_back();
      }
    }
    attempt = report.attempt;
    curve.push_back({report.step, report.value});
  }
  CurveSample sample(curves_.goal);
  for (const CurvePoint& point : curve) sample.Add(point);
  source->full.reset();
  if (reports.size() >= kMaxReports) source->full = sample;
  const CurvePoint last{summary.last->step, summary.last->value};
  if (sample.empty() || sample.last().step < last.step) sample.Add(last);
  source->sample = std::move(sample);
  return absl::OkStatus();
}

absl::StatusOr<bool> StudyCurves::ReadOn(const StudySnapshot& study,
                                         const TrialRecord& trial,
                                         const MetricSummary& summary,
                                         Source* source) {
  VERNIER_ASSIGN_OR_RETURN(
      const std::vector<Measurement> reports,
      store_.ListMeasurementsAfter({study.id, trial.id, summary.last_attempt},
                                   NameIn(study), source->sample.last().step,
                                   kMaxReports));
  Curve newer;
  std::int64_t count = 0;
  for (const Measurement& report : reports) {
    if (report.step > summary.last->step) break;  // Newer than `study`.
    if (report.road != summary.road || !std::isfinite(report.value)) continue;
    ++count;
    if (!newer.empty() && newer.back().step == report.step) newer.pop_back();
    newer.push_back({report.step, report.value});
  }
  // If there are fewer, some were reported for earlier steps.
  if (newer.empty() || count != summary.finite_count - source->finite_count ||
      newer.back().value != summary.last->value) {
    return false;
  }
  for (const CurvePoint& point : newer) source->sample.Add(point);
  return true;
}

}  // namespace vernier
