#include "trials/clients/client_attributes.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/shown_text.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

absl::Status CheckAttribute(const std::string& name, const std::string& value) {
  if (name.empty() || name.size() > kMaxAttributeName) {
    return absl::InvalidArgumentError(
        absl::StrCat("the name of an attribute has 1 to ", kMaxAttributeName,
                     " bytes, not ", name.size()));
  }
  if (value.size() > kMaxAttributeBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "attribute \"", ShowText(name), "\" has ", value.size(),
        " bytes; there is room for ", kMaxAttributeBytes,
        " in all of a study or a trial: keep what is larger in a file"));
  }
  if (const auto json = ParseJson(value); !json.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the value of attribute \"", ShowText(name),
                     "\" must be JSON: ", json.status().message()));
  }
  return absl::OkStatus();
}

std::size_t BytesOf(const ClientAttributes& attributes) {
  std::size_t bytes = 0;
  for (const auto& [name, value] : attributes) {
    bytes += name.size() + value.size();
  }
  return bytes;
}

}  // namespace

ClientAttributes AttributesOf(const Metadata& metadata) {
  ClientAttributes attributes;
  const std::string space = kAttributeNamespace;
  for (auto at = metadata.lower_bound({space, ""});
       at != metadata.end() && at->first.first == space; ++at) {
    if (at->second.is_text) {
      attributes.emplace(at->first.second, at->second.value);
    }
  }
  return attributes;
}

absl::StatusOr<std::vector<MetadataUpdate>> AttributeUpdates(
    const Metadata& present, std::optional<TrialId> trial,
    const ClientAttributes& set) {
  ClientAttributes after = AttributesOf(present);
  std::vector<MetadataUpdate> updates;
  for (const auto& [name, value] : set) {
    VERNIER_RETURN_IF_ERROR(CheckAttribute(name, value));
    after.insert_or_assign(name, value);
    updates.push_back({trial, {kAttributeNamespace, name}, {true, value}});
  }
  if (const std::size_t bytes = BytesOf(after); bytes > kMaxAttributeBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the attributes would have ", bytes, " bytes; there is room for ",
        kMaxAttributeBytes,
        " in all of a study or a trial: keep what is larger in a file"));
  }
  return updates;
}

}  // namespace vernier
