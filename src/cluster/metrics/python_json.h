#ifndef VERNIER_CLUSTER_METRICS_PYTHON_JSON_H_
#define VERNIER_CLUSTER_METRICS_PYTHON_JSON_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/json.h"

// For .cc files only, as base/json.h.

namespace vernier {

/// Returns `text` without leading and trailing blanks and line ends.
std::string_view TrimmedJson(std::string_view text);

/// Parses `text`, which has no blanks at its ends, as one JSON object; nullopt
/// if it is not one. The tokens NaN, Infinity and -Infinity, which Python
/// writes, become the texts "nan", "inf" and "-inf", and a number that is too
/// large for a double becomes its own text. Never throws. Pure.
std::optional<Json> ParsePythonObject(std::string_view text);

/// Returns the number that the value is, or that its text states; nullopt for
/// anything else. The texts "nan", "inf" and "-inf" count in any letter case,
/// and a number that is too large is infinite.
std::optional<double> NumberOf(const Json& value);

/// As NumberOf, for a metric's value: null and a text that SaysNoNumber are
/// NaN.
std::optional<double> MetricValueOf(const Json& value);

/// Returns the whole number of 64 bits that the value is or that its text
/// states: 7, 7.0, "7", "7.0"; nullopt for anything else.
std::optional<std::int64_t> WholeNumberOf(const Json& value);

/// Returns the value as messages show it. Does not descend into lists or
/// objects, which may be nested without limit.
std::string ShowJson(const Json& value);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_PYTHON_JSON_H_
