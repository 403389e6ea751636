#ifndef VERNIER_SUGGEST_INSIGHTS_IMPORTANCE_H_
#define VERNIER_SUGGEST_INSIGHTS_IMPORTANCE_H_

#include <cstddef>
#include <vector>

#include "suggest/insights/examined_study.h"
#include "suggest/insights/insights.h"

namespace vernier {

/// The importance of each coordinate of a space; like Importance and
/// Interaction, with the positions of coordinates.
struct CoordinateShares {
  struct Main {
    std::size_t coordinate = 0;
    double share = 0;
    double low = 0;
    double high = 0;
  };
  struct Pair {
    std::size_t first = 0;
    std::size_t second = 0;
    double share = 0;
  };
  std::vector<Main> main;   ///< All, largest share first.
  std::vector<Pair> pairs;  ///< Of important ones; largest first.
};

/// Computes the functional ANOVA of the model's posterior mean over the space,
/// where every parameter is uniform on its scale. The targets are decomposed
/// rather than the metric, because a few disasters would dominate the metric's
/// variance.
///
/// A conditional parameter has no effect where it is inactive, so its share
/// grows with the part of the space in which it is active; that it matters only
/// there is an interaction with its parent. Intervals come from draws of the
/// posterior (as in Marrel et al. 2009, "Calculations of Sobol indices for the
/// Gaussian process metamodel"): each is the share that the draw's effect would
/// have beside all other effects in the mean. They are widened to hold the
/// share. Deterministic.
CoordinateShares EstimateImportance(const ExaminedStudy& study);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_INSIGHTS_IMPORTANCE_H_
