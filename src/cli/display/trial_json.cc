#include "cli/display/trial_json.h"

#include <utility>

#include "absl/strings/match.h"
#include "base/json.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

constexpr char kList[] = "parameterList";
constexpr char kObject[] = "parameters";
// If a measurement has no time, the service orders it by a time of that year.
constexpr char kNoTime[] = "1970-";

// The text of a number is a JSON number: "3" or "3.0", by its parameter's type.
Json ValueOf(const Json& parameter) {
  const std::string text = parameter.value("value", "");
  // The text is what the program gets, for instance "True".
  if (parameter.value("isBoolean", false)) {
    return Json(absl::EqualsIgnoreCase(text, "true"));
  }
  if (parameter.value("isText", false)) return Json(text);
  const absl::StatusOr<Json> number = ParseJson(text);
  return number.ok() && number->is_number() ? *number : Json(text);
}

Json ObjectOf(const Json& list) {
  Json object = Json::object();
  for (const Json& parameter : list) {
    if (!parameter.is_object()) continue;
    object[parameter.value("name", "")] = ValueOf(parameter);
  }
  return object;
}

// Adds the numbers that are 0, which the service leaves out.
Json WithZeros(Json measurement) {
  if (!measurement.is_object()) return measurement;
  if (!measurement.contains("step")) measurement["step"] = "0";
  if (!measurement.contains("value")) measurement["value"] = 0.0;
  return measurement;
}

Json Typed(Json trial) {
  Json typed = Json::object();
  for (auto& [key, value] : trial.items()) {
    if (key == kObject && value.is_array()) {
      typed[kObject] = ObjectOf(value);
      typed[kList] = std::move(value);
    } else {
      const bool is_measurement =
          key == "finalMeasurement" || key == "lastMeasurement";
      typed[key] =
          is_measurement ? WithZeros(std::move(value)) : std::move(value);
    }
  }
  return typed;
}

}  // namespace

absl::StatusOr<std::string> TypedTrial(std::string_view trial) {
  VERNIER_ASSIGN_OR_RETURN(Json document, ParseJson(trial));
  if (!document.is_object()) {
    return absl::InvalidArgumentError("a trial must be a JSON object");
  }
  return DumpJson(Typed(std::move(document)));
}

absl::StatusOr<std::string> TypedTrials(std::string_view answer) {
  VERNIER_ASSIGN_OR_RETURN(Json document, ParseJson(answer));
  if (!document.is_object()) {
    return absl::InvalidArgumentError("a list of trials must be a JSON object");
  }
  Json trials = Json::array();
  const auto list = document.find("trials");
  if (list == document.end()) return DumpJson(trials);
  for (Json& trial : *list) trials.push_back(Typed(std::move(trial)));
  return DumpJson(trials);
}

absl::StatusOr<std::string> MeasurementsIn(std::string_view answer) {
  VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(answer));
  if (!document.is_object()) {
    return absl::InvalidArgumentError(
        "a list of measurements must be a JSON object");
  }
  Json list = document.value("measurements", Json::array());
  for (Json& measurement : list) {
    if (measurement.value("reportTime", "").rfind(kNoTime, 0) == 0) {
      measurement.erase("reportTime");
    }
    measurement = WithZeros(std::move(measurement));
  }
  return DumpJson(list);
}

}  // namespace vernier
