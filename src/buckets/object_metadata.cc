#include "buckets/object_metadata.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

absl::Status Check(const char* name, const std::optional<std::int64_t>& wanted,
                   std::int64_t actual, bool is_equality) {
  if (!wanted || (*wanted == actual) == is_equality) return absl::OkStatus();
  return absl::AbortedError(absl::StrCat(
      "a precondition does not hold: ", name, "=", *wanted, ", and it is ",
      actual, actual == 0 ? " (there is no such object)" : ""));
}

constexpr std::size_t kMaxAttribute = 1024;
constexpr std::size_t kMaxCustom = 8 << 10;

struct NamedAttribute {
  const char* name;
  std::string ObjectAttributes::*text;
};

constexpr NamedAttribute kAttributes[] = {
    {"contentType", &ObjectAttributes::content_type},
    {"contentEncoding", &ObjectAttributes::content_encoding},
    {"contentDisposition", &ObjectAttributes::content_disposition},
    {"contentLanguage", &ObjectAttributes::content_language},
    {"cacheControl", &ObjectAttributes::cache_control},
};

bool HasControlCharacter(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

absl::Status CheckText(const char* name, const std::string& text) {
  if (text.size() > kMaxAttribute) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, " must have at most ", kMaxAttribute,
                     " bytes: it has ", text.size()));
  }
  if (!HasControlCharacter(text)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name,
                   " must be one line without control characters: it becomes a "
                   "header"));
}

absl::Status CheckCustom(const std::map<std::string, std::string>& custom) {
  std::size_t size = 0;
  for (const auto& [key, value] : custom) {
    size += key.size() + value.size();
    if (key.empty() || HasControlCharacter(key)) {
      return absl::InvalidArgumentError(
          "a key of metadata must have a name, without control characters");
    }
  }
  if (size <= kMaxCustom) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("metadata must have at most ", kMaxCustom,
                   " bytes, keys and values together: it has ", size));
}

}  // namespace

absl::Status CheckAttributes(const ObjectAttributes& attributes) {
  for (const NamedAttribute& each : kAttributes) {
    VERNIER_RETURN_IF_ERROR(CheckText(each.name, attributes.*each.text));
  }
  return CheckCustom(attributes.custom);
}

void ClearBadAttributes(ObjectAttributes* attributes) {
  for (const NamedAttribute& each : kAttributes) {
    std::string& text = attributes->*each.text;
    if (!CheckText(each.name, text).ok()) text.clear();
  }
  if (!CheckCustom(attributes->custom).ok()) attributes->custom.clear();
}

absl::Status CheckPreconditions(const Preconditions& preconditions,
                                const ObjectMetadata* current) {
  const std::int64_t generation = current == nullptr ? 0 : current->generation;
  const std::int64_t metageneration =
      current == nullptr ? 0 : current->metageneration;
  VERNIER_RETURN_IF_ERROR(Check(
      "ifGenerationMatch", preconditions.generation_match, generation, true));
  VERNIER_RETURN_IF_ERROR(Check("ifGenerationNotMatch",
                                preconditions.generation_not_match, generation,
                                false));
  VERNIER_RETURN_IF_ERROR(Check("ifMetagenerationMatch",
                                preconditions.metageneration_match,
                                metageneration, true));
  return Check("ifMetagenerationNotMatch",
               preconditions.metageneration_not_match, metageneration, false);
}

}  // namespace vernier
