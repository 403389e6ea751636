#include "base/crc32c.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace vernier {
namespace {

// The polynomial in reflected form, as in RFC 3720.
constexpr std::uint32_t kPolynomial = 0x82f63b78;

constexpr std::array<std::uint32_t, 256> MakeTable() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    }
    table[i] = crc;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> kTable = MakeTable();

std::uint32_t ExtendByTable(std::uint32_t crc, std::string_view data) {
  for (const char c : data) {
    crc = (crc >> 8) ^ kTable[(crc ^ static_cast<unsigned char>(c)) & 0xff];
  }
  return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t ExtendByInstruction(
    std::uint32_t crc, std::string_view data) {
  std::uint64_t wide = crc;
  while (data.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, data.data(), sizeof(word));
    wide = __builtin_ia32_crc32di(wide, word);
    data.remove_prefix(sizeof(word));
  }
  return ExtendByTable(static_cast<std::uint32_t>(wide), data);
}
#endif

}  // namespace

std::uint32_t ExtendCrc32c(std::uint32_t crc, std::string_view data) {
#if defined(__x86_64__)
  static const bool kHasInstruction = __builtin_cpu_supports("sse4.2") != 0;
  if (kHasInstruction) return ~ExtendByInstruction(~crc, data);
#endif
  return ~ExtendByTable(~crc, data);
}

}  // namespace vernier
