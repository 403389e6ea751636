#include "trials/study_service.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/calls/call_meter.h"
#include "base/status_macros.h"
#include "store/metric_names.h"
#include "store/study_kinds.h"
#include "store/study_names.h"
#include "study/job_id.h"
#include "suggest/space/constrained_space.h"
#include "trials/engine/prior_results.h"
#include "trials/engine/waiting_proposals.h"
#include "trials/given_points.h"
#include "trials/request_id.h"
#include "trials/results/best_trials.h"
#include "trials/results/pareto_front.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxName = 512;
// Each conflict means that another caller's trial was made, so some caller
// always progresses. Clients that add finished trials in parallel may lose
// dozens of races in a row.
constexpr int kMostEditConflicts = 1000;
// Limit of one trial or one listing; reports beyond it are left out.
constexpr std::size_t kMostMeasurements = 2000000;

// Returns whether a path, a log or a terminal would misread a part of a name.
bool IsOddPart(std::string_view part) {
  return part == "." || part == ".." ||
         std::any_of(part.begin(), part.end(), [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return byte < 0x20 || byte == 0x7f;
         });
}

absl::Status CheckParent(const std::string& parent) {
  if (parent.empty() || parent.size() > kMaxName) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a study needs a parent, of at most ", kMaxName, " bytes"));
  }
  if (absl::StartsWith(parent, "projects/")) {
    VERNIER_RETURN_IF_ERROR(CheckProjectId(ProjectOfName(parent)));
  }
  for (const absl::string_view part : absl::StrSplit(parent, '/')) {
    if (!IsOddPart({part.data(), part.size()})) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("the parts of a study's parent must be names, not \".\" "
                     "or \"..\", without control characters: \"",
                     absl::CHexEscape(parent), "\""));
  }
  return absl::OkStatus();
}

absl::Status CheckName(const StudyRequest& request) {
  VERNIER_RETURN_IF_ERROR(CheckParent(request.parent));
  if (request.name.empty() || request.name.size() > kMaxName ||
      request.name.find('/') != std::string::npos || IsOddPart(request.name)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the name of a study must have 1 to ", kMaxName,
        " bytes, no '/' and no control character, and not be \".\" or "
        "\"..\": \"",
        absl::CHexEscape(request.name.substr(0, kMaxName)), "\""));
  }
  return absl::OkStatus();
}

absl::Status WrongState(const TrialWithMeasurements& answer,
                        const std::string& allowed) {
  return absl::FailedPreconditionError(absl::StrCat(
      "trial ", ToInt(answer.trial), " of study ", answer.study->name, " is ",
      std::string(ToString(answer.record().state)), " already; ", allowed));
}

absl::Status CheckActive(ClientStudyRef study) {
  if (study.run().state == StudyState::kActive) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "study ", study->name, " is ", std::string(ToString(study.run().state)),
      ", and only an ACTIVE one changes"));
}

using ReportMap = std::map<TrialId, std::vector<MetricReport>>;

// Groups values into the reports in which they came: by trial, in order of
// arrival. Metrics of a report are ordered by name.
ReportMap ReportsByTrial(const std::vector<TrialMeasurement>& measurements) {
  std::map<std::tuple<TrialId, Timestamp, std::int64_t>, MetricReport> reports;
  for (const TrialMeasurement& one : measurements) {
    const Measurement& measurement = one.measurement;
    MetricReport& report =
        reports[{one.trial, measurement.reported_at, measurement.step}];
    report.step = measurement.step;
    report.elapsed = measurement.elapsed;
    report.metrics.push_back({measurement.metric, measurement.value});
  }
  ReportMap by_trial;
  for (auto& [key, report] : reports) {
    by_trial[std::get<0>(key)].push_back(std::move(report));
  }
  return by_trial;
}

// Gives a trial the reports that it was created with, and then those that came
// while it ran, which are moved out of `reports`.
void GiveReports(ReportMap* reports, TrialWithMeasurements* answer) {
  answer->reports = answer->record().brought;
  const auto own = reports->find(answer->trial);
  if (own == reports->end()) return;
  std::move(own->second.begin(), own->second.end(),
            std::back_inserter(answer->reports));
}

}  // namespace

StudyService::StudyService(const Dependencies& dependencies)
    : dependencies_(dependencies), index_(dependencies.store) {}

absl::StatusOr<TrialWithMeasurements> StudyService::FindTrial(
    const std::string& study, TrialId trial) const {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot found, index_.Find(study));
  VERNIER_RETURN_IF_ERROR(
      CheckHasTrial(*found, absl::StrCat("study ", study), ToInt(trial)));
  if (IsDeleted(found->trials.Brief(trial))) {
    return absl::NotFoundError(absl::StrCat(
        "trial ", ToInt(trial), " of study ", study, " was deleted"));
  }
  return TrialWithMeasurements{found, trial, {}};
}

StudyService::StudyAnswer StudyService::PresentStudy(StudyId study) const {
  const auto snapshot = dependencies_.store.Snapshot();
  const auto found = snapshot->find(study);
  if (found != snapshot->end()) return found->second;
  return absl::NotFoundError("the study was deleted meanwhile");
}

absl::Status StudyService::Commit(const std::vector<Change>& changes) const {
  return dependencies_.store.Commit(changes, dependencies_.clock.Now());
}

StudyService::StudyAnswer StudyService::CreateStudy(const StudyRequest& request,
                                                    bool* is_new) {
  VERNIER_RETURN_IF_ERROR(CheckName(request));
  if (is_new != nullptr) *is_new = false;
  const std::string name = StudyResourceName(request.parent, request.name);
  if (StudyAnswer found = index_.Find(name); found.ok()) return found;
  VERNIER_RETURN_IF_ERROR(ValidateStudySpec(request.spec));
  VERNIER_RETURN_IF_ERROR(CheckNotEmpty(request.spec.parameters,
                                        request.spec.parameter_constraints));
  VERNIER_RETURN_IF_ERROR(CheckPriorNames(*dependencies_.store.Snapshot(),
                                          ProjectOfName(name),
                                          request.spec.prior_studies));
  NewStudy study;
  study.name = name;
  study.spec = std::make_shared<const StudySpec>(request.spec);
  study.original = request.original;
  study.metadata = request.metadata;
  study.seed =
      request.seed.has_value() ? *request.seed : dependencies_.random_seed();
  if (dependencies_.quotas != nullptr) {
    study.max_studies =
        dependencies_.quotas->Of(ProjectOfName(name)).max_studies;
  }
  const auto created =
      dependencies_.store.CreateStudy(study, dependencies_.clock.Now());
  // Another worker may have created it first.
  if (!created.ok() && !absl::IsAlreadyExists(created.status())) {
    return created.status();
  }
  if (is_new != nullptr) *is_new = created.ok();
  return index_.Find(name);
}

StudyService::StudyAnswer StudyService::GetStudy(
    const std::string& study) const {
  return index_.Find(study);
}

std::vector<std::shared_ptr<const StudySnapshot>> StudyService::ListStudies(
    const std::string& parent) const {
  std::vector<Snapshot> studies;
  // The snapshot is held, because the store drops it at its next change.
  const auto snapshot = dependencies_.store.Snapshot();
  for (const auto& [id, study] : *snapshot) {
    if (!IsJob(*study) && ParentOf(*study) == parent) {
      studies.push_back(study);
    }
  }
  return studies;
}

absl::Status StudyService::DeleteStudy(const std::string& study) {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot found, index_.Find(study));
  const StudyId id = found->id;
  VERNIER_RETURN_IF_ERROR(Commit({vernier::DeleteStudy{id}}));
  dependencies_.suggestions.Forget(id);
  index_.Forget(study);
  return absl::OkStatus();
}

StudyService::StudyAnswer StudyService::SetState(const std::string& study,
                                                 StudyState state,
                                                 const std::string& reason) {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot found, index_.Find(study));
  const ClientRun& run = ClientStudyOf(*found).run();
  if (run.state == state && run.state_reason == reason) {
    return found;
  }
  VERNIER_RETURN_IF_ERROR(Commit({MoveStudy{found->id, state, reason}}));
  if (state != StudyState::kActive) {
    dependencies_.suggestions.Forget(found->id);
  }
  return index_.Find(study);
}

StudyService::StudyAnswer StudyService::Revise(const ReviseStudy& change) {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot study, PresentStudy(change.study));
  std::vector<Change> changes = {change};
  const ClientRun& run = ClientStudyOf(*study).run();
  if (run.state == StudyState::kCompleted &&
      run.state_reason == kUsedUpReason) {
    changes.emplace_back(MoveStudy{study->id, StudyState::kActive, ""});
  }
  VERNIER_RETURN_IF_ERROR(Commit(changes));
  return PresentStudy(change.study);
}

StudyService::StudyAnswer StudyService::WriteNote(StudyId study,
                                                  std::optional<TrialId> trial,
                                                  const std::string& note) {
  if (trial.has_value()) {
    VERNIER_ASSIGN_OR_RETURN(MetadataUpdate update, NoteUpdate(*trial, note));
    VERNIER_RETURN_IF_ERROR(
        Commit({vernier::UpdateMetadata{study, {std::move(update)}}}));
  } else {
    VERNIER_RETURN_IF_ERROR(Commit({vernier::WriteNote{study, note}}));
  }
  return PresentStudy(study);
}

void StudyService::Suggest(const std::string& study, int count,
                           const std::string& client_id,
                           SuggestionService::Done done) {
  const StudyAnswer found = index_.Find(study);
  if (!found.ok()) return done(found.status());
  dependencies_.suggestions.Suggest((*found)->id, count, client_id,
                                    std::move(done));
}

absl::StatusOr<SuggestionService::Answer> StudyService::FindOperation(
    const std::string& study, std::int64_t number) const {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot found, index_.Find(study));
  VERNIER_ASSIGN_OR_RETURN(
      OperationRecord operation,
      dependencies_.store.FindOperation(found->id, number));
  std::erase_if(operation.trials, [&](TrialId trial) {
    return IsDeleted(found->trials.Brief(trial));
  });
  return SuggestionService::Answer{found, number, std::move(operation.trials),
                                   operation.answered_at};
}

absl::StatusOr<TrialWithMeasurements> StudyService::CreateTrial(
    const std::string& study, const TrialRequest& request) {
  VERNIER_RETURN_IF_ERROR(CheckRequestId(request.request_id));
  for (int tries = 0;; ++tries) {
    VERNIER_ASSIGN_OR_RETURN(const Snapshot found, index_.Find(study));
    VERNIER_RETURN_IF_ERROR(CheckActive(ClientStudyOf(*found)));
    VERNIER_ASSIGN_OR_RETURN(
        const std::vector<Change> changes,
        CreateTrialChanges(*found, request, dependencies_.clock.Now()));
    const TrialId id{static_cast<std::int64_t>(found->trials.size()) + 1};
    const absl::Status stored = Commit(changes);
    // Another trial was given this number first.
    if (absl::IsAborted(stored) && tries < kMostEditConflicts) continue;
    if (absl::IsAlreadyExists(stored)) {
      return FindMadeTrial(*found, request.request_id);
    }
    VERNIER_RETURN_IF_ERROR(stored);
    return GetTrial(study, id);
  }
}

absl::StatusOr<TrialWithMeasurements> StudyService::FindMadeTrial(
    const StudySnapshot& study, const std::string& request_id) const {
  VERNIER_ASSIGN_OR_RETURN(
      const RememberedRequest request,
      dependencies_.store.FindRequest(RequestKeyOf(study.id, request_id)));
  return GetTrial(study.name, request.trial);
}

absl::StatusOr<TrialWithMeasurements> StudyService::GetTrial(
    const std::string& study, TrialId trial) const {
  VERNIER_ASSIGN_OR_RETURN(TrialWithMeasurements answer,
                           FindTrial(study, trial));
  VERNIER_RETURN_IF_ERROR(
      FillReports(std::span(&answer, 1), kMostMeasurements).status());
  return answer;
}

absl::StatusOr<std::vector<TrialWithMeasurements>> StudyService::ListTrials(
    const std::string& study) const {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot found, index_.Find(study));
  std::vector<TrialWithMeasurements> trials;
  for (std::size_t n = 1; n <= found->trials.size(); ++n) {
    const TrialId id{static_cast<std::int64_t>(n)};
    if (!IsDeleted(found->trials.Brief(id))) trials.push_back({found, id, {}});
  }
  VERNIER_RETURN_IF_ERROR(FillAllReports(&trials));
  return trials;
}

absl::StatusOr<std::vector<TrialWithMeasurements>>
StudyService::ListOptimalTrials(const std::string& study) const {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot found, index_.Find(study));
  std::vector<TrialWithMeasurements> trials;
  const StudySpec& spec = *found->spec;
  if (spec.metrics.size() == 1 && IsRepeating(spec.repeats)) {
    // Of points that are tried again the best mean counts, not the best value.
    const TrialRecord* const best = BestTrial(*found);
    if (best != nullptr) trials.push_back({found, best->id, {}});
  } else {
    for (const TrialId id : OptimalTrials(*found)) {
      trials.push_back({found, id, {}});
    }
  }
  VERNIER_RETURN_IF_ERROR(FillAllReports(&trials));
  return trials;
}

// Reads a few trials at a time, so that others can commit between two reads,
// and that the call can end.
absl::Status StudyService::FillAllReports(
    std::vector<TrialWithMeasurements>* answers) const {
  constexpr std::size_t kAtOnce = 100;
  std::size_t left = kMostMeasurements;
  for (std::size_t i = 0; i < answers->size(); i += kAtOnce) {
    const auto some =
        std::span(*answers).subspan(i, std::min(kAtOnce, answers->size() - i));
    VERNIER_ASSIGN_OR_RETURN(const std::size_t rows, FillReports(some, left));
    left -= rows;
    VERNIER_RETURN_IF_ERROR(
        UseInCall({static_cast<std::int64_t>(some.size() + rows),
                   some.size() * sizeof(TrialWithMeasurements) +
                       rows * sizeof(TrialMeasurement)}));
  }
  return absl::OkStatus();
}

// Reads the database only for trials that have reported something. Returns how
// many measurements there were, at most `limit`.
absl::StatusOr<std::size_t> StudyService::FillReports(
    std::span<TrialWithMeasurements> answers, std::size_t limit) const {
  const auto has_reported = [](const TrialWithMeasurements& answer) {
    return !answer.record().metrics_seen.empty();
  };
  const auto first = std::find_if(answers.begin(), answers.end(), has_reported);
  std::vector<TrialMeasurement> measurements;
  if (first != answers.end() && limit > 0) {
    const auto last =
        std::find_if(answers.rbegin(), answers.rend(), has_reported);
    VERNIER_ASSIGN_OR_RETURN(
        measurements, dependencies_.store.ListStudyMeasurements(
                          first->study->id, first->trial, last->trial, limit));
  }
  ReportMap reports = ReportsByTrial(measurements);
  for (TrialWithMeasurements& answer : answers) GiveReports(&reports, &answer);
  return measurements.size();
}

absl::Status StudyService::DeleteTrial(const std::string& study,
                                       TrialId trial) {
  VERNIER_ASSIGN_OR_RETURN(const TrialWithMeasurements answer,
                           FindTrial(study, trial));
  return Commit(DeleteTrialChanges(*answer.study, answer.record()));
}

absl::StatusOr<TrialWithMeasurements> StudyService::AddMeasurement(
    const std::string& study, TrialId trial, const MetricReport& report,
    const std::string& request_id) {
  VERNIER_RETURN_IF_ERROR(CheckRequestId(request_id));
  VERNIER_RETURN_IF_ERROR(CheckReport(report));
  VERNIER_ASSIGN_OR_RETURN(const TrialWithMeasurements answer,
                           FindTrial(study, trial));
  VERNIER_RETURN_IF_ERROR(CheckActive(ClientStudyOf(*answer.study)));
  const TrialRecord& record = answer.record();
  if (record.state == TrialState::kInfeasible) return GetTrial(study, trial);
  if (!IsRunning(record)) {
    return WrongState(answer, "only one that runs takes measurements");
  }
  // Two names in the report may be one metric's.
  VERNIER_RETURN_IF_ERROR(CheckReport(AsReported(*answer.study->spec, report)));
  const StudyId id = answer.study->id;
  const Timestamp now = dependencies_.clock.Now();
  VERNIER_ASSIGN_OR_RETURN(
      const std::vector<TrialMeasurement> measurements,
      dependencies_.store.CommitAndList(
          {AddMeasurements{ReporterOf(id, trial), MeasurementsOf(report, now),
                           !request_id.empty()}},
          now, id, trial, kMostMeasurements));
  VERNIER_ASSIGN_OR_RETURN(TrialWithMeasurements reported,
                           FindTrial(study, trial));
  ReportMap reports = ReportsByTrial(measurements);
  GiveReports(&reports, &reported);
  return reported;
}

absl::StatusOr<MetricReport> StudyService::LastReport(
    const TrialWithMeasurements& answer) const {
  TrialWithMeasurements filled = answer;
  VERNIER_RETURN_IF_ERROR(
      FillReports(std::span(&filled, 1), kMostMeasurements).status());
  if (filled.reports.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "trial ", ToInt(answer.trial), " of study ", answer.study->name,
        " has reported nothing: give a final measurement, or say that it is "
        "infeasible"));
  }
  return std::move(filled.reports.back());
}

absl::StatusOr<TrialWithMeasurements> StudyService::CompleteTrial(
    const std::string& study, TrialId trial,
    const TrialCompletion& completion) {
  VERNIER_ASSIGN_OR_RETURN(const TrialWithMeasurements answer,
                           FindTrial(study, trial));
  VERNIER_RETURN_IF_ERROR(CheckActive(ClientStudyOf(*answer.study)));
  VERNIER_RETURN_IF_ERROR(CheckRequestId(completion.request_id));
  TrialCompletion complete = completion;
  if (complete.final_report.has_value()) {
    complete.final_report =
        AsReported(*answer.study->spec, *complete.final_report);
  }
  if (!IsRunning(answer.record())) {
    if (!completion.request_id.empty() &&
        HasEndedSo(answer.record(), complete)) {
      return GetTrial(study, trial);
    }
    return WrongState(answer, "only one that runs can be told how it ended");
  }
  if (complete.final_report.has_value()) {
    VERNIER_RETURN_IF_ERROR(CheckReport(*complete.final_report));
  } else if (!complete.is_infeasible) {
    VERNIER_ASSIGN_OR_RETURN(complete.final_report, LastReport(answer));
  }
  if (!complete.is_infeasible) {
    VERNIER_RETURN_IF_ERROR(
        CheckFinalReport(*answer.study->spec, *complete.final_report));
  }
  VERNIER_RETURN_IF_ERROR(
      Commit({CompleteTrialChange(*answer.study, answer.record(), complete)}));
  return GetTrial(study, trial);
}

absl::StatusOr<TrialWithMeasurements> StudyService::StopTrial(
    const std::string& study, TrialId trial) {
  VERNIER_ASSIGN_OR_RETURN(const TrialWithMeasurements answer,
                           FindTrial(study, trial));
  VERNIER_RETURN_IF_ERROR(CheckActive(ClientStudyOf(*answer.study)));
  const TrialState state = answer.record().state;
  if (state == TrialState::kStopping || state == TrialState::kStopped ||
      state == TrialState::kCompleted) {
    return GetTrial(study, trial);
  }
  if (state != TrialState::kActive) {
    return WrongState(answer, "only one that runs can be stopped");
  }
  VERNIER_RETURN_IF_ERROR(Commit(
      {MoveTrial{answer.study->id, trial, TrialEvent::kRequestStop,
                 TrialEndCause::kNone, kStoppedByClientReason, std::nullopt}}));
  return GetTrial(study, trial);
}

absl::StatusOr<std::optional<std::string>> StudyService::CheckEarlyStopping(
    const std::string& study, TrialId trial) {
  VERNIER_ASSIGN_OR_RETURN(const TrialWithMeasurements answer,
                           FindTrial(study, trial));
  VERNIER_RETURN_IF_ERROR(CheckActive(ClientStudyOf(*answer.study)));
  if (!IsRunning(answer.record())) {
    return WrongState(answer, "only one that runs can be asked about");
  }
  if (answer.study->spec->stopping_rule == StoppingRule::kNone) {
    return std::nullopt;
  }
  if (answer.record().state == TrialState::kStopping) {
    const std::string& why = answer.record().message;
    return std::optional<std::string>(why.empty() ? "a stop was asked for"
                                                  : why);
  }
  VERNIER_ASSIGN_OR_RETURN(const EarlyVerdicts verdicts,
                           dependencies_.engines.Stops(*answer.study));
  const auto stop = verdicts.stops.find(trial);
  if (stop == verdicts.stops.end()) return std::nullopt;
  // Its client will complete it sooner or later, and the value then will be
  // that of a training that was cut short.
  VERNIER_RETURN_IF_ERROR(
      Commit({MoveTrial{answer.study->id, trial, TrialEvent::kRequestStop,
                        TrialEndCause::kNone, stop->second, std::nullopt}}));
  return std::optional<std::string>(stop->second);
}

StudyService::StudyAnswer StudyService::Propose(
    const ProposalRequest& request) {
  VERNIER_RETURN_IF_ERROR(CheckRequestId(request.request_id));
  VERNIER_RETURN_IF_ERROR(CheckSource(request.source));
  VERNIER_ASSIGN_OR_RETURN(const Snapshot study, PresentStudy(request.study));
  const StudySpec& spec = *study->spec;
  if (spec.parameters.empty()) {
    return absl::FailedPreconditionError(
        "the study has no parameters, so that no point can be proposed");
  }
  VERNIER_RETURN_IF_ERROR(CheckTakesProposals(spec.algorithm));
  VERNIER_ASSIGN_OR_RETURN(std::vector<Parameters> points,
                           ReadGivenPoints(spec, request.points));
  VERNIER_RETURN_IF_ERROR(Commit({ProposePoints{
      request.study, request.source, std::move(points),
      RequestIdIn(request.study, "proposal", request.request_id)}}));
  return PresentStudy(request.study);
}

absl::Status StudyService::SetAttributes(StudyId study,
                                         std::optional<TrialId> trial,
                                         const UserAttributes& set) {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot found, PresentStudy(study));
  Metadata present;
  if (!trial.has_value()) {
    present = *found->metadata;
  } else if (ToInt(*trial) >= 1 &&
             ToInt(*trial) <= static_cast<std::int64_t>(found->trials.size())) {
    present = found->trials.Share(*trial)->metadata;
  }
  VERNIER_ASSIGN_OR_RETURN(std::vector<MetadataUpdate> updates,
                           AttributeUpdates(present, trial, set));
  if (updates.empty()) return absl::OkStatus();
  // The store knows whether there is such a trial.
  return Commit({vernier::UpdateMetadata{study, std::move(updates)}});
}

absl::Status StudyService::UpdateMetadata(
    const std::string& study, const std::vector<MetadataUpdate>& updates) {
  VERNIER_ASSIGN_OR_RETURN(const Snapshot found, index_.Find(study));
  return Commit({vernier::UpdateMetadata{found->id, updates}});
}

}  // namespace vernier
