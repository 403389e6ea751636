#ifndef VERNIER_STUDY_PARAMETER_H_
#define VERNIER_STUDY_PARAMETER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

enum class ParameterType {
  kDouble = 1,
  kInteger = 2,
  kCategorical = 3,
  kDiscrete = 4,
};

/// The mapping of a range onto (0, 1); docs/job-file.md, params.
enum class ScaleType {
  kNone = 0,  ///< Not given. DOUBLE and INTEGER are then linear.
  kLinear = 1,
  kLog = 2,         ///< The whole range is > 0.
  kReverseLog = 3,  ///< The whole range is > 0; dense near the top.
};

/// DOUBLE and DISCRETE hold a double, INTEGER an int64, CATEGORICAL a string.
using ParameterValue = std::variant<double, std::int64_t, std::string>;

/// The condition of a conditional parameter: it is active while its parent is
/// active and has one of these values.
struct ParameterCondition {
  std::size_t parent = 0;  ///< Position in the search space, before the child.
  std::vector<ParameterValue> values;  ///< >= 1, distinct, all possible.

  friend bool operator==(const ParameterCondition&,
                         const ParameterCondition&) = default;
};

/// One dimension of a search space. Valid after ParseJob: see job_parser.h.
struct ParameterSpec {
  std::string name;
  ParameterType type = ParameterType::kDouble;
  double min_value = 0;  ///< DOUBLE, INTEGER: inclusive, finite, <= max_value.
  double max_value = 0;  ///< INTEGER: an integer within +-2^53.
  std::vector<std::string> categorical_values;  ///< CATEGORICAL: distinct.
  /// CATEGORICAL: values that read true or false are booleans, and programs get
  /// them as booleans where values have types.
  bool has_booleans = false;
  std::vector<double> discrete_values;  ///< DISCRETE: strictly increasing.
  ScaleType scale = ScaleType::kNone;
  std::optional<ParameterValue> default_value;  ///< Of the type, in bounds.
  std::optional<ParameterCondition> condition;  ///< Unset: always active.

  friend bool operator==(const ParameterSpec&, const ParameterSpec&) = default;
};

struct NamedValue {
  std::string name;
  ParameterValue value;

  friend bool operator==(const NamedValue&, const NamedValue&) = default;
};

/// Values of one trial's active parameters, in the order of the search space.
using Parameters = std::vector<NamedValue>;

/// Prints a value as a training program gets it (docs/training-program.md,
/// command line). INTEGER is "%d". A whole value below 2^63 has no fraction
/// ("1024") only if it is DISCRETE. A DOUBLE is the shortest decimal that reads
/// back as the same number, and never has an exponent when negative, because
/// argparse takes "-1e-05" for a flag. CATEGORICAL is verbatim.
std::string FormatValue(const ParameterSpec& spec, const ParameterValue& value);

/// Likewise for a parameter that the search space has no longer.
std::string FormatValue(const ParameterValue& value);

/// True for a DISCRETE value that is an integer within +-2^63, exclusive.
bool PrintsAsInteger(const ParameterSpec& spec, double value);

/// One line of JSON, {"name":value,...}, exact for doubles; for storage. A
/// double always has a point or an exponent, so that it is read back as a
/// double.
std::string ParametersToJson(const Parameters& parameters);

/// Reads the text that ParametersToJson wrote: same order, values and types.
///
/// Errors: INVALID_ARGUMENT if `text` is anything else.
absl::StatusOr<Parameters> ParametersFromJson(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_STUDY_PARAMETER_H_
