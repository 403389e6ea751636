#ifndef VERNIER_HTTP_HEADER_TEXT_H_
#define VERNIER_HTTP_HEADER_TEXT_H_

#include <string_view>

#include "absl/strings/string_view.h"

namespace vernier {

/// Returns the same text for the functions of absl, which has its own
/// string_view type here.
inline absl::string_view Absl(std::string_view text) {
  return {text.data(), text.size()};
}

/// The grammar of HTTP/1.1's header lines (RFC 9110, 5.5 and 5.6.2). Pure.

/// Returns whether a character may be part of a method or of a header's name.
bool IsTokenCharacter(char c);
/// Returns whether a text can be a header's name: a token, not empty.
bool IsHeaderName(std::string_view text);
/// Returns whether a text can be a header's value: no control character except
/// the tab. CR or LF in it would begin another header or another answer.
bool IsHeaderValue(std::string_view text);

/// Returns the value of a hex digit of either case, or -1.
int HexDigit(char c);

/// Returns the text without the blanks and tabs around it.
std::string_view TrimBlanks(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_HTTP_HEADER_TEXT_H_
