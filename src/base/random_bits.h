#ifndef VERNIER_BASE_RANDOM_BITS_H_
#define VERNIER_BASE_RANDOM_BITS_H_

#include <cstdint>
#include <string>

namespace vernier {

/// Returns 128 bits from the kernel as 32 hex digits. Thread-safe.
std::string RandomHex();

/// Returns 63 bits from the kernel: a seed that also fits int64. Thread-safe.
std::uint64_t RandomSeed();

}  // namespace vernier

#endif  // VERNIER_BASE_RANDOM_BITS_H_
