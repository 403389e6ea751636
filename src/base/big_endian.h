#ifndef VERNIER_BASE_BIG_ENDIAN_H_
#define VERNIER_BASE_BIG_ENDIAN_H_

#include <cstdint>

namespace vernier {

/// Returns the number that `count` bytes stand for, the highest first. `count`
/// is 1 to 4.
constexpr std::uint32_t ReadBigEndian(const unsigned char* bytes,
                                      int count = 4) {
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i) value = value << 8 | bytes[i];
  return value;
}

}  // namespace vernier

#endif  // VERNIER_BASE_BIG_ENDIAN_H_
