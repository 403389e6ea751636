#include "cluster/metrics/printed_metrics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "cluster/metrics/printed_number.h"

namespace vernier {
namespace {

// A metric's value is found in three steps. Each mention of its name in the
// line is found first (FindPrintedMetric). The words before the name then
// decide its rank: a plain mention, a training value, or another quantity such
// as "best loss". What follows the name must be a sign of assignment or a short
// phrase ("is", "on the test images:") and then a number. Mentions of the
// highest rank win, and among them the last.

constexpr std::size_t kLongestName = 64;

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

bool IsDigit(char c) {
  return absl::ascii_isdigit(static_cast<unsigned char>(c));
}

// Returns whether the byte can belong to a metric's name, so that a name cannot
// begin right behind it.
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

// Dots that lead to a value: "loss ....... 0.25".
bool SkipLeader(std::string_view& text) {
  const std::size_t dots = std::min(text.find_first_not_of('.'), text.size());
  if (dots < 2) return false;
  text.remove_prefix(dots);
  SkipBlanks(text);
  return true;
}

// The full-width colon and equals sign of East Asian texts.
bool SkipWideSign(std::string_view& text) {
  constexpr std::string_view kSigns[] = {"\xef\xbc\x9a", "\xef\xbc\x9d"};
  for (const std::string_view sign : kSigns) {
    if (!text.starts_with(sign)) continue;
    text.remove_prefix(sign.size());
    return true;
  }
  return false;
}

// Skips what follows a name: a sign of assignment. Leaves `text` at the value.
bool SkipAssignment(std::string_view& text) {
  SkipOneOf("\"'`", text);
  while (SkipOneOf("*", text)) {  // Of "**F1**: 0.7".
  }
  SkipBlanks(text);
  const bool is_led = SkipLeader(text);
  if (SkipOneOf("=:", text)) {
    SkipOneOf("=", text);  // Of ":=" and "==".
  } else if (!SkipWideSign(text) && !is_led) {
    return false;
  }
  SkipBlanks(text);
  if (text.starts_with("**")) text.remove_prefix(2);  // Of "**0.7**".
  SkipOneOf("\"'`", text);
  return true;
}

// Returns the number of a step at the text's beginning, or an empty text if
// there is none. Unlike a value's, it may be followed by text such as "/10".
std::string_view CounterText(std::string_view text) {
  const std::size_t size = PrintedNumberSize(text);
  const bool goes_on =
      size < text.size() &&
      (text[size] == '_' ||
       absl::ascii_isalnum(static_cast<unsigned char>(text[size])));
  return goes_on ? "" : text.substr(0, size);
}

// Returns the counter behind a word: "3" in "step=3", "step 3", "step: [3",
// "step[3".
std::string_view CounterAfterWord(std::string_view text) {
  std::string_view rest = text;
  if (!SkipAssignment(rest)) {
    rest = text;
    SkipBlanks(rest);
    const bool is_apart = rest.size() < text.size();
    if (!is_apart && !rest.starts_with('[')) return "";
  }
  SkipOneOf("[#", rest);
  return CounterText(rest);
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
    if (!counter.empty() && take(counter)) return true;
  }
  return false;
}

std::optional<double> FindEpoch(std::string_view lower) {
  std::optional<double> epoch;
  AnyCounter(lower, kEpochWord, [&](std::string_view counter) {
    epoch = PrintedNumber(counter);
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

// Returns the name that ends right before `text`'s end, with or without quotes;
// empty if there is none that begins with a letter.
std::string_view NameBefore(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
    text.remove_suffix(1);
  }
  const bool is_quoted =
      !text.empty() && (text.back() == '"' || text.back() == '\'');
  if (is_quoted) text.remove_suffix(1);
  std::size_t begin = text.size();
  while (begin > 0 && IsNameByte(text[begin - 1])) --begin;
  while (begin < text.size() &&
         !absl::ascii_isalpha(static_cast<unsigned char>(text[begin]))) {
    ++begin;
  }
  const std::string_view name = text.substr(begin);
  return name.size() <= kLongestName ? name : "";
}

// The likelihood that a mention of a metric's name means the metric itself;
// only the mentions of the highest rank in a line count.
enum class Rank { kOther, kTraining, kPlain };

// Words that turn the name behind them into another quantity.
constexpr std::string_view kOtherWords[] = {
    "baseline", "best",     "delta", "desired",  "expected",  "highest",
    "initial",  "lowest",   "max",   "maximum",  "min",       "minimum",
    "old",      "original", "prev",  "previous", "reference", "required",
    "std",      "target",   "worst"};
// Words that may stand between those words and the name.
constexpr std::string_view kSetWords[] = {
    "average", "avg",     "dev",      "eval",      "evaluation", "mean",
    "model",   "test",    "testing",  "val",       "valid",      "validation",
    "train",   "train's", "training", "training's"};

// Words before a name that do not change what is measured.
constexpr std::string_view kPlainWords[] = {
    "a",     "achieved", "an",      "and",     "complete",  "current", "debug",
    "done",  "end",      "final",   "finally", "finished",  "full",    "global",
    "got",   "info",     "last",    "latest",  "metric",    "model's", "new",
    "our",   "overall",  "reached", "result",  "resulting", "the",     "this",
    "total", "warning",  "whole",   "with"};
// Words between a name and its sign that select no part of the data.
constexpr std::string_view kFillWords[] = {
    "a",       "after", "all",    "and",      "at",         "data",
    "dataset", "epoch", "epochs", "eval",     "evaluation", "examples",
    "final",   "for",   "full",   "held-out", "image",      "images",
    "in",      "is",    "last",   "mean",     "model",      "network",
    "of",      "on",    "our",    "over",     "sample",     "samples",
    "score",   "set",   "split",  "step",     "steps",      "test",
    "testing", "the",   "this",   "total",    "val",        "validation",
    "value",   "was",   "whole"};

template <std::size_t n>
bool IsWordOf(std::string_view word, const std::string_view (&words)[n]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Takes the last word off the text and returns it in lower case; empty if no
// separate word is left.
std::string TakeLastWord(std::string_view& text) {
  constexpr std::string_view kOpening = " \t\"'`([{*";
  constexpr std::size_t kLongestWord = 12;
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

// Returns the word right before a name, which may turn it into another
// quantity; also one that opens a bracket, as in "Model(loss=2)".
std::string QualifierOf(std::string_view before) {
  if (before.ends_with('(') && before.size() > 1 &&
      IsNameByte(before[before.size() - 2])) {
    before.remove_suffix(1);
    return TakeLastWord(before) + "(";
  }
  // A word that is further away belongs to another column.
  const bool is_near = before.ends_with(' ') && !before.ends_with("  ");
  if (!is_near) return "";
  std::string word = TakeLastWord(before);
  if (word.ends_with('.')) word.pop_back();  // Of "Adj. R-squared".
  const bool is_word =
      word.size() > 1 && std::all_of(word.begin(), word.end(), [](char c) {
        return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '-';
      });
  if (!is_word || IsWordOf(word, kOtherWords) || IsWordOf(word, kSetWords) ||
      IsWordOf(word, kPlainWords)) {
    return "";
  }
  return word;
}

// Returns the rank that the words before a name give it.
Rank RankOf(std::string_view before) {
  constexpr int kMostSetWords = 2;
  Rank rank = Rank::kPlain;
  for (int i = 0; i <= kMostSetWords; ++i) {
    const std::string word = TakeLastWord(before);
    if (IsWordOf(word, kOtherWords)) {
      // A "new best" is the value that was measured just now.
      const bool is_new = word == "best" && TakeLastWord(before) == "new";
      return is_new ? rank : Rank::kOther;
    }
    if (!IsWordOf(word, kSetWords)) break;
    if (word.starts_with("train")) rank = Rank::kTraining;
  }
  return rank;
}

// Skips the words between a name and its value in a sentence: "is", "of", "->".
// They must be separated by blanks. Returns whether it was a verb.
bool SkipSentence(std::string_view& text) {
  constexpr std::string_view kVerbs[] = {
      "is", "was", "became", "becomes", "equals", "reached", "reaches"};
  constexpr std::string_view kOthers[] = {"of", "at", "->", "=>",
                                          "\xe2\x86\x92"};
  std::string_view rest = text;
  SkipBlanks(rest);
  const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
  const bool is_verb = IsWordOf(word, kVerbs);
  if (is_verb || IsWordOf(word, kOthers)) rest.remove_prefix(word.size());
  SkipBlanks(rest);
  text = rest;
  return is_verb;
}

// Skips the description of a change, up to the new value: "improved from 0.5 to
// 0.25", "decreased (0.5 --> 0.25)".
bool SkipChange(std::string_view& text) {
  constexpr std::string_view kWords[] = {"improved", "decreased", "increased",
                                         "reduced",  "dropped",   "rose",
                                         "fell",     "went",      "changed"};
  constexpr std::string_view kJoins[] = {"to ", "-->", "->", "=>",
                                         "\xe2\x86\x92"};
  std::string_view rest = text;
  SkipBlanks(rest);
  const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
  if (!IsWordOf(word, kWords)) return false;
  rest.remove_prefix(word.size());
  SkipBlanks(rest);
  SkipOneOf("(", rest);
  constexpr std::string_view kFrom = "from ";
  if (rest.starts_with(kFrom)) rest.remove_prefix(kFrom.size());
  SkipBlanks(rest);
  const std::size_t old_value = PrintedNumberSize(rest);
  rest.remove_prefix(old_value);
  SkipBlanks(rest);
  for (const std::string_view join : kJoins) {
    if (!rest.starts_with(join)) continue;
    rest.remove_prefix(join.size());
    SkipBlanks(rest);
    if (!PrintedNumber(rest).has_value()) return false;
    text = rest;
    return true;
  }
  return false;
}

// Returns whether the number at the text's beginning is the value of the name
// before it although no sign separates them: true for "loss 0.25, ...", false
// for "loss 2 of ...".
bool IsClearValue(std::string_view text) {
  const std::size_t size = PrintedNumberSize(text);
  const std::string_view number = text.substr(0, size);
  if (number.find_first_of(".eEnN") != std::string_view::npos) return true;
  std::string_view rest = text.substr(size);
  if (!rest.empty() && rest.front() == '%') return true;
  const std::size_t before = rest.size();
  SkipBlanks(rest);
  if (rest.empty()) return true;
  constexpr std::string_view kSeparators = ",;|)](";
  return before - rest.size() > 1 ||
         kSeparators.find(rest.front()) != std::string_view::npos;
}

// Returns whether NaN or an infinity at the text's beginning is the value of
// the name before it: true for "loss nan, ..." and "loss inf acc 0.5", false
// for "loss nan values were found".
bool IsClearNoNumber(std::string_view text) {
  std::string_view rest = text.substr(PrintedNumberSize(text));
  SkipBlanks(rest);
  constexpr std::string_view kSeparators = ",;|)]";
  if (rest.empty() || kSeparators.find(rest.front()) != rest.npos) return true;
  const std::size_t word = std::min(rest.find_first_of(" \t"), rest.size());
  std::string_view next = rest.substr(word);
  SkipBlanks(next);
  return PrintedNumberSize(next) > 0;
}

// Skips what a record has between a metric's name and its value: "loss",
// "value": 0.25.
bool SkipValueKey(std::string_view& text) {
  std::string_view rest = text;
  if (!SkipOneOf("\"'", rest) || !SkipOneOf(",", rest)) return false;
  SkipBlanks(rest);
  SkipOneOf("\"'", rest);
  constexpr std::string_view kKey = "value";
  if (!rest.starts_with(kKey)) return false;
  rest.remove_prefix(kKey.size());
  if (!SkipAssignment(rest)) return false;
  text = rest;
  return true;
}

// Skips a bracket behind a name, as in "time (s): 3" and "Loss (val) = 0.5".
// Sets `inside` to the word in it if that may turn the value into another
// quantity.
bool SkipBracket(std::string_view& text, Rank& rank, std::string& inside) {
  constexpr std::size_t kLongest = 24;
  std::string_view rest = text;
  SkipBlanks(rest);
  const bool is_index = rest.starts_with('[');
  if (!SkipOneOf("([", rest)) return false;
  const std::size_t size = rest.substr(0, kLongest).find_first_of(")]");
  if (size == std::string_view::npos || size == 0) return false;
  const std::string word =
      absl::AsciiStrToLower(std::string(rest.substr(0, size)));
  rest.remove_prefix(size + 1);
  if (!SkipAssignment(rest)) return false;
  if (word.starts_with("train")) rank = std::min(rank, Rank::kTraining);
  const bool is_plain = word.starts_with("train") || IsPrintedUnit(word) ||
                        IsWordOf(word, kFillWords) || IsWordOf(word, kSetWords);
  if (is_index && !is_plain) return false;
  inside = is_plain ? "" : word;
  text = rest;
  return true;
}

// Returns whether the text begins with a printed object: "tensor(0.25, ...)",
// "[0.25]".
bool BeginsObject(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && IsNameByte(text[size])) ++size;
  if (size == 0) return text.starts_with('[');
  return text.substr(size).starts_with('(');
}

// Skips the words that describe a metric between its name and its value: "of
// the network on the 10000 test images: ". Adjusts `rank` by them.
bool SkipDescription(std::string_view& text, Rank& rank) {
  constexpr int kMostWords = 12;
  std::string_view rest = text;
  for (int i = 0; i < kMostWords; ++i) {
    SkipBlanks(rest);
    const std::size_t size =
        std::min(rest.find_first_of(" \t:=,;"), rest.size());
    const std::string word =
        absl::AsciiStrToLower(std::string(rest.substr(0, size)));
    const bool is_training = word.starts_with("train");
    const bool is_number =
        !word.empty() && std::all_of(word.begin(), word.end(), IsDigit);
    if (!is_training && !is_number && !IsWordOf(word, kFillWords)) return false;
    if (is_training) rank = std::min(rank, Rank::kTraining);
    rest.remove_prefix(size);
    std::string_view value = rest;
    const bool is_verb = word == "is" || word == "was";
    if (!SkipAssignment(value) && !(is_verb && i > 0)) continue;
    SkipBlanks(value);
    if (PrintedNumberSize(value) == 0 && !PrintedValue(value)) continue;
    text = value;
    return true;
  }
  return false;
}

// Takes the mentions of a metric in a line, from left to right.
class MentionTaker {
 public:
  // `before` is the text before the name, `rest` the text behind it.
  void Take(std::string_view before, std::string_view rest) {
    const Rank rank = RankOf(before);
    if (rank < rank_) return;
    const std::string_view behind = rest;
    if (SkipAssignment(rest)) return TakeText(rank, before, rest);
    if (!behind.empty() && IsNameByte(behind.front())) return;
    TakeProse(rank, before, behind);
  }

  const PrintedMetric& found() const { return found_; }

 private:
  // Takes the text behind a sign of assignment.
  void TakeText(Rank rank, std::string_view before, std::string_view text) {
    const std::optional<double> value = PrintedValue(text);
    if (!value.has_value()) {
      TakeMiss(rank, WhyNoPrintedValue(text), text, false);
      return;
    }
    TakeValue(rank, *value);
    found_.unit = std::string(UnitOfPrinted(text));
    found_.before = QualifierOf(before);
  }

  // Takes text without a sign of assignment before it.
  void TakeProse(Rank rank, std::string_view before, std::string_view rest) {
    if (SkipValueKey(rest)) return TakeText(rank, before, rest);
    if (SkipChange(rest)) {
      // The value itself is usually printed on a line of its own.
      if (rank_ == Rank::kOther) TakeText(Rank::kOther, before, rest);
      return;
    }
    SkipOneOf("\"'`", rest);
    const bool is_apart =
        !rest.empty() && (rest.front() == ' ' || rest.front() == '\t');
    std::string_view described = rest;
    Rank description = rank;
    std::string inside;
    if (SkipBracket(described, description, inside)) {
      if (description < rank_) return;
      TakeText(description, before, described);
      if (!inside.empty()) found_.before = inside;
      return;
    }
    if (is_apart && SkipDescription(described, description)) {
      if (description >= rank_) TakeText(description, before, described);
      return;
    }
    const bool is_verb = is_apart && SkipSentence(rest);
    const std::optional<double> value = !is_apart ? std::nullopt
                                        : BeginsObject(rest)
                                            ? PrintedValue(rest)
                                            : PrintedNumber(rest);
    const bool is_finite = value.has_value() && std::isfinite(*value);
    if (value.has_value() && !is_finite && (is_verb || IsClearNoNumber(rest))) {
      TakeValue(rank, *value);
      found_.is_sentence = is_verb;
    } else if (is_finite && (BeginsObject(rest) || IsClearValue(rest))) {
      TakeText(rank, before, rest);
    } else {
      TakeMiss(rank, NoValue::kNoSign, rest, !value.has_value());
    }
  }

  void TakeValue(Rank rank, double value) {
    rank_ = rank;
    found_ = {};
    found_.value = value;
    found_.is_other = rank == Rank::kOther;
  }

  // Records a mention without a readable value, unless it is of another
  // quantity.
  void TakeMiss(Rank rank, NoValue why, std::string_view text, bool is_prose) {
    constexpr std::size_t kShown = 100;
    if (rank == Rank::kOther) return;
    // Prose is weaker evidence than the mentions before it.
    if (is_prose && (found_.value.has_value() || found_.miss.has_value())) {
      return;
    }
    found_.miss = why;
    found_.miss_text = std::string(text.substr(0, kShown));
    found_.is_prose = is_prose;
  }

  Rank rank_ = Rank::kOther;
  PrintedMetric found_;
};

}  // namespace

std::optional<StepUnit> UnitOfWord(std::string_view word) {
  const std::string lower = absl::AsciiStrToLower(std::string(word));
  if (lower == kEpochWord) return StepUnit::kEpoch;
  for (const UnitWord& each : kUnitWords) {
    if (lower == each.word) return each.unit;
  }
  return std::nullopt;
}

PrintedMetric FindPrintedMetric(std::string_view line, std::string_view name,
                                LetterCase letters) {
  if (name.empty()) return {};
  if (letters == LetterCase::kDoesNotMatter) {
    return FindPrintedMetric(absl::AsciiStrToLower(std::string(line)),
                             absl::AsciiStrToLower(std::string(name)));
  }
  MentionTaker taker;
  for (std::size_t at = line.find(name); at != std::string_view::npos;
       at = line.find(name, at + 1)) {
    if (BeginsWord(line, at)) {
      taker.Take(line.substr(0, at), line.substr(at + name.size()));
    }
  }
  return taker.found();
}

std::optional<double> PrintedValueAlone(std::string_view line) {
  SkipBlanks(line);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) {
    line.remove_suffix(1);
  }
  if (line.find_first_of(" \t") != std::string_view::npos) return std::nullopt;
  return PrintedValue(line);
}

std::vector<std::pair<std::string, double>> PrintedPairs(std::string_view line,
                                                         std::size_t most) {
  std::vector<std::pair<std::string, double>> pairs;
  for (std::size_t at = line.find_first_of("=:");
       at != std::string_view::npos && pairs.size() < most;
       at = line.find_first_of("=:", at + 1)) {
    std::string_view rest = line.substr(at);
    const std::string_view name = NameBefore(line.substr(0, at));
    if (name.empty() || UnitOfWord(name) || !SkipAssignment(rest)) continue;
    const std::optional<double> value = PrintedValue(rest);
    if (value) pairs.emplace_back(name, *value);
  }
  return pairs;
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
          const auto step = PrintedWholeNumber(counter);
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
