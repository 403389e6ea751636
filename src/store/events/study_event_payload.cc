#include "store/events/study_event_payload.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

Json NumbersOf(const std::vector<TrialId>& trials) {
  Json json = Json::array();
  for (const TrialId trial : trials) json.push_back(ToInt(trial));
  return json;
}

}  // namespace

std::string StudyCreatedPayload(ClientStudyRef study) {
  const OriginalSpec& original = *study.run().original;
  return DumpJson({{"study", study->name},
                   {"spec_json", StudySpecToJson(*study->spec)},
                   {"seed", study->seed},
                   {"original_format", original.format},
                   {"original_spec", absl::Base64Escape(original.bytes)}});
}

std::string StudyMovedPayload(StudyState from, const ClientRun& run) {
  return DumpJson({{"from", std::string(ToString(from))},
                   {"to", std::string(ToString(run.state))},
                   {"reason", run.state_reason}});
}

std::string StudyNotePayload(const StudyRecord& study) {
  return DumpJson({{"note", study.note}});
}

std::string MetadataPayload(const UpdateMetadata& change) {
  Json items = Json::array();
  for (const MetadataUpdate& update : change.updates) {
    Json item = {{"ns", update.key.first}, {"key", update.key.second}};
    if (update.trial.has_value()) item["trial"] = ToInt(*update.trial);
    if (update.value.is_text) {
      item["text"] = update.value.value;
    } else {
      item["bytes"] = absl::Base64Escape(update.value.value);
    }
    items.push_back(std::move(item));
  }
  return DumpJson({{"items", std::move(items)}});
}

std::string StudyRevisedPayload(ClientStudyRef study) {
  const SpecEdit& edit = *study.run().edits.back();
  return DumpJson({{"version", edit.version},
                   {"changes", edit.changes},
                   {"spec_json", StudySpecToJson(*study->spec)},
                   {"client_data", edit.client_data}});
}

std::string SpecGrownPayload(const StudySnapshot& study) {
  return DumpJson({{"spec_json", StudySpecToJson(*study.spec)}});
}

std::string TrialParameterPayload(const NamedValue& parameter) {
  return absl::StrCat("{\"parameters\":", ParametersToJson({parameter}), "}");
}

std::string OperationPayload(const OperationRecord& operation) {
  return DumpJson({{"number", operation.number},
                   {"client_id", operation.client_id},
                   {"trials", NumbersOf(operation.trials)}});
}

std::string StudyDeletedPayload(const StudySnapshot& study) {
  return DumpJson({{"study", study.name}});
}

std::string TrialsToJson(const std::vector<TrialId>& trials) {
  return DumpJson(NumbersOf(trials));
}

absl::StatusOr<std::vector<TrialId>> TrialsFromJson(const std::string& text) {
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  std::vector<TrialId> trials;
  for (const Json& item : json) {
    if (!item.is_number_integer()) {
      return absl::DataLossError("expected the number of a trial");
    }
    trials.push_back(TrialId{item.get<std::int64_t>()});
  }
  return trials;
}

}  // namespace vernier
