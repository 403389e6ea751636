#include "suggest/space/prior_study.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <variant>

#include "absl/strings/numbers.h"
#include "base/number_text.h"
#include "study/find_by_name.h"
#include "study/parameter_value.h"

namespace vernier {
namespace {

// A place farther outside of the range says nothing about the range.
constexpr double kFarthest = 2;

// Returns the number that a value is or reads as; nullopt if there is none.
std::optional<double> ReadsAs(const ParameterValue& value) {
  const auto* const text = std::get_if<std::string>(&value);
  if (text == nullptr) return NumberOf(value);
  double number = 0;
  if (!absl::SimpleAtod(*text, &number) || !std::isfinite(number)) {
    return std::nullopt;
  }
  return number;
}

// Returns the category that the value is, or that reads as the same number.
std::optional<std::int64_t> CategoryOf(const ParameterSpec& spec,
                                       const ParameterValue& value) {
  const std::vector<std::string>& all = spec.categorical_values;
  const auto* text = std::get_if<std::string>(&value);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (text != nullptr ? all[i] == *text
                        : ReadsAs(all[i]).has_value() &&
                              ReadsAs(all[i]) == ReadsAs(value)) {
      return static_cast<std::int64_t>(i);
    }
  }
  return std::nullopt;
}

void Write(const SearchSpaceEncoding& encoding, std::size_t coordinate,
           const ParameterValue& value, Eigen::RowVectorXd* row) {
  const ParameterSpec& spec = encoding.SpecOf(coordinate);
  if (spec.type == ParameterType::kCategorical) {
    const std::optional<std::int64_t> category = CategoryOf(spec, value);
    if (category.has_value()) encoding.SetLevel(coordinate, *category, row);
    return;
  }
  const std::optional<double> number = ReadsAs(value);
  if (!number.has_value()) return;
  const double place = encoding.PlaceOf(coordinate, *number);
  if (!std::isfinite(place)) return;
  (*row)[encoding.coordinates()[coordinate].first_column] =
      std::clamp(place, -kFarthest, 1 + kFarthest);
}

// An inactive value must not tell points apart.
void ImputeInactive(const SearchSpaceEncoding& encoding,
                    Eigen::RowVectorXd* row) {
  const std::vector<bool> active = encoding.ActiveCoordinates(*row);
  for (std::size_t c = 0; c < active.size(); ++c) {
    if (active[c]) continue;
    const Coordinate& place = encoding.coordinates()[c];
    row->segment(place.first_column, place.num_columns) =
        encoding.Imputed().segment(place.first_column, place.num_columns);
  }
}

}  // namespace

Eigen::RowVectorXd EncodePrior(const std::vector<NamedValue>& parameters,
                               const SearchSpaceEncoding& encoding) {
  Eigen::RowVectorXd row = encoding.Imputed();
  for (std::size_t c = 0; c < encoding.coordinates().size(); ++c) {
    const std::string& name = encoding.SpecOf(c).name;
    const ParameterValue* const value = FindValue(parameters, name);
    if (value != nullptr) Write(encoding, c, *value, &row);
  }
  if (encoding.is_conditional()) ImputeInactive(encoding, &row);
  return row;
}

}  // namespace vernier
