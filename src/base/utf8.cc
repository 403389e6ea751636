#include "base/utf8.h"

#include <cstdio>

namespace vernier {
namespace {

// Returns the length of the valid sequence that begins at `i`, or 0.
std::size_t SequenceLength(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
  };
  const auto is_tail = [&](std::size_t k) { return (byte(k) & 0xc0) == 0x80; };
  const unsigned lead = byte(i);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return is_tail(i + 1) ? 2 : 0;
  const unsigned second = byte(i + 1);
  if (lead >= 0xe0 && lead <= 0xef) {
    // No overlong forms, no surrogates.
    const unsigned low = lead == 0xe0 ? 0xa0 : 0x80;
    const unsigned high = lead == 0xed ? 0x9f : 0xbf;
    return second >= low && second <= high && is_tail(i + 2) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const unsigned low = lead == 0xf0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xf4 ? 0x8f : 0xbf;
    const bool is_valid =
        second >= low && second <= high && is_tail(i + 2) && is_tail(i + 3);
    return is_valid ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::size_t FindInvalidUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = SequenceLength(text, i);
    if (length == 0) return i;
    i += length;
  }
  return std::string_view::npos;
}

std::string ValidUtf8(std::string_view text) {
  constexpr std::uint32_t kReplacement = 0xfffd;
  std::string valid;
  for (std::size_t bad = 0; (bad = FindInvalidUtf8(text)) != text.npos;) {
    valid.append(text.substr(0, bad));
    AppendUtf8(kReplacement, valid);
    text.remove_prefix(bad + 1);
  }
  return valid.append(text);
}

void AppendUtf8(std::uint32_t code_point, std::string& text) {
  const auto tail = [&](int shift) {
    text += static_cast<char>(0x80 | ((code_point >> shift) & 0x3f));
  };
  if (code_point < 0x80) {
    text += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    text += static_cast<char>(0xc0 | (code_point >> 6));
    tail(0);
  } else if (code_point < 0x10000) {
    text += static_cast<char>(0xe0 | (code_point >> 12));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xf0 | (code_point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string JsonQuoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  quoted += '"';
  return quoted;
}

}  // namespace vernier
