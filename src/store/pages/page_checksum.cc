#include "store/pages/page_checksum.h"

#include <bit>
#include <cstring>

namespace vernier {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the checksum of a page is little-endian");

std::string_view BytesBeforeSeal(const unsigned char* page, std::size_t size) {
  return {reinterpret_cast<const char*>(page), size - kChecksumBytes};
}

}  // namespace

// The sum of SQLite's write-ahead log (https://www.sqlite.org/fileformat.html,
// section 4.2), started with a seed. Each step can be undone, so two pages that
// differ in one word only never have the same sum. The seed also makes a page
// of zeros invalid.
std::uint64_t Checksum(std::string_view bytes, std::uint64_t seed) {
  auto first = static_cast<std::uint32_t>(seed) + 0x56524e52u;
  auto second = static_cast<std::uint32_t>(seed >> 32) + 0x9e3779b9u;
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    std::uint32_t words[2];
    std::memcpy(words, bytes.data() + i, 8);
    first += words[0] + second;
    second += words[1] + first;
  }
  return (std::uint64_t{second} << 32) | first;
}

void SealPage(unsigned char* page, std::size_t size, std::int64_t number) {
  const std::uint64_t sum =
      Checksum(BytesBeforeSeal(page, size), static_cast<std::uint64_t>(number));
  std::memcpy(page + size - kChecksumBytes, &sum, kChecksumBytes);
}

bool IsSealed(const unsigned char* page, std::size_t size,
              std::int64_t number) {
  std::uint64_t sum = 0;
  std::memcpy(&sum, page + size - kChecksumBytes, kChecksumBytes);
  return sum == Checksum(BytesBeforeSeal(page, size),
                         static_cast<std::uint64_t>(number));
}

}  // namespace vernier
