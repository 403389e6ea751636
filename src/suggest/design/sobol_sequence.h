#ifndef VERNIER_SUGGEST_DESIGN_SOBOL_SEQUENCE_H_
#define VERNIER_SUGGEST_DESIGN_SOBOL_SEQUENCE_H_

#include <Eigen/Core>
#include <cstdint>
#include <random>
#include <vector>

namespace vernier {

/// Sobol' points with Owen's nested uniform scrambling.
///
/// Any 2^m points from an index that is a multiple of 2^m stay as evenly spread
/// as the plain sequence (a (t, m, s)-net), while each point by itself is
/// uniform in the cube. Immutable, so thread-safe.
class ScrambledSobol {
 public:
  /// Largest dimension with direction numbers; later coordinates are plain
  /// pseudo-random numbers.
  static constexpr int kMaxSobolDimension = 3667;

  /// Draws one scrambling seed per coordinate from `rng`. `dimension` >= 0.
  ScrambledSobol(int dimension, std::mt19937_64& rng);

  /// Returns points first_index, ..., first_index + count - 1: a `count` x
  /// dimension matrix with entries in (0, 1). Points repeat after index 2^32 -
  /// 2.
  Eigen::MatrixXd Points(std::int64_t first_index, int count) const;

 private:
  std::vector<std::uint32_t> scramble_seeds_;  // One per coordinate.
};

/// Applies nested uniform scrambling to the 32 binary digits of `bits` / 2^32:
/// digit k is flipped or not depending on `seed` and the digits above it only.
std::uint32_t NestedUniformScramble(std::uint32_t bits, std::uint32_t seed);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_DESIGN_SOBOL_SEQUENCE_H_
