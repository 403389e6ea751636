#include "faces/ml/ml_operation.h"

#include <google/protobuf/message.h>
#include <ml/v1/study.pb.h>
#include <vizier/operations.pb.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/whole_number.h"
#include "edge/http/rest_json.h"
#include "faces/messages/proto_time.h"
#include "faces/ml/ml_study_message.h"
#include "study/stopping/stopping_rule_name.h"

namespace vernier {
namespace {

// Returns the part of the study's request that the answering rule ignores;
// empty: none.
std::string WhyNotAsAsked(ClientStudyRef study) {
  if (!WantsElapsedTime(study)) return "";
  return "useElapsedTime is ignored: trials are compared at the same stepCount";
}

absl::StatusOr<RestAnswer> PrintOperation(
    const std::string& parent, const std::string& id,
    const google::protobuf::Message& metadata,
    const google::protobuf::Message& response) {
  vizier::Operation operation;
  operation.set_name(absl::StrCat(parent, "/operations/", id));
  operation.mutable_metadata()->PackFrom(metadata);
  operation.set_done(true);
  operation.mutable_response()->PackFrom(response);
  return PrintJson(operation);
}

}  // namespace

std::optional<MlOperationId> ParseMlOperationId(const std::string& text) {
  const std::vector<std::string> parts = absl::StrSplit(text, '-');
  MlOperationId id{parts.front(), {}};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto number = ParseWholeNumber(parts[i]);
    if (!number.has_value() || *number < 0) return std::nullopt;
    id.numbers.push_back(*number);
  }
  const bool is_known = (id.kind == "suggest" && id.numbers.size() == 2) ||
                        (id.kind == "stop" && id.numbers.size() == 3);
  if (!is_known) return std::nullopt;
  return id;
}

absl::StatusOr<RestAnswer> PrintSuggestOperation(
    const std::string& parent, const SuggestionService::Answer& answer) {
  const StudySnapshot& study = *answer.study;
  ml::SuggestTrialsMetadata metadata;
  metadata.set_study(study.name);
  *metadata.mutable_create_time() = ToProto(answer.answered_at);
  metadata.set_suggestion_count(
      static_cast<std::int32_t>(answer.trials.size()));
  ml::SuggestTrialsResponse response;
  for (const TrialId trial : answer.trials) {
    *response.add_trials() =
        ToMl(TrialWithMeasurements{answer.study, trial, {}});
    metadata.set_client_id(response.trials(0).client_id());
  }
  response.set_study_state(ToMl(ClientStudyOf(study).run().state));
  *response.mutable_start_time() = ToProto(answer.answered_at);
  *response.mutable_end_time() = ToProto(answer.answered_at);
  return PrintOperation(
      parent, absl::StrCat("suggest-", ToInt(study.id), "-", answer.operation),
      metadata, response);
}

absl::StatusOr<RestAnswer> PrintStoppingOperation(const std::string& parent,
                                                  ClientStudyRef study,
                                                  std::int64_t trial,
                                                  bool should_stop,
                                                  Timestamp at) {
  ml::CheckTrialEarlyStoppingStateMetatdata metadata;
  metadata.set_study(study->name);
  metadata.set_trial(absl::StrCat(study->name, "/trials/", trial));
  metadata.set_stopping_rule(std::string(ToString(study->spec->stopping_rule)));
  metadata.set_reason(WhyNotAsAsked(study));
  *metadata.mutable_create_time() = ToProto(at);
  ml::CheckTrialEarlyStoppingStateResponse response;
  response.set_should_stop(should_stop);
  *response.mutable_start_time() = ToProto(at);
  *response.mutable_end_time() = ToProto(at);
  return PrintOperation(parent,
                        absl::StrCat("stop-", ToInt(study->id), "-", trial, "-",
                                     should_stop ? 1 : 0),
                        metadata, response);
}

}  // namespace vernier
