#ifndef VERNIER_CLUSTER_METRICS_PYTHON_JSON_H_
#define VERNIER_CLUSTER_METRICS_PYTHON_JSON_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/json.h"

// For .cc files only, as base/json.h.

namespace vernier {

/// `text` without the blanks and line ends at its ends.
std::string_view TrimmedJson(std::string_view text);

/// The JSON object that all of `text`, which has no blanks at its ends, is;
/// nullopt if it is none. The tokens NaN, Infinity and -Infinity, which Python
/// writes, become the texts "nan", "inf" and "-inf", and a number that is too
/// large its own text. Never throws. Pure.
std::optional<Json> ParsePythonObject(std::string_view text);

/// The number that the value is, or that its text says; "nan", "inf" and "-inf"
/// are such texts in any case, and one that is too large is infinite.
std::optional<double> NumberOf(const Json& value);

/// NumberOf a metric's value; NaN if it is null or a text that SaysNoNumber.
std::optional<double> MetricValueOf(const Json& value);

/// The whole number of 64 bits that the value is or that its text says: 7, 7.0,
/// "7", "7.0". nullopt for any other.
std::optional<std::int64_t> WholeNumberOf(const Json& value);

/// The value as a message shows it. Never walks into a list or a mapping: it
/// may be nested without end.
std::string ShowJson(const Json& value);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_PYTHON_JSON_H_
