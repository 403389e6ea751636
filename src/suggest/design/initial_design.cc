#include "suggest/design/initial_design.h"

#include <algorithm>
#include <utility>

#include "base/rng.h"
#include "suggest/design/sobol_sequence.h"
#include "suggest/space/point_results.h"

namespace vernier {
namespace {

// Trials use the streams 1, 2, ...; this one lies beyond them.
constexpr std::uint64_t kScrambleStream = std::uint64_t{1} << 63;

constexpr std::size_t kMinCompletedForModel = 3;

constexpr InitialDesign kNearDefaults = {.size = 4, .reach = 0.5};

// Leaves the numbers of a point that part of their distance from the defaults,
// or else from the middles of their ranges. Categories have no distance.
Eigen::RowVectorXd WithinReach(double reach,
                               const SearchSpaceEncoding& encoding,
                               Eigen::RowVectorXd unit) {
  const Eigen::RowVectorXd centre = encoding.Centre();
  for (std::size_t k = 0; k < encoding.coordinates().size(); ++k) {
    const Coordinate& coordinate = encoding.coordinates()[k];
    if (coordinate.kind == CoordinateKind::kCategorical) continue;
    double& u = unit[static_cast<Eigen::Index>(k)];
    const double middle = centre[coordinate.first_column];
    u = middle + reach * (u - middle);
  }
  return unit;
}

// Returns the point at `unit`, moved into the constraints if necessary, or an
// untried one if it was tried.
absl::StatusOr<Suggestion> PointAt(const Eigen::RowVectorXd& unit,
                                   const SearchSpaceEncoding& encoding,
                                   const TriedPoints& tried,
                                   SuggestionMethod method,
                                   std::mt19937_64& rng) {
  Eigen::RowVectorXd row = encoding.FromUnitCube(unit);
  if (!tried.untried().has_value() && !tried.region().Contains(row)) {
    row = tried.region().FromUnitCube(unit, rng).value_or(row);
  }
  return tried.Resolve(row, method, rng);
}

}  // namespace

int ResultsToTrustModel(const SearchSpaceEncoding& encoding) {
  const auto p = static_cast<int>(encoding.coordinates().size());
  return std::clamp(2 * p, 4, 10);
}

InitialDesign DesignFor(const StudyView& view,
                        const SearchSpaceEncoding& encoding) {
  if (view.metrics.empty()) return kNearDefaults;
  return {.size = ResultsToTrustModel(encoding), .reach = 1};
}

bool BelongsToInitialDesign(const StudyView& view,
                            const SearchSpaceEncoding& encoding,
                            std::size_t num_pending) {
  const std::size_t num_completed = NumPoints(view);
  return num_completed < kMinCompletedForModel ||
         num_completed + num_pending <
             static_cast<std::size_t>(DesignFor(view, encoding).size);
}

Eigen::RowVectorXd SobolUnit(const SearchSpaceEncoding& encoding,
                             std::uint64_t seed, std::int64_t trial) {
  std::mt19937_64 rng = MakeRng(seed, kScrambleStream);
  const ScrambledSobol sobol(static_cast<int>(encoding.coordinates().size()),
                             rng);
  return sobol.Points(trial - 1, 1).row(0);
}

absl::StatusOr<Suggestion> SobolPoint(const StudyView& view,
                                      const SearchSpaceEncoding& encoding,
                                      std::int64_t trial,
                                      const TriedPoints& tried,
                                      SuggestionMethod method,
                                      std::mt19937_64& rng) {
  return PointAt(SobolUnit(encoding, view.seed, trial), encoding, tried, method,
                 rng);
}

absl::StatusOr<Suggestion> DesignPoint(const StudyView& view,
                                       const SearchSpaceEncoding& encoding,
                                       std::int64_t trial,
                                       const TriedPoints& tried,
                                       std::mt19937_64& rng) {
  if (trial > 1 || !view.completed.empty()) {
    const InitialDesign design = DesignFor(view, encoding);
    Eigen::RowVectorXd unit = SobolUnit(encoding, view.seed, trial);
    if (trial <= design.size && design.reach < 1) {
      unit = WithinReach(design.reach, encoding, std::move(unit));
    }
    return PointAt(unit, encoding, tried, SuggestionMethod::kDesign, rng);
  }
  Eigen::RowVectorXd row = encoding.Centre();
  if (!tried.region().Contains(row)) {
    row = tried.region().Repair(row, rng).value_or(row);
  }
  return tried.Resolve(row, SuggestionMethod::kDefaults, rng);
}

}  // namespace vernier
