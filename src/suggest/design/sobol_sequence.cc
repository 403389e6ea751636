#include "suggest/design/sobol_sequence.h"

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <limits>

namespace vernier {
namespace {

// Direction numbers of Joe and Kuo (2008), as Boost.Random ships them.
using SobolEngine =
    boost::random::sobol_engine<std::uint32_t, 32,
                                boost::random::default_sobol_table>;

static_assert(ScrambledSobol::kMaxSobolDimension ==
              boost::random::default_sobol_table::max_dimension);

// Boost throws beyond this.
constexpr std::int64_t kPeriod = std::numeric_limits<std::uint32_t>::max();

std::uint32_t ReverseBits(std::uint32_t x) {
  x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  return __builtin_bswap32(x);
}

// Returns the centre of the cell of width 2^-32, which is never 0 or 1.
double ToUnit(std::uint32_t bits) {
  return (static_cast<double>(bits) + 0.5) * 0x1p-32;
}

}  // namespace

// Burley 2020, "Practical hash-based Owen scrambling", with the Laine-Karras
// style hash of Vegdahl 2021. In each step a bit depends on lower bits only;
// so, between two bit reversals, a digit depends on the digits above it only.
std::uint32_t NestedUniformScramble(std::uint32_t bits, std::uint32_t seed) {
  std::uint32_t x = ReverseBits(bits);
  x ^= x * 0x3d20adeau;
  x += seed;
  x *= (seed >> 16) | 1u;
  x ^= x * 0x05526c56u;
  x ^= x * 0x53a22864u;
  return ReverseBits(x);
}

ScrambledSobol::ScrambledSobol(int dimension, std::mt19937_64& rng) {
  for (int i = 0; i < dimension; ++i) {
    scramble_seeds_.push_back(static_cast<std::uint32_t>(rng() >> 32));
  }
}

Eigen::MatrixXd ScrambledSobol::Points(std::int64_t first_index,
                                       int count) const {
  const auto dimension = static_cast<Eigen::Index>(scramble_seeds_.size());
  Eigen::MatrixXd points(count, dimension);
  if (dimension == 0) return points;
  const Eigen::Index num_sobol =
      std::min<Eigen::Index>(dimension, kMaxSobolDimension);
  SobolEngine engine(static_cast<std::size_t>(num_sobol));
  for (int i = 0; i < count; ++i) {
    const std::int64_t index = (first_index + i) % kPeriod;
    // Boost's engine leaves out the origin, without which the first 2^m points
    // are no net (Owen 2020, "On dropping the first Sobol' point").
    if (i == 0 && index > 0) engine.seed(static_cast<std::uint32_t>(index - 1));
    if (index == 0) engine.seed();
    for (Eigen::Index j = 0; j < dimension; ++j) {
      const std::uint32_t seed = scramble_seeds_[static_cast<std::size_t>(j)];
      std::uint32_t bits = static_cast<std::uint32_t>(index) * 0x9e3779b9u;
      if (j < num_sobol) bits = index == 0 ? 0u : engine();
      points(i, j) = ToUnit(NestedUniformScramble(bits, seed));
    }
  }
  return points;
}

}  // namespace vernier
