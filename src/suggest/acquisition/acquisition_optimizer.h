#ifndef VERNIER_SUGGEST_ACQUISITION_ACQUISITION_OPTIMIZER_H_
#define VERNIER_SUGGEST_ACQUISITION_ACQUISITION_OPTIMIZER_H_

#include <Eigen/Core>
#include <optional>
#include <random>

#include "suggest/acquisition/acquisition_function.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/tried_points.h"

namespace vernier {

/// True if the coordinate has so many levels that it is climbed as if it were
/// continuous, and then rounded.
bool IsWidelyStepped(const Coordinate& coordinate);

/// The effort of a search. Nothing depends on the clock.
struct AcquisitionBudget {
  int num_sobol = 512;  ///< Points spread over the space; >= 1.
  int num_spray = 128;  ///< Points around good ones; >= 0.
  /// Factors of their distances in each column, in (0, 1]; empty: 1.
  Eigen::RowVectorXd spray_steps = {};
  int num_starts = 8;           ///< Climbers; >= 1.
  int max_rounds = 60;          ///< Evaluations of each climb; >= 1.
  int max_discrete_rounds = 5;  ///< Passes over the discrete coordinates.
  int max_enumerated = 20000;   ///< Configurations of a small space; >= 1.
};

/// Returns the budget that keeps a suggestion affordable with n data points.
AcquisitionBudget BudgetFor(Eigen::Index n);

/// A place and its acquisition value.
struct ScoredPoint {
  Eigen::RowVectorXd row;
  double value = 0;
};

/// Returns the untried configuration, encoded, with the largest value of
/// `function` that the search finds; nullopt if it saw only tried ones.
///
/// A small finite space is enumerated. Otherwise a pool of scrambled Sobol'
/// points and of perturbations of `centres` (rows) provides the starts of a
/// multi-start climb. It climbs the continuous and the many-levelled columns,
/// in turn with passes that try every alternative of each other coordinate.
///
/// Each point that is evaluated meets the constraints between parameters,
/// except the points along a climb. Those are projected onto the constraints
/// without regard to rounding, and moved inside at the end of the climb. Climbs
/// are projected rather than shortened where they lead outside, since the best
/// place often lies on a border.
std::optional<ScoredPoint> MaximizeAcquisition(
    const SearchSpaceEncoding& encoding, const AcquisitionFunction& function,
    const Eigen::MatrixXd& centres, const TriedPoints& tried,
    const AcquisitionBudget& budget, std::mt19937_64& rng);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ACQUISITION_ACQUISITION_OPTIMIZER_H_
