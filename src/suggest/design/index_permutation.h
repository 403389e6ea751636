#ifndef VERNIER_SUGGEST_DESIGN_INDEX_PERMUTATION_H_
#define VERNIER_SUGGEST_DESIGN_INDEX_PERMUTATION_H_

#include <array>
#include <cstdint>

namespace vernier {

/// A seeded permutation of {0, ..., size - 1} that is computed, not stored:
/// O(1) memory, even for 2^63 - 1 of them. Not for secrets. Immutable.
class IndexPermutation {
 public:
  /// `size` >= 1. The same arguments give the same order everywhere.
  IndexPermutation(std::uint64_t seed, std::int64_t size);

  /// Returns the element at `position`, both in [0, size). O(1) on average.
  std::int64_t At(std::int64_t position) const;

 private:
  std::uint64_t Scramble(std::uint64_t x) const;

  const std::uint64_t size_;
  unsigned half_bits_ = 1;  // 2^(2 half_bits_) >= size_.
  std::array<std::uint64_t, 6> keys_{};
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_DESIGN_INDEX_PERMUTATION_H_
