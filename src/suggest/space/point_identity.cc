#include "suggest/space/point_identity.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace vernier {

PointIdentity::PointIdentity(const SearchSpaceEncoding& encoding,
                             const Eigen::RowVectorXd& row, double tolerance)
    : encoding_(encoding),
      tolerance_(tolerance),
      point_(encoding.Decode(row)),
      places_(point_.size()) {
  const std::vector<bool> is_active = encoding.ActiveCoordinates(row);
  for (std::size_t c = 0; c < is_active.size(); ++c) {
    const bool is_real =
        encoding.coordinates()[c].kind == CoordinateKind::kContinuous;
    if (!is_active[c] || !is_real) continue;
    const std::string& name = encoding.SpecOf(c).name;
    const auto named = std::find_if(
        point_.begin(), point_.end(),
        [&](const NamedValue& value) { return value.name == name; });
    // A narrow range may hold so few doubles that many rows decode to the same
    // point, so the place is that of the value.
    places_[static_cast<std::size_t>(named - point_.begin())] =
        Place{c, encoding.PlaceOf(c, std::get<double>(named->value))};
  }
}

bool PointIdentity::IsSame(const Parameters& other) const {
  if (other.size() != point_.size()) return false;
  for (std::size_t i = 0; i < point_.size(); ++i) {
    if (!IsSameValue(i, other[i].value) || other[i].name != point_[i].name) {
      return false;
    }
  }
  return true;
}

bool PointIdentity::IsSameValue(std::size_t position,
                                const ParameterValue& other) const {
  const std::optional<Place>& place = places_[position];
  const auto* number = std::get_if<double>(&other);
  if (!place.has_value() || number == nullptr) {
    return other == point_[position].value;
  }
  const double column = encoding_.PlaceOf(place->coordinate, *number);
  return std::abs(column - place->column) < tolerance_;
}

}  // namespace vernier
