#include "cluster/metrics/terminal_text.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace vernier {
namespace {

constexpr char kEscape = '\x1b';

bool IsBetween(char c, char low, char high) { return c >= low && c <= high; }

// An escape sequence without its escape character (ECMA-48, 5.4).
struct Sequence {
  std::size_t size = 0;
  bool begins_line = false;
};

Sequence ReadControlSequence(std::string_view text) {
  std::size_t end = 1;  // After the bracket.
  while (end < text.size() && IsBetween(text[end], ' ', '?')) ++end;
  if (end == text.size()) return {end};
  const std::string_view parameter = text.substr(1, end - 1);
  const char final = text[end];
  const bool begins_line =
      (final == 'G' && (parameter.empty() || parameter == "1")) ||
      (final == 'K' && parameter == "2");
  return {end + 1, begins_line};
}

// Reads a command string, such as a window's title; it ends with BEL, or with
// escape and backslash.
Sequence ReadCommandString(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\a') return {i + 1};
    if (text[i] == kEscape) return {i};  // The rest is a sequence of its own.
  }
  return {text.size()};
}

Sequence ReadSequence(std::string_view text) {
  if (text.empty()) return {0};
  if (text.front() == '[') return ReadControlSequence(text);
  if (text.front() == ']') return ReadCommandString(text);
  std::size_t end = 0;  // "ESC ( B" and the like have bytes in between.
  while (end < text.size() && IsBetween(text[end], ' ', '/')) ++end;
  return {end < text.size() ? end + 1 : end};
}

// A sign and the one that means the same in ASCII.
struct PlainSign {
  std::string_view sign;
  std::string_view plain;
};

// The full-width signs of East Asian texts, the mark of byte order, and the
// no-break blank.
constexpr PlainSign kPlainSigns[] = {
    {"\xef\xbc\x85", "%"}, {"\xef\xbc\x88", "("}, {"\xef\xbc\x89", ")"},
    {"\xef\xbc\x8c", ","}, {"\xef\xbc\x9a", ":"}, {"\xef\xbc\x9b", ";"},
    {"\xef\xbc\x9d", "="}, {"\xef\xbd\x9c", "|"}, {"\xe3\x80\x80", " "},
    {"\xe3\x80\x81", ","}, {"\xe3\x80\x82", "."}, {"\xe3\x80\x90", "["},
    {"\xe3\x80\x91", "]"}, {"\xef\xbb\xbf", ""},  {"\xc2\xa0", " "}};

bool IsAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// Returns the sign that the text begins with; null if it begins with none.
const PlainSign* SignAt(std::string_view text) {
  const auto* const found = std::find_if(
      std::begin(kPlainSigns), std::end(kPlainSigns),
      [text](const PlainSign& each) { return text.starts_with(each.sign); });
  return found == std::end(kPlainSigns) ? nullptr : found;
}

bool IsDigitAt(std::string_view text, std::size_t at) {
  return at < text.size() && IsBetween(text[at], '0', '9');
}

}  // namespace

std::string WithPlainSigns(std::string_view text) {
  // Most lines have none.
  const auto first = std::find_if_not(text.begin(), text.end(), &IsAscii);
  std::string plain(text.begin(), first);
  plain.reserve(text.size());
  for (std::size_t i = plain.size(); i < text.size();) {
    const PlainSign* const found =
        IsAscii(text[i]) ? nullptr : SignAt(text.substr(i));
    // A blank between digits may separate thousands.
    const bool is_in_number = found != nullptr && found->plain == " " &&
                              i > 0 && IsDigitAt(text, i - 1) &&
                              IsDigitAt(text, i + found->sign.size());
    if (found == nullptr || is_in_number) {
      plain += text[i++];
    } else {
      plain += found->plain;
      i += found->sign.size();
    }
  }
  return plain;
}

std::string TerminalText(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == kEscape) {
      const Sequence sequence = ReadSequence(text.substr(i + 1));
      if (sequence.begins_line) shown.clear();
      i += sequence.size;
    } else if (c == '\t' ||
               (static_cast<unsigned char>(c) >= ' ' && c != '\x7f')) {
      shown += c;
    }
  }
  return shown;
}

}  // namespace vernier
