#ifndef VERNIER_BASE_CRC32C_H_
#define VERNIER_BASE_CRC32C_H_

#include <cstdint>
#include <string_view>

namespace vernier {

/// The CRC-32C (Castagnoli, RFC 3720) of what `crc` is the checksum of followed
/// by `data`; 0 is the checksum of nothing. Pure. Some GB/s where the processor
/// knows it.
std::uint32_t ExtendCrc32c(std::uint32_t crc, std::string_view data);

}  // namespace vernier

#endif  // VERNIER_BASE_CRC32C_H_
