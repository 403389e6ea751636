#ifndef VERNIER_BASE_UTF8_H_
#define VERNIER_BASE_UTF8_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace vernier {

/// Returns the offset of the first byte that is not part of valid UTF-8 (RFC
/// 3629), or npos.
std::size_t FindInvalidUtf8(std::string_view text);

/// Returns `text` with U+FFFD for each byte that is not part of valid UTF-8: a
/// parser of protocol buffers refuses a whole message for one such byte.
std::string ValidUtf8(std::string_view text);

/// Appends the code point, which must be a Unicode scalar value.
void AppendUtf8(std::uint32_t code_point, std::string& text);

/// Returns `text`, which must be valid UTF-8, as a JSON string in quotes.
std::string JsonQuoted(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_BASE_UTF8_H_
