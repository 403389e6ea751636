#include "cluster/metrics/printed_metrics.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "base/number_text.h"
#include "base/whole_number.h"

namespace vernier {
namespace {

bool IsDigit(char c) {
  return absl::ascii_isdigit(static_cast<unsigned char>(c));
}

// A byte that belongs to the name of a metric, of which a name may be the end.
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

std::size_t CountDigits(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && IsDigit(text[count])) ++count;
  return count;
}

// Bytes of the decimal number without a sign; 0 if there is none.
std::size_t DecimalSize(std::string_view text) {
  std::size_t size = CountDigits(text);
  if (size < text.size() && text[size] == '.') {
    const std::size_t fraction = CountDigits(text.substr(size + 1));
    if (fraction > 0) size += 1 + fraction;
  }
  if (size == 0 || size == text.size() || (text[size] | 0x20) != 'e') {
    return size;
  }
  std::size_t digits = size + 1;
  if (digits < text.size() && (text[digits] == '-' || text[digits] == '+')) {
    ++digits;
  }
  const std::size_t exponent = CountDigits(text.substr(digits));
  return exponent == 0 ? size : digits + exponent;
}

// `word` is in small letters, the text in any.
bool StartsWith(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) {
           return a == absl::ascii_tolower(static_cast<unsigned char>(b));
         });
}

// Bytes of the number that the text begins with; 0 if there is none.
std::size_t NumberSize(std::string_view text) {
  std::string_view rest = text;
  SkipOneOf("+-", rest);
  const std::size_t sign = text.size() - rest.size();
  for (const std::string_view word : {"infinity", "inf", "nan"}) {
    if (StartsWith(rest, word)) return sign + word.size();
  }
  const std::size_t size = DecimalSize(rest);
  return size == 0 ? 0 : sign + size;
}

// Whether a value may end before the text.
bool EndsValue(std::string_view text) {
  if (text.empty()) return true;
  if (text.front() == '.') text.remove_prefix(1);  // "0.5." and "3."
  if (text.empty()) return true;
  if (text.front() == ',') return text.size() == 1 || !IsDigit(text[1]);
  constexpr std::string_view kEnds = " \t;|%)]}>(\"'`";
  return kEnds.find(text.front()) != std::string_view::npos;
}

// What follows a name: a sign of assignment. `text` is left at the value.
bool SkipAssignment(std::string_view& text) {
  SkipOneOf("\"'`", text);
  SkipBlanks(text);
  if (!SkipOneOf("=:", text)) return false;
  SkipBlanks(text);
  SkipOneOf("\"'`", text);
  return true;
}

// The number of a step at the text's begin. It may be followed by more than a
// value is, such as "/10".
std::optional<std::int64_t> PrintedStep(std::string_view text) {
  const std::size_t size = NumberSize(text);
  if (size == 0) return std::nullopt;
  if (size < text.size() &&
      (text[size] == '_' ||
       absl::ascii_isalnum(static_cast<unsigned char>(text[size])))) {
    return std::nullopt;
  }
  return PrintedWholeNumber(text.substr(0, size));
}

// "step=3", "step 3", "step: [3", "step[3".
std::optional<std::int64_t> StepAfterWord(std::string_view text) {
  std::string_view rest = text;
  if (!SkipAssignment(rest)) {
    rest = text;
    SkipBlanks(rest);
    const bool is_apart = rest.size() < text.size();
    if (!is_apart && !rest.starts_with('[')) return std::nullopt;
  }
  SkipOneOf("[#", rest);
  return PrintedStep(rest);
}

// Boosting libraries begin a line with "[3]\t" or "3:\t".
std::optional<std::int64_t> BoostingRound(std::string_view line) {
  const bool has_bracket = SkipOneOf("[", line);
  const std::size_t digits = CountDigits(line);
  if (line.substr(digits, 2) != (has_bracket ? "]\t" : ":\t")) {
    return std::nullopt;
  }
  return PrintedWholeNumber(line.substr(0, digits));
}

}  // namespace

std::optional<double> PrintedNumber(std::string_view text) {
  const std::size_t size = NumberSize(text);
  double value = 0;
  if (size == 0 || !EndsValue(text.substr(size)) ||
      !absl::SimpleAtod(std::string(text.substr(0, size)), &value)) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::int64_t> PrintedWholeNumber(std::string_view text) {
  // ParseInteger refuses "003", which YAML may take for octal.
  const auto decimal = ParseWholeNumber(text);
  return decimal ? decimal : ParseInteger(text);
}

std::optional<double> FindPrintedMetric(std::string_view line,
                                        std::string_view name,
                                        LetterCase letters) {
  if (name.empty()) return std::nullopt;
  if (letters == LetterCase::kDoesNotMatter) {
    return FindPrintedMetric(absl::AsciiStrToLower(std::string(line)),
                             absl::AsciiStrToLower(std::string(name)));
  }
  std::size_t at = line.rfind(name);
  while (at != std::string_view::npos) {
    std::string_view rest = line.substr(at + name.size());
    if (BeginsWord(line, at) && SkipAssignment(rest)) {
      const std::optional<double> value = PrintedNumber(rest);
      if (value) return value;
    }
    if (at == 0) break;
    at = line.rfind(name, at - 1);
  }
  return std::nullopt;
}

std::optional<std::int64_t> FindPrintedStep(std::string_view line) {
  const std::string lower = absl::AsciiStrToLower(std::string(line));
  for (const std::string_view word : {"global_step", "step", "epoch"}) {
    for (std::size_t at = lower.find(word); at != std::string::npos;
         at = lower.find(word, at + 1)) {
      if (!BeginsWord(lower, at)) continue;
      const auto step =
          StepAfterWord(std::string_view(lower).substr(at + word.size()));
      if (step) return step;
    }
  }
  return BoostingRound(line);
}

}  // namespace vernier
