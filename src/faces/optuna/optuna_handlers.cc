#include "faces/optuna/optuna_handlers.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "faces/optuna/optuna_changes.h"
#include "faces/optuna/optuna_message.h"
#include "store/study_kinds.h"
#include "study/job_id.h"
#include "trials/client_trial_changes.h"
#include "trials/jobs/explain.h"

namespace vernier {
namespace {

// Reports of the trials of one answer that are read at once.
constexpr std::size_t kMostReports = 2'000'000;
// Trials without reports between two with reports that are read over.
constexpr std::int64_t kMostSkipped = 16;

constexpr std::size_t kMostStudyName = std::size_t{64} << 10;

bool HasReports(const TrialRecord& trial) {
  return trial.objective.finite_count + trial.objective.not_finite_count > 0;
}

absl::Status NoTrial(std::int64_t trial_id) {
  return absl::NotFoundError(absl::StrCat("there is no trial ", trial_id));
}

std::string FinishedText(std::int64_t trial_id) {
  return absl::StrCat("trial ", trial_id, " has ended and does not change");
}

bool IsFinished(optuna::TrialState state) {
  return state != optuna::RUNNING && state != optuna::WAITING;
}

// Keeps the measurements of the metric that stands for reports.
std::map<TrialId, std::vector<Measurement>> ReportsIn(
    const StudySpec& spec, std::vector<TrialMeasurement> list) {
  std::map<TrialId, std::vector<Measurement>> reports;
  for (TrialMeasurement& one : list) {
    if (one.measurement.metric != ObjectiveOf(spec).name) continue;
    reports[one.trial].push_back(std::move(one.measurement));
  }
  return reports;
}

}  // namespace

absl::StatusOr<OptunaHandlers::Snapshot> OptunaHandlers::FindStudy(
    std::int64_t study_id) const {
  const auto snapshot = dependencies_.store.Snapshot();
  const auto found = snapshot->find(StudyId{study_id});
  if (found != snapshot->end() && GrowsByTrials(*found->second)) {
    return found->second;
  }
  return absl::NotFoundError(
      absl::StrCat("Optuna's clients have no study ", study_id));
}

absl::StatusOr<OptunaHandlers::FoundTrial> OptunaHandlers::FindTrial(
    std::int64_t trial_id) const {
  auto study = FindStudy(ToInt(StudyOfOptunaId(trial_id)));
  const TrialId trial = TrialOfOptunaId(trial_id);
  if (!study.ok() || ToInt(trial) < 1 ||
      ToInt(trial) > static_cast<std::int64_t>((*study)->trials.size())) {
    return NoTrial(trial_id);
  }
  auto record = (*study)->trials.Share(trial);
  return FoundTrial{*std::move(study), std::move(record)};
}

absl::StatusOr<OptunaHandlers::FoundTrial> OptunaHandlers::FindOpenTrial(
    std::int64_t trial_id) const {
  VERNIER_ASSIGN_OR_RETURN(FoundTrial found, FindTrial(trial_id));
  if (!IsTerminal(found.record->state)) return found;
  return absl::FailedPreconditionError(FinishedText(trial_id));
}

absl::Status OptunaHandlers::Commit(const std::vector<Change>& changes) const {
  return dependencies_.store.Commit(changes, dependencies_.clock.Now());
}

absl::Status OptunaHandlers::CreateNewStudy(
    const optuna::CreateNewStudyRequest& request,
    optuna::CreateNewStudyReply* reply) {
  if (request.directions_size() == 0 ||
      static_cast<std::size_t>(request.directions_size()) > kMostMetrics ||
      request.study_name().size() > kMostStudyName) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a study has 1 to ", kMostMetrics, " directions and a name of at most ",
        kMostStudyName, " bytes: ", request.directions_size(), " and ",
        request.study_name().size()));
  }
  StudySpec spec;
  const auto count = static_cast<std::size_t>(request.directions_size());
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_maximized =
        request.directions(static_cast<int>(i)) == optuna::MAXIMIZE;
    spec.metrics.push_back({ObjectiveName(i, count),
                            is_maximized ? Goal::kMaximize : Goal::kMinimize});
  }
  optuna::Study original;
  original.set_study_name(request.study_name());
  *original.mutable_directions() = request.directions();
  NewStudy study;
  study.name = ResourceNameOf(request.study_name());
  study.spec = std::make_shared<const StudySpec>(std::move(spec));
  study.original = {kGrowingSpecFormat, original.SerializeAsString()};
  study.seed = dependencies_.random_seed();
  if (dependencies_.quotas != nullptr) {
    study.max_studies =
        dependencies_.quotas->Of(ProjectOfName(study.name)).max_studies;
  }
  VERNIER_ASSIGN_OR_RETURN(
      const StudyId id,
      dependencies_.store.CreateStudy(study, dependencies_.clock.Now()));
  reply->set_study_id(ToInt(id));
  return absl::OkStatus();
}

absl::Status OptunaHandlers::DeleteStudy(
    const optuna::DeleteStudyRequest& request,
    optuna::DeleteStudyReply* /*reply*/) {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot study, FindStudy(request.study_id()));
  VERNIER_RETURN_IF_ERROR(dependencies_.studies.DeleteStudy(study->name));
  if (dependencies_.points != nullptr) dependencies_.points->Forget(study->id);
  return absl::OkStatus();
}

absl::Status OptunaHandlers::SetStudyAttribute(std::int64_t study_id,
                                               const char* space,
                                               const std::string& key,
                                               const std::string& value) {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot study, FindStudy(study_id));
  VERNIER_RETURN_IF_ERROR(CheckOptunaText(key, value));
  return Commit({AttributeChange(study->id, std::nullopt, *study->metadata,
                                 space, key, value)});
}

absl::Status OptunaHandlers::SetStudyUserAttribute(
    const optuna::SetStudyUserAttributeRequest& request,
    optuna::SetStudyUserAttributeReply* /*reply*/) {
  return SetStudyAttribute(request.study_id(), kUserSpace, request.key(),
                           request.value());
}

absl::Status OptunaHandlers::SetStudySystemAttribute(
    const optuna::SetStudySystemAttributeRequest& request,
    optuna::SetStudySystemAttributeReply* /*reply*/) {
  return SetStudyAttribute(request.study_id(), kSystemSpace, request.key(),
                           request.value());
}

absl::Status OptunaHandlers::GetStudyIdFromName(
    const optuna::GetStudyIdFromNameRequest& request,
    optuna::GetStudyIdFromNameReply* reply) {
  const auto found =
      dependencies_.studies.GetStudy(ResourceNameOf(request.study_name()));
  if (!found.ok() || !GrowsByTrials(**found) ||
      OriginalOf(ClientStudyOf(**found)).study_name() != request.study_name()) {
    return absl::NotFoundError(absl::StrCat("Optuna's clients have no study \"",
                                            ShowText(request.study_name()),
                                            "\""));
  }
  reply->set_study_id(ToInt((*found)->id));
  return absl::OkStatus();
}

absl::Status OptunaHandlers::GetStudyNameFromId(
    const optuna::GetStudyNameFromIdRequest& request,
    optuna::GetStudyNameFromIdReply* reply) {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot study, FindStudy(request.study_id()));
  reply->set_study_name(OriginalOf(ClientStudyOf(*study)).study_name());
  return absl::OkStatus();
}

absl::Status OptunaHandlers::GetStudyDirections(
    const optuna::GetStudyDirectionsRequest& request,
    optuna::GetStudyDirectionsReply* reply) {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot study, FindStudy(request.study_id()));
  *reply->mutable_directions() = OriginalOf(ClientStudyOf(*study)).directions();
  return absl::OkStatus();
}

absl::Status OptunaHandlers::GetStudyUserAttributes(
    const optuna::GetStudyUserAttributesRequest& request,
    optuna::GetStudyUserAttributesReply* reply) {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot study, FindStudy(request.study_id()));
  FillTexts(*study->metadata, kUserSpace, reply->mutable_user_attributes());
  return absl::OkStatus();
}

absl::Status OptunaHandlers::GetStudySystemAttributes(
    const optuna::GetStudySystemAttributesRequest& request,
    optuna::GetStudySystemAttributesReply* reply) {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot study, FindStudy(request.study_id()));
  FillTexts(*study->metadata, kSystemSpace, reply->mutable_system_attributes());
  return absl::OkStatus();
}

absl::Status OptunaHandlers::GetAllStudies(
    const optuna::GetAllStudiesRequest& /*request*/,
    optuna::GetAllStudiesReply* reply) {
  const auto snapshot = dependencies_.store.Snapshot();
  for (const auto& [id, study] : *snapshot) {
    if (GrowsByTrials(*study)) {
      *reply->add_studies() = ToOptuna(ClientStudyOf(*study));
    }
  }
  return absl::OkStatus();
}

// Adds a running trial; with an engine, it carries a point.
absl::StatusOr<TrialId> OptunaHandlers::AddTrial(StudyId study) {
  TrialId made{};
  NewTrial added{{}, {kChosenByClient, EventSequence{}}};
  const auto commit = [&](const std::string& fixed_params) {
    CreateTrials create{study, {added}};
    create.made = &made;
    std::vector<Change> changes = {create,
                                   AssignTrial{study, kNewestTrial, ""}};
    if (!fixed_params.empty()) {
      changes.push_back(UpdateMetadata{
          study,
          {SetFact(kNewestTrial, kSystemSpace, kFixedParams, fixed_params)}});
    }
    return Commit(changes);
  };
  if (dependencies_.points == nullptr) {
    VERNIER_RETURN_IF_ERROR(commit(""));
    return made;
  }
  OptunaPoints::Turn turn = dependencies_.points->Begin(study);
  VERNIER_ASSIGN_OR_RETURN(const Snapshot now, FindStudy(ToInt(study)));
  const auto point = turn.Choose(*now);
  if (point.has_value()) added.origin = point->origin;
  VERNIER_RETURN_IF_ERROR(commit(point.has_value() ? point->fixed_params : ""));
  return made;
}

absl::Status OptunaHandlers::CreateNewTrial(
    const optuna::CreateNewTrialRequest& request,
    optuna::CreateNewTrialReply* reply) {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot study, FindStudy(request.study_id()));
  TrialId made{};
  if (request.template_trial_is_none()) {
    VERNIER_ASSIGN_OR_RETURN(made, AddTrial(study->id));
  } else {
    const Timestamp now = dependencies_.clock.Now();
    VERNIER_ASSIGN_OR_RETURN(
        const std::vector<Change> changes,
        TemplateChanges(*study, request.template_trial(), now, &made));
    VERNIER_RETURN_IF_ERROR(dependencies_.store.Commit(changes, now));
  }
  reply->set_trial_id(OptunaIdOf(study->id, made));
  return absl::OkStatus();
}

absl::Status OptunaHandlers::SetTrialParameter(
    const optuna::SetTrialParameterRequest& request,
    optuna::SetTrialParameterReply* /*reply*/) {
  VERNIER_ASSIGN_OR_RETURN(const FoundTrial found,
                           FindOpenTrial(request.trial_id()));
  VERNIER_ASSIGN_OR_RETURN(
      const std::vector<Change> changes,
      ParameterChanges(*found.study, found.record->id, request.param_name(),
                       request.param_value_internal(), request.distribution()));
  return Commit(changes);
}

absl::Status OptunaHandlers::GetTrialIdFromStudyIdTrialNumber(
    const optuna::GetTrialIdFromStudyIdTrialNumberRequest& request,
    optuna::GetTrialIdFromStudyIdTrialNumberReply* reply) {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot study, FindStudy(request.study_id()));
  const std::int64_t number = request.trial_number();
  if (number < 0 || number >= std::ssize(study->trials)) {
    return absl::NotFoundError(absl::StrCat("study ", request.study_id(),
                                            " has no trial number ", number));
  }
  reply->set_trial_id(OptunaIdOf(study->id, TrialId{number + 1}));
  return absl::OkStatus();
}

absl::StatusOr<bool> OptunaHandlers::Begin(std::int64_t trial_id,
                                           FoundTrial trial) {
  const StudyId study = trial.study->id;
  const TrialId id = trial.record->id;
  if (trial.record->state == TrialState::kRequested) {
    const absl::Status begun = Commit({AssignTrial{study, id, ""}});
    if (!absl::IsFailedPrecondition(begun)) {
      VERNIER_RETURN_IF_ERROR(begun);
      return true;
    }
    // Another caller was faster.
    VERNIER_RETURN_IF_ERROR(FindOpenTrial(trial_id).status());
    return false;
  }
  if (StateOf(*trial.record) == optuna::RUNNING) return false;
  const std::lock_guard lock(given_back_mu_);
  VERNIER_ASSIGN_OR_RETURN(trial, FindOpenTrial(trial_id));
  if (StateOf(*trial.record) == optuna::RUNNING) return false;
  VERNIER_RETURN_IF_ERROR(Commit(
      {UpdateMetadata{study,
                      {SetFact(id, kTrialSpace, kWaitingKey, ""),
                       SetFact(id, kTrialSpace, kStartKey,
                               LocalTimeText(dependencies_.clock.Now()))}}}));
  return true;
}

absl::StatusOr<bool> OptunaHandlers::GiveBack(const FoundTrial& trial) {
  if (StateOf(*trial.record) == optuna::WAITING) return true;
  VERNIER_RETURN_IF_ERROR(Commit({UpdateMetadata{
      trial.study->id,
      {SetFact(trial.record->id, kTrialSpace, kWaitingKey, "1")}}}));
  return true;
}

absl::Status OptunaHandlers::SetTrialStateValues(
    const optuna::SetTrialStateValuesRequest& request,
    optuna::SetTrialStateValuesReply* reply) {
  VERNIER_ASSIGN_OR_RETURN(const FoundTrial found,
                           FindOpenTrial(request.trial_id()));
  const StudySnapshot& study = *found.study;
  std::vector<double> values(request.values().begin(), request.values().end());
  if (!IsFinished(request.state())) {
    if (!values.empty()) {
      VERNIER_RETURN_IF_ERROR(Commit(
          {UpdateMetadata{study.id,
                          {SetFact(found.record->id, kTrialSpace, kValuesKey,
                                   ExactTexts(request.values()))}}}));
    }
    VERNIER_ASSIGN_OR_RETURN(const bool is_changed,
                             request.state() == optuna::RUNNING
                                 ? Begin(request.trial_id(), found)
                                 : GiveBack(found));
    reply->set_trial_updated(is_changed);
    return absl::OkStatus();
  }
  if (values.empty()) {
    const auto* kept =
        FindText(found.record->metadata, kTrialSpace, kValuesKey);
    if (kept != nullptr) values = FromExactTexts(*kept);
  }
  VERNIER_ASSIGN_OR_RETURN(
      const std::vector<Change> changes,
      EndChanges(study, *found.record, request.state(), values));
  VERNIER_RETURN_IF_ERROR(Commit(changes));
  reply->set_trial_updated(true);
  return absl::OkStatus();
}

absl::Status OptunaHandlers::SetTrialIntermediateValue(
    const optuna::SetTrialIntermediateValueRequest& request,
    optuna::SetTrialIntermediateValueReply* /*reply*/) {
  VERNIER_ASSIGN_OR_RETURN(const FoundTrial found,
                           FindOpenTrial(request.trial_id()));
  const StudySnapshot& study = *found.study;
  const TrialId trial = found.record->id;
  if (found.record->state == TrialState::kRequested) {
    return Commit({UpdateMetadata{
        study.id,
        {SetFact(trial, kReportSpace, absl::StrCat(request.step()),
                 ExactText(request.intermediate_value()))}}});
  }
  const Timestamp now = dependencies_.clock.Now();
  return dependencies_.store.Commit(
      {AddMeasurements{ReporterOf(study.id, trial),
                       {{ObjectiveOf(*study.spec).name, request.step(), now,
                         request.intermediate_value()}}}},
      now);
}

absl::Status OptunaHandlers::SetTrialAttribute(std::int64_t trial_id,
                                               const char* space,
                                               const std::string& key,
                                               const std::string& value) {
  VERNIER_ASSIGN_OR_RETURN(const FoundTrial found, FindOpenTrial(trial_id));
  VERNIER_RETURN_IF_ERROR(CheckOptunaText(key, value));
  return Commit({AttributeChange(found.study->id, found.record->id,
                                 found.record->metadata, space, key, value)});
}

absl::Status OptunaHandlers::SetTrialUserAttribute(
    const optuna::SetTrialUserAttributeRequest& request,
    optuna::SetTrialUserAttributeReply* /*reply*/) {
  return SetTrialAttribute(request.trial_id(), kUserSpace, request.key(),
                           request.value());
}

absl::Status OptunaHandlers::SetTrialSystemAttribute(
    const optuna::SetTrialSystemAttributeRequest& request,
    optuna::SetTrialSystemAttributeReply* /*reply*/) {
  return SetTrialAttribute(request.trial_id(), kSystemSpace, request.key(),
                           request.value());
}

absl::Status OptunaHandlers::GetTrial(const optuna::GetTrialRequest& request,
                                      optuna::GetTrialReply* reply) {
  VERNIER_ASSIGN_OR_RETURN(const FoundTrial found,
                           FindTrial(request.trial_id()));
  optuna::GetTrialsReply list;
  VERNIER_RETURN_IF_ERROR(FillTrials(*found.study, {found.record->id}, &list));
  reply->mutable_trial()->Swap(list.mutable_trials(0));
  return absl::OkStatus();
}

absl::Status OptunaHandlers::GetTrials(const optuna::GetTrialsRequest& request,
                                       optuna::GetTrialsReply* reply) {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot study, FindStudy(request.study_id()));
  const std::int64_t base = OptunaIdOf(study->id, TrialId{0});
  const std::int64_t count = std::ssize(study->trials);
  // Numbers up to this one are wanted only if they are named.
  const std::int64_t known =
      std::clamp<std::int64_t>(request.trial_id_greater_than() <= base
                                   ? 0
                                   : request.trial_id_greater_than() - base,
                               0, count);
  std::set<std::int64_t> numbers;
  for (const std::int64_t id : request.included_trial_ids()) {
    if (id > base && id - base <= known) numbers.insert(id - base);
  }
  std::vector<TrialId> ids;
  ids.reserve(numbers.size());
  for (const std::int64_t number : numbers) ids.push_back(TrialId{number});
  for (std::int64_t n = known + 1; n <= count; ++n) ids.push_back(TrialId{n});
  return FillTrials(*study, ids, reply);
}

// Fills trials, which are ordered by number, and their reports.
absl::Status OptunaHandlers::FillTrials(const StudySnapshot& study,
                                        const std::vector<TrialId>& ids,
                                        optuna::GetTrialsReply* reply) const {
  std::vector<std::shared_ptr<const TrialRecord>> records;
  std::vector<std::pair<TrialId, TrialId>> ranges;  // Those with reports.
  for (const TrialId id : ids) {
    records.push_back(study.trials.Share(id));
    if (!HasReports(*records.back())) continue;
    if (ranges.empty() ||
        ToInt(id) - ToInt(ranges.back().second) > kMostSkipped) {
      ranges.emplace_back(id, id);
    }
    ranges.back().second = id;
  }
  std::map<TrialId, std::vector<Measurement>> reports;
  for (const auto& [first, last] : ranges) {
    VERNIER_ASSIGN_OR_RETURN(std::vector<TrialMeasurement> list,
                             dependencies_.store.ListStudyMeasurements(
                                 study.id, first, last, kMostReports));
    reports.merge(ReportsIn(*study.spec, std::move(list)));
  }
  static const std::vector<Measurement> kNone;
  for (const auto& record : records) {
    const auto own = reports.find(record->id);
    FillTrial(study, *record, own == reports.end() ? kNone : own->second,
              reply->add_trials());
  }
  return absl::OkStatus();
}

}  // namespace vernier
