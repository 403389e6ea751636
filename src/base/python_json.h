#ifndef VERNIER_BASE_PYTHON_JSON_H_
#define VERNIER_BASE_PYTHON_JSON_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/json.h"

// For .cc files only, as base/json.h.

namespace vernier {

/// Python writes numbers that are not finite as bare words (NaN, Infinity,
/// -Infinity), which JSON does not have. How they are written instead:
enum class BareWords {
  kMarked,   ///< As texts of their own, which are told from all others.
  kAsTexts,  ///< As the texts "nan", "inf" and "-inf"; and a number that is too
             ///< large for a double as the text that it is.
};

/// Returns Python's JSON as JSON. Text that is neither is returned with its
/// mistakes. Pure.
std::string QuoteBareWords(std::string_view json, BareWords form);

/// Parses Python's JSON, with its bare words marked. Errors as ParseJson.
absl::StatusOr<Json> ParsePythonJson(std::string_view text);

/// Returns the number that a value of ParsePythonJson is; nullopt for anything
/// else.
std::optional<double> PythonNumber(const Json& value);

/// As PythonNumber, for tools that keep to JSON and write the words as texts
/// ("NaN"): these count, too.
std::optional<double> PythonNumberOrWord(const Json& value);

/// Returns a value of ParsePythonJson as Python writes it, on one line.
std::string DumpPythonJson(const Json& value);

}  // namespace vernier

#endif  // VERNIER_BASE_PYTHON_JSON_H_
