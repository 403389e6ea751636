#include "trials/stopping/study_curves.h"

#include <bit>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "suggest/curves/put_curve.h"

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
bool HasReported(const StudySnapshot& study, const TrialRecord& trial) {
  if (!trial.objective.last.has_value()) return false;
  return IsTerminal(trial.state) || study.spec->can_resume ||
         trial.objective.last_attempt == CurrentAttemptOf(trial);
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
  curves_.goal = ObjectiveOf(*study.spec).goal;
  curves_.seed = study.seed;
  curves_.can_resume = study.run.has_value() && study.spec->can_resume;
  // A client may delete a trial that has ended.
  const std::size_t deleted =
      std::erase_if(curves_.trials, [&](const TrialCurve& curve) {
        return study.trials.Brief(TrialId{curve.trial}).is_deleted;
      });
  if (deleted > 0) ++revision_;
  for (auto id = open_.begin(); id != open_.end();) {
    const std::shared_ptr<const TrialRecord> trial = study.trials.Share(*id);
    VERNIER_RETURN_IF_ERROR(Look(study, *trial));
    id = IsTerminal(trial->state) ? open_.erase(id) : std::next(id);
  }
  while (num_seen_ < study.trials.size()) {
    const TrialId id{static_cast<std::int64_t>(num_seen_) + 1};
    // This is not Get, because that would keep all of them unpacked.
    const std::shared_ptr<const TrialRecord> trial = study.trials.Share(id);
    VERNIER_RETURN_IF_ERROR(Look(study, *trial));
    if (!IsTerminal(trial->state)) open_.insert(id);
    ++num_seen_;
  }
  return absl::OkStatus();
}

absl::Status StudyCurves::Look(const StudySnapshot& study,
                               const TrialRecord& trial) {
  const std::optional<CurveState> state = StateOf(trial);
  const bool is_over = IsTerminal(trial.state);
  if (!state.has_value() || !HasReported(study, trial) ||
      (is_over && !IsSampled(trial.id))) {
    if (DropCurve(ToInt(trial.id), &curves_)) ++revision_;
    // The reports of an open trial may count again later.
    if (is_over) sources_.erase(trial.id);
    return absl::OkStatus();
  }
  VERNIER_RETURN_IF_ERROR(Follow(study, trial));
  TrialCurve curve;
  curve.trial = ToInt(trial.id);
  curve.parameters = trial.parameters;
  curve.reports = sources_.at(trial.id).sample.Points();
  curve.state = *state;
  if (*state == CurveState::kCompleted) {
    curve.final_value = trial.final_measurement->value;
  }
  if (PutCurve(std::move(curve), &curves_)) ++revision_;
  if (is_over) sources_.erase(trial.id);
  return absl::OkStatus();
}

// Brings the trial's sample up to date. Mostly there is one more report, which
// the summary has, or a few more, which are read (ReadOn). Otherwise all of the
// trial's reports are read (ReadAgain).
absl::Status StudyCurves::Follow(const StudySnapshot& study,
                                 const TrialRecord& trial) {
  const MetricSummary& objective = trial.objective;
  const auto [at, is_new] = sources_.try_emplace(
      trial.id, Source{CurveSample(curves_.goal), {}, 0, 0, {}});
  Source& source = at->second;
  const bool is_same_road =
      source.road == objective.road && !MayTakeBack(objective.road);
  const bool is_same_attempt = source.attempt == objective.last_attempt;
  const CurvePoint last{objective.last->step, objective.last->value};
  // An ended trial counts whole, a running one without what earlier attempts
  // reported.
  const bool is_another_curve = IsTerminal(trial.state) &&
                                trial.attempts.size() > 1 &&
                                !study.spec->can_resume;
  if (!is_new && !is_another_curve && source.road == objective.road &&
      is_same_attempt && source.finite_count == objective.finite_count &&
      source.reported_at == objective.last_reported_at &&
      // The latest value may be of an earlier step.
      (source.sample.last() == last || last.step < source.sample.last().step)) {
    return absl::OkStatus();
  }
  const bool is_first = is_new && objective.finite_count == 1;
  const bool goes_on = !is_new && !is_another_curve && is_same_road &&
                       is_same_attempt &&
                       objective.finite_count > source.finite_count &&
                       last.step > source.sample.last().step;
  const bool may_be_read =
      static_cast<std::size_t>(objective.finite_count) < kMaxReports;
  if (is_first || (goes_on && may_be_read &&
                   objective.finite_count == source.finite_count + 1)) {
    source.sample.Add(last);
  } else if (goes_on && source.full.has_value()) {
    source.sample = *source.full;  // Without the report that was the last.
    source.sample.Add(last);
  } else {
    absl::StatusOr<bool> read = false;
    if (goes_on && may_be_read) read = ReadOn(study, trial, &source);
    if (read.ok() && !*read) {
      const absl::Status again = ReadAgain(study, trial, &source);
      if (!again.ok()) read = again;
    }
    if (!read.ok()) {
      sources_.erase(at);
      return read.status();
    }
  }
  source.road = objective.road;
  source.attempt = objective.last_attempt;
  source.finite_count = objective.finite_count;
  source.reported_at = objective.last_reported_at;
  return absl::OkStatus();
}

absl::Status StudyCurves::ReadAgain(const StudySnapshot& study,
                                    const TrialRecord& trial, Source* source) {
  VERNIER_ASSIGN_OR_RETURN(
      const std::vector<Measurement> reports,
      store_.ListMeasurements(study.id, trial.id, ObjectiveOf(*study.spec).name,
                              kMaxReports));
  const bool goes_on = IsTerminal(trial.state) || study.spec->can_resume;
  Curve curve;
  int attempt = 0;
  for (const Measurement& report : reports) {
    // Reports from less explicit sources, from before the objective came from
    // this one, do not count.
    if (report.road != trial.objective.road || !std::isfinite(report.value)) {
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
  const CurvePoint last{trial.objective.last->step,
                        trial.objective.last->value};
  if (sample.empty() || sample.last().step < last.step) sample.Add(last);
  source->sample = std::move(sample);
  return absl::OkStatus();
}

absl::StatusOr<bool> StudyCurves::ReadOn(const StudySnapshot& study,
                                         const TrialRecord& trial,
                                         Source* source) {
  const MetricSummary& objective = trial.objective;
  VERNIER_ASSIGN_OR_RETURN(
      const std::vector<Measurement> reports,
      store_.ListMeasurementsAfter({study.id, trial.id, objective.last_attempt},
                                   ObjectiveOf(*study.spec).name,
                                   source->sample.last().step, kMaxReports));
  Curve newer;
  std::int64_t count = 0;
  for (const Measurement& report : reports) {
    if (report.step > objective.last->step) break;  // Newer than `study`.
    if (report.road != objective.road || !std::isfinite(report.value)) continue;
    ++count;
    if (!newer.empty() && newer.back().step == report.step) newer.pop_back();
    newer.push_back({report.step, report.value});
  }
  // If there are fewer, some were reported for earlier steps.
  if (newer.empty() || count != objective.finite_count - source->finite_count ||
      newer.back().value != objective.last->value) {
    return false;
  }
  for (const CurvePoint& point : newer) source->sample.Add(point);
  return true;
}

}  // namespace vernier
