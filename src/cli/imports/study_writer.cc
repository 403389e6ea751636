#include "cli/imports/study_writer.h"

#include <vernier/v1/study_service.grpc.pb.h>
#include <vizier/vizier_service.grpc.pb.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "cli/imports/foreign_facts.h"
#include "client/client_connection.h"
#include "faces/messages/vizier_message.h"
#include "trials/client_data.h"
#include "trials/user_attributes.h"

namespace vernier {
namespace {

using Vizier = vizier::VizierService::Stub;
using Studies = v1::StudyService::Stub;

constexpr int kPiece = 1000;  // Trials of one call.
// Ends the search for trials that are not there.
constexpr std::int64_t kMostTrialsHere = 10'000'000;

template <typename Message>
void SetMetadata(const char* space,
                 const std::map<std::string, std::string>& values,
                 Message* message) {
  for (const auto& [name, value] : values) {
    vizier::KeyValue* const item = message->add_metadata();
    item->set_ns(space);
    item->set_key(name);
    item->set_value(value);
  }
}

template <typename Message>
std::map<std::string, std::string> AttributesIn(const Message& message) {
  std::map<std::string, std::string> attributes;
  for (const vizier::KeyValue& item : message.metadata()) {
    if (item.ns() == kAttributeNamespace) {
      attributes[item.key()] = item.value();
    }
  }
  return attributes;
}

vizier::Trial::State StateOf(ForeignTrial::State state) {
  switch (state) {
    case ForeignTrial::State::kCompleted:
      return vizier::Trial::SUCCEEDED;
    case ForeignTrial::State::kStopped:
      return vizier::Trial::STOPPING;  // With a final measurement: it is over.
    case ForeignTrial::State::kInfeasible:
      break;
  }
  return vizier::Trial::INFEASIBLE;
}

vizier::Trial MessageOf(const ForeignTrial& trial) {
  vizier::Trial message;
  message.set_state(StateOf(trial.state));
  PrintParameters(trial.parameters, &message);
  for (const MetricReport& report : trial.reports) {
    *message.add_measurements() = ToVizier(report);
  }
  if (trial.final_report.has_value()) {
    *message.mutable_final_measurement() = ToVizier(*trial.final_report);
  }
  message.set_infeasible_reason(ValidUtf8(trial.reason));
  SetMetadata(kAttributeNamespace, trial.attributes, &message);
  return message;
}

}  // namespace

StudyWriter::StudyWriter(const ClientConnection& client,
                         const std::string& project)
    : client_(client),
      parent_(absl::StrCat("projects/", project, "/locations/local")) {}

std::string StudyWriter::FullName(const std::string& name) const {
  return absl::StrCat(parent_, "/studies/", name);
}

absl::StatusOr<std::optional<ImportedStudy>> StudyWriter::Read(
    const std::string& name) const {
  vizier::GetStudyRequest of_study;
  of_study.set_name(FullName(name));
  const auto study = client_.Call(&Vizier::GetStudy, of_study);
  if (absl::IsNotFound(study.status())) return std::nullopt;
  VERNIER_RETURN_IF_ERROR(study.status());
  ImportedStudy present;
  VERNIER_ASSIGN_OR_RETURN(present.spec, FromVizier(study->study_spec()));
  present.attributes = AttributesIn(study->study_spec());
  VERNIER_ASSIGN_OR_RETURN(present.trials, ReadOrigins(name));
  return present;
}

// Attributes alone are asked for, a piece at a time: the curves of a large
// study would be more than an answer holds.
absl::StatusOr<std::vector<Provenance>> StudyWriter::ReadOrigins(
    const std::string& name) const {
  v1::GetStudyRequest of_study;
  of_study.set_study(FullName(name));
  VERNIER_ASSIGN_OR_RETURN(const v1::Study study,
                           client_.Call(&Studies::GetStudy, of_study));
  std::vector<Provenance> origins;
  std::int64_t next = 1;  // Deleted trials leave gaps.
  for (int found = 0; found < study.trial_count() && next < kMostTrialsHere;) {
    v1::ListClientTrialsRequest of_trials;
    of_trials.set_study(FullName(name));
    for (int i = 0; i < kPiece; ++i) of_trials.add_trial_ids(next++);
    VERNIER_ASSIGN_OR_RETURN(
        const v1::ListClientTrialsResponse trials,
        client_.Call(&Studies::ListClientTrials, of_trials));
    found += trials.trials_size();
    for (const v1::ClientTrial& trial : trials.trials()) {
      const auto imported = trial.attributes().find(kImportedAttribute);
      if (imported == trial.attributes().end()) continue;
      auto origin = ProvenanceFromJson(imported->second);
      if (origin.has_value()) origins.push_back(*std::move(origin));
    }
  }
  return origins;
}

absl::Status StudyWriter::Write(const ImportPlan& plan) const {
  if (plan.is_new) {
    vizier::CreateStudyRequest request;
    request.set_parent(parent_);
    request.mutable_study()->set_display_name(plan.name);
    vizier::StudySpec* const spec =
        request.mutable_study()->mutable_study_spec();
    *spec = ToVizier(plan.spec);
    SetMetadata(kAttributeNamespace, plan.attributes, spec);
    SetMetadata(kChoicesNamespace, plan.typed_choices, spec);
    VERNIER_RETURN_IF_ERROR(
        client_.Call(&Vizier::CreateStudy, request).status());
  }
  std::size_t added = 0;
  for (const PlannedTrial& planned : plan.to_add) {
    vizier::CreateTrialRequest request;
    request.set_parent(FullName(plan.name));
    *request.mutable_trial() = MessageOf(planned.trial);
    const absl::Status made =
        client_.Call(&Vizier::CreateTrial, request).status();
    if (!made.ok()) {
      return absl::Status(
          made.code(),
          absl::StrCat("trial ", ShowText(planned.trial.id), " of study \"",
                       ShowText(planned.provenance.study), "\", after ", added,
                       " were added: ", std::string(made.message()),
                       "; running the import again adds what is missing"));
    }
    ++added;
  }
  return absl::OkStatus();
}

}  // namespace vernier
