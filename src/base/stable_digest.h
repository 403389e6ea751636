#ifndef VERNIER_BASE_STABLE_DIGEST_H_
#define VERNIER_BASE_STABLE_DIGEST_H_

#include <cstdint>
#include <string_view>

namespace vernier {

/// FNV-1a, 64 bits (Fowler, Noll and Vo): stable across builds and machines.
/// Digests are stored, so it must never change. It detects accidents, not
/// attacks. O(size).
inline std::uint64_t StableDigest(std::string_view text) {
  std::uint64_t digest = 0xcbf29ce484222325;
  for (const char c : text) {
    digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return digest;
}

}  // namespace vernier

#endif  // VERNIER_BASE_STABLE_DIGEST_H_
