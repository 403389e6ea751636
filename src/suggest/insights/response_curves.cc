#include "suggest/insights/response_curves.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "study/parameter_value.h"
#include "suggest/gp/user_units.h"

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::RowVectorXd;

// Enough for efficient matrix products, few enough to stay in cache.
constexpr Index kRowsAtOnce = 64;

// The places along one coordinate, to which it moves rows.
class Axis {
 public:
  Axis(const SearchSpaceEncoding& encoding, std::size_t coordinate,
       int num_places)
      : encoding_(encoding), coordinate_(coordinate) {
    const Coordinate& place = encoding.coordinates()[coordinate];
    if (place.kind != CoordinateKind::kContinuous) {
      AddLevels(place, num_places);
      return;
    }
    for (int i = 0; i < num_places; ++i) {
      units_.push_back(static_cast<double>(i) / (num_places - 1));
    }
  }

  std::size_t size() const { return units_.size() + levels_.size(); }

  void MoveTo(std::size_t i, RowVectorXd* row) const {
    const Coordinate& place = encoding_.coordinates()[coordinate_];
    if (units_.empty()) {
      encoding_.SetLevel(coordinate_, levels_[i], row);
    } else {
      (*row)[place.first_column] = units_[i];
    }
  }

  CurveAxis ToCurveAxis(RowVectorXd row) const {
    CurveAxis axis;
    axis.parameter = encoding_.SpecOf(coordinate_).name;
    for (std::size_t i = 0; i < size(); ++i) {
      MoveTo(i, &row);
      const ParameterValue value = encoding_.Value(coordinate_, row);
      if (const auto* label = std::get_if<std::string>(&value)) {
        axis.x.push_back(static_cast<double>(i));
        axis.labels.push_back(*label);
      } else {
        axis.x.push_back(*NumberOf(value));
      }
    }
    return axis;
  }

 private:
  void AddLevels(const Coordinate& place, int num_places) {
    if (place.num_levels <= num_places ||
        place.kind == CoordinateKind::kCategorical) {
      const auto count = std::min<std::int64_t>(place.num_levels, num_places);
      for (std::int64_t level = 0; level < count; ++level) {
        levels_.push_back(level);
      }
      return;
    }
    RowVectorXd row = RowVectorXd::Zero(encoding_.num_columns());
    for (int i = 0; i < num_places; ++i) {
      row[place.first_column] = static_cast<double>(i) / (num_places - 1);
      const std::int64_t level = encoding_.Level(coordinate_, row);
      // Near the dense end of a log scale several places share a number.
      if (levels_.empty() || levels_.back() != level) levels_.push_back(level);
    }
  }

  const SearchSpaceEncoding& encoding_;
  const std::size_t coordinate_;
  std::vector<double> units_;         // Of a continuous coordinate,
  std::vector<std::int64_t> levels_;  // or of any other.
};

std::vector<Prediction> PredictRows(const ExaminedStudy& study,
                                    const Eigen::MatrixXd& rows) {
  std::vector<Prediction> predictions;
  predictions.reserve(static_cast<std::size_t>(rows.rows()));
  for (Index first = 0; first < rows.rows(); first += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, rows.rows() - first);
    const Posterior posterior =
        study.model.gp.Predict(rows.middleRows(first, count), false);
    for (Index i = 0; i < count; ++i) {
      predictions.push_back(InUserUnits(study.model.data.warp, study.view.goal,
                                        posterior.mean[i],
                                        posterior.variance[i]));
    }
  }
  return predictions;
}

}  // namespace

std::optional<RowVectorXd> RowThrough(
    const ExaminedStudy& study, const RowVectorXd& best,
    const std::vector<std::size_t>& coordinates) {
  const auto has_all = [&](const RowVectorXd& row) {
    const std::vector<bool> active = study.encoding.ActiveCoordinates(row);
    return std::all_of(coordinates.begin(), coordinates.end(),
                       [&](std::size_t c) { return active[c]; });
  };
  if (has_all(best)) return best;
  for (const Index i : BestRowsFirst(study.model)) {
    const RowVectorXd row = study.model.data.regression.inputs.row(i);
    if (has_all(row)) return row;
  }
  return std::nullopt;
}

Slice MakeSlice(const ExaminedStudy& study, const RowVectorXd& row,
                std::size_t coordinate) {
  const Axis axis(study.encoding, coordinate, kSlicePlaces);
  Eigen::MatrixXd rows(static_cast<Index>(axis.size()), row.size());
  for (std::size_t i = 0; i < axis.size(); ++i) {
    RowVectorXd place = row;
    axis.MoveTo(i, &place);
    if (study.encoding.HasChildren(coordinate)) study.encoding.Snap(&place);
    rows.row(static_cast<Index>(i)) = place;
  }
  return {axis.ToCurveAxis(row), PredictRows(study, rows)};
}

Contour MakeContour(const ExaminedStudy& study, const RowVectorXd& row,
                    std::size_t first, std::size_t second) {
  const Axis x(study.encoding, first, kContourPlaces);
  const Axis y(study.encoding, second, kContourPlaces);
  const bool changes_others =
      study.encoding.HasChildren(first) || study.encoding.HasChildren(second);
  Eigen::MatrixXd rows(static_cast<Index>(x.size() * y.size()), row.size());
  Index next = 0;
  for (std::size_t j = 0; j < y.size(); ++j) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      RowVectorXd place = row;
      x.MoveTo(i, &place);
      y.MoveTo(j, &place);
      if (changes_others) study.encoding.Snap(&place);
      rows.row(next++) = place;
    }
  }
  return {x.ToCurveAxis(row), y.ToCurveAxis(row), PredictRows(study, rows)};
}

}  // namespace vernier
