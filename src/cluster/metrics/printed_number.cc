#include "cluster/metrics/printed_number.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "base/whole_number.h"

namespace vernier {
namespace {

// Brackets and calls that a number may stand in, one in the other.
constexpr int kMostWrappers = 4;

bool IsNumberDigit(char c) {
  return absl::ascii_isdigit(static_cast<unsigned char>(c));
}

bool IsWordByte(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::size_t CountDigits(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && IsNumberDigit(text[count])) ++count;
  return count;
}

// Bytes of the digits before a fraction, which separators may group. As many
// groups as leave no doubt: one alone may be a decimal comma's fraction.
std::size_t WholePartSize(std::string_view text) {
  const std::size_t digits = CountDigits(text);
  if (digits == 0 || digits > 3) return digits;
  std::size_t size = digits;
  int groups = 0;
  while (size < text.size() && text[size] == ',' &&
         CountDigits(text.substr(size + 1)) == 3) {
    size += 4;
    ++groups;
  }
  const bool has_fraction = size + 1 < text.size() && text[size] == '.' &&
                            IsNumberDigit(text[size + 1]);
  return groups >= 2 || (groups == 1 && has_fraction) ? size : digits;
}

// Bytes of the decimal number without a sign; 0 if there is none.
std::size_t DecimalSize(std::string_view text) {
  std::size_t size = WholePartSize(text);
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

// Whether a value may end before the text.
bool EndsValue(std::string_view text) {
  if (text.empty()) return true;
  if (text.front() == '.') text.remove_prefix(1);  // "0.5." and "3."
  if (text.empty()) return true;
  if (text.front() == ',') return text.size() == 1 || !IsNumberDigit(text[1]);
  constexpr std::string_view kEnds = " \t;|%)]}>(\"'`";
  return kEnds.find(text.front()) != std::string_view::npos;
}

void SkipNumberBlanks(std::string_view& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  text.remove_prefix(std::min(begin, text.size()));
}

// Whether what stands in brackets goes on with another value: ", 0.5]". Named
// arguments, such as ", dtype=float32)", are none.
bool HasAnother(std::string_view text) {
  if (text.substr(0, 1) == ".") text.remove_prefix(1);  // Of "1., 2."
  SkipNumberBlanks(text);
  if (text.empty() || text.front() != ',') return false;
  text.remove_prefix(1);
  SkipNumberBlanks(text);
  return !text.empty() && (PrintedNumberSize(text) > 0 || text.front() == '[' ||
                           text.front() == '(');
}

// What an object is made of: "np.float64(" and "array([" are left out, and all
// up to its "numpy=" of "<tf.Tensor: ". False if there is no such beginning.
bool SkipWrapper(std::string_view& text) {
  if (text.empty()) return false;
  if (text.front() == '[' || text.front() == '(') {
    text.remove_prefix(1);
    SkipNumberBlanks(text);
    return true;
  }
  if (text.front() == '<') {
    constexpr std::string_view kNumpy = "numpy=";
    const std::size_t at = text.find(kNumpy);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + kNumpy.size());
    return true;
  }
  std::size_t size = 0;
  while (size < text.size() && (IsWordByte(text[size]) || text[size] == '.')) {
    ++size;
  }
  if (size == 0 || IsNumberDigit(text.front()) || text.substr(size, 1) != "(") {
    return false;
  }
  text.remove_prefix(size + 1);
  SkipNumberBlanks(text);
  return true;
}

}  // namespace

std::size_t PrintedNumberSize(std::string_view text) {
  const bool has_sign =
      !text.empty() && (text.front() == '+' || text.front() == '-');
  const std::string_view rest = text.substr(has_sign ? 1 : 0);
  const std::size_t sign = text.size() - rest.size();
  for (const std::string_view word : {"infinity", "inf", "nan"}) {
    if (StartsWith(rest, word)) return sign + word.size();
  }
  const std::size_t size = DecimalSize(rest);
  return size == 0 ? 0 : sign + size;
}

std::optional<double> PrintedNumber(std::string_view text) {
  const std::size_t size = PrintedNumberSize(text);
  if (size == 0 || !EndsValue(text.substr(size))) return std::nullopt;
  std::string number(text.substr(0, size));
  number.erase(std::remove(number.begin(), number.end(), ','), number.end());
  double value = 0;
  if (!absl::SimpleAtod(number, &value)) return std::nullopt;
  return value;
}

std::optional<double> PrintedValue(std::string_view text) {
  bool is_wrapped = false;
  for (int i = 0; i < kMostWrappers; ++i) {
    const std::optional<double> value = PrintedNumber(text);
    if (value.has_value()) {
      const bool is_one =
          !is_wrapped || !HasAnother(text.substr(PrintedNumberSize(text)));
      return is_one ? value : std::nullopt;
    }
    if (!SkipWrapper(text)) return std::nullopt;
    is_wrapped = true;
    const bool is_quoted =
        !text.empty() && (text.front() == '"' || text.front() == '\'');
    if (is_quoted) text.remove_prefix(1);
  }
  return std::nullopt;
}

std::string WhyNoPrintedValue(std::string_view text) {
  if (text.empty()) return "nothing follows";
  std::string_view inner = text;
  for (int i = 0; i < kMostWrappers && SkipWrapper(inner); ++i) {
  }
  const std::size_t size = PrintedNumberSize(inner);
  if (size == 0) return "that is no number";
  const std::string_view rest = inner.substr(size);
  if (inner.size() < text.size() && HasAnother(rest)) {
    return "that is more than one number";
  }
  if (!rest.empty() && rest.front() == ',') {
    return "its comma may be a decimal point or separate thousands; print a "
           "point";
  }
  return absl::StrCat("the number goes on with ", ShowText(rest, 20));
}

std::optional<std::int64_t> PrintedWholeNumber(std::string_view text) {
  // ParseInteger refuses "003", which YAML may take for octal.
  const auto decimal = ParseWholeNumber(text);
  return decimal ? decimal : ParseInteger(text);
}

}  // namespace vernier
