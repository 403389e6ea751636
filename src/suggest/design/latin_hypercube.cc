#include "suggest/design/latin_hypercube.h"

#include <cstdint>
#include <utility>

#include "base/rng.h"

namespace vernier {

Eigen::MatrixXd LatinHypercube(Eigen::Index count, Eigen::Index dimension,
                               std::mt19937_64& rng) {
  Eigen::MatrixXd points(count, dimension);
  for (Eigen::Index j = 0; j < dimension; ++j) {
    for (Eigen::Index i = 0; i < count; ++i) {
      points(i, j) = (static_cast<double>(i) + UniformDouble(rng)) /
                     static_cast<double>(count);
    }
    for (Eigen::Index left = count; left > 1; --left) {
      const auto chosen = static_cast<Eigen::Index>(
          UniformInt(rng, static_cast<std::uint64_t>(left)));
      std::swap(points(left - 1, j), points(chosen, j));
    }
  }
  return points;
}

}  // namespace vernier
