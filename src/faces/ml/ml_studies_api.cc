#include "faces/ml/ml_studies_api.h"

#include <ml/v1/study.pb.h>
#include <vizier/operations.pb.h>

#include <future>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "edge/http/rest_json.h"
#include "faces/messages/message_cost.h"
#include "faces/messages/vizier_name.h"
#include "faces/ml/ml_operation.h"
#include "faces/ml/ml_study_message.h"
#include "store/study_kinds.h"

namespace vernier {
namespace {

constexpr char kLocation[] = "/v1/projects/{project}/locations/{location}";

std::string ParentOf(const RestCall& call) {
  return absl::StrCat("projects/", call.variables.at("project"), "/locations/",
                      call.variables.at("location"));
}

std::string StudyOf(const RestCall& call) {
  return absl::StrCat(ParentOf(call), "/studies/", call.variables.at("study"));
}

absl::StatusOr<TrialId> TrialOf(const RestCall& call) {
  auto trial = ParseVizierTrialId(call.variables.at("trial"));
  // A malformed id is NOT_FOUND.
  if (trial.ok()) return trial;
  return absl::NotFoundError(
      absl::StrCat("there is no trial \"", call.variables.at("trial"), "\""));
}

// The id under which a call may be repeated (AIP-155).
std::string RequestIdOf(const RestCall& call) {
  return call.http.QueryText("requestId");
}

absl::StatusOr<RestAnswer> Print(
    const absl::StatusOr<TrialWithMeasurements>& answer) {
  VERNIER_RETURN_IF_ERROR(answer.status());
  return PrintJson(ToMl(*answer));
}

template <typename Response>
absl::StatusOr<RestAnswer> PrintTrials(
    const absl::StatusOr<std::vector<TrialWithMeasurements>>& trials) {
  VERNIER_RETURN_IF_ERROR(trials.status());
  Response response;
  for (const TrialWithMeasurements& trial : *trials) {
    ml::Trial* const added = response.add_trials();
    *added = ToMl(trial);
    VERNIER_RETURN_IF_ERROR(UseInCall(*added));
  }
  return PrintJson(response);
}

absl::Status NoOperation(const RestCall& call) {
  return absl::NotFoundError(absl::StrCat(
      "there is no operation \"", call.variables.at("operation"), "\""));
}

}  // namespace

MlStudiesApi::Answer MlStudiesApi::CreateStudy(const RestCall& call) {
  ml::Study body;
  VERNIER_RETURN_IF_ERROR(ReadJson(call.body, &body));
  StudyRequest request;
  request.parent = ParentOf(call);
  request.name = call.http.QueryText("studyId");
  if (request.name.empty()) {
    return absl::InvalidArgumentError("studyId is required");
  }
  VERNIER_ASSIGN_OR_RETURN(request.spec, FromMl(body.study_config()));
  if (body.study_config().vernier().has_seed()) {
    request.seed = body.study_config().vernier().seed();
  }
  request.original = {kMlConfigFormat, body.study_config().SerializeAsString()};
  bool is_new = false;
  VERNIER_ASSIGN_OR_RETURN(const auto study,
                           dependencies_.studies.CreateStudy(request, &is_new));
  if (!is_new) {
    return absl::AlreadyExistsError(
        absl::StrCat("study ", study->name, " exists already"));
  }
  return PrintJson(ToMl(ClientStudyOf(*study)));
}

MlStudiesApi::Answer MlStudiesApi::GetStudy(const RestCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const auto study,
                           dependencies_.studies.GetStudy(StudyOf(call)));
  return PrintJson(ToMl(ClientStudyOf(*study)));
}

MlStudiesApi::Answer MlStudiesApi::ListStudies(const RestCall& call) {
  ml::ListStudiesResponse response;
  for (const auto& study : dependencies_.studies.ListStudies(ParentOf(call))) {
    ml::Study* const added = response.add_studies();
    *added = ToMl(ClientStudyOf(*study));
    VERNIER_RETURN_IF_ERROR(UseInCall(*added));
  }
  return PrintJson(response);
}

MlStudiesApi::Answer MlStudiesApi::DeleteStudy(const RestCall& call) {
  VERNIER_RETURN_IF_ERROR(dependencies_.studies.DeleteStudy(StudyOf(call)));
  return ShareText("{}");
}

MlStudiesApi::Answer MlStudiesApi::Suggest(const RestCall& call) {
  ml::SuggestTrialsRequest body;
  VERNIER_RETURN_IF_ERROR(ReadJson(call.body, &body));
  // The suggestion service calls back from a thread of its own; this thread is
  // a worker's and may wait.
  auto promise = std::make_shared<
      std::promise<absl::StatusOr<SuggestionService::Answer>>>();
  auto answered = promise->get_future();
  dependencies_.studies.Suggest(
      StudyOf(call), body.suggestion_count(), body.client_id(),
      [promise](absl::StatusOr<SuggestionService::Answer> answer) {
        promise->set_value(std::move(answer));
      });
  VERNIER_ASSIGN_OR_RETURN(const SuggestionService::Answer answer,
                           answered.get());
  return PrintSuggestOperation(ParentOf(call), answer);
}

MlStudiesApi::Answer MlStudiesApi::CreateTrial(const RestCall& call) {
  ml::Trial body;
  VERNIER_RETURN_IF_ERROR(ReadJson(call.body, &body));
  VERNIER_ASSIGN_OR_RETURN(TrialRequest request, FromMl(body));
  request.request_id = RequestIdOf(call);
  return Print(dependencies_.studies.CreateTrial(StudyOf(call), request));
}

MlStudiesApi::Answer MlStudiesApi::GetTrial(const RestCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const TrialId trial, TrialOf(call));
  return Print(dependencies_.studies.GetTrial(StudyOf(call), trial));
}

MlStudiesApi::Answer MlStudiesApi::ListTrials(const RestCall& call) {
  return PrintTrials<ml::ListTrialsResponse>(
      dependencies_.studies.ListTrials(StudyOf(call)));
}

MlStudiesApi::Answer MlStudiesApi::ListOptimalTrials(const RestCall& call) {
  return PrintTrials<ml::ListOptimalTrialsResponse>(
      dependencies_.studies.ListOptimalTrials(StudyOf(call)));
}

MlStudiesApi::Answer MlStudiesApi::DeleteTrial(const RestCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const TrialId trial, TrialOf(call));
  VERNIER_RETURN_IF_ERROR(
      dependencies_.studies.DeleteTrial(StudyOf(call), trial));
  return ShareText("{}");
}

MlStudiesApi::Answer MlStudiesApi::AddMeasurement(const RestCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const TrialId trial, TrialOf(call));
  ml::AddTrialMeasurementRequest body;
  VERNIER_RETURN_IF_ERROR(ReadJson(call.body, &body));
  VERNIER_ASSIGN_OR_RETURN(const MetricReport report,
                           FromMl(body.measurement()));
  return Print(dependencies_.studies.AddMeasurement(StudyOf(call), trial,
                                                    report, RequestIdOf(call)));
}

MlStudiesApi::Answer MlStudiesApi::Complete(const RestCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const TrialId trial, TrialOf(call));
  ml::CompleteTrialRequest body;
  VERNIER_RETURN_IF_ERROR(ReadJson(call.body, &body));
  TrialCompletion completion;
  if (body.final_measurement().metrics_size() > 0) {
    VERNIER_ASSIGN_OR_RETURN(completion.final_report,
                             FromMl(body.final_measurement()));
    VERNIER_ASSIGN_OR_RETURN(const auto study,
                             dependencies_.studies.GetStudy(StudyOf(call)));
    VERNIER_RETURN_IF_ERROR(
        CheckMetricsAreOfStudy(*study->spec, *completion.final_report));
  }
  completion.is_infeasible = body.trial_infeasible();
  completion.infeasible_reason = body.infeasible_reason();
  completion.request_id = RequestIdOf(call);
  return Print(
      dependencies_.studies.CompleteTrial(StudyOf(call), trial, completion));
}

MlStudiesApi::Answer MlStudiesApi::CheckEarlyStopping(const RestCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const TrialId trial, TrialOf(call));
  VERNIER_ASSIGN_OR_RETURN(const auto study,
                           dependencies_.studies.GetStudy(StudyOf(call)));
  VERNIER_ASSIGN_OR_RETURN(
      const std::optional<std::string> reason,
      dependencies_.studies.CheckEarlyStopping(StudyOf(call), trial));
  return PrintStoppingOperation(ParentOf(call), ClientStudyOf(*study),
                                ToInt(trial), reason.has_value(),
                                dependencies_.clock.Now());
}

MlStudiesApi::Answer MlStudiesApi::Stop(const RestCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const TrialId trial, TrialOf(call));
  return Print(dependencies_.studies.StopTrial(StudyOf(call), trial));
}

MlStudiesApi::Answer MlStudiesApi::GetOperation(const RestCall& call) {
  const auto id = ParseMlOperationId(call.variables.at("operation"));
  if (!id.has_value()) return NoOperation(call);
  const auto snapshot = dependencies_.store.Snapshot();
  const auto study = snapshot->find(StudyId(id->numbers[0]));
  const std::string prefix = ParentOf(call) + "/studies/";
  // A study of another project must look as if it did not exist.
  if (study == snapshot->end() || IsJob(*study->second) ||
      study->second->name.rfind(prefix, 0) != 0) {
    return NoOperation(call);
  }
  if (id->kind == "stop") {
    return PrintStoppingOperation(ParentOf(call), ClientStudyOf(*study->second),
                                  id->numbers[1], id->numbers[2] != 0,
                                  dependencies_.clock.Now());
  }
  const auto answer =
      dependencies_.studies.FindOperation(study->second->name, id->numbers[1]);
  if (absl::IsNotFound(answer.status())) return NoOperation(call);
  VERNIER_RETURN_IF_ERROR(answer.status());
  return PrintSuggestOperation(ParentOf(call), *answer);
}

MlStudiesApi::Answer MlStudiesApi::CancelOperation(const RestCall& call) {
  // Operations are done when they are answered, so cancelling one succeeds
  // without effect.
  VERNIER_RETURN_IF_ERROR(GetOperation(call).status());
  return ShareText("{}");
}

void MlStudiesApi::AddRoutes(RestRouter* router) {
  AddStudyRoutes(router);
  AddTrialRoutes(router);
  AddOperationRoutes(router);
}

void MlStudiesApi::AddStudyRoutes(RestRouter* router) {
  const auto* study = ml::Study::descriptor();
  const std::vector<RestParameter> study_id = {{"studyId", "string", true}};
  router->AddRows(
      "ml.projects.locations.studies.", kLocation,
      {
          {"create", "POST /studies", v1::WRITE,
           "Makes a study whose clients run the trials.", study, study,
           Bind(this, &MlStudiesApi::CreateStudy), study_id},
          {"list", "GET /studies", v1::READ, "Lists studies.", nullptr,
           ml::ListStudiesResponse::descriptor(),
           Bind(this, &MlStudiesApi::ListStudies)},
          {"get", "GET /studies/{study}", v1::READ, "Describes a study.",
           nullptr, study, Bind(this, &MlStudiesApi::GetStudy)},
          {"delete", "DELETE /studies/{study}", v1::WRITE,
           "Removes a study with its trials.", nullptr, nullptr,
           Bind(this, &MlStudiesApi::DeleteStudy)},
      });
}

void MlStudiesApi::AddTrialRoutes(RestRouter* router) {
  const auto* trial = ml::Trial::descriptor();
  const auto* operation = vizier::Operation::descriptor();
  const std::vector<RestParameter> request_id = {{"requestId"}};
  router->AddRows(
      "ml.projects.locations.studies.trials.",
      absl::StrCat(kLocation, "/studies/{study}"),
      {
          {"suggest", "POST /trials:suggest", v1::WRITE,
           "Hands out trials to a client: its own open ones first.",
           ml::SuggestTrialsRequest::descriptor(), operation,
           Bind(this, &MlStudiesApi::Suggest)},
          {"listOptimalTrials", "POST /trials:listOptimalTrials", v1::READ,
           "Lists the trials that no other one beats.",
           ml::ListOptimalTrialsRequest::descriptor(),
           ml::ListOptimalTrialsResponse::descriptor(),
           Bind(this, &MlStudiesApi::ListOptimalTrials)},
          {"create", "POST /trials", v1::WRITE,
           "Adds a trial that the caller made.", trial, trial,
           Bind(this, &MlStudiesApi::CreateTrial), request_id},
          {"list", "GET /trials", v1::READ, "Lists trials.", nullptr,
           ml::ListTrialsResponse::descriptor(),
           Bind(this, &MlStudiesApi::ListTrials)},
          {"get", "GET /trials/{trial}", v1::READ, "Describes a trial.",
           nullptr, trial, Bind(this, &MlStudiesApi::GetTrial)},
          {"delete", "DELETE /trials/{trial}", v1::WRITE, "Removes a trial.",
           nullptr, nullptr, Bind(this, &MlStudiesApi::DeleteTrial)},
          {"addMeasurement", "POST /trials/{trial}:addMeasurement", v1::WRITE,
           "Reports how a trial does.",
           ml::AddTrialMeasurementRequest::descriptor(), trial,
           Bind(this, &MlStudiesApi::AddMeasurement), request_id},
          {"complete", "POST /trials/{trial}:complete", v1::WRITE,
           "Ends a trial.", ml::CompleteTrialRequest::descriptor(), trial,
           Bind(this, &MlStudiesApi::Complete), request_id},
          {"checkEarlyStoppingState",
           "POST /trials/{trial}:checkEarlyStoppingState", v1::WRITE,
           "Says whether a trial should be stopped.",
           ml::CheckTrialEarlyStoppingStateRequest::descriptor(), operation,
           Bind(this, &MlStudiesApi::CheckEarlyStopping)},
          {"stop", "POST /trials/{trial}:stop", v1::WRITE,
           "Asks a trial's client to stop it.",
           ml::StopTrialRequest::descriptor(), trial,
           Bind(this, &MlStudiesApi::Stop)},
      });
}

void MlStudiesApi::AddOperationRoutes(RestRouter* router) {
  router->AddRows(
      "ml.projects.locations.operations.", kLocation,
      {
          {"get", "GET /operations/{operation}", v1::READ,
           "Describes an operation, which is done.", nullptr,
           vizier::Operation::descriptor(),
           Bind(this, &MlStudiesApi::GetOperation)},
          {"cancel", "POST /operations/{operation}:cancel", v1::WRITE,
           "Does nothing: operations are done when they are answered.", nullptr,
           nullptr, Bind(this, &MlStudiesApi::CancelOperation)},
      });
}

}  // namespace vernier
