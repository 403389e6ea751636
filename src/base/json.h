#ifndef VERNIER_BASE_JSON_H_
#define VERNIER_BASE_JSON_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vernier {

/// JSON that keeps the order of keys. Include this header in .cc files only: it
/// is the only one that includes nlohmann/json, which is slow to compile.
using Json = nlohmann::ordered_json;

/// Parses one JSON text. INVALID_ARGUMENT names the place of a mistake. Never
/// throws.
absl::StatusOr<Json> ParseJson(std::string_view text);

/// Returns one line of JSON. Invalid UTF-8 is replaced; it never throws for it.
std::string DumpJson(const Json& json);

/// Returns a text as it is, and everything else as DumpJson does.
std::string PlainText(const Json& json);

/// Returns the text at `key`; empty if `json` is no object, or has no text
/// there.
std::string TextAt(const Json& json, const char* key);

/// Likewise the whole number at `key`, or nullopt.
std::optional<std::int64_t> WholeAt(const Json& json, const char* key);

}  // namespace vernier

#endif  // VERNIER_BASE_JSON_H_
