#ifndef VERNIER_SUGGEST_DESIGN_LATIN_HYPERCUBE_H_
#define VERNIER_SUGGEST_DESIGN_LATIN_HYPERCUBE_H_

#include <Eigen/Core>
#include <random>

namespace vernier {

/// Returns `count` points of the unit cube, a `count` x `dimension` matrix:
/// each coordinate has one value in each of `count` equal cells, in an order of
/// its own (McKay, Beckman and Conover 1979).
///
/// Pairs of coordinates are no more even than random points, but equally so in
/// every dimension. A Sobol' sequence with tens of coordinates has some pairs
/// that depend on each other for thousands of points.
Eigen::MatrixXd LatinHypercube(Eigen::Index count, Eigen::Index dimension,
                               std::mt19937_64& rng);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_DESIGN_LATIN_HYPERCUBE_H_
