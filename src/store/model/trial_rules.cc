#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/events/event_payload.h"
#include "store/metric_names.h"
#include "store/model/change_rules.h"
#include "store/present_space.h"

namespace vernier {
namespace {

// A queued point becomes the next trial, whatever was suggested meanwhile.
absl::Status CheckTakesQueue(const CreateTrials& change,
                             const StudySnapshot& study) {
  const std::size_t count = std::min(change.trials.size(), study.queued.size());
  for (std::size_t i = 0; i < count; ++i) {
    const NewTrial& trial = change.trials[i];
    if (!IsByHand(trial.origin) ||
        trial.parameters != study.queued[i]->parameters) {
      return absl::AbortedError(
          absl::StrCat("a point was given by hand and comes first: ",
                       NameOf(change.study, study.queued[i]->trial)));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckReport(const MetricReport& report, const std::string& name) {
  if (report.elapsed.count() < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("the time elapsed until a report of ", name,
                     " must be >= 0: ", report.elapsed.count(), " us"));
  }
  for (const MetricValue& one : report.metrics) {
    VERNIER_RETURN_IF_ERROR(CheckUtf8("the name of a metric", one.metric));
  }
  return absl::OkStatus();
}

absl::Status CheckBrought(const NewTrial& trial, const StudySnapshot& study) {
  if (!trial.brought.empty() && IsJob(study)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "only a client's trial brings reports: ", NameOf(study.id)));
  }
  for (const MetricReport& report : trial.brought) {
    VERNIER_RETURN_IF_ERROR(CheckReport(report, "a new trial"));
  }
  return absl::OkStatus();
}

absl::Status CheckMove(const MoveTrial& change, const StudySnapshot& study,
                       const TrialRecord& trial, std::optional<TrialState> to) {
  const bool is_client_study = !IsJob(study);
  const std::string name = NameOf(change.study, change.trial);
  if (change.event == TrialEvent::kLease) {
    return absl::InvalidArgumentError(
        absl::StrCat("only IntendLaunch activates a trial: ", name));
  }
  // A job's trial that was asked to stop becomes stopped or completed. It
  // becomes infeasible only if its training came to nothing (kNotFinite).
  const bool is_for_clients = trial.state == TrialState::kStopping &&
                              to == TrialState::kInfeasible &&
                              change.cause != TrialEndCause::kNotFinite;
  if (!to.has_value() || (is_for_clients && !is_client_study)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "illegal move of ", name, ": event ", static_cast<int>(change.event),
        " in state ", std::string(ToString(trial.state))));
  }
  if (change.event != TrialEvent::kRequestStop && HasLiveAttempt(trial)) {
    return absl::FailedPreconditionError(
        absl::StrCat(name, " has a live attempt and cannot end: attempt ",
                     trial.attempts.size()));
  }
  if (!IsTerminal(*to)) return absl::OkStatus();
  if (change.cause == TrialEndCause::kNone) {
    return absl::InvalidArgumentError(
        absl::StrCat("the end of ", name, " needs a cause"));
  }
  if (change.final_measurement.has_value() &&
      !std::isfinite(change.final_measurement->value)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the final measurement of ", name,
                     " must be finite: ", change.final_measurement->value));
  }
  if (change.final_report.has_value()) {
    if (!is_client_study && !HasOtherMetrics(*study.spec)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the study of ", name,
          " needs one metric, so that it has no report of several"));
    }
    VERNIER_RETURN_IF_ERROR(CheckReport(*change.final_report, name));
  }
  // Without tuning there is no metric whose value could be missing.
  const bool is_tuned = !study.spec->parameters.empty();
  if (is_tuned && change.cause == TrialEndCause::kSuccess &&
      !change.final_measurement.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the success of ", name, " needs a final measurement"));
  }
  return absl::OkStatus();
}

absl::Status CheckIsNew(const CreateTrials& change,
                        const ChangeContext& context) {
  VERNIER_ASSIGN_OR_RETURN(
      const RememberedRequest* const seen,
      FindAnswered(context, change.request_id, change.request_digest));
  if (seen == nullptr) return absl::OkStatus();
  return absl::AlreadyExistsError(
      absl::StrCat("request ", change.request_id, " made ",
                   NameOf(seen->study, seen->trial)));
}

// A point may have been chosen before an edit of the search.
absl::Status CheckIsInSpace(const NewTrial& trial, const StudySnapshot& study) {
  const PresentSpace space(study);
  if (!space.edits().has_value() || IsByHand(trial.origin) ||
      space.Read(trial.parameters) == trial.parameters) {
    return absl::OkStatus();
  }
  return absl::AbortedError(
      absl::StrCat("the search space of ", NameOf(study.id),
                   " was edited after the point was chosen: ",
                   ParametersToJson(trial.parameters)));
}

}  // namespace

bool IsByHand(const SuggestionOrigin& origin) {
  return origin.record.has_value() &&
         origin.record->method == SuggestionMethod::kUser;
}

absl::Status CheckStorable(const Parameters& parameters) {
  const absl::StatusOr<Parameters> read_back =
      ParametersFromJson(ParametersToJson(parameters));
  if (!read_back.ok() || *read_back != parameters) {
    return absl::InvalidArgumentError(absl::StrCat(
        "parameters must be finite numbers or UTF-8 text with distinct names: ",
        ParametersToJson(parameters)));
  }
  return absl::OkStatus();
}

absl::Status Apply(const CreateTrials& change, const StudySnapshot& before,
                   ChangeContext& context) {
  VERNIER_RETURN_IF_ERROR(CheckIsNew(change, context));
  const auto job = AsJob(before);
  if (job.has_value() && IsTerminal(job->run().state)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the job of ", NameOf(change.study), " is ",
        std::string(ToString(job->run().state)), "; no trial can be added"));
  }
  if (before.trials.size() + change.trials.size() >
      static_cast<std::size_t>(MaxTrialsOf(before))) {
    return absl::FailedPreconditionError(absl::StrCat(
        NameOf(change.study), " would pass max_trials: ", before.trials.size(),
        " + ", change.trials.size(), " > ", MaxTrialsOf(before)));
  }
  const auto next = static_cast<std::int64_t>(before.trials.size()) + 1;
  if (ToInt(change.first) != 0 && ToInt(change.first) != next) {
    return absl::AbortedError(absl::StrCat("the next trial of ",
                                           NameOf(change.study), " is ", next,
                                           ", not ", ToInt(change.first)));
  }
  for (const NewTrial& trial : change.trials) {
    VERNIER_RETURN_IF_ERROR(CheckStorable(trial.parameters));
    VERNIER_RETURN_IF_ERROR(CheckBrought(trial, before));
    VERNIER_RETURN_IF_ERROR(CheckIsInSpace(trial, before));
  }
  VERNIER_RETURN_IF_ERROR(CheckTakesQueue(change, before));
  if (change.made != nullptr) *change.made = TrialId{next};
  Remember(change.request_id,
           {change.study, change.request_digest, TrialId{next}}, context);
  for (const NewTrial& trial : change.trials) {
    StudySnapshot& edited = context.state.Edit(change.study);
    auto record = std::make_shared<TrialRecord>();
    record->id = TrialId{static_cast<std::int64_t>(edited.trials.size()) + 1};
    record->parameters = trial.parameters;
    record->origin = trial.origin;
    record->created_at = context.now;
    for (const MetricReport& report : trial.brought) {
      record->brought.push_back(AsReported(*edited.spec, report));
    }
    if (!edited.queued.empty()) edited.queued.erase(edited.queued.begin());
    edited.trials.Put(record);
    edited.open.push_back(record->id);
    const AttemptKey key{change.study, record->id, 0};
    context.effects.rows.push_back({RowChange::Kind::kTrialAdded, key});
    RecordEvent(
        key, "trial.created",
        TrialCreatedPayload(*RecordedTrial(edited.spec->renamed_from, *record)),
        context);
  }
  return absl::OkStatus();
}

absl::Status Apply(const MoveTrial& change, const StudySnapshot& before,
                   ChangeContext& context) {
  VERNIER_ASSIGN_OR_RETURN(const std::shared_ptr<const TrialRecord> old,
                           FindTrial(context, change.study, change.trial));
  const std::optional<TrialState> to = Next(old->state, change.event);
  VERNIER_RETURN_IF_ERROR(CheckMove(change, before, *old, to));

  auto trial = std::make_shared<TrialRecord>(*old);
  trial->state = *to;
  StudySnapshot& study = context.state.Edit(change.study);
  if (IsTerminal(*to)) {
    trial->ended_at = context.now;
    trial->end_cause = change.cause;
    trial->message = change.message;
    trial->final_measurement = change.final_measurement;
    if (change.final_report.has_value()) {
      trial->final_report = AsReported(*before.spec, *change.final_report);
    }
    trial->others.clear();
    study.open.erase(
        std::lower_bound(study.open.begin(), study.open.end(), change.trial));
    CountEnded(BriefOf(*trial), &study);
  } else {
    trial->message = change.message;
  }
  study.trials.Put(trial);
  RecordTrialMove(change.study, old->state, *trial, context);
  return absl::OkStatus();
}

}  // namespace vernier
