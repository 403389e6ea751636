#ifndef VERNIER_BASE_RNG_H_
#define VERNIER_BASE_RNG_H_

#include <cstdint>
#include <random>

namespace vernier {

/// The distributions are implemented here, because those of the standard
/// library give different numbers in different libraries, so a study could not
/// be replayed elsewhere.

/// Generator for one purpose of one study: mixes `seed` and `stream` (such as
/// a trial number) so that neighbouring pairs give unrelated sequences.
std::mt19937_64 MakeRng(std::uint64_t seed, std::uint64_t stream);

/// A bijection in which every input bit affects every output bit, so that
/// neighbours become unrelated.
std::uint64_t MixBits(std::uint64_t x);

/// Uniform in [0, 1), 53 bits.
double UniformDouble(std::mt19937_64& rng);

/// Uniform in {0, ..., n - 1}, unbiased. `n` >= 1.
std::uint64_t UniformInt(std::mt19937_64& rng, std::uint64_t n);

/// Standard normal (inverse CDF of one uniform draw).
double Normal(std::mt19937_64& rng);

}  // namespace vernier

#endif  // VERNIER_BASE_RNG_H_
