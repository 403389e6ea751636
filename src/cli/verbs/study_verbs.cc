#include <vernier/v1/job_service.grpc.pb.h>
#include <vernier/v1/study_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/random_bits.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/command/service_call.h"
#include "cli/display/job_lookup.h"
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

void DeclareListStudies(CLI::App& studies, Invocation& invocation) {
  CLI::App* verb = studies.add_subcommand(
      "list", "List all studies, those of jobs included, newest first");
  auto request = std::make_shared<v1::ListStudiesRequest>();
  verb->add_option("--parent", *request->mutable_parent(),
                   "Only below this, e.g. owners/me");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request] {
    invocation.set_action([&invocation, request]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(
          const std::string answer,
          CallForJson(invocation, &Studies::ListStudies, *request));
      VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(answer));
      const std::string list =
          DumpJson(document.value("studies", Json::array()));
      VERNIER_RETURN_IF_ERROR(
          invocation.Print(list, StudyTable(list, invocation.digits()),
                           PathsOf(Resource::kStudy)));
      invocation.NoteIfEmpty(list);
      return kExitDone;
    });
  });
}

void DeclareDescribeStudy(CLI::App& studies, Invocation& invocation) {
  CLI::App* verb = studies.add_subcommand("describe", "Show a study");
  auto request = std::make_shared<v1::GetStudyRequest>();
  verb->add_option("STUDY", *request->mutable_study(),
                   "Its name or number, or a job's name")
      ->required();
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request] {
    invocation.set_action([&invocation, request]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client,
                               invocation.Client());
      VERNIER_ASSIGN_OR_RETURN(
          const std::string text,
          client->CallForJson(&Studies::GetStudy, *request));
      VERNIER_RETURN_IF_ERROR(
          invocation.Print(text, StudyFieldTable(text, invocation.digits()),
                           PathsOf(Resource::kStudy)));
      return kExitDone;
    });
  });
}

void DeclareDelete(CLI::App& studies, Invocation& invocation) {
  CLI::App* verb = studies.add_subcommand(
      "delete", "Remove a study that clients run, with all its trials");
  auto request = std::make_shared<v1::DeleteStudyRequest>();
  verb->add_option("STUDY", *request->mutable_study(), "Its name or number")
      ->required();
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request] {
    invocation.set_action([&invocation, request]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client,
                               invocation.Client());
      VERNIER_RETURN_IF_ERROR(
          client->Call(&Studies::DeleteStudy, *request).status());
      PrintTo(stderr, "Study [%s] is deleted.\n", request->study().c_str());
      return kExitDone;
    });
  });
}

void DeclareClose(CLI::App& studies, Invocation& invocation) {
  CLI::App* verb = studies.add_subcommand(
      "close", "Say that no program works on a study any more");
  auto request = std::make_shared<v1::SetStudyStateRequest>();
  request->set_state(v1::Study::COMPLETED);
  // A program that uses the study again opens it, as after its own close().
  request->set_reason("closed by a program");
  verb->add_option("STUDY", *request->mutable_study(), "Its name or number")
      ->required();
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request] {
    invocation.set_action([&invocation, request]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client,
                               invocation.Client());
      VERNIER_RETURN_IF_ERROR(
          client->Call(&Studies::SetStudyState, *request).status());
      PrintTo(stderr, "Study [%s] is closed.\n", request->study().c_str());
      return kExitDone;
    });
  });
}

struct StudyUpdateFlags {
  std::string study;
  std::string config;
  bool validate_only = false;
};

absl::StatusOr<int> UpdateStudy(Invocation& invocation,
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
  if (invocation.wants_table()) {
    const std::string named = absl::StrCat("study ", flags.study);
    PrintTo(stderr, "vernier: %s\n",
            (flags.validate_only ? WouldChangeText(named, news)
                                 : UpdatedText(named, news))
                .c_str());
    return kExitDone;
  }
  VERNIER_RETURN_IF_ERROR(invocation.Print(
      news.record, StudyFieldTable(news.record, invocation.digits()),
      PathsOf(Resource::kStudy)));
  return kExitDone;
}

void DeclareUpdateStudy(CLI::App& studies, Invocation& invocation) {
  CLI::App* verb = studies.add_subcommand(
      "update", "Change the search of a study that clients run");
  auto flags = std::make_shared<StudyUpdateFlags>();
  verb->add_option("STUDY", flags->study, "Its name or number")->required();
  verb->add_option("--config", flags->config,
                   "Study file or job file with the parameters as they are to "
                   "be, and the constraints between them")
      ->required();
  verb->add_flag("--validate-only", flags->validate_only,
                 "Only say what would change");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, flags] {
    invocation.set_action(
        [&invocation, flags] { return UpdateStudy(invocation, *flags); });
  });
}

// Returns the study with all its trials and what each of them reported.
absl::StatusOr<Json> Export(const ClientConnection& client,
                            const std::string& study) {
  v1::GetStudyRequest of_study;
  of_study.set_study(study);
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           client.CallForJson(&Studies::GetStudy, of_study));
  VERNIER_ASSIGN_OR_RETURN(Json document, ParseJson(text));
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
      VERNIER_ASSIGN_OR_RETURN(
          const std::string reported,
          client.CallForJson(&Jobs::ListMeasurements, request));
      VERNIER_ASSIGN_OR_RETURN(const Json measurements, ParseJson(reported));
      trial["measurements"] = measurements.value("measurements", Json::array());
    }
    trials.push_back(std::move(trial));
  }
  return Json{{"study", std::move(document)}, {"trials", std::move(trials)}};
}

void DeclareExport(CLI::App& studies, Invocation& invocation) {
  CLI::App* verb = studies.add_subcommand(
      "export", "Print a study with all trials and measurements, as JSON");
  auto study = std::make_shared<std::string>();
  verb->add_option("STUDY", *study, "Its name or number, or a job's name")
      ->required();
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, study] {
    invocation.set_action([&invocation, study]() -> absl::StatusOr<int> {
      if (invocation.wants_table()) invocation.set_format("json");
      if (invocation.format() == "csv") {
        return absl::InvalidArgumentError(
            "a study is one document: --format must be json, yaml or "
            "value(PATH,...)");
      }
      VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client,
                               invocation.Client());
      VERNIER_ASSIGN_OR_RETURN(const Json document, Export(*client, *study));
      VERNIER_RETURN_IF_ERROR(
          invocation.Print(DumpJson(document), TextTable{}));
      return kExitDone;
    });
  });
}

}  // namespace

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
  DeclareDelete(*studies, invocation);
  DeclareExport(*studies, invocation);
}

}  // namespace vernier
