#ifndef VERNIER_STORE_PAGES_PAGE_CHECKSUM_H_
#define VERNIER_STORE_PAGES_PAGE_CHECKSUM_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vernier {

/// Bytes at the end of each database page that SQLite does not use.
inline constexpr int kChecksumBytes = 8;

/// A checksum of `bytes`, whose length is a multiple of 8, and of `seed`. It
/// always detects a change of any one byte, and of any run of 32 bits that
/// begins at a multiple of four; other changes with a probability of 1 - 2^-64.
/// It detects accidents, not attacks: a program that can write the file can
/// write the sum. The same on every machine. Some 0.7 microseconds for 4 KiB.
std::uint64_t Checksum(std::string_view bytes, std::uint64_t seed);

/// Writes the checksum of a page into its last bytes. `number` counts from 1
/// and is a part of it: a page in the wrong place does not match.
void SealPage(unsigned char* page, std::size_t size, std::int64_t number);

/// True if the page is as SealPage left it.
bool IsSealed(const unsigned char* page, std::size_t size, std::int64_t number);

}  // namespace vernier

#endif  // VERNIER_STORE_PAGES_PAGE_CHECKSUM_H_
