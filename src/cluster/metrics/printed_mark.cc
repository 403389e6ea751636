#include "cluster/metrics/printed_mark.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/ascii.h"
#include "cluster/metrics/line_words.h"
#include "cluster/metrics/printed_number.h"

namespace vernier {
namespace {

struct UnitWord {
  std::string_view word;
  StepUnit unit;
};

// The most explicit first.
constexpr UnitWord kUnitWords[] = {
    {"global_step", StepUnit::kStep},    {"step", StepUnit::kStep},
    {"iteration", StepUnit::kIteration}, {"iter", StepUnit::kIteration},
    {"batch", StepUnit::kBatch},         {"round", StepUnit::kRound},
};
constexpr std::string_view kEpochWord = "epoch";
// A counter behind one of these, besides kOtherWords, says something else.
constexpr std::string_view kCounterModifiers[] = {
    "accumulation", "decay", "each",    "end",      "every",  "fps",
    "from",         "num",   "per",     "restored", "resume", "resumed",
    "start",        "total", "warm-up", "warmup"};

bool IsOfOtherCounter(std::string_view before) {
  const std::string word = TakeLastWord(before);
  return IsWordOf(word, kOtherWords) || IsWordOf(word, kCounterModifiers);
}

// Returns the bytes of a whole number with separated thousands, "1,000" or
// "1'000"; 0 if there is none.
std::size_t GroupedNumberSize(std::string_view text) {
  constexpr std::size_t kGroup = 3;
  const auto count_digits = [&text](std::size_t from) {
    std::size_t end = from;
    while (end < text.size() && IsDigit(text[end])) ++end;
    return end - from;
  };
  std::size_t size = count_digits(0);
  if (size == 0 || size > kGroup) return 0;
  bool is_grouped = false;
  while (size < text.size() && (text[size] == ',' || text[size] == '\'') &&
         count_digits(size + 1) == kGroup) {
    size += 1 + kGroup;
    is_grouped = true;
  }
  return is_grouped ? size : 0;
}

// Returns the number of a step at the text's beginning, or an empty text if
// there is none. Unlike a value's, it may be followed by text such as "/10".
std::string_view CounterText(std::string_view text) {
  const std::size_t grouped = GroupedNumberSize(text);
  const std::size_t size = grouped > 0 ? grouped : PrintedNumberSize(text);
  const bool goes_on =
      size < text.size() &&
      (text[size] == '_' ||
       absl::ascii_isalnum(static_cast<unsigned char>(text[size])));
  return goes_on ? "" : text.substr(0, size);
}

// Skips "(train)" of "Iter(train) [ 100/1000]".
void SkipKind(std::string_view& text) {
  constexpr std::size_t kLongest = 16;
  if (!text.starts_with('(')) return;
  const std::size_t end = text.substr(0, kLongest).find(')');
  if (end == std::string_view::npos) return;
  const std::string_view kind = text.substr(1, end - 1);
  if (std::all_of(kind.begin(), kind.end(), IsLetter)) {
    text.remove_prefix(end + 1);
  }
}

// Returns the counter behind a word: "3" in "step=3", "step 3", "step: [3",
// "step[3".
std::string_view CounterAfterWord(std::string_view text) {
  constexpr std::string_view kNames[] = {" no.", " number", "#", "-"};
  for (const std::string_view name : kNames) {
    if (!text.starts_with(name)) continue;
    text.remove_prefix(name.size());
    if (!text.empty() && IsDigit(text.front())) return CounterText(text);
    if (name == "-") return "";
  }
  SkipKind(text);
  std::string_view rest = text;
  if (!SkipAssignment(rest)) {
    rest = text;
    SkipBlanks(rest);
    const bool is_apart = rest.size() < text.size();
    if (!is_apart && !rest.starts_with('[')) return "";
  }
  if (SkipOneOf("[#", rest)) SkipBlanks(rest);
  return CounterText(rest);
}

// Returns the whole number that a counter says.
std::optional<std::int64_t> WholeCounter(std::string_view counter) {
  if (GroupedNumberSize(counter) != counter.size()) {
    return PrintedWholeNumber(counter);
  }
  std::string digits(counter);
  std::erase_if(digits, [](char c) { return !IsDigit(c); });
  return PrintedWholeNumber(digits);
}

// Calls `take` with each counter after `word` until it returns true. `lower` is
// in lower case.
template <typename Take>
bool AnyCounter(std::string_view lower, std::string_view word, Take take) {
  for (std::size_t at = lower.find(word); at != std::string_view::npos;
       at = lower.find(word, at + 1)) {
    if (!BeginsWord(lower, at)) continue;
    const std::string_view counter =
        CounterAfterWord(lower.substr(at + word.size()));
    if (counter.empty() || IsOfOtherCounter(lower.substr(0, at))) continue;
    if (take(counter)) return true;
  }
  return false;
}

std::optional<double> FindEpoch(std::string_view lower) {
  std::optional<double> epoch;
  AnyCounter(lower, kEpochWord, [&](std::string_view counter) {
    const auto whole = WholeCounter(counter);
    epoch = whole ? static_cast<double>(*whole) : PrintedNumber(counter);
    if (epoch.has_value() && !std::isfinite(*epoch)) epoch.reset();
    return epoch.has_value();
  });
  return epoch;
}

// Boosting libraries begin a line with "[3]", "[3/100]" or "3:\t".
std::optional<std::int64_t> BoostingRound(std::string_view line) {
  const bool has_bracket = SkipOneOf("[", line);
  const std::size_t digits = static_cast<std::size_t>(
      std::find_if_not(line.begin(), line.end(), IsDigit) - line.begin());
  std::string_view rest = line.substr(digits);
  if (has_bracket && SkipOneOf("/", rest)) {
    while (!rest.empty() && IsDigit(rest.front())) rest.remove_prefix(1);
  }
  const bool ends = has_bracket
                        ? rest.starts_with("]\t") || rest.starts_with("] ")
                        : rest.starts_with(":\t");
  if (!ends) return std::nullopt;
  return PrintedWholeNumber(line.substr(0, digits));
}

StepMark MarkOfEpoch(double epoch) {
  constexpr double kLimit = 9e15;  // Whole numbers are exact below.
  if (!(std::fabs(epoch) < kLimit)) return {StepUnit::kNone, 0, std::nullopt};
  const double whole = std::trunc(epoch);
  StepMark mark{StepUnit::kEpoch, static_cast<std::int64_t>(whole),
                std::nullopt};
  if (whole != epoch) mark.epoch = epoch;
  return mark;
}

}  // namespace

std::optional<StepUnit> UnitOfWord(std::string_view word) {
  const std::string lower = absl::AsciiStrToLower(std::string(word));
  if (lower == kEpochWord) return StepUnit::kEpoch;
  for (const UnitWord& each : kUnitWords) {
    if (lower == each.word) return each.unit;
  }
  return std::nullopt;
}

StepMark FindPrintedMark(std::string_view line) {
  const std::string lower = absl::AsciiStrToLower(std::string(line));
  StepMark mark{StepUnit::kNone, 0, std::nullopt};
  const bool has_epoch = lower.find(kEpochWord) != std::string::npos;
  const std::optional<double> epoch =
      has_epoch ? FindEpoch(lower) : std::nullopt;
  for (const UnitWord& each : kUnitWords) {
    const bool is_found =
        AnyCounter(lower, each.word, [&](std::string_view counter) {
          const auto step = WholeCounter(counter);
          if (step) mark = {each.unit, *step, epoch};
          return step.has_value();
        });
    if (is_found) return mark;
  }
  if (epoch) return MarkOfEpoch(*epoch);
  const auto round = BoostingRound(line);
  if (round) mark = {StepUnit::kRound, *round, std::nullopt};
  return mark;
}

}  // namespace vernier
