#include "suggest/search_space_encoding.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string>
#include <utility>
#include <variant>

namespace vernier {
namespace {

constexpr double kOneHot = 1 / std::numbers::sqrt2;

// Values of an undeclared scale that span at least this ratio are most likely
// meant as 1, 10, 100, ...
constexpr double kImpliedLogRatio = 100;

// Gaps that differ by more than this would glue neighbours together in the
// model's eyes; their order is then all that is kept.
constexpr double kMaxGapRatio = 1e3;

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
  std::vector<double> units;
  for (const double value : values) units.push_back(scale.ToUnit(value));
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

bool IsFixed(const ParameterSpec& spec) {
  switch (spec.type) {
    case ParameterType::kDouble:
    case ParameterType::kInteger:
      return !(spec.min_value < spec.max_value);
    case ParameterType::kCategorical:
      return spec.categorical_values.size() == 1;
    case ParameterType::kDiscrete:
      return spec.discrete_values.size() == 1;
  }
  return true;
}

ParameterValue OnlyValue(const ParameterSpec& spec) {
  switch (spec.type) {
    case ParameterType::kDouble:
      break;
    case ParameterType::kInteger:
      return static_cast<std::int64_t>(spec.min_value);
    case ParameterType::kCategorical:
      return spec.categorical_values.front();
    case ParameterType::kDiscrete:
      return spec.discrete_values.front();
  }
  return spec.min_value;
}

std::int64_t LevelFromUnit(double unit, std::int64_t num_levels) {
  const auto level =
      static_cast<std::int64_t>(unit * static_cast<double>(num_levels));
  return std::clamp<std::int64_t>(level, 0, num_levels - 1);
}

}  // namespace

SearchSpaceEncoding::SearchSpaceEncoding(
    const std::vector<ParameterSpec>& space)
    : space_(space) {
  for (std::size_t i = 0; i < space.size(); ++i) {
    const ParameterSpec& spec = space[i];
    if (IsFixed(spec)) continue;
    Coordinate coordinate;
    coordinate.parameter = i;
    coordinate.first_column = num_columns_;
    Steps steps{ParameterScale(ScaleType::kLinear, 0, 1), {}};
    switch (spec.type) {
      case ParameterType::kDouble:
        steps.scale =
            ParameterScale(spec.scale, spec.min_value, spec.max_value);
        break;
      case ParameterType::kInteger:
        coordinate.kind = CoordinateKind::kStepped;
        coordinate.num_levels = static_cast<std::int64_t>(spec.max_value) -
                                static_cast<std::int64_t>(spec.min_value) + 1;
        steps.scale =
            ParameterScale(spec.scale, spec.min_value, spec.max_value);
        break;
      case ParameterType::kDiscrete:
        coordinate.kind = CoordinateKind::kStepped;
        coordinate.num_levels = std::ssize(spec.discrete_values);
        steps.scale =
            ParameterScale(DiscreteScale(spec), spec.discrete_values.front(),
                           spec.discrete_values.back());
        steps.units = DiscreteUnits(spec.discrete_values, steps.scale);
        break;
      case ParameterType::kCategorical:
        coordinate.kind = CoordinateKind::kCategorical;
        coordinate.num_levels = std::ssize(spec.categorical_values);
        coordinate.num_columns = coordinate.num_levels;
        break;
    }
    num_columns_ += coordinate.num_columns;
    coordinates_.push_back(coordinate);
    steps_.push_back(std::move(steps));
  }
}

double SearchSpaceEncoding::UnitOfLevel(std::size_t coordinate,
                                        std::int64_t level) const {
  const Steps& steps = steps_[coordinate];
  if (!steps.units.empty()) return steps.units[static_cast<std::size_t>(level)];
  const ParameterSpec& spec = space_[coordinates_[coordinate].parameter];
  return steps.scale.ToUnit(spec.min_value + static_cast<double>(level));
}

std::int64_t SearchSpaceEncoding::NearestLevel(std::size_t coordinate,
                                               double unit) const {
  unit = std::clamp(unit, 0.0, 1.0);
  const Steps& steps = steps_[coordinate];
  if (steps.units.empty()) {
    const ParameterSpec& spec = space_[coordinates_[coordinate].parameter];
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
    (*row)[place.first_column] = UnitOfLevel(coordinate, level);
    return;
  }
  row->segment(place.first_column, place.num_columns).setZero();
  (*row)[place.first_column + level] = kOneHot;
}

void SearchSpaceEncoding::Snap(Eigen::RowVectorXd* row) const {
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    if (coordinates_[i].kind == CoordinateKind::kContinuous) {
      double& unit = (*row)[coordinates_[i].first_column];
      unit = std::clamp(unit, 0.0, 1.0);
    } else {
      SetLevel(i, Level(i, *row), row);
    }
  }
}

Eigen::RowVectorXd SearchSpaceEncoding::Encode(
    const Parameters& parameters) const {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(num_columns_);
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    const Coordinate& place = coordinates_[i];
    const ParameterSpec& spec = space_[place.parameter];
    const ParameterValue& value = parameters[place.parameter].value;
    switch (spec.type) {
      case ParameterType::kDouble:
        row[place.first_column] =
            steps_[i].scale.ToUnit(std::get<double>(value));
        break;
      case ParameterType::kInteger:
        row[place.first_column] = steps_[i].scale.ToUnit(
            static_cast<double>(std::get<std::int64_t>(value)));
        break;
      case ParameterType::kDiscrete:
        SetLevel(i,
                 std::lower_bound(spec.discrete_values.begin(),
                                  spec.discrete_values.end(),
                                  std::get<double>(value)) -
                     spec.discrete_values.begin(),
                 &row);
        break;
      case ParameterType::kCategorical:
        SetLevel(i,
                 std::find(spec.categorical_values.begin(),
                           spec.categorical_values.end(),
                           std::get<std::string>(value)) -
                     spec.categorical_values.begin(),
                 &row);
        break;
    }
  }
  return row;
}

Parameters SearchSpaceEncoding::Decode(const Eigen::RowVectorXd& row) const {
  Parameters parameters;
  parameters.reserve(space_.size());
  for (const ParameterSpec& spec : space_) {
    parameters.push_back({spec.name, OnlyValue(spec)});
  }
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    const Coordinate& place = coordinates_[i];
    const ParameterSpec& spec = space_[place.parameter];
    ParameterValue& value = parameters[place.parameter].value;
    switch (spec.type) {
      case ParameterType::kDouble:
        value = steps_[i].scale.FromUnit(
            std::clamp(row[place.first_column], 0.0, 1.0));
        break;
      case ParameterType::kInteger:
        value = static_cast<std::int64_t>(spec.min_value) + Level(i, row);
        break;
      case ParameterType::kDiscrete:
        value = spec.discrete_values[static_cast<std::size_t>(Level(i, row))];
        break;
      case ParameterType::kCategorical:
        value =
            spec.categorical_values[static_cast<std::size_t>(Level(i, row))];
        break;
    }
  }
  return parameters;
}

Eigen::RowVectorXd SearchSpaceEncoding::FromUnitCube(
    const Eigen::RowVectorXd& unit) const {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(num_columns_);
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    const Coordinate& place = coordinates_[i];
    const ParameterSpec& spec = space_[place.parameter];
    const double u = unit[static_cast<Eigen::Index>(i)];
    if (place.kind == CoordinateKind::kContinuous) {
      row[place.first_column] = u;
    } else if (spec.type == ParameterType::kInteger) {
      // Half a step beyond both ends, so that the end values get a whole cell.
      const ParameterScale cells(spec.scale, spec.min_value - 0.5,
                                 spec.max_value + 0.5);
      const double value = std::clamp(std::round(cells.FromUnit(u)),
                                      spec.min_value, spec.max_value);
      SetLevel(i,
               static_cast<std::int64_t>(value) -
                   static_cast<std::int64_t>(spec.min_value),
               &row);
    } else {
      SetLevel(i, LevelFromUnit(u, place.num_levels), &row);
    }
  }
  return row;
}

Eigen::RowVectorXd SearchSpaceEncoding::Centre() const {
  // All categories tie at 0.5, and Snap settles a tie for the first.
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Constant(num_columns_, 0.5);
  Snap(&row);
  return row;
}

}  // namespace vernier
