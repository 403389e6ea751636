#ifndef VERNIER_SUGGEST_ACQUISITION_CANDIDATE_POOL_H_
#define VERNIER_SUGGEST_ACQUISITION_CANDIDATE_POOL_H_

#include <Eigen/Core>
#include <random>
#include <vector>

#include "suggest/space/feasible_region.h"
#include "suggest/space/search_space_encoding.h"

namespace vernier {

/// Returns `count` valid configurations, one row each, spread over the space by
/// a Sobol' sequence with a new scrambling from `rng`.
Eigen::MatrixXd SpreadOverSpace(const SearchSpaceEncoding& encoding, int count,
                                std::mt19937_64& rng);

/// Returns such configurations within `region`: the first of up to eight times
/// as many points that are inside and, if these are too few, others that
/// FeasibleRegion has moved inside. Fewer rows, or none, if it finds no more.
Eigen::MatrixXd SpreadOverRegion(const SearchSpaceEncoding& encoding,
                                 const FeasibleRegion& region, int count,
                                 std::mt19937_64& rng);

/// Returns `rows` with those outside `region` moved into it, without those that
/// could not be moved.
Eigen::MatrixXd MovedInto(const FeasibleRegion& region,
                          const Eigen::MatrixXd& rows, std::mt19937_64& rng);

/// Returns `count` valid configurations near the rows of `centres` (taken in
/// turn): some coordinates move, by steps from 0.1 % to 20 % of their range,
/// times the column's entry of `factors`, in (0, 1], unless that is empty. No
/// rows if there is no centre.
Eigen::MatrixXd SprayAround(const SearchSpaceEncoding& encoding,
                            const Eigen::MatrixXd& centres, int count,
                            const Eigen::RowVectorXd& factors,
                            std::mt19937_64& rng);

/// Picks up to `count` rows to climb from: the best, the best from
/// `first_spray` on, and the rest drawn with probability proportional to
/// exp((value - best) / standard deviation), without repetition.
std::vector<Eigen::Index> ChooseStarts(const Eigen::VectorXd& values,
                                       Eigen::Index first_spray, int count,
                                       std::mt19937_64& rng);

/// Coordinates that are active in `row` but were not `before` take their values
/// from `source`, which need not be a valid row; `row` is then made valid.
void FillNewlyActive(const SearchSpaceEncoding& encoding,
                     const std::vector<bool>& before,
                     const Eigen::RowVectorXd& source, Eigen::RowVectorXd* row);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ACQUISITION_CANDIDATE_POOL_H_
