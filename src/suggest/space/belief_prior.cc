#include "suggest/space/belief_prior.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <variant>

#include "study/parameter_value.h"

namespace vernier {
namespace {

using Eigen::Index;

// The part of the largest density that is left far away.
constexpr double kFloor = 0.05;

// Widths in parts of the scale.
constexpr double kUsualWidth = 0.15;
constexpr double kLeastWidth = 0.02;

// bench/duel/RESULTS.md has the measurements.
constexpr double kStrength = 10;
constexpr Eigen::Index kMostResults = 60;

// Returns half the length of the believed range on the column, or one side
// where the scale has no place for the other.
double WidthOnColumn(const SearchSpaceEncoding& encoding,
                     std::size_t coordinate, double near,
                     const BeliefWidth& within) {
  const double low =
      within.is_factor ? near / within.amount : near - within.amount;
  const double high =
      within.is_factor ? near * within.amount : near + within.amount;
  const double place = encoding.PlaceOf(coordinate, near);
  const double below = place - encoding.PlaceOf(coordinate, low);
  const double above = encoding.PlaceOf(coordinate, high) - place;
  if (!std::isfinite(below)) return std::isfinite(above) ? above : 1;
  return std::isfinite(above) ? (below + above) / 2 : below;
}

// Returns the integral of 1 / (1 + t^2) over the column, t being the distance
// from `place` in widths.
double BumpArea(double place, double width) {
  return width * (std::atan((1 - place) / width) + std::atan(place / width));
}

}  // namespace

BeliefPrior::BeliefPrior(const std::vector<Belief>& beliefs,
                         const SearchSpaceEncoding& encoding)
    : encoding_(encoding) {
  for (std::size_t c = 0; c < encoding.coordinates().size(); ++c) {
    const auto found =
        std::find_if(beliefs.begin(), beliefs.end(), [&](const Belief& belief) {
          return vernier::IsAbout(belief, encoding.SpecOf(c));
        });
    if (found != beliefs.end()) places_.push_back(PlaceOf(*found, c));
  }
}

BeliefPrior::Place BeliefPrior::PlaceOf(const Belief& belief,
                                        std::size_t coordinate) const {
  const Coordinate& columns = encoding_.coordinates()[coordinate];
  Place place;
  place.coordinate = coordinate;
  double area = 0;
  if (const auto* const text = std::get_if<std::string>(&belief.near)) {
    Eigen::RowVectorXd row = encoding_.Imputed();
    encoding_.WriteValue(coordinate,
                         *ValueOf(encoding_.SpecOf(coordinate), *text), &row);
    place.category = columns.first_column + encoding_.Level(coordinate, row);
    area = 1 / static_cast<double>(columns.num_columns);
  } else {
    const double near = std::get<double>(belief.near);
    place.column = std::clamp(encoding_.PlaceOf(coordinate, near), 0.0, 1.0);
    place.width = kUsualWidth;
    if (belief.within.has_value()) {
      place.width =
          std::clamp(WidthOnColumn(encoding_, coordinate, near, *belief.within),
                     kLeastWidth, 1.0);
    }
    area = BumpArea(place.column, place.width);
  }
  place.uniform = std::log(kFloor + (1 - kFloor) * area);
  return place;
}

Eigen::RowVectorXd BeliefPrior::Centre() const {
  Eigen::RowVectorXd row = encoding_.Centre();
  if (is_empty()) return row;
  for (const Place& place : places_) {
    const Coordinate& columns = encoding_.coordinates()[place.coordinate];
    if (place.category < 0) {
      row[columns.first_column] = place.column;
    } else {
      encoding_.SetLevel(place.coordinate,
                         place.category - columns.first_column, &row);
    }
  }
  encoding_.Snap(&row);
  return row;
}

bool BeliefPrior::IsAbout(std::size_t coordinate) const {
  return std::any_of(places_.begin(), places_.end(), [&](const Place& place) {
    return place.coordinate == coordinate;
  });
}

void BeliefPrior::LogDensity(const Eigen::Ref<const Eigen::MatrixXd>& points,
                             Eigen::VectorXd* log_densities,
                             Eigen::MatrixXd* gradients) const {
  log_densities->setZero(points.rows());
  if (gradients != nullptr) gradients->setZero(points.rows(), points.cols());
  std::vector<bool> active;
  for (Index i = 0; i < points.rows(); ++i) {
    if (encoding_.is_conditional()) {
      active = encoding_.ActiveCoordinates(points.row(i));
    }
    for (const Place& place : places_) {
      if (!active.empty() && !active[place.coordinate]) {
        (*log_densities)[i] += place.uniform;
        continue;
      }
      if (place.category >= 0) {
        // Linear in between, where a climb may pass.
        const double slope = -std::log(kFloor) * std::numbers::sqrt2;
        (*log_densities)[i] +=
            std::log(kFloor) + slope * points(i, place.category);
        if (gradients != nullptr) (*gradients)(i, place.category) = slope;
        continue;
      }
      const Index column =
          encoding_.coordinates()[place.coordinate].first_column;
      const double t = (points(i, column) - place.column) / place.width;
      const double bump = 1 / (1 + t * t);
      const double density = kFloor + (1 - kFloor) * bump;
      (*log_densities)[i] += std::log(density);
      if (gradients != nullptr) {
        (*gradients)(i, column) =
            -(1 - kFloor) * 2 * t * bump * bump / (density * place.width);
      }
    }
  }
}

double BeliefExponent(const Eigen::VectorXd& merits,
                      const Eigen::VectorXd& log_densities) {
  const Index n = merits.size();
  if (n > kMostResults) return 0;
  int agreeing = 0;
  int disagreeing = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < i; ++k) {
      // Two failures are equal, and their difference would be no number.
      if (merits[i] == merits[k] || log_densities[i] == log_densities[k]) {
        continue;
      }
      const bool is_better = merits[i] > merits[k];
      const bool is_nearer = log_densities[i] > log_densities[k];
      ++(is_better == is_nearer ? agreeing : disagreeing);
    }
  }
  // Nothing speaks against a belief before results differ.
  const int pairs = agreeing + disagreeing;
  const double correlation =
      pairs == 0 ? 1 : static_cast<double>(agreeing - disagreeing) / pairs;
  return kStrength * std::max(correlation, 0.0) /
         static_cast<double>(std::max<Index>(n, 1));
}

}  // namespace vernier
