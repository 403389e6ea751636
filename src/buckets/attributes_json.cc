#include "buckets/attributes_json.h"

#include <string>
#include <utility>

namespace vernier {
namespace {

struct Field {
  const char* name;
  std::string ObjectAttributes::*member;
};

constexpr Field kFields[] = {
    {"contentType", &ObjectAttributes::content_type},
    {"contentEncoding", &ObjectAttributes::content_encoding},
    {"contentDisposition", &ObjectAttributes::content_disposition},
    {"contentLanguage", &ObjectAttributes::content_language},
    {"cacheControl", &ObjectAttributes::cache_control},
};

}  // namespace

Json AttributesToJson(const ObjectAttributes& attributes) {
  Json json = Json::object();
  for (const Field& field : kFields) {
    const std::string& value = attributes.*field.member;
    if (!value.empty()) json[field.name] = value;
  }
  if (!attributes.custom.empty()) {
    Json custom = Json::object();
    for (const auto& [key, value] : attributes.custom) custom[key] = value;
    json["metadata"] = std::move(custom);
  }
  return json;
}

ObjectAttributes AttributesFromJson(const Json& json) {
  ObjectAttributes attributes;
  PatchAttributes(json, &attributes);
  return attributes;
}

void PatchAttributes(const Json& patch, ObjectAttributes* attributes) {
  for (const Field& field : kFields) {
    const auto found = patch.find(field.name);
    if (found == patch.end()) continue;
    attributes->*field.member =
        found->is_null() ? "" : found->get<std::string>();
  }
  const auto custom = patch.find("metadata");
  if (custom == patch.end()) return;
  if (custom->is_null()) {
    attributes->custom.clear();
    return;
  }
  for (const auto& [key, value] : custom->get_ref<const Json::object_t&>()) {
    if (value.is_null()) {
      attributes->custom.erase(key);
    } else {
      attributes->custom[key] = value.get<std::string>();
    }
  }
}

}  // namespace vernier
