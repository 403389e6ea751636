#include "faces/messages/vizier_message.h"

#include <chrono>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "faces/messages/proto_time.h"
#include "store/study_names.h"
#include "study/metrics/former_names.h"

namespace vernier {
namespace {

using google::protobuf::Value;

// A study's states have the same numbers as ours.
static_assert(static_cast<int>(StudyState::kActive) == vizier::Study::ACTIVE);
static_assert(static_cast<int>(StudyState::kInactive) ==
              vizier::Study::INACTIVE);
static_assert(static_cast<int>(StudyState::kCompleted) ==
              vizier::Study::COMPLETED);

absl::StatusOr<ParameterValue> ReadValue(
    const vizier::Trial::Parameter& parameter) {
  switch (parameter.value().kind_case()) {
    case Value::kNumberValue:
      return ParameterValue(parameter.value().number_value());
    case Value::kStringValue:
      return ParameterValue(parameter.value().string_value());
    case Value::kBoolValue:
      // Vizier's clients write booleans as these categories.
      return ParameterValue(
          std::string(parameter.value().bool_value() ? "True" : "False"));
    default:
      return absl::InvalidArgumentError(
          absl::StrCat("parameter \"", parameter.parameter_id(),
                       "\" must have a number or a text"));
  }
}

template <typename Message>
absl::StatusOr<Metadata> ReadMetadata(const Message& message) {
  Metadata metadata;
  for (const vizier::KeyValue& item : message.metadata()) {
    VERNIER_ASSIGN_OR_RETURN(MetadataUpdate update, FromVizier(item));
    metadata.insert_or_assign(std::move(update.key), std::move(update.value));
  }
  return metadata;
}

template <typename Message>
void PrintMetadata(const Metadata& metadata, Message* message) {
  message->clear_metadata();
  for (const auto& [key, value] : metadata) {
    vizier::KeyValue* item = message->add_metadata();
    item->set_ns(key.first);
    item->set_key(key.second);
    if (value.is_text) {
      item->set_value(value.value);
    } else {
      // The stored bytes were a message of this type, so parsing cannot fail.
      (void)item->mutable_proto()->ParseFromString(value.value);
    }
  }
}

vizier::Trial::State ToVizier(const TrialRecord& trial) {
  switch (trial.state) {
    case TrialState::kRequested:
      return vizier::Trial::REQUESTED;
    case TrialState::kActive:
      return vizier::Trial::ACTIVE;
    case TrialState::kStopping:
      return vizier::Trial::STOPPING;
    case TrialState::kCompleted:
    case TrialState::kStopped:
      return vizier::Trial::SUCCEEDED;
    case TrialState::kInfeasible:
    case TrialState::kFailed:
      return vizier::Trial::INFEASIBLE;
  }
  return vizier::Trial::STATE_UNSPECIFIED;
}

}  // namespace

void PrintParameters(const Parameters& parameters, vizier::Trial* trial) {
  for (const NamedValue& one : parameters) {
    vizier::Trial::Parameter* to = trial->add_parameters();
    to->set_parameter_id(one.name);
    if (const auto* number = std::get_if<double>(&one.value)) {
      to->mutable_value()->set_number_value(*number);
    } else if (const auto* integer = std::get_if<std::int64_t>(&one.value)) {
      to->mutable_value()->set_number_value(static_cast<double>(*integer));
    } else {
      to->mutable_value()->set_string_value(std::get<std::string>(one.value));
    }
  }
}

absl::StatusOr<StudyRequest> FromVizier(
    const vizier::CreateStudyRequest& request) {
  if (!request.study().name().empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "study.name must be empty, since the service makes it from "
        "display_name: \"",
        request.study().name(), "\""));
  }
  if (request.study().display_name().empty()) {
    return absl::InvalidArgumentError("study.display_name must be given");
  }
  StudyRequest study;
  study.parent = request.parent();
  study.name = request.study().display_name();
  vizier::StudySpec spec = request.study().study_spec();
  VERNIER_ASSIGN_OR_RETURN(study.spec, FromVizier(spec));
  VERNIER_ASSIGN_OR_RETURN(study.metadata, ReadMetadata(spec));
  spec.clear_metadata();
  study.original = {kVizierSpecFormat, spec.SerializeAsString()};
  return study;
}

absl::StatusOr<MetricReport> FromVizier(
    const vizier::Measurement& measurement) {
  MetricReport report;
  report.step = measurement.step_count();
  const auto elapsed = ElapsedFromProto(measurement.elapsed_duration());
  if (!elapsed.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "elapsed_duration ", std::string(elapsed.status().message())));
  }
  report.elapsed = *elapsed;
  for (const vizier::Measurement::Metric& metric : measurement.metrics()) {
    report.metrics.push_back({metric.metric_id(), metric.value()});
  }
  return report;
}

absl::StatusOr<TrialRequest> FromVizier(const vizier::Trial& trial) {
  TrialRequest request;
  for (const vizier::Trial::Parameter& parameter : trial.parameters()) {
    VERNIER_ASSIGN_OR_RETURN(ParameterValue value, ReadValue(parameter));
    request.parameters.push_back({parameter.parameter_id(), std::move(value)});
  }
  if (trial.state() == vizier::Trial::SUCCEEDED) {
    request.state = TrialState::kCompleted;
  } else if (trial.state() == vizier::Trial::INFEASIBLE) {
    request.state = TrialState::kInfeasible;
  } else if (trial.state() == vizier::Trial::STOPPING &&
             trial.final_measurement().metrics_size() > 0) {
    request.state = TrialState::kStopped;  // The API has no word for it.
  }
  if (trial.final_measurement().metrics_size() > 0) {
    VERNIER_ASSIGN_OR_RETURN(request.final_report,
                             FromVizier(trial.final_measurement()));
  }
  for (const vizier::Measurement& measurement : trial.measurements()) {
    VERNIER_ASSIGN_OR_RETURN(request.reports.emplace_back(),
                             FromVizier(measurement));
  }
  request.infeasible_reason = trial.infeasible_reason();
  VERNIER_ASSIGN_OR_RETURN(request.metadata, ReadMetadata(trial));
  return request;
}

absl::StatusOr<MetadataUpdate> FromVizier(const vizier::KeyValue& item) {
  const MetadataKey key{item.ns(), item.key()};
  switch (item.kind_case()) {
    case vizier::KeyValue::kValue:
      return MetadataUpdate{std::nullopt, key, {true, item.value()}};
    case vizier::KeyValue::kProto:
      return MetadataUpdate{
          std::nullopt, key, {false, item.proto().SerializeAsString()}};
    case vizier::KeyValue::KIND_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("metadata \"", item.key(), "\" has no value"));
}

absl::StatusOr<StudyState> FromVizier(vizier::Study::State state) {
  if (!vizier::Study::State_IsValid(state)) {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown state: ", static_cast<int>(state)));
  }
  return state == vizier::Study::STATE_UNSPECIFIED
             ? StudyState::kActive
             : static_cast<StudyState>(state);
}

vizier::Study::State ToVizier(StudyState state) {
  return static_cast<vizier::Study::State>(state);
}

vizier::Measurement ToVizier(const MetricReport& report) {
  vizier::Measurement measurement;
  if (report.elapsed.count() > 0) {
    *measurement.mutable_elapsed_duration() = ToProto(report.elapsed);
  }
  measurement.set_step_count(report.step);
  for (const MetricValue& one : report.metrics) {
    vizier::Measurement::Metric* metric = measurement.add_metrics();
    metric->set_metric_id(one.metric);
    metric->set_value(one.value);
  }
  return measurement;
}

vizier::Study ToVizier(ClientStudyRef study) {
  vizier::Study to;
  to.set_name(study->name);
  to.set_display_name(DisplayNameOf(study));
  const OriginalSpec& original = *study.run().original;
  if (original.format != kVizierSpecFormat ||
      !to.mutable_study_spec()->ParseFromString(original.bytes)) {
    *to.mutable_study_spec() = ToVizier(*study->spec);
  } else if (!study.run().edits.empty()) {
    *to.mutable_study_spec()->mutable_parameters() =
        ToVizier(*study->spec).parameters();
    // The client's own words have the first names.
    for (auto& metric : *to.mutable_study_spec()->mutable_metrics()) {
      metric.set_metric_id(
          NameOfRecorded(study->spec->renamed_from, metric.metric_id()));
    }
  }
  PrintMetadata(*study->metadata, to.mutable_study_spec());
  to.set_state(ToVizier(study.run().state));
  *to.mutable_create_time() = ToProto(study->created_at);
  if (study.run().state == StudyState::kInactive) {
    to.set_inactive_reason(study.run().state_reason);
  }
  return to;
}

vizier::Trial ToVizier(const TrialWithMeasurements& answer) {
  const TrialRecord& trial = answer.record();
  vizier::Trial to;
  to.set_name(absl::StrCat(answer.study->name, "/trials/", ToInt(trial.id)));
  to.set_id(absl::StrCat(ToInt(trial.id)));
  to.set_state(ToVizier(trial));
  PrintParameters(trial.parameters, &to);
  if (trial.final_report.has_value()) {
    *to.mutable_final_measurement() = ToVizier(*trial.final_report);
  }
  for (const MetricReport& report : answer.reports) {
    *to.add_measurements() = ToVizier(report);
  }
  *to.mutable_start_time() =
      ToProto(trial.started_at.value_or(trial.created_at));
  if (trial.ended_at) *to.mutable_end_time() = ToProto(*trial.ended_at);
  to.set_client_id(trial.client_id);
  if (trial.state == TrialState::kInfeasible) {
    to.set_infeasible_reason(trial.message);
  }
  PrintMetadata(trial.metadata, &to);
  return to;
}

}  // namespace vernier
