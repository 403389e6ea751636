#include "tests/store/replay/event_payload_reader.h"

#include <cstdlib>

namespace vernier {
namespace {

const Json* Find(const Json& json, const char* name) {
  if (!json.is_object()) return nullptr;
  const auto found = json.find(name);
  return found == json.end() ? nullptr : &*found;
}

std::optional<std::int64_t> IntOf(const Json* field) {
  if (field == nullptr || !field->is_number_integer()) return std::nullopt;
  return field->get<std::int64_t>();
}

}  // namespace

EventPayload::EventPayload(const std::string& text)
    : json_(ParseJson(text).value_or(Json())) {}

std::string EventPayload::Text(const char* name) const {
  return TextAt(json_, name);
}

std::optional<std::int64_t> EventPayload::Int(const char* name) const {
  return WholeAt(json_, name);
}

std::string EventPayload::Dump(const char* name) const {
  const Json* field = Find(json_, name);
  return field == nullptr ? "" : DumpJson(*field);
}

std::vector<std::string> EventPayload::Strings(const char* name) const {
  std::vector<std::string> strings;
  const Json* field = Find(json_, name);
  if (field == nullptr || !field->is_array()) return strings;
  for (const Json& item : *field) {
    if (item.is_string()) strings.push_back(item.get<std::string>());
  }
  return strings;
}

std::vector<std::int64_t> EventPayload::Ints(const char* name) const {
  std::vector<std::int64_t> numbers;
  const Json* field = Find(json_, name);
  if (field == nullptr || !field->is_array()) return numbers;
  for (const Json& item : *field) {
    if (const auto number = IntOf(&item)) numbers.push_back(*number);
  }
  return numbers;
}

bool EventPayload::Has(const char* name) const {
  return Find(json_, name) != nullptr;
}

std::vector<EventPayload> EventPayload::Objects(const char* name) const {
  std::vector<EventPayload> objects;
  const Json* field = Find(json_, name);
  if (field == nullptr || !field->is_array()) return objects;
  for (const Json& item : *field) objects.emplace_back(DumpJson(item));
  return objects;
}

std::optional<std::int64_t> EventPayload::FinalStep() const {
  const Json* final_measurement = Find(json_, "final_measurement");
  return final_measurement == nullptr ? std::nullopt
                                      : WholeAt(*final_measurement, "step");
}

double EventPayload::FinalValue() const {
  const Json* final_measurement = Find(json_, "final_measurement");
  const Json* value = final_measurement == nullptr
                          ? nullptr
                          : Find(*final_measurement, "value");
  return value != nullptr && value->is_number() ? value->get<double>() : 0;
}

std::int64_t EventPayload::MaxParallelTrials() const {
  const absl::StatusOr<Json> spec = ParseJson(Text("spec_json"));
  const Json* field = spec.ok() ? &*spec : nullptr;
  for (const char* name :
       {"trainingInput", "hyperparameters", "maxParallelTrials"}) {
    if (field != nullptr) field = Find(*field, name);
  }
  if (field != nullptr && field->is_string()) {
    return std::strtoll(field->get<std::string>().c_str(), nullptr, 10);
  }
  return IntOf(field).value_or(1);
}

}  // namespace vernier
