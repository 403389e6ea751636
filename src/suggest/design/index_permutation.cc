#include "suggest/design/index_permutation.h"

#include <random>

#include "base/check.h"
#include "base/rng.h"

namespace vernier {

IndexPermutation::IndexPermutation(std::uint64_t seed, std::int64_t size)
    : size_(static_cast<std::uint64_t>(size)) {
  VERNIER_CHECK(size >= 1);
  while (half_bits_ < 32 && (size_ - 1) >> (2 * half_bits_) != 0) ++half_bits_;
  // "grid" in ASCII: a stream of the study's seed that no trial number reaches.
  constexpr std::uint64_t kOrderOfAGrid = 0x677269640000;
  std::mt19937_64 rng = MakeRng(seed, kOrderOfAGrid);
  for (std::uint64_t& key : keys_) key = rng();
}

// A Feistel network (Luby and Rackoff 1988) permutes the numbers below the next
// power of four, whatever its round function is. This one has six rounds of a
// bit mixer.
std::uint64_t IndexPermutation::Scramble(std::uint64_t x) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = x >> half_bits_;
  std::uint64_t right = x & mask;
  for (const std::uint64_t key : keys_) {
    const std::uint64_t next = left ^ (MixBits(right ^ key) & mask);
    left = right;
    right = next;
  }
  return left << half_bits_ | right;
}

// Repeats until the result lies inside (cycle walking), which keeps it a
// permutation (Black and Rogaway 2002). That takes less than four steps on
// average, because the network is less than four times as large.
std::int64_t IndexPermutation::At(std::int64_t position) const {
  auto x = static_cast<std::uint64_t>(position);
  do {
    x = Scramble(x);
  } while (x >= size_);
  return static_cast<std::int64_t>(x);
}

}  // namespace vernier
