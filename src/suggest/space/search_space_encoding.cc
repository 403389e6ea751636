#include "suggest/space/search_space_encoding.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <variant>

#include "study/search_space.h"
#include "suggest/space/parameter_levels.h"

namespace vernier {
namespace {

constexpr double kOneHot = 1 / std::numbers::sqrt2;

// If no scale is declared and the values span at least this ratio, they most
// likely grow by factors, such as 1, 10, 100, so they get a log scale.
constexpr double kImpliedLogRatio = 100;

// If the gaps between values differ by more than this, the closest neighbours
// would look equal to the model, so the values are spaced evenly.
constexpr double kMaxGapRatio = 1e3;

// Below this part of a range its values differ by little more than rounding.
constexpr double kLeastPart = 1e-9;

ScaleType DiscreteScale(const ParameterSpec& spec) {
  const double low = spec.discrete_values.front();
  const double high = spec.discrete_values.back();
  if (spec.scale == ScaleType::kNone && low > 0 &&
      high / low >= kImpliedLogRatio) {
    return ScaleType::kLog;
  }
  return spec.scale;
}

std::vector<double> DiscreteUnits(const std::vector<double>& values,
                                  const ParameterScale& scale) {
  std::vector<double> units(values.size());
  std::transform(values.begin(), values.end(), units.begin(),
                 [&](double value) { return scale.ToUnit(value); });
  double smallest = 1;
  double largest = 0;
  for (std::size_t i = 1; i < units.size(); ++i) {
    smallest = std::min(smallest, units[i] - units[i - 1]);
    largest = std::max(largest, units[i] - units[i - 1]);
  }
  if (largest > kMaxGapRatio * smallest) {
    for (std::size_t i = 0; i < units.size(); ++i) {
      units[i] = static_cast<double>(i) / static_cast<double>(units.size() - 1);
    }
  }
  return units;
}

// True if the two have one name and kind, and differ only in their conditions.
bool SharesCoordinate(const ParameterSpec& a, const ParameterSpec& b) {
  if (a.name != b.name) return false;  // Nearly always; nothing is copied then.
  ParameterSpec other = b;
  other.condition = a.condition;
  return a == other;
}

// Returns the scale of an INTEGER, extended by half a step at both ends, so
// that the end values get a whole cell.
ParameterScale CellsOf(const ParameterSpec& spec) {
  return ParameterScale(spec.scale, spec.min_value - 0.5, spec.max_value + 0.5);
}

std::int64_t LevelFromUnit(double unit, std::int64_t num_levels) {
  const auto level =
      static_cast<std::int64_t>(unit * static_cast<double>(num_levels));
  return std::clamp<std::int64_t>(level, 0, num_levels - 1);
}

}  // namespace

SearchSpaceEncoding::SearchSpaceEncoding(
    const std::vector<ParameterSpec>& space,
    const std::vector<NumberRange>& left)
    : space_(space),
      coordinate_of_parameter_(space.size(), kFixed),
      conditions_(space.size()) {
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (CountLevels(space[i]) != 1) AddCoordinate(i);
  }
  has_children_.resize(coordinates_.size());
  for (std::size_t i = 0; i < space.size(); ++i) AddCondition(i);
  for (std::size_t c = 0; c < left.size(); ++c) Narrow(c, left[c]);
  CountActive();
  imputed_.resize(num_columns_);
  for (std::size_t c = 0; c < coordinates_.size(); ++c) {
    const Coordinate& place = coordinates_[c];
    const ParameterSpec& spec = SpecOf(c);
    const bool is_categorical = place.kind == CoordinateKind::kCategorical;
    imputed_.segment(place.first_column, place.num_columns)
        .setConstant(is_categorical
                         ? kOneHot / static_cast<double>(place.num_columns)
                         : 0.5);
    if (spec.default_value.has_value() && !is_categorical) {
      WriteValue(c, *spec.default_value, &imputed_);
    }
  }
}

void SearchSpaceEncoding::AddCoordinate(std::size_t parameter) {
  const ParameterSpec& spec = space_[parameter];
  for (std::size_t c = 0; c < coordinates_.size(); ++c) {
    if (!SharesCoordinate(SpecOf(c), spec)) continue;
    coordinates_[c].parameters.push_back(parameter);
    coordinate_of_parameter_[parameter] = c;
    return;
  }
  Coordinate coordinate;
  coordinate.parameters = {parameter};
  coordinate.first_column = num_columns_;
  Steps steps{ParameterScale(ScaleType::kLinear, 0, 1)};
  switch (spec.type) {
    case ParameterType::kDouble:
      steps.scale = ParameterScale(spec.scale, spec.min_value, spec.max_value);
      break;
    case ParameterType::kInteger:
      coordinate.kind = CoordinateKind::kStepped;
      coordinate.num_levels = CountLevels(spec);
      steps.scale = ParameterScale(spec.scale, spec.min_value, spec.max_value);
      break;
    case ParameterType::kDiscrete:
      coordinate.kind = CoordinateKind::kStepped;
      coordinate.num_levels = CountLevels(spec);
      steps.scale =
          ParameterScale(DiscreteScale(spec), spec.discrete_values.front(),
                         spec.discrete_values.back());
      steps.units = DiscreteUnits(spec.discrete_values, steps.scale);
      break;
    case ParameterType::kCategorical:
      coordinate.kind = CoordinateKind::kCategorical;
      coordinate.num_levels = CountLevels(spec);
      coordinate.num_columns = coordinate.num_levels;
      break;
  }
  num_columns_ += coordinate.num_columns;
  coordinate_of_parameter_[parameter] = coordinates_.size();
  coordinates_.push_back(std::move(coordinate));
  steps_.push_back(std::move(steps));
}

void SearchSpaceEncoding::AddCondition(std::size_t parameter) {
  const auto& declared = space_[parameter].condition;
  if (!declared.has_value()) return;
  is_conditional_ = true;
  Condition& condition = conditions_[parameter];
  condition.parent = declared->parent;
  for (const ParameterValue& value : declared->values) {
    condition.parent_levels.push_back(
        LevelOfValue(space_[declared->parent], value));
  }
  std::sort(condition.parent_levels.begin(), condition.parent_levels.end());
  const std::size_t c = coordinate_of_parameter_[declared->parent];
  if (c != kFixed) has_children_[c] = true;
}

// A coordinate that others depend on keeps its whole range, because a point
// outside of the part that is left must still activate the right ones.
void SearchSpaceEncoding::Narrow(std::size_t coordinate,
                                 const NumberRange& left) {
  const ParameterSpec& spec = SpecOf(coordinate);
  Steps& steps = steps_[coordinate];
  if (spec.type == ParameterType::kCategorical || has_children_[coordinate]) {
    return;
  }
  const double first = PlaceOf(coordinate, left.low);
  const double width = PlaceOf(coordinate, left.high) - first;
  if (!(width > kLeastPart) || !(width < 1)) return;
  const auto [first_cell, last_cell] =
      UnitsBetween(coordinate, left.low, left.high);
  steps.part = {first, width};
  if (spec.type != ParameterType::kDouble) {
    steps.cells = {first_cell, last_cell - first_cell};
  }
}

// Counts from the leaves up: the parameter itself plus the largest count among
// its values' children.
void SearchSpaceEncoding::CountActive() {
  std::vector<std::map<std::int64_t, std::size_t>> by_level(space_.size());
  for (std::size_t i = space_.size(); i-- > 0;) {
    std::size_t count = coordinate_of_parameter_[i] == kFixed ? 0 : 1;
    std::size_t most = 0;
    for (const auto& [level, children] : by_level[i]) {
      most = std::max(most, children);
    }
    count += most;
    const Condition& condition = conditions_[i];
    if (condition.parent_levels.empty()) max_active_ += count;
    for (const std::int64_t level : condition.parent_levels) {
      by_level[condition.parent][level] += count;
    }
  }
}

double SearchSpaceEncoding::ColumnOfLevel(std::size_t coordinate,
                                          std::int64_t level) const {
  const Steps& steps = steps_[coordinate];
  if (!steps.units.empty()) {
    return steps.part.FromWhole(steps.units[static_cast<std::size_t>(level)]);
  }
  const ParameterSpec& spec = SpecOf(coordinate);
  return steps.part.FromWhole(
      steps.scale.ToUnit(spec.min_value + static_cast<double>(level)));
}

double SearchSpaceEncoding::PlaceOf(std::size_t coordinate,
                                    double number) const {
  const Steps& steps = steps_[coordinate];
  const double place = steps.scale.PlaceOf(number);
  if (steps.units.empty()) return steps.part.FromWhole(place);
  // The levels need not be where the scale has them (DiscreteUnits), so the
  // nearest two give the line.
  const std::vector<double>& values = SpecOf(coordinate).discrete_values;
  const std::int64_t below =
      std::clamp<std::int64_t>(
          std::upper_bound(values.begin(), values.end(), number) -
              values.begin(),
          1, std::ssize(values) - 1) -
      1;
  const auto i = static_cast<std::size_t>(below);
  const double from = steps.scale.ToUnit(values[i]);
  const double to = steps.scale.ToUnit(values[i + 1]);
  return steps.part.FromWhole(steps.units[i] +
                              (place - from) / (to - from) *
                                  (steps.units[i + 1] - steps.units[i]));
}

std::int64_t SearchSpaceEncoding::NearestLevel(std::size_t coordinate,
                                               double column) const {
  const Steps& steps = steps_[coordinate];
  const double unit = steps.part.ToWhole(std::clamp(column, 0.0, 1.0));
  if (steps.units.empty()) {
    const ParameterSpec& spec = SpecOf(coordinate);
    const double value = std::clamp(std::round(steps.scale.FromUnit(unit)),
                                    spec.min_value, spec.max_value);
    return static_cast<std::int64_t>(value) -
           static_cast<std::int64_t>(spec.min_value);
  }
  const auto above =
      std::lower_bound(steps.units.begin(), steps.units.end(), unit);
  if (above == steps.units.begin()) return 0;
  const std::int64_t level = above - steps.units.begin();
  if (above == steps.units.end()) return level - 1;
  return unit - *std::prev(above) < *above - unit ? level - 1 : level;
}

std::int64_t SearchSpaceEncoding::Level(std::size_t coordinate,
                                        const Eigen::RowVectorXd& row) const {
  const Coordinate& place = coordinates_[coordinate];
  if (place.kind == CoordinateKind::kStepped) {
    return NearestLevel(coordinate, row[place.first_column]);
  }
  Eigen::Index level = 0;
  row.segment(place.first_column, place.num_columns).maxCoeff(&level);
  return level;
}

void SearchSpaceEncoding::SetLevel(std::size_t coordinate, std::int64_t level,
                                   Eigen::RowVectorXd* row) const {
  const Coordinate& place = coordinates_[coordinate];
  if (place.kind == CoordinateKind::kStepped) {
    (*row)[place.first_column] = ColumnOfLevel(coordinate, level);
    return;
  }
  row->segment(place.first_column, place.num_columns).setZero();
  (*row)[place.first_column + level] = kOneHot;
}

std::vector<bool> SearchSpaceEncoding::ActiveParameters(
    const Eigen::RowVectorXd& row) const {
  std::vector<bool> active(space_.size(), true);
  if (!is_conditional_) return active;
  // The parents' levels are computed once: a value may have thousands of
  // siblings, each with a child.
  std::vector<std::int64_t> levels(coordinates_.size(), -1);
  const auto level_of = [&](std::size_t coordinate) {
    std::int64_t& level = levels[coordinate];
    if (level < 0) level = Level(coordinate, row);
    return level;
  };
  for (std::size_t i = 0; i < space_.size(); ++i) {
    const Condition& condition = conditions_[i];
    if (condition.parent_levels.empty()) continue;
    const std::size_t c = coordinate_of_parameter_[condition.parent];
    const std::int64_t level = c == kFixed ? 0 : level_of(c);
    active[i] = active[condition.parent] &&
                std::binary_search(condition.parent_levels.begin(),
                                   condition.parent_levels.end(), level);
  }
  return active;
}

std::vector<bool> SearchSpaceEncoding::ActiveCoordinates(
    const Eigen::RowVectorXd& row) const {
  std::vector<bool> active(coordinates_.size(), !is_conditional_);
  if (!is_conditional_) return active;
  const std::vector<bool> parameters = ActiveParameters(row);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::size_t c = coordinate_of_parameter_[i];
    if (c != kFixed && parameters[i]) active[c] = true;
  }
  return active;
}

void SearchSpaceEncoding::Impute(std::size_t coordinate,
                                 Eigen::RowVectorXd* row) const {
  const Coordinate& place = coordinates_[coordinate];
  row->segment(place.first_column, place.num_columns) =
      imputed_.segment(place.first_column, place.num_columns);
}

void SearchSpaceEncoding::Snap(Eigen::RowVectorXd* row) const {
  const std::vector<bool> active = ActiveCoordinates(*row);
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    if (!active[i]) {
      Impute(i, row);
    } else if (coordinates_[i].kind == CoordinateKind::kContinuous) {
      double& unit = (*row)[coordinates_[i].first_column];
      unit = std::clamp(unit, 0.0, 1.0);
    } else {
      SetLevel(i, Level(i, *row), row);
    }
  }
}

void SearchSpaceEncoding::WriteValue(std::size_t coordinate,
                                     const ParameterValue& value,
                                     Eigen::RowVectorXd* row) const {
  const ParameterSpec& spec = SpecOf(coordinate);
  if (spec.type == ParameterType::kDouble) {
    const Steps& steps = steps_[coordinate];
    (*row)[coordinates_[coordinate].first_column] =
        steps.part.FromWhole(steps.scale.ToUnit(std::get<double>(value)));
  } else {
    SetLevel(coordinate, LevelOfValue(spec, value), row);
  }
}

Eigen::RowVectorXd SearchSpaceEncoding::Encode(
    const Parameters& parameters) const {
  Eigen::RowVectorXd row = imputed_;
  const std::vector<const ParameterValue*> values =
      ValuesBySpec(space_, parameters);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t c = coordinate_of_parameter_[i];
    if (c != kFixed && values[i] != nullptr) WriteValue(c, *values[i], &row);
  }
  return row;
}

ParameterValue SearchSpaceEncoding::ReadValue(
    std::size_t parameter, const Eigen::RowVectorXd& row) const {
  const ParameterSpec& spec = space_[parameter];
  const std::size_t c = coordinate_of_parameter_[parameter];
  if (c == kFixed) return ValueAtLevel(spec, 0);
  if (spec.type != ParameterType::kDouble) {
    return ValueAtLevel(spec, Level(c, row));
  }
  const Steps& steps = steps_[c];
  const double column = std::clamp(row[coordinates_[c].first_column], 0.0, 1.0);
  // The user's default comes back exactly, digit for digit.
  if (spec.default_value.has_value()) {
    const double given = std::get<double>(*spec.default_value);
    if (column == steps.part.FromWhole(steps.scale.ToUnit(given))) return given;
  }
  return steps.scale.ValueAt(steps.part.ToWhole(column), steps.part.width);
}

Parameters SearchSpaceEncoding::Decode(const Eigen::RowVectorXd& row) const {
  const std::vector<bool> active = ActiveParameters(row);
  Parameters parameters;
  parameters.reserve(space_.size());
  for (std::size_t i = 0; i < space_.size(); ++i) {
    if (active[i]) parameters.push_back({space_[i].name, ReadValue(i, row)});
  }
  return parameters;
}

Eigen::RowVectorXd SearchSpaceEncoding::FromUnitCube(
    const Eigen::RowVectorXd& unit) const {
  Eigen::RowVectorXd row = RawFromUnitCube(unit);
  if (is_conditional_) Snap(&row);
  return row;
}

Eigen::RowVectorXd SearchSpaceEncoding::RawFromUnitCube(
    const Eigen::RowVectorXd& unit) const {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(num_columns_);
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    SetFromUnit(i, unit[static_cast<Eigen::Index>(i)], &row);
  }
  return row;
}

void SearchSpaceEncoding::SetFromUnit(std::size_t coordinate, double u,
                                      Eigen::RowVectorXd* row) const {
  const Coordinate& place = coordinates_[coordinate];
  const ParameterSpec& spec = SpecOf(coordinate);
  if (place.kind == CoordinateKind::kContinuous) {
    (*row)[place.first_column] = u;
  } else if (spec.type == ParameterType::kInteger) {
    const double cell = steps_[coordinate].cells.ToWhole(u);
    const double value = std::clamp(std::round(CellsOf(spec).FromUnit(cell)),
                                    spec.min_value, spec.max_value);
    SetLevel(coordinate,
             static_cast<std::int64_t>(value) -
                 static_cast<std::int64_t>(spec.min_value),
             row);
  } else {
    SetLevel(
        coordinate,
        LevelFromUnit(steps_[coordinate].cells.ToWhole(u), place.num_levels),
        row);
  }
}

std::pair<double, double> SearchSpaceEncoding::UnitsBetween(
    std::size_t coordinate, double low, double high) const {
  const ParameterSpec& spec = SpecOf(coordinate);
  const Steps& steps = steps_[coordinate];
  if (spec.type == ParameterType::kDouble) {
    return {steps.part.FromWhole(steps.scale.ToUnit(low)),
            steps.part.FromWhole(steps.scale.ToUnit(high))};
  }
  if (spec.type == ParameterType::kInteger) {
    const ParameterScale cells = CellsOf(spec);
    return {steps.cells.FromWhole(cells.ToUnit(std::ceil(low) - 0.5)),
            steps.cells.FromWhole(cells.ToUnit(std::floor(high) + 0.5))};
  }
  const std::vector<double>& values = spec.discrete_values;
  const auto part_below = [&](std::vector<double>::const_iterator value) {
    return steps.cells.FromWhole(static_cast<double>(value - values.begin()) /
                                 static_cast<double>(values.size()));
  };
  return {part_below(std::lower_bound(values.begin(), values.end(), low)),
          part_below(std::upper_bound(values.begin(), values.end(), high))};
}

Eigen::RowVectorXd SearchSpaceEncoding::Centre() const {
  // All categories tie at 0.5, and Snap resolves a tie in favour of the first.
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Constant(num_columns_, 0.5);
  for (std::size_t c = 0; c < coordinates_.size(); ++c) {
    const ParameterSpec& spec = SpecOf(c);
    if (spec.default_value.has_value()) {
      WriteValue(c, *spec.default_value, &row);
    }
  }
  Snap(&row);
  return row;
}

}  // namespace vernier
