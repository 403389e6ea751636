#ifndef VERNIER_BASE_CRC32C_H_
#define VERNIER_BASE_CRC32C_H_

#include <cstdint>
#include <string_view>

namespace vernier {

/// Returns the CRC-32C (Castagnoli, RFC 3720) of a text with checksum `crc`
/// followed by `data`; the empty text has checksum 0. Pure. Some GB/s if the
/// processor has an instruction for it.
std::uint32_t ExtendCrc32c(std::uint32_t crc, std::string_view data);

}  // namespace vernier

#endif  // VERNIER_BASE_CRC32C_H_
