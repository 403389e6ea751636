#include <vernier/v1/job_service.grpc.pb.h>
#include <vernier/v1/study_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/random_bits.h"
#include "base/status_macros.h"
#include "cli/command/service_call.h"
#include "cli/command/verb.h"
#include "cli/display/resource_paths.h"
#include "cli/display/resource_tables.h"
#include "cli/display/revision_text.h"
#include "cli/display/study_tables.h"
#include "cli/display/trial_json.h"
#include "cli/submission/job_submission.h"
#include "cli/text/console.h"
#include "cli/verbs/verbs.h"
#include "client/client_connection.h"
#include "client/message_reader.h"

namespace vernier {
namespace {

using Studies = v1::StudyService::Stub;
using Jobs = v1::JobService::Stub;

constexpr int kMostMeasurements = 100000;

absl::Status ListStudies(const Call& call,
                         const v1::ListStudiesRequest& request) {
  VERNIER_ASSIGN_OR_RETURN(const Json answer,
                           Ask(call.client, &Studies::ListStudies, request));
  const std::string list = DumpJson(answer.value("studies", Json::array()));
  VERNIER_RETURN_IF_ERROR(
      call.invocation.Print(list, StudyTable(list, call.invocation.digits()),
                            PathsOf(Resource::kStudy)));
  call.invocation.NoteIfEmpty(list);
  return absl::OkStatus();
}

void DeclareListStudies(CLI::App& studies, Invocation& invocation) {
  const Verb<v1::ListStudiesRequest> verb(
      studies, invocation, "list",
      "List all studies, those of jobs included, newest first");
  verb->add_option("--parent", *verb.words().mutable_parent(),
                   "Only below this, e.g. owners/me");
  verb.Does(Flags::kJob, &ListStudies);
}

void DeclareDescribeStudy(CLI::App& studies, Invocation& invocation) {
  const Verb<v1::GetStudyRequest> verb(studies, invocation, "describe",
                                       "Show a study");
  verb.Needs("STUDY", *verb.words().mutable_study(),
             "Its name or number, or a job's name");
  verb.Does(
      Flags::kJob, [](const Call& call, const v1::GetStudyRequest& request) {
        return PrintStudy(call.invocation,
                          call.client.CallForJson(&Studies::GetStudy, request));
      });
}

/// Declares a verb that changes a study by `method`, and then says `done`.
template <typename Request, typename Response>
Verb<Request> DeclareStudyChange(
    CLI::App& studies, Invocation& invocation, const char* name,
    const char* about,
    grpc::Status (Studies::*method)(grpc::ClientContext*, const Request&,
                                    Response*),
    const char* done) {
  const Verb<Request> verb(studies, invocation, name, about);
  verb.Needs("STUDY", *verb.words().mutable_study(), "Its name or number");
  verb.Does(
      Flags::kJob,
      [method, done](const Call& call, const Request& request) -> absl::Status {
        VERNIER_RETURN_IF_ERROR(call.client.Call(method, request).status());
        PrintTo(stderr, "Study [%s] is %s.\n", request.study(), done);
        return absl::OkStatus();
      });
  return verb;
}

void DeclareClose(CLI::App& studies, Invocation& invocation) {
  v1::SetStudyStateRequest& request =
      DeclareStudyChange(studies, invocation, "close",
                         "Say that no program works on a study any more",
                         &Studies::SetStudyState, "closed")
          .words();
  request.set_state(v1::Study::COMPLETED);
  // A program that uses the study again opens it, as after its own close().
  request.set_reason("closed by a program");
}

struct StudyUpdateFlags {
  std::string study;
  std::string config;
  bool validate_only = false;
};

absl::Status UpdateStudy(Invocation& invocation,
                         const StudyUpdateFlags& flags) {
  v1::EditStudyRequest request;
  request.set_study(flags.study);
  request.set_validate_only(flags.validate_only);
  request.set_request_id(RandomHex());
  VERNIER_ASSIGN_OR_RETURN(const std::string fields,
                           ReadFieldsOfJob(flags.config));
  VERNIER_RETURN_IF_ERROR(
      ReadMessage(flags.config, fields, request.mutable_edit()));
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  VERNIER_ASSIGN_OR_RETURN(const std::string answer,
                           client->CallForJson(&Studies::EditStudy, request));
  VERNIER_ASSIGN_OR_RETURN(const RevisionNews news, ReadRevision(answer));
  if (!invocation.wants_table()) return PrintStudy(invocation, news.record);
  const std::string named = absl::StrCat("study ", flags.study);
  PrintTo(stderr, "vernier: %s\n",
          flags.validate_only ? WouldChangeText(named, news)
                              : UpdatedText(named, news));
  return absl::OkStatus();
}

void DeclareUpdateStudy(CLI::App& studies, Invocation& invocation) {
  const Verb<StudyUpdateFlags> verb(
      studies, invocation, "update",
      "Change the search of a study that clients run");
  StudyUpdateFlags& flags = verb.words();
  verb.Needs("STUDY", flags.study, "Its name or number");
  verb.Needs("--config", flags.config,
             "Study file or job file with the parameters as they are to "
             "be, and the constraints between them");
  verb->add_flag("--validate-only", flags.validate_only,
                 "Only say what would change");
  verb.Does(Flags::kJob, &UpdateStudy);
}

// Returns the study with all its trials and what each of them reported.
absl::StatusOr<Json> Export(const ClientConnection& client,
                            const std::string& study) {
  v1::GetStudyRequest of_study;
  of_study.set_study(study);
  VERNIER_ASSIGN_OR_RETURN(Json document,
                           Ask(client, &Studies::GetStudy, of_study));
  const std::string name = document.value("name", study);
  v1::ListTrialsRequest of_trials;
  of_trials.set_job_id(name);
  VERNIER_ASSIGN_OR_RETURN(const std::string answer,
                           client.CallForJson(&Jobs::ListTrials, of_trials));
  VERNIER_ASSIGN_OR_RETURN(const std::string typed, TypedTrials(answer));
  VERNIER_ASSIGN_OR_RETURN(const Json listed, ParseJson(typed));
  Json trials = Json::array();
  for (Json trial : listed) {
    if (trial.contains("metrics")) {
      v1::ListMeasurementsRequest request;
      request.set_job_id(name);
      request.set_trial_id(
          std::strtoll(trial.value("trialId", "0").c_str(), nullptr, 10));
      request.set_limit(kMostMeasurements);
      VERNIER_ASSIGN_OR_RETURN(const Json reported,
                               Ask(client, &Jobs::ListMeasurements, request));
      trial["measurements"] = reported.value("measurements", Json::array());
    }
    trials.push_back(std::move(trial));
  }
  return Json{{"study", std::move(document)}, {"trials", std::move(trials)}};
}

absl::Status PrintExport(Invocation& invocation, const std::string& study) {
  if (invocation.wants_table()) invocation.set_format("json");
  if (invocation.format() == "csv") {
    return absl::InvalidArgumentError(
        "a study is one document: --format must be json, yaml or "
        "value(PATH,...)");
  }
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  VERNIER_ASSIGN_OR_RETURN(const Json document, Export(*client, study));
  return invocation.Show(document, TextTable{});
}

void DeclareExport(CLI::App& studies, Invocation& invocation) {
  const Verb<std::string> verb(
      studies, invocation, "export",
      "Print a study with all trials and measurements, as JSON");
  verb.Needs("STUDY", verb.words(), "Its name or number, or a job's name");
  verb.Does(Flags::kJob, &PrintExport);
}

}  // namespace

absl::Status PrintStudy(const Invocation& invocation,
                        const absl::StatusOr<std::string>& study) {
  VERNIER_RETURN_IF_ERROR(study.status());
  return invocation.Print(*study, StudyFieldTable(*study, invocation.digits()),
                          PathsOf(Resource::kStudy));
}

void DeclareStudyVerbs(CLI::App& app, Invocation& invocation) {
  CLI::App* studies = app.add_subcommand(
      "studies", "Look at studies: those of jobs, and those that clients run");
  studies->require_subcommand(1);
  DeclareListStudies(*studies, invocation);
  DeclareDescribeStudy(*studies, invocation);
  DeclareNoteVerb(Of::kStudy, *studies, invocation);
  DeclareSetAttributesVerb(Of::kStudy, *studies, invocation);
  DeclareUpdateStudy(*studies, invocation);
  DeclareClose(*studies, invocation);
  DeclareStudyChange(*studies, invocation, "delete",
                     "Remove a study that clients run, with all its trials",
                     &Studies::DeleteStudy, "deleted");
  DeclareExport(*studies, invocation);
}

}  // namespace vernier
