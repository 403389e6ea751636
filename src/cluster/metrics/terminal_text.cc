#include "cluster/metrics/terminal_text.h"

#include <cstddef>

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

}  // namespace

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
