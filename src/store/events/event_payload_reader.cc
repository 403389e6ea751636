#include "store/events/event_payload_reader.h"

#include <cstdlib>
#include <utility>

#include "base/json.h"

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

struct EventPayload::Fields {
  explicit Fields(Json parsed) : json(std::move(parsed)) {}
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  const Json json;
};

EventPayload::EventPayload(const std::string& text) {
  absl::StatusOr<Json> parsed = ParseJson(text);
  fields_ = std::make_unique<Fields>(parsed.ok() ? *std::move(parsed) : Json());
}

EventPayload::~EventPayload() = default;
EventPayload::EventPayload(EventPayload&& other) noexcept = default;

bool EventPayload::is_object() const { return fields_->json.is_object(); }

std::string EventPayload::Text(const char* name) const {
  return TextAt(fields_->json, name);
}

std::optional<std::int64_t> EventPayload::Int(const char* name) const {
  return WholeAt(fields_->json, name);
}

std::string EventPayload::Dump(const char* name) const {
  const Json* field = Find(fields_->json, name);
  return field == nullptr ? "" : DumpJson(*field);
}

std::vector<std::string> EventPayload::Strings(const char* name) const {
  std::vector<std::string> strings;
  const Json* field = Find(fields_->json, name);
  if (field == nullptr || !field->is_array()) return strings;
  for (const Json& item : *field) {
    if (item.is_string()) strings.push_back(item.get<std::string>());
  }
  return strings;
}

std::vector<std::int64_t> EventPayload::Ints(const char* name) const {
  std::vector<std::int64_t> numbers;
  const Json* field = Find(fields_->json, name);
  if (field == nullptr || !field->is_array()) return numbers;
  for (const Json& item : *field) {
    if (const auto number = IntOf(&item)) numbers.push_back(*number);
  }
  return numbers;
}

bool EventPayload::Has(const char* name) const {
  return Find(fields_->json, name) != nullptr;
}

std::vector<EventPayload> EventPayload::Objects(const char* name) const {
  std::vector<EventPayload> objects;
  const Json* field = Find(fields_->json, name);
  if (field == nullptr || !field->is_array()) return objects;
  for (const Json& item : *field) objects.emplace_back(DumpJson(item));
  return objects;
}

std::optional<std::int64_t> EventPayload::FinalStep() const {
  const Json* final_measurement = Find(fields_->json, "final_measurement");
  return final_measurement == nullptr ? std::nullopt
                                      : WholeAt(*final_measurement, "step");
}

double EventPayload::FinalValue() const {
  const Json* final_measurement = Find(fields_->json, "final_measurement");
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
