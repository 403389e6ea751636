#include "cli/imports/foreign_facts.h"

#include <cstddef>

#include "absl/strings/str_format.h"
#include "base/json.h"
#include "base/stable_digest.h"
#include "base/timestamp_text.h"
#include "base/utf8.h"
#include "cli/imports/foreign_study.h"

namespace vernier {
namespace {

constexpr std::size_t kLongestAttributeName = 256;

}  // namespace

std::string AddAttribute(const std::string& name, const std::string& json,
                         std::map<std::string, std::string>* attributes) {
  if (name == kImportedAttribute) {
    return "its name, \"imported\", is taken by the import";
  }
  if (name.empty() || name.size() > kLongestAttributeName) {
    return "its name must have 1 to 256 bytes";
  }
  if (FindInvalidUtf8(name) != std::string_view::npos ||
      FindInvalidUtf8(json) != std::string_view::npos) {
    return "it is no UTF-8";
  }
  std::size_t bytes = name.size() + json.size();
  for (const auto& [known, value] : *attributes) {
    bytes += known.size() + value.size();
  }
  if (bytes > kMostForeignAttributeBytes) return "it is too long";
  if (!ParseJson(json).ok()) return "its value is no JSON";
  attributes->insert_or_assign(name, json);
  return "";
}

std::chrono::microseconds TimeBetween(std::string_view started,
                                      std::string_view ended) {
  const auto from = ParseTimestamp(started);
  const auto to = ParseTimestamp(ended);
  if (!from.has_value() || !to.has_value() || *to < *from) {
    return std::chrono::microseconds(0);
  }
  return *to - *from;
}

std::string ShortDigest(std::string_view text) {
  return absl::StrFormat("%016x", StableDigest(text));
}

}  // namespace vernier
