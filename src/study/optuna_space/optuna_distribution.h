#ifndef VERNIER_STUDY_OPTUNA_SPACE_OPTUNA_DISTRIBUTION_H_
#define VERNIER_STUDY_OPTUNA_SPACE_OPTUNA_DISTRIBUTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "study/parameter.h"

namespace vernier {

/// The range of one parameter, as Optuna's clients declare it with each value.
struct OptunaDistribution {
  enum class Kind { kFloat, kInt, kCategorical };

  Kind kind = Kind::kFloat;
  double low = 0;
  double high = 0;
  std::optional<double> step;
  bool is_log = false;
  std::vector<std::string> choices;  ///< Each as one JSON value.
};

/// Reads Optuna's JSON of a distribution, also under the names that it had
/// before Optuna 3. INVALID_ARGUMENT for anything else.
absl::StatusOr<OptunaDistribution> ReadDistribution(std::string_view json);

/// True if one study may have both under one name: ranges and steps may differ,
/// but class, scale and choices may not.
bool AreCompatible(const OptunaDistribution& a, const OptunaDistribution& b);

/// Returns the parameter of a search space that stands for the distribution;
/// nullopt if there is none, as for a name of no bytes or for choices that
/// cannot be told apart. Steps are left out: see FixedValueJson.
std::optional<ParameterSpec> ParameterOf(
    const std::string& name, const OptunaDistribution& distribution);

/// Returns the choices for kChoicesNamespace; nullopt if there are none, if all
/// are texts, or if one is neither a text, a number, a boolean nor null.
std::optional<std::string> TypedChoices(const OptunaDistribution& distribution);

/// Returns a value that Optuna calls internal as one of our search space;
/// nullopt if it is not finite or not the index of a choice.
std::optional<ParameterValue> ValueOf(const OptunaDistribution& distribution,
                                      double internal);

/// Returns a suggested value as the JSON that Optuna's clients take, at the
/// nearest step; nullopt if it is outside of the distribution.
std::optional<std::string> FixedValueJson(
    const OptunaDistribution& distribution, const ParameterValue& value);

/// Does the reverse for a JSON value: nullopt if it is none of the parameter's.
std::optional<ParameterValue> ValueOfFixed(const ParameterSpec& spec,
                                           std::string_view json);

}  // namespace vernier

#endif  // VERNIER_STUDY_OPTUNA_SPACE_OPTUNA_DISTRIBUTION_H_
