#include "faces/vizier/vizier_handlers.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "faces/messages/message_cost.h"
#include "faces/messages/proto_time.h"
#include "faces/messages/vizier_message.h"
#include "faces/messages/vizier_name.h"

namespace vernier {
namespace {

// Below 4 MiB, the default limit of gRPC clients.
constexpr std::size_t kMostToSend = 3500000;

absl::Status Fill(const StudyService::StudyAnswer& answer,
                  vizier::Study* response) {
  VERNIER_RETURN_IF_ERROR(answer.status());
  *response = ToVizier(ClientStudyOf(**answer));
  return absl::OkStatus();
}

absl::Status Fill(const absl::StatusOr<TrialWithMeasurements>& answer,
                  vizier::Trial* response) {
  VERNIER_RETURN_IF_ERROR(answer.status());
  *response = ToVizier(*answer);
  return absl::OkStatus();
}

/// Fills one page of a list: the items after number `token`. `id_of` returns an
/// item's number, which grows from item to item; `add` returns the message that
/// it made of an item.
template <typename Request, typename Item, typename IdOf, typename Add,
          typename Response>
absl::Status AddPage(const Request& request, const std::vector<Item>& items,
                     IdOf id_of, Add add, Response* response) {
  if (request.page_size() < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("page_size must be >= 0: ", request.page_size()));
  }
  std::int64_t after = 0;
  if (!request.page_token().empty()) {
    VERNIER_ASSIGN_OR_RETURN(const TrialId last,
                             ParseVizierTrialId(request.page_token()));
    after = ToInt(last);
  }
  int count = 0;
  std::int64_t last = 0;
  for (const Item& item : items) {
    if (id_of(item) <= after) continue;
    if (request.page_size() > 0 && count == request.page_size()) {
      response->set_next_page_token(absl::StrCat(last));
      break;
    }
    VERNIER_RETURN_IF_ERROR(UseInCall(*add(item)));
    ++count;
    last = id_of(item);
  }
  return absl::OkStatus();
}

std::int64_t NumberOf(const TrialWithMeasurements& answer) {
  return ToInt(answer.trial);
}

void FillOperation(const SuggestionService::Answer& answer,
                   const std::string& client_id, vizier::Operation* response) {
  const StudySnapshot& study = *answer.study;
  response->set_name(
      VizierOperation({study.name, client_id, answer.operation}));
  response->set_done(true);
  vizier::SuggestTrialsResponse suggestions;
  for (const TrialId trial : answer.trials) {
    *suggestions.add_trials() =
        ToVizier(TrialWithMeasurements{answer.study, trial, {}});
  }
  suggestions.set_study_state(ToVizier(ClientStudyOf(study).run().state));
  *suggestions.mutable_start_time() = ToProto(answer.answered_at);
  *suggestions.mutable_end_time() = ToProto(answer.answered_at);
  response->mutable_response()->PackFrom(suggestions);
}

}  // namespace

void ThinMeasurements(std::size_t bytes,
                      google::protobuf::RepeatedPtrField<vizier::Trial>* trials,
                      const google::protobuf::Message& response) {
  bool is_thinner = true;
  while (is_thinner && response.ByteSizeLong() > bytes) {
    is_thinner = false;
    for (vizier::Trial& trial : *trials) {
      auto* measurements = trial.mutable_measurements();
      const int count = measurements->size();
      if (count < 2) continue;
      // Keep every other one, counted from the last.
      int kept = 0;
      for (int i = (count - 1) % 2; i < count; i += 2) {
        measurements->SwapElements(kept++, i);
      }
      measurements->DeleteSubrange(kept, count - kept);
      is_thinner = true;
    }
  }
}

absl::Status VizierHandlers::CreateStudy(
    const vizier::CreateStudyRequest& request, vizier::Study* response) {
  VERNIER_RETURN_IF_ERROR(CheckVizierOwner(request.parent()));
  VERNIER_ASSIGN_OR_RETURN(const StudyRequest study, FromVizier(request));
  bool is_new = false;
  const auto answer = dependencies_.studies.CreateStudy(study, &is_new);
  if (answer.ok() && !is_new && !(*(*answer)->spec == study.spec)) {
    dependencies_.log(
        absl::StrCat("study ", (*answer)->name,
                     " was asked for with another spec; it keeps its own"));
  }
  return Fill(answer, response);
}

absl::Status VizierHandlers::GetStudy(const vizier::GetStudyRequest& request,
                                      vizier::Study* response) {
  VERNIER_RETURN_IF_ERROR(CheckVizierStudy(request.name()));
  return Fill(dependencies_.studies.GetStudy(request.name()), response);
}

absl::Status VizierHandlers::ListStudies(
    const vizier::ListStudiesRequest& request,
    vizier::ListStudiesResponse* response) {
  VERNIER_RETURN_IF_ERROR(CheckVizierOwner(request.parent()));
  return AddPage(
      request, dependencies_.studies.ListStudies(request.parent()),
      [](const auto& study) { return ToInt(study->id); },
      [&](const auto& study) {
        vizier::Study* const added = response->add_studies();
        *added = ToVizier(ClientStudyOf(*study));
        return added;
      },
      response);
}

absl::Status VizierHandlers::DeleteStudy(
    const vizier::DeleteStudyRequest& request, Empty* /*response*/) {
  VERNIER_RETURN_IF_ERROR(CheckVizierStudy(request.name()));
  return dependencies_.studies.DeleteStudy(request.name());
}

absl::Status VizierHandlers::SetStudyState(
    const vizier::SetStudyStateRequest& request, vizier::Study* response) {
  VERNIER_RETURN_IF_ERROR(CheckVizierStudy(request.parent()));
  VERNIER_ASSIGN_OR_RETURN(const StudyState state, FromVizier(request.state()));
  return Fill(dependencies_.studies.SetState(request.parent(), state, ""),
              response);
}

void VizierHandlers::SuggestTrials(const vizier::SuggestTrialsRequest& request,
                                   vizier::Operation* response,
                                   std::function<void(absl::Status)> done) {
  absl::Status status = CheckVizierStudy(request.parent());
  if (status.ok() && request.client_id().find('/') != std::string::npos) {
    status = absl::InvalidArgumentError(absl::StrCat(
        "client_id must have no '/': \"", request.client_id(), "\""));
  }
  if (!status.ok()) return done(status);
  dependencies_.studies.Suggest(
      request.parent(), request.suggestion_count(), request.client_id(),
      [client_id = request.client_id(), response, done = std::move(done)](
          const absl::StatusOr<SuggestionService::Answer>& answer) {
        if (answer.ok()) FillOperation(*answer, client_id, response);
        done(answer.status());
      });
}

absl::Status VizierHandlers::GetOperation(
    const vizier::GetOperationRequest& request, vizier::Operation* response) {
  VERNIER_ASSIGN_OR_RETURN(const VizierOperationName name,
                           ParseVizierOperation(request.name()));
  VERNIER_ASSIGN_OR_RETURN(
      const SuggestionService::Answer answer,
      dependencies_.studies.FindOperation(name.study, name.number));
  FillOperation(answer, name.client_id, response);
  return absl::OkStatus();
}

absl::Status VizierHandlers::CreateTrial(
    const vizier::CreateTrialRequest& request, const std::string& request_id,
    vizier::Trial* response) {
  VERNIER_RETURN_IF_ERROR(CheckVizierStudy(request.parent()));
  VERNIER_ASSIGN_OR_RETURN(TrialRequest trial, FromVizier(request.trial()));
  trial.request_id = request_id;
  return Fill(dependencies_.studies.CreateTrial(request.parent(), trial),
              response);
}

absl::Status VizierHandlers::GetTrial(const vizier::GetTrialRequest& request,
                                      vizier::Trial* response) {
  VERNIER_ASSIGN_OR_RETURN(const VizierTrialName name,
                           ParseVizierTrial(request.name()));
  return Fill(dependencies_.studies.GetTrial(name.study, name.trial), response);
}

absl::Status VizierHandlers::ListTrials(
    const vizier::ListTrialsRequest& request,
    vizier::ListTrialsResponse* response) {
  VERNIER_RETURN_IF_ERROR(CheckVizierStudy(request.parent()));
  VERNIER_ASSIGN_OR_RETURN(const std::vector<TrialWithMeasurements> trials,
                           dependencies_.studies.ListTrials(request.parent()));
  VERNIER_RETURN_IF_ERROR(AddPage(
      request, trials, &NumberOf,
      [&](const TrialWithMeasurements& one) {
        vizier::Trial* const added = response->add_trials();
        *added = ToVizier(one);
        return added;
      },
      response));
  ThinMeasurements(kMostToSend, response->mutable_trials(), *response);
  return absl::OkStatus();
}

absl::Status VizierHandlers::AddTrialMeasurement(
    const vizier::AddTrialMeasurementRequest& request,
    const std::string& request_id, vizier::Trial* response) {
  VERNIER_ASSIGN_OR_RETURN(const VizierTrialName name,
                           ParseVizierTrial(request.trial_name()));
  VERNIER_ASSIGN_OR_RETURN(const MetricReport report,
                           FromVizier(request.measurement()));
  return Fill(dependencies_.studies.AddMeasurement(name.study, name.trial,
                                                   report, request_id),
              response);
}

absl::Status VizierHandlers::CompleteTrial(
    const vizier::CompleteTrialRequest& request, const std::string& request_id,
    vizier::Trial* response) {
  VERNIER_ASSIGN_OR_RETURN(const VizierTrialName name,
                           ParseVizierTrial(request.name()));
  TrialCompletion completion;
  if (request.final_measurement().metrics_size() > 0) {
    VERNIER_ASSIGN_OR_RETURN(completion.final_report,
                             FromVizier(request.final_measurement()));
  }
  completion.is_infeasible = request.trial_infeasible();
  completion.infeasible_reason = request.infeasible_reason();
  completion.request_id = request_id;
  return Fill(
      dependencies_.studies.CompleteTrial(name.study, name.trial, completion),
      response);
}

absl::Status VizierHandlers::DeleteTrial(
    const vizier::DeleteTrialRequest& request, Empty* /*response*/) {
  VERNIER_ASSIGN_OR_RETURN(const VizierTrialName name,
                           ParseVizierTrial(request.name()));
  return dependencies_.studies.DeleteTrial(name.study, name.trial);
}

absl::Status VizierHandlers::CheckTrialEarlyStoppingState(
    const vizier::CheckTrialEarlyStoppingStateRequest& request,
    vizier::CheckTrialEarlyStoppingStateResponse* response) {
  VERNIER_ASSIGN_OR_RETURN(const VizierTrialName name,
                           ParseVizierTrial(request.trial_name()));
  VERNIER_ASSIGN_OR_RETURN(
      const std::optional<std::string> reason,
      dependencies_.studies.CheckEarlyStopping(name.study, name.trial));
  response->set_should_stop(reason.has_value());
  return absl::OkStatus();
}

absl::Status VizierHandlers::StopTrial(const vizier::StopTrialRequest& request,
                                       vizier::Trial* response) {
  VERNIER_ASSIGN_OR_RETURN(const VizierTrialName name,
                           ParseVizierTrial(request.name()));
  return Fill(dependencies_.studies.StopTrial(name.study, name.trial),
              response);
}

absl::Status VizierHandlers::ListOptimalTrials(
    const vizier::ListOptimalTrialsRequest& request,
    vizier::ListOptimalTrialsResponse* response) {
  VERNIER_RETURN_IF_ERROR(CheckVizierStudy(request.parent()));
  VERNIER_ASSIGN_OR_RETURN(
      const std::vector<TrialWithMeasurements> trials,
      dependencies_.studies.ListOptimalTrials(request.parent()));
  VERNIER_RETURN_IF_ERROR(AddPage(
      request, trials, &NumberOf,
      [&](const TrialWithMeasurements& one) {
        vizier::Trial* const added = response->add_optimal_trials();
        *added = ToVizier(one);
        return added;
      },
      response));
  ThinMeasurements(kMostToSend, response->mutable_optimal_trials(), *response);
  return absl::OkStatus();
}

absl::Status VizierHandlers::UpdateMetadata(
    const vizier::UpdateMetadataRequest& request,
    vizier::UpdateMetadataResponse* response) {
  VERNIER_RETURN_IF_ERROR(CheckVizierStudy(request.name()));
  VERNIER_RETURN_IF_ERROR(
      dependencies_.studies.GetStudy(request.name()).status());
  std::vector<MetadataUpdate> updates;
  for (const vizier::UnitMetadataUpdate& item : request.delta()) {
    VERNIER_ASSIGN_OR_RETURN(MetadataUpdate update,
                             FromVizier(item.metadatum()));
    if (item.has_trial_id()) {
      VERNIER_ASSIGN_OR_RETURN(update.trial,
                               ParseVizierTrialId(item.trial_id()));
    }
    updates.push_back(std::move(update));
  }
  absl::Status status =
      dependencies_.studies.UpdateMetadata(request.name(), updates);
  // Clients expect the error about an unknown trial in the response.
  if (!absl::IsNotFound(status)) return status;
  response->set_error_details(std::string(status.message()));
  return absl::OkStatus();
}

}  // namespace vernier
