#include "cluster/metrics/printed_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/blank_separated.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "base/whole_number.h"

namespace vernier {
namespace {

// Numbers are recognized by hand and not by strtod, because programs print them
// in many forms: digits grouped into thousands, percentages, deviations
// ("0.39+/-0.01"), tensors. The functions named ...Size return the bytes that
// such a part takes at the text's beginning, or 0 if it is not there. A number
// that could be a part of a longer expression ("1/2", "1 234.5") is refused
// rather than guessed.

// A number may stand in this many nested brackets and calls.
constexpr int kMostWrappers = 4;
// The longest description that a tensor may print before its number, in bytes.
constexpr std::size_t kLongestWrapper = 400;

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

constexpr std::string_view kMinus = "\xe2\x88\x92";
constexpr std::string_view kInfinitySign = "\xe2\x88\x9e";
constexpr std::string_view kPlusMinus[] = {"\xc2\xb1", "+/-", "+-"};
// Arrows that say whether a value rose or fell.
constexpr std::string_view kArrows[] = {"\xe2\x86\x91", "\xe2\x86\x93"};
// Characters whose only use in numbers is to separate thousands: apostrophes,
// the underscore, and no-break blanks.
constexpr std::string_view kThousands[] = {
    "'", "_", "\xe2\x80\x99", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89"};

// Returns the bytes of a separator of thousands with the three digits behind
// it; 0 if there is no such group.
std::size_t GroupSize(std::string_view text, std::string_view separator) {
  if (!text.starts_with(separator)) return 0;
  return CountDigits(text.substr(separator.size())) == 3 ? separator.size() + 3
                                                         : 0;
}

// Returns the bytes of the digits before a fraction, which may be grouped. A
// single group after a comma counts only if a fraction follows, because it may
// itself be the fraction behind a decimal comma.
std::size_t WholePartSize(std::string_view text) {
  const std::size_t digits = CountDigits(text);
  if (digits == 0 || digits > 3) return digits;
  for (const std::string_view separator : kThousands) {
    std::size_t size = digits;
    while (const std::size_t group = GroupSize(text.substr(size), separator)) {
      size += group;
    }
    if (size > digits) return size;
  }
  std::size_t size = digits;
  int groups = 0;
  while (GroupSize(text.substr(size), ",") > 0) {
    size += 4;
    ++groups;
  }
  const bool has_fraction = size + 1 < text.size() && text[size] == '.' &&
                            IsNumberDigit(text[size + 1]);
  return groups >= 2 || (groups == 1 && has_fraction) ? size : digits;
}

// Returns whether the text begins with an exponent; Fortran writes it with a D.
bool BeginsExponent(std::string_view text) {
  if (text.empty()) return false;
  const char letter =
      absl::ascii_tolower(static_cast<unsigned char>(text.front()));
  if (letter == 'e') return true;
  const bool has_sign = text.size() > 1 && (text[1] == '-' || text[1] == '+');
  return letter == 'd' && has_sign;
}

// Returns the bytes of a decimal number without a sign; 0 if there is none.
std::size_t DecimalSize(std::string_view text) {
  std::size_t size = WholePartSize(text);
  if (size < text.size() && text[size] == '.') {
    const std::size_t fraction = CountDigits(text.substr(size + 1));
    // NumPy prints "1.e-05".
    const bool has_exponent = size > 0 && BeginsExponent(text.substr(size + 1));
    if (fraction > 0 || has_exponent) size += 1 + fraction;
  }
  if (size == 0 || !BeginsExponent(text.substr(size))) return size;
  std::size_t digits = size + 1;
  if (digits < text.size() && (text[digits] == '-' || text[digits] == '+')) {
    ++digits;
  }
  const std::size_t exponent = CountDigits(text.substr(digits));
  return exponent == 0 ? size : digits + exponent;
}

// `word` is in lower case; the text may be in any case.
bool StartsWith(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) {
           return a == absl::ascii_tolower(static_cast<unsigned char>(b));
         });
}

// A unit that programs print behind a number, and its canonical spelling.
struct Unit {
  std::string_view text;
  std::string_view name;
};

// Each text, with its name behind "=" where that is another.
constexpr std::string_view kUnits =
    "% ns us=\xc2\xb5s \xc2\xb5s \xce\xbcs=\xc2\xb5s ms nsec=ns "
    "usec=\xc2\xb5s msec=ms s sec=s secs=s second=s seconds=s min mins=min "
    "minute=min minutes=min h hr=h hrs=h hour=h hours=h day=d days=d dB B kB "
    "KB=kB MB GB TB KiB MiB GiB Hz kHz MHz GHz W mW kW J mJ kJ MJ "
    "B/s kB/s KB/s=kB/s MB/s GB/s TB/s KiB/s MiB/s GiB/s "
    "Kbits/sec=Kbits/s Mbits/sec=Mbits/s Gbits/sec=Gbits/s fps FPS=fps it/s";

const std::vector<Unit>& Units() {
  static const std::vector<Unit> kRead = [] {
    std::vector<Unit> units;
    for (const std::string_view word : BlankSeparated(kUnits)) {
      const std::size_t sign = word.find('=');
      units.push_back({word.substr(0, sign),
                       sign == word.npos ? word : word.substr(sign + 1)});
    }
    return units;
  }();
  return kRead;
}

// Returns the longest unit at the text's beginning that `is_there` finds.
template <typename IsThere>
Unit LongestUnit(std::string_view text, IsThere is_there) {
  Unit longest;
  for (const Unit& unit : Units()) {
    if (unit.text.size() < longest.text.size() || !is_there(unit.text)) {
      continue;
    }
    const std::string_view rest = text.substr(unit.text.size());
    const bool goes_on =
        !rest.empty() && unit.text != "%" &&
        (IsWordByte(rest.front()) || rest.front() == '/' ||
         rest.front() == '-' || rest.front() == '^' || rest.front() == '=');
    if (!goes_on) longest = unit;
  }
  return longest;
}

// Returns the unit at the text's beginning; empty if there is none. The line
// may have been made lower case, so that "mb" is MB.
Unit UnitAt(std::string_view text) {
  const bool may_begin =
      !text.empty() && (IsWordByte(text.front()) || text.front() == '%' ||
                        static_cast<unsigned char>(text.front()) >= 0x80);
  if (!may_begin) return {};
  const Unit exact = LongestUnit(
      text, [text](std::string_view unit) { return text.starts_with(unit); });
  if (!exact.text.empty()) return exact;
  return LongestUnit(text, [text](std::string_view unit) {
    return unit.size() > 1 &&
           absl::StartsWithIgnoreCase({text.data(), text.size()},
                                      {unit.data(), unit.size()});
  });
}

// Returns the bytes of a deviation right behind a number: "+0.01" of
// "0.39+0.01".
std::size_t DeviationSize(std::string_view text) {
  if (!text.starts_with('+')) return 0;
  const std::size_t size = DecimalSize(text.substr(1));
  const bool has_fraction =
      text.substr(1, size).find('.') != std::string_view::npos;
  return has_fraction ? 1 + size : 0;
}

// Returns whether a value can end right before `text`.
bool EndsValue(std::string_view text) {
  if (text.empty()) return true;
  for (const std::string_view sign : kPlusMinus) {
    if (text.starts_with(sign)) return true;
  }
  for (const std::string_view arrow : kArrows) {
    if (text.starts_with(arrow)) return true;
  }
  text.remove_prefix(UnitAt(text).text.size());
  if (text.empty()) return true;
  if (const std::size_t deviation = DeviationSize(text); deviation > 0) {
    text.remove_prefix(deviation);
    if (text.empty()) return true;
  }
  if (text.front() == '*') {  // Of "0.25*" and "**0.25**".
    text.remove_prefix(std::min(text.find_first_not_of('*'), text.size()));
    return text.empty() || text.front() == ' ' || text.front() == '\t';
  }
  if (text.front() == ':') {  // Of "0.2: 100%".
    return text.size() == 1 || text[1] == ' ' || text[1] == '\t';
  }
  if (text.front() == '.') text.remove_prefix(1);  // "0.5." and "3."
  if (text.empty()) return true;
  if (text.front() == ',') return text.size() == 1 || !IsNumberDigit(text[1]);
  constexpr std::string_view kEnds = " \t;|%)]}>(\"'`!";
  return kEnds.find(text.front()) != std::string_view::npos;
}

void SkipNumberBlanks(std::string_view& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  text.remove_prefix(std::min(begin, text.size()));
}

// Skips a quote at the text's beginning.
void SkipQuote(std::string_view& text) {
  if (text.starts_with('"') || text.starts_with('\'')) text.remove_prefix(1);
}

// Returns whether another value follows within the brackets: ", 0.5]", "',
// '0.5']", " ms 0.5 ms]", or " 0.5]" as NumPy prints it. Named arguments, such
// as ", dtype=float32)", are not values.
bool HasAnother(std::string_view text) {
  if (text.substr(0, 1) == ".") text.remove_prefix(1);  // Of "1., 2."
  SkipQuote(text);
  std::string_view unit = text;
  SkipNumberBlanks(unit);
  if (const std::size_t size = UnitAt(unit).text.size(); size > 0) {
    text = unit.substr(size);
  }
  // Of "[np.float32(0.5), np.float32(0.3)]" another object follows.
  if (text.starts_with("), ")) return text.substr(3).find('(') != text.npos;
  const std::size_t before = text.size();
  SkipNumberBlanks(text);
  if (text.size() < before && PrintedNumberSize(text) > 0) return true;
  if (text.empty() || text.front() != ',') return false;
  text.remove_prefix(1);
  SkipNumberBlanks(text);
  SkipQuote(text);
  return !text.empty() && (PrintedNumberSize(text) > 0 || text.front() == '[' ||
                           text.front() == '(');
}

// Skips the beginning of a printed object: "np.float64(", "array([", and the
// text up to "numpy=" of "<tf.Tensor: ...". Returns false if there is none.
bool SkipWrapper(std::string_view& text) {
  if (text.empty()) return false;
  if (text.front() == '[' || text.front() == '(') {
    text.remove_prefix(1);
    SkipNumberBlanks(text);
    return true;
  }
  if (text.front() == '<') {
    constexpr std::string_view kNumpy = "numpy=";
    const std::size_t at = text.substr(0, kLongestWrapper).find(kNumpy);
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

// Returns the bytes of NaN or infinity as Microsoft's runtime prints them:
// "1.#QNAN", "1.#INF00". 0 if there are none.
std::size_t HashNumberSize(std::string_view text) {
  constexpr std::string_view kBegin = "1.#";
  if (!text.starts_with(kBegin)) return 0;
  for (const std::string_view word : {"inf", "qnan", "snan", "ind"}) {
    if (!StartsWith(text.substr(kBegin.size()), word)) continue;
    const std::size_t size = kBegin.size() + word.size();
    return size + CountDigits(text.substr(size));
  }
  return 0;
}

std::size_t SignSize(std::string_view text) {
  if (text.starts_with(kMinus)) return kMinus.size();
  return text.starts_with('+') || text.starts_with('-') ? 1 : 0;
}

// Returns whether the text begins with "x 10^-3" in one of its forms, which
// makes the number before it a part of another.
bool BeginsPowerOfTen(std::string_view text) {
  constexpr std::array<std::string_view, 5> kTimes = {
      "x", "*", "\xc3\x97", "\xc2\xb7", "\xe2\x8b\x85"};
  for (const std::string_view times : kTimes) {
    if (!text.starts_with(times)) continue;
    std::string_view next = text.substr(times.size());
    SkipNumberBlanks(next);
    constexpr std::string_view kTen = "10";
    if (next.starts_with(kTen) && CountDigits(next) == kTen.size()) return true;
  }
  const bool is_exponent = StartsWith(text, "e") && text.size() > 1 &&
                           (text[1] == '-' || text[1] == '+');
  return is_exponent && CountDigits(text.substr(2)) > 0;
}

// Returns the bytes of a number without a unit at the text's beginning; 0 if
// there is none, or if it goes on.
std::size_t BareNumberSize(std::string_view text) {
  const std::size_t size = PrintedNumberSize(text);
  if (size == 0) return 0;
  constexpr std::string_view kEnds = " \t,;|)]";
  const bool ends =
      size == text.size() || kEnds.find(text[size]) != std::string_view::npos;
  const bool is_digits = text.substr(0, size).find_first_of("0123456789") !=
                         std::string_view::npos;
  return ends && is_digits ? size : 0;
}

bool HasFraction(std::string_view number) {
  return number.find('.') != std::string_view::npos;
}

// Returns whether a word follows behind blanks: a number before it may be of
// that word.
bool BeginsWordBehind(std::string_view text) {
  SkipNumberBlanks(text);
  return !text.empty() &&
         absl::ascii_isalpha(static_cast<unsigned char>(text.front()));
}

// Returns whether the text begins with the second part of a duration, such as
// "3s" of "1 min 3s" and "3:04:05" of "1 day, 3:04:05".
bool BeginsTime(std::string_view text) {
  const std::size_t digits = CountDigits(text);
  if (digits == 0) return false;
  text.remove_prefix(digits);
  if (text.starts_with(':')) return true;
  text.remove_prefix(DecimalSize(text));
  SkipNumberBlanks(text);
  const bool is_minutes =
      text.starts_with('m') && (text.size() == 1 || !IsWordByte(text[1]));
  if (is_minutes) return true;
  constexpr std::array<std::string_view, 5> kTimes = {"s", "min", "h", "ms",
                                                      "d"};
  const std::string_view unit = UnitAt(text).name;
  return std::find(kTimes.begin(), kTimes.end(), unit) != kTimes.end();
}

// Returns whether what follows a number makes it a part of something larger:
// "12.3 K", "1.2 million", "1 min 3s".
bool HasLargerUnit(std::string_view number, std::string_view rest) {
  const std::size_t before = rest.size();
  SkipNumberBlanks(rest);
  constexpr std::array<std::string_view, 8> kMagnitudes = {
      "K", "k", "M", "G", "thousand", "million", "billion", "trillion"};
  constexpr std::size_t kLongestWord = 16;
  const std::string_view word =
      rest.substr(0, rest.substr(0, kLongestWord).find_first_of(" \t"));
  if (rest.size() < before && std::find(kMagnitudes.begin(), kMagnitudes.end(),
                                        word) != kMagnitudes.end()) {
    // Of "0.9 G loss: 0.2" the word belongs to the next name.
    constexpr std::size_t kNear = 40;
    const std::size_t sign = rest.substr(0, kNear).find_first_of("=:,;|");
    return sign == std::string_view::npos ||
           (rest[sign] != '=' && rest[sign] != ':');
  }
  if (HasFraction(number)) return false;  // It has no further part.
  constexpr std::array<std::string_view, 4> kLongTimes = {"s", "min", "h", "d"};
  const Unit unit = UnitAt(rest);
  if (std::find(kLongTimes.begin(), kLongTimes.end(), unit.name) ==
      kLongTimes.end()) {
    return false;
  }
  rest.remove_prefix(unit.text.size());
  if (rest.starts_with(',')) rest.remove_prefix(1);
  SkipNumberBlanks(rest);
  return BeginsTime(rest);
}

// Returns whether a sum goes on: "+ 0.2 = 0.5", "+ 0.2 + 0.1". A number alone
// behind "+" is a deviation.
bool BeginsSum(std::string_view text) {
  if (!text.starts_with("+ ")) return false;
  text.remove_prefix(1);
  SkipNumberBlanks(text);
  const std::size_t size = PrintedNumberSize(text);
  text.remove_prefix(size);
  SkipNumberBlanks(text);
  return size > 0 && (text.starts_with('=') || text.starts_with("+ "));
}

// Returns whether an expression continues behind blanks, so that `number` is
// only a part of it: "1 234", "90 / 100", "90 of 100", "0.5 -> 0.3", "0.5 -
// 0.6", "1.2 x 10^-3".
bool GoesOnBehindBlanks(std::string_view number, std::string_view rest) {
  const std::string_view before = rest;
  SkipNumberBlanks(rest);
  if (rest.empty() || rest.size() == before.size()) return false;
  const std::size_t digits = CountDigits(rest);
  constexpr std::size_t kGroup = 3;
  const bool is_one_blank =
      before.front() == ' ' && rest.size() + 1 == before.size();
  const bool is_short = CountDigits(number) == number.size() &&
                        !number.empty() && number.size() <= kGroup;
  if (is_short && is_one_blank && digits == kGroup) return true;
  const std::size_t point = number.find('.');
  const bool has_group =
      point != std::string_view::npos && number.size() - point - 1 == kGroup;
  if (has_group && is_one_blank && digits == kGroup) {
    const std::string_view next = rest.substr(kGroup);
    if (next.empty() || CountDigits(next.substr(1)) == kGroup) return true;
  }
  if (BeginsPowerOfTen(rest) || BeginsSum(rest)) return true;
  constexpr std::array<std::string_view, 10> kJoins = {
      "/",  "of ",          "out of ", "->", "-->",
      "=>", "\xe2\x86\x92", "to ",     "x ", "\xc3\x97 "};
  for (const std::string_view join : kJoins) {
    if (!rest.starts_with(join)) continue;
    std::string_view next = rest.substr(join.size());
    SkipNumberBlanks(next);
    next.remove_prefix(SignSize(next));
    if (CountDigits(next) > 0) return true;
  }
  // The other end of a range; "- 12ms/step" is none.
  constexpr std::array<std::string_view, 5> kRanges = {
      "- ", "..", "~", "\xe2\x80\x93", "\xe2\x80\x94"};
  for (const std::string_view join : kRanges) {
    if (!rest.starts_with(join)) continue;
    std::string_view next = rest.substr(join.size());
    SkipNumberBlanks(next);
    const std::size_t size = BareNumberSize(next);
    const bool is_alike =
        HasFraction(next.substr(0, size)) == HasFraction(number);
    if (size > 0 && is_alike && !BeginsWordBehind(next.substr(size))) {
      return true;
    }
  }
  return false;
}

// Returns whether the numbers are several, of which `number` is only the first:
// "0.5 0.3", "0.5, 0.3", "0.5 | 0.3", "91.2%, 88.1%", "144   96 %". Whole
// numbers are more often counts of something else, and so are numbers before a
// word.
bool HasNext(std::string_view number, std::string_view rest) {
  const bool has_percent = rest.starts_with('%');
  if (has_percent) rest.remove_prefix(1);
  const std::size_t blanks = rest.size();
  SkipNumberBlanks(rest);
  const bool is_apart = rest.size() < blanks;
  const bool has_comma = !rest.empty() && (rest.front() == ',' ||
                                           (is_apart && rest.front() == '|'));
  if (has_comma) rest.remove_prefix(1);
  const std::size_t before = rest.size();
  SkipNumberBlanks(rest);
  if (rest.size() == before && (has_comma || !is_apart)) return false;
  const std::size_t size = PrintedNumberSize(rest);
  const std::string_view next = rest.substr(0, size);
  rest.remove_prefix(size);
  if (size == 0) return false;
  if (!HasFraction(number) && !HasFraction(next) && !has_comma) {
    SkipNumberBlanks(rest);
    return rest.starts_with('%');
  }
  if (rest.starts_with('%') != has_percent) return false;
  if (has_percent) rest.remove_prefix(1);
  constexpr std::string_view kEnds = " \t,|";
  const bool ends =
      rest.empty() || kEnds.find(rest.front()) != std::string_view::npos;
  return ends && HasFraction(next) && HasFraction(number) &&
         !BeginsWordBehind(rest);
}

// Skips blanks and the whole number behind them. Returns whether there was one.
bool SkipCount(std::string_view& text) {
  SkipNumberBlanks(text);
  const std::size_t digits = CountDigits(text);
  text.remove_prefix(digits);
  return digits > 0 && (text.starts_with(' ') || text.starts_with('\t'));
}

// Returns whether a whole number is only the first of several, each with its
// name: " failed, 10 passed" behind "1", ": 0.5" behind "0".
bool IsOneOfSeveral(std::string_view number, std::string_view rest) {
  if (CountDigits(number) != number.size()) return false;
  if (rest.starts_with(": ")) {
    rest.remove_prefix(2);
    SkipNumberBlanks(rest);
    const std::size_t size = PrintedNumberSize(rest);
    return size > 0 && !rest.substr(size).starts_with('%');
  }
  if (!BeginsWordBehind(rest)) return false;
  SkipNumberBlanks(rest);
  if (!UnitAt(rest).text.empty()) return false;
  rest.remove_prefix(static_cast<std::size_t>(
      std::find_if_not(rest.begin(), rest.end(), IsWordByte) - rest.begin()));
  if (!rest.starts_with(", ")) return false;
  rest.remove_prefix(1);
  return SkipCount(rest) && BeginsWordBehind(rest);
}

// Returns whether a bracket that `text` is in is only a part of a number:
// "(2.5+/-0.1)e-05".
bool GoesOnBehindBracket(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  const std::size_t end = text.substr(0, kLongest).find_first_of(")]");
  if (end == std::string_view::npos) return false;
  text.remove_prefix(end + 1);
  SkipNumberBlanks(text);
  return BeginsPowerOfTen(text);
}

// Returns the bytes of a share that precedes its percentage: "187/200 (" of
// "187/200 (93.5%)". 0 if there is none, or if the percentage does not match
// it.
std::size_t SharePrefixSize(std::string_view text) {
  std::string_view rest = text;
  const auto take_number = [&](double* number) {
    const std::size_t size = CountDigits(rest);
    constexpr std::size_t kMostDigits = 15;
    const bool is_whole =
        size > 0 && size <= kMostDigits &&
        absl::SimpleAtod(std::string(rest.substr(0, size)), number);
    rest.remove_prefix(size);
    return is_whole;
  };
  double part = 0;
  double whole = 0;
  if (!take_number(&part)) return 0;
  SkipNumberBlanks(rest);
  if (!rest.starts_with('/')) return 0;
  rest.remove_prefix(1);
  SkipNumberBlanks(rest);
  if (!take_number(&whole) || whole == 0) return 0;
  SkipNumberBlanks(rest);
  if (!rest.starts_with('(')) return 0;
  rest.remove_prefix(1);
  double percent = 0;
  const std::size_t size = DecimalSize(rest);
  if (!rest.substr(size).starts_with('%') ||
      !absl::SimpleAtod(std::string(rest.substr(0, size)), &percent)) {
    return 0;
  }
  constexpr double kOfPercent = 100;
  const bool is_it = std::abs(kOfPercent * part / whole - percent) <= 1;
  return is_it ? text.size() - rest.size() : 0;
}

// Returns whether a word ends right before `text` and no prose follows it.
bool EndsAlone(std::string_view text) {
  if (text.empty()) return true;
  constexpr std::string_view kEnds = ",;|)]}\"'`.!";
  if (kEnds.find(text.front()) != std::string_view::npos) return true;
  if (text.front() != ' ' && text.front() != '\t') return false;
  SkipNumberBlanks(text);
  if (text.empty() ||
      !absl::ascii_isalpha(static_cast<unsigned char>(text.front()))) {
    return true;
  }
  // "acc=0.5" and "val loss: 1" are not prose.
  constexpr std::size_t kNear = 40;
  const std::size_t sign = text.substr(0, kNear).find_first_of("=:");
  return sign != std::string_view::npos;
}

double NumberOfSize(std::string_view text) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const std::size_t sign = SignSize(text);
  const std::string_view rest = text.substr(sign);
  const bool is_negative = sign > 0 && text.front() != '+';
  if (const std::size_t hash = HashNumberSize(rest); hash > 0) {
    if (!StartsWith(rest.substr(3), "inf")) return kNan;
    return is_negative ? -kInfinite : kInfinite;
  }
  if (rest == kInfinitySign) return is_negative ? -kInfinite : kInfinite;
  std::string number(rest);
  std::erase(number, ',');
  for (const std::string_view separator : kThousands) {
    for (std::size_t at = number.find(separator); at != std::string::npos;
         at = number.find(separator, at)) {
      number.erase(at, separator.size());
    }
  }
  std::replace_if(
      number.begin(), number.end(), [](char c) { return c == 'd' || c == 'D'; },
      'e');
  double value = 0;
  if (!absl::SimpleAtod(number, &value)) return kNan;
  return is_negative ? -value : value;
}

}  // namespace

std::size_t PrintedNumberSize(std::string_view text) {
  const std::size_t sign = SignSize(text);
  const std::string_view rest = text.substr(sign);
  if (rest.starts_with(kInfinitySign)) return sign + kInfinitySign.size();
  for (const std::string_view word : {"infinity", "inf", "nan"}) {
    if (StartsWith(rest, word)) return sign + word.size();
  }
  if (const std::size_t hash = HashNumberSize(rest); hash > 0) {
    return sign + hash;
  }
  const std::size_t size = DecimalSize(rest);
  return size == 0 ? 0 : sign + size;
}

bool IsPrintedNumber(std::string_view text) {
  return !text.empty() && PrintedNumberSize(text) == text.size();
}

std::optional<double> PrintedNumber(std::string_view text) {
  text.remove_prefix(SharePrefixSize(text));
  const std::size_t size = PrintedNumberSize(text);
  if (size == 0 || !EndsValue(text.substr(size))) return std::nullopt;
  const std::string_view number = text.substr(0, size);
  const std::string_view digits = number.substr(SignSize(number));
  const std::string_view rest = text.substr(size);
  if (GoesOnBehindBlanks(digits, rest) || HasLargerUnit(digits, rest) ||
      HasNext(digits, rest) || IsOneOfSeveral(digits, rest)) {
    return std::nullopt;
  }
  if (rest.starts_with('(') && GoesOnBehindBracket(rest)) return std::nullopt;
  return NumberOfSize(number);
}

bool SaysNoNumber(std::string_view text) {
  constexpr std::array<std::string_view, 7> kWords = {
      "none", "null", "n/a", "na", "<na>", "#na#", "diverged"};
  for (const std::string_view word : kWords) {
    if (!StartsWith(text, word)) continue;
    const std::string_view rest = text.substr(word.size());
    const bool is_clear = word == kWords.back();
    if (EndsAlone(rest) || (is_clear && rest.starts_with(' '))) return true;
  }
  const std::size_t dashes = std::min(text.find_first_not_of('-'), text.size());
  if (dashes == 0 || dashes > 2) return false;
  // "- 0.25" may be a number.
  std::string_view rest = text.substr(dashes);
  SkipNumberBlanks(rest);
  return EndsAlone(text.substr(dashes)) && PrintedNumberSize(rest) == 0;
}

std::optional<double> PrintedValue(std::string_view text) {
  bool is_wrapped = false;
  for (int i = 0; i < kMostWrappers; ++i) {
    if (SaysNoNumber(text)) return std::numeric_limits<double>::quiet_NaN();
    const std::optional<double> value = PrintedNumber(text);
    if (value.has_value()) {
      const std::string_view rest = text.substr(PrintedNumberSize(text));
      const bool is_one =
          !is_wrapped || (!HasAnother(rest) && !GoesOnBehindBracket(rest));
      return is_one ? value : std::nullopt;
    }
    if (!SkipWrapper(text)) return std::nullopt;
    is_wrapped = true;
    SkipQuote(text);
  }
  return std::nullopt;
}

bool IsPrintedUnit(std::string_view word) {
  return std::any_of(Units().begin(), Units().end(),
                     [word](const Unit& unit) { return unit.text == word; });
}

std::string_view UnitOfPrinted(std::string_view text) {
  text.remove_prefix(SharePrefixSize(text));
  text.remove_prefix(std::min(PrintedNumberSize(text), text.size()));
  SkipNumberBlanks(text);
  return UnitAt(text).name;
}

NoValue WhyNoPrintedValue(std::string_view text) {
  if (text.empty()) return NoValue::kNothing;
  std::string_view inner = text;
  for (int i = 0; i < kMostWrappers && SkipWrapper(inner); ++i) {
  }
  const std::size_t size = PrintedNumberSize(inner);
  if (size == 0) return NoValue::kNoNumber;
  const std::string_view rest = inner.substr(size);
  if (inner.size() < text.size() && HasAnother(rest)) return NoValue::kSeveral;
  const std::string_view digits = inner.substr(0, size).substr(SignSize(inner));
  if (HasNext(digits, rest) || IsOneOfSeveral(digits, rest)) {
    return NoValue::kSeveral;
  }
  if (!rest.empty() && rest.front() == ',') return NoValue::kComma;
  if (GoesOnBehindBlanks(digits, rest) || HasLargerUnit(digits, rest) ||
      GoesOnBehindBracket(rest)) {
    return NoValue::kPart;
  }
  return NoValue::kGoesOn;
}

std::string DescribeNoValue(NoValue why, std::string_view text) {
  switch (why) {
    case NoValue::kNothing:
      return "nothing follows";
    case NoValue::kNoNumber:
      return "that is no number";
    case NoValue::kSeveral:
      return "that is more than one number";
    case NoValue::kComma:
      return "its comma may be a decimal point or separate thousands; print a "
             "point";
    case NoValue::kPart:
      return "that may be a part of a number; print one number";
    case NoValue::kNoSign:
      return "no = or : stands behind the name";
    case NoValue::kNoRow:
      return "it heads a column, and no row that can be read follows";
    case NoValue::kOtherLetters:
      return "the name is in other letters than where it was printed as it is "
             "asked for";
    case NoValue::kOtherUnit:
      return "earlier values have another unit";
    case NoValue::kOtherWord:
      return "another word stands before the name";
    case NoValue::kSeveralWords:
      return "it names several, each with another word before the name";
    case NoValue::kTraining:
      return "that is a value of the training data, and earlier ones are not";
    case NoValue::kCounter:
      return "the number may be a count or a step";
    case NoValue::kNumberFirst:
      return "the value may be the number before the name";
    case NoValue::kGoesOn:
      break;
  }
  std::string_view inner = text;
  for (int i = 0; i < kMostWrappers && SkipWrapper(inner); ++i) {
  }
  return absl::StrCat("the number goes on with ",
                      ShowText(inner.substr(PrintedNumberSize(inner)), 20));
}

std::optional<std::int64_t> PrintedWholeNumber(std::string_view text) {
  // ParseInteger refuses "003", which YAML may take for octal.
  const auto decimal = ParseWholeNumber(text);
  return decimal ? decimal : ParseInteger(text);
}

}  // namespace vernier
