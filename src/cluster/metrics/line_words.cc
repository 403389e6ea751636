#include "cluster/metrics/line_words.h"

#include "absl/strings/ascii.h"
#include "cluster/metrics/printed_number.h"

namespace vernier {
namespace {

// Dots that lead to a value: "loss ....... 0.25".
bool SkipLeader(std::string_view& text) {
  const std::size_t dots = std::min(text.find_first_not_of('.'), text.size());
  if (dots < 2) return false;
  text.remove_prefix(dots);
  SkipBlanks(text);
  return true;
}

}  // namespace

bool IsDigit(char c) {
  return absl::ascii_isdigit(static_cast<unsigned char>(c));
}

bool IsNameByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return absl::ascii_isalnum(byte) || byte >= 0x80 || c == '_' || c == '-' ||
         c == '/' || c == '.';
}

bool BeginsWord(std::string_view line, std::size_t at) {
  return at == 0 || !IsNameByte(line[at - 1]);
}

bool SkipOneOf(std::string_view characters, std::string_view& text) {
  if (text.empty() || characters.find(text.front()) == characters.npos) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

void SkipBlanks(std::string_view& text) {
  while (SkipOneOf(" \t", text)) {
  }
}

std::string_view WordAt(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && IsNameByte(text[size])) ++size;
  return text.substr(0, size);
}

std::string_view WordAtEnd(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && IsNameByte(text[begin - 1])) --begin;
  return text.substr(begin);
}

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

bool IsLetter(char c) {
  return absl::ascii_isalpha(static_cast<unsigned char>(c));
}

bool HasLetter(std::string_view word) {
  return std::any_of(word.begin(), word.end(), IsLetter);
}

bool IsNumberWord(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), IsDigit);
}

bool SkipAssignment(std::string_view& text) {
  SkipOneOf("\"'`", text);
  while (SkipOneOf("*", text)) {  // Of "**F1**: 0.7".
  }
  SkipBlanks(text);
  const bool is_led = SkipLeader(text);
  if (SkipOneOf("=:", text)) {
    SkipOneOf("=>", text);  // Of ":=", "==" and "=>".
  } else if (!is_led) {
    return false;
  }
  SkipBlanks(text);
  if (text.starts_with("**")) text.remove_prefix(2);  // Of "**0.7**".
  SkipOneOf("\"'`", text);
  return true;
}

std::string TakeLastWord(std::string_view& text) {
  constexpr std::string_view kOpening = " \t\"'`([{*";
  constexpr std::size_t kLongestWord = 24;
  while (!text.empty() && kOpening.find(text.back()) != kOpening.npos) {
    text.remove_suffix(1);
  }
  std::string_view word = text;
  if (word.ends_with(':')) word.remove_suffix(1);
  std::size_t begin = word.size();
  while (begin > 0 && word.size() - begin <= kLongestWord &&
         (IsNameByte(word[begin - 1]) || word[begin - 1] == '\'')) {
    --begin;
  }
  const bool begins =
      begin == 0 || kOpening.find(word[begin - 1]) != std::string_view::npos;
  if (!begins) return "";
  text = text.substr(0, begin);
  return absl::AsciiStrToLower(std::string(word.substr(begin)));
}

bool BeginsProgressBar(std::string_view text) {
  const std::size_t size = PrintedNumberSize(text);
  if (size == 0 || !text.substr(size).starts_with('%')) return false;
  text.remove_prefix(size + 1);
  // A bar stands between two of "|", or it is drawn with lines.
  const bool is_drawn =
      text.starts_with(" \xe2\x94\x80") || text.starts_with(" \xe2\x94\x81");
  if (!is_drawn && !text.starts_with('|')) return false;
  const std::size_t end = text.find(is_drawn ? ' ' : '|', 1);
  if (end == std::string_view::npos) return false;
  text.remove_prefix(end + 1);
  SkipBlanks(text);
  const std::size_t done = PrintedNumberSize(text);
  return done > 0 && text.substr(done).starts_with('/');
}

}  // namespace vernier
