#include "suggest/design/initial_design.h"

#include <algorithm>
#include <utility>

#include "base/rng.h"
#include "suggest/space/belief_prior.h"
#include "suggest/space/point_results.h"

namespace vernier {
namespace {

// Trials use the streams 1, 2, ...; this one lies beyond them.
constexpr std::uint64_t kScrambleStream = std::uint64_t{1} << 63;

constexpr std::size_t kMinCompletedForModel = 3;

constexpr InitialDesign kNearDefaults = {.size = 4, .reach = 0.5};

// The reach from what is believed, whatever the design's.
constexpr double kReachOfBelief = 0.5;

// Returns the number in [0, 1) that leaves a category to chance, or is that of
// `believed` in the part of all cases that lies out of reach.
double UnitNearCategory(double reach, std::int64_t believed,
                        std::int64_t num_levels, double u) {
  if (u < reach) return u / reach;
  return (static_cast<double>(believed) + 0.5) /
         static_cast<double>(num_levels);
}

// Leaves the numbers of a point that part of their distance from what is
// believed, or else from the defaults or the middles of their ranges.
// Categories have no distance, so that only a belief draws them.
Eigen::RowVectorXd WithinReach(const InitialDesign& design,
                               const SearchSpaceEncoding& encoding,
                               const BeliefPrior& beliefs,
                               Eigen::RowVectorXd unit) {
  const Eigen::RowVectorXd centre = beliefs.Centre();
  for (std::size_t k = 0; k < encoding.coordinates().size(); ++k) {
    const Coordinate& coordinate = encoding.coordinates()[k];
    const bool is_believed = beliefs.IsAbout(k);
    const double reach = is_believed ? kReachOfBelief : design.reach;
    double& u = unit[static_cast<Eigen::Index>(k)];
    if (coordinate.kind == CoordinateKind::kCategorical) {
      if (!is_believed) continue;
      u = UnitNearCategory(reach, encoding.Level(k, centre),
                           coordinate.num_levels, u);
    } else if (reach < 1) {
      const double middle = centre[coordinate.first_column];
      u = middle + reach * (u - middle);
    }
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
  return tried.Resolve(AllowedRow(unit, encoding, tried, rng), method, rng);
}

// Returns whether these are the defaults, and the middles of the ranges as they
// were declared: the middle of what constraints leave is another.
bool IsCentreOfWhole(const StudyView& view, const Parameters& parameters) {
  if (view.parameter_constraints.empty()) return true;
  const SearchSpaceEncoding whole(view.space);
  return parameters == whole.Decode(whole.Centre());
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
  // The search has a design of its own beside what others propose.
  const std::size_t num_proposed =
      view.completed.size() - NumOwnResults(view) + view.pending_sources.size();
  return num_completed < kMinCompletedForModel ||
         num_completed + num_pending <
             static_cast<std::size_t>(DesignFor(view, encoding).size) +
                 num_proposed;
}

ScrambledSobol StudySequence(int dimension, std::uint64_t seed) {
  std::mt19937_64 rng = MakeRng(seed, kScrambleStream);
  return {dimension, rng};
}

Eigen::RowVectorXd SobolUnit(const SearchSpaceEncoding& encoding,
                             std::uint64_t seed, std::int64_t trial) {
  const auto dimension = static_cast<int>(encoding.coordinates().size());
  return StudySequence(dimension, seed).Points(trial - 1, 1).row(0);
}

Eigen::RowVectorXd AllowedRow(const Eigen::RowVectorXd& unit,
                              const SearchSpaceEncoding& encoding,
                              const TriedPoints& tried, std::mt19937_64& rng) {
  const Eigen::RowVectorXd row = encoding.FromUnitCube(unit);
  // Of a space that is enumerated, Resolve knows what is allowed.
  if (tried.untried().has_value() || tried.region().Contains(row)) return row;
  return tried.region().FromUnitCube(unit, rng).value_or(row);
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
  const InitialDesign design = DesignFor(view, encoding);
  if (trial > design.size) {
    return SobolPoint(view, encoding, trial, tried, SuggestionMethod::kDesign,
                      rng);
  }
  // Every second point is one that knows no belief.
  const BeliefPrior given(view.beliefs, encoding);
  const BeliefPrior beliefs(
      trial % 2 == 1 ? view.beliefs : std::vector<Belief>(), encoding);
  const bool is_first = trial == 1 && NumOwnResults(view) == 0;
  const bool is_first_without = trial == 2 && !given.is_empty();
  absl::StatusOr<Suggestion> point;
  if (is_first || is_first_without) {
    Eigen::RowVectorXd row = beliefs.Centre();
    if (!tried.region().Contains(row)) {
      row = tried.region().Repair(row, rng).value_or(row);
    }
    point = tried.Resolve(row,
                          beliefs.is_empty() ? SuggestionMethod::kDefaults
                                             : SuggestionMethod::kDesign,
                          rng);
    if (point.ok() && point->record.method == SuggestionMethod::kDefaults &&
        !IsCentreOfWhole(view, point->parameters)) {
      point->record.method = SuggestionMethod::kNearDefaults;
    }
  } else {
    point = PointAt(WithinReach(design, encoding, beliefs,
                                SobolUnit(encoding, view.seed, trial)),
                    encoding, tried, SuggestionMethod::kDesign, rng);
  }
  if (point.ok()) point->record.follows_beliefs = !beliefs.is_empty();
  return point;
}

}  // namespace vernier
