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
// decide its rank: a plain mention, a training value, one of a part ("top-5
// accuracy"), or another quantity such as "best loss". What follows the name
// must be a sign of assignment or a short phrase ("is", "on the test images:")
// and then a number. Mentions of the highest rank win, and among them the last.

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

// Returns the name at the text's beginning.
std::string_view WordAt(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && IsNameByte(text[size])) ++size;
  return text.substr(0, size);
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

// Returns the whole number that a counter says.
std::optional<std::int64_t> WholeCounter(std::string_view counter) {
  if (GroupedNumberSize(counter) != counter.size()) {
    return PrintedWholeNumber(counter);
  }
  std::string digits(counter);
  std::erase_if(digits, [](char c) { return !IsDigit(c); });
  return PrintedWholeNumber(digits);
}

bool IsOfOtherCounter(std::string_view before);

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
enum class Rank { kOther, kTraining, kQualified, kPlain };

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
    "a",           "achieved", "an",      "and",       "complete", "current",
    "debug",       "done",     "end",     "final",     "finally",  "finished",
    "full",        "global",   "got",     "info",      "last",     "latest",
    "metric",      "metrics",  "model's", "new",       "our",      "overall",
    "performance", "reached",  "result",  "resulting", "results",  "the",
    "this",        "total",    "warning", "whole",     "with"};
// Words between a name and its sign that select no part of the data.
constexpr std::string_view kFillWords[] = {
    "a",       "after",  "all",        "and",       "at",         "data",
    "dataset", "epoch",  "epochs",     "eval",      "evaluation", "examples",
    "final",   "for",    "full",       "held-out",  "image",      "images",
    "in",      "is",     "iter",       "iteration", "iterations", "last",
    "mean",    "model",  "network",    "of",        "on",         "our",
    "over",    "sample", "samples",    "score",     "set",        "split",
    "step",    "steps",  "test",       "testing",   "the",        "this",
    "total",   "val",    "validation", "value",     "was",        "whole"};

template <std::size_t n>
bool IsWordOf(std::string_view word, const std::string_view (&words)[n]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Words for a part of the data.
constexpr std::string_view kDataWords[] = {
    "dev",      "eval", "evaluation", "test",  "testing",
    "training", "val",  "valid",      "train", "validation"};
// Words of counters: a whole number behind them is a count.
constexpr std::string_view kCountWords[] = {
    "batch",   "data",   "dataset", "epoch",     "epochs",     "examples",
    "image",   "images", "iter",    "iteration", "iterations", "sample",
    "samples", "step",   "steps",   "total"};
// A counter behind one of these, besides kOtherWords, says something else.
constexpr std::string_view kCounterModifiers[] = {
    "each", "every", "fps", "num", "per", "warm-up", "warmup"};
// Words that a number behind them turns into a part: "class 3", "top 5".
constexpr std::string_view kPartWords[] = {
    "class", "client", "cluster", "domain", "fold",  "group",  "head",
    "label", "layer",  "level",   "part",   "scale", "shot",   "split",
    "stage", "subset", "target",  "task",   "top",   "version"};

bool IsLetter(char c) {
  return absl::ascii_isalpha(static_cast<unsigned char>(c));
}

bool HasLetter(std::string_view word) {
  return std::any_of(word.begin(), word.end(), IsLetter);
}

bool IsNumberWord(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), IsDigit);
}

// Takes the last word off the text and returns it in lower case; empty if no
// separate word is left.
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

bool IsOfOtherCounter(std::string_view before) {
  const std::string word = TakeLastWord(before);
  return IsWordOf(word, kOtherWords) || IsWordOf(word, kCounterModifiers);
}

// Returns a word without what is only its form: "train" of "train_set's",
// "valid" of "valid_1's".
std::string_view StemOf(std::string_view word) {
  constexpr std::string_view kOwner = "'s";
  if (word.ends_with(kOwner)) word.remove_suffix(kOwner.size());
  while (!word.empty() && IsDigit(word.back())) word.remove_suffix(1);
  for (const std::string_view end : {"set", "data"}) {
    if (word.ends_with(end)) word.remove_suffix(end.size());
  }
  while (!word.empty() && (word.back() == '_' || word.back() == '-')) {
    word.remove_suffix(1);
  }
  return word;
}

// Returns whether the word names a part of the data, or several: "val",
// "train_set's", "val/test".
bool IsSetWord(std::string_view word) {
  if (IsWordOf(word, kSetWords)) return true;
  while (!word.empty()) {
    const std::size_t end = std::min(word.find('/'), word.size());
    if (!IsWordOf(StemOf(word.substr(0, end)), kSetWords)) return false;
    word.remove_prefix(std::min(end + 1, word.size()));
  }
  return true;
}

// Returns whether a word with digits is a step or a unit and no part:
// "epoch_3", "it100", "12s".
bool IsCounterWord(std::string_view word) {
  constexpr std::string_view kCounters[] = {
      "b",    "batch",     "e",     "ep", "epoch", "i", "it",
      "iter", "iteration", "round", "s",  "step",  "t"};
  if (IsWordOf(StemOf(word), kCounters)) return true;
  return IsDigit(word.front()) && word.find_first_of("-_") == word.npos;
}

// The part of a line before a mention that is looked at, in bytes.
constexpr std::size_t kLookedAtBefore = 400;

// Returns the word before a bracket that is open at the text's end, as in
// "Namespace(epochs=3, "; empty if there is none.
std::string OpenCall(std::string_view before) {
  int depth = 0;
  for (std::size_t at = before.size(); at > 0; --at) {
    const char c = before[at - 1];
    if (c == ')') ++depth;
    if (c == '(' && depth-- == 0) {
      std::string_view name = before.substr(0, at - 1);
      const bool is_call = !name.empty() && IsNameByte(name.back());
      return is_call ? TakeLastWord(name) + "(" : "";
    }
  }
  return "";
}

// Returns the word right before a name, which may turn it into another
// quantity; also one that opens a bracket, as in "Model(loss=2)".
std::string QualifierOf(std::string_view before) {
  const std::string call = OpenCall(
      before.substr(before.size() - std::min(before.size(), kLookedAtBefore)));
  if (!call.empty()) {
    const std::string_view word(call.data(), call.size() - 1);
    return IsWordOf(StemOf(word), kDataWords) ? "" : call;
  }
  // A word that is further away belongs to another column.
  const bool is_near = before.ends_with(' ') && !before.ends_with("  ");
  if (!is_near) return "";
  const bool has_colon = before.ends_with(": ");
  std::string word = TakeLastWord(before);
  if (word.ends_with('.')) word.pop_back();  // Of "Adj. R-squared".
  if (word.empty()) return "";
  if (IsNumberWord(word)) {
    std::string part = has_colon ? "" : TakeLastWord(before);
    return IsWordOf(part, kPartWords) ? absl::StrCat(part, " ", word) : "";
  }
  const bool is_name =
      HasLetter(word) && std::all_of(word.begin(), word.end(), [](char c) {
        return IsLetter(c) || IsDigit(c) || c == '-' || c == '_' || c == '\'';
      });
  const bool is_word =
      word.size() > 1 && std::all_of(word.begin(), word.end(), [](char c) {
        return IsLetter(c) || c == '-';
      });
  if (!is_name || (!is_word && (has_colon || IsCounterWord(word)))) return "";
  if (IsWordOf(word, kOtherWords) || IsSetWord(word) ||
      IsWordOf(word, kPlainWords)) {
    return "";
  }
  return word;
}

// Words that make "training" a time.
constexpr std::string_view kTimeWords[] = {"after", "before", "during", "post"};

// What the words right before a name say of it.
struct WordsBefore {
  Rank rank = Rank::kPlain;
  bool has_set = false;  // They name a part of the data, or that it is new.
};

// Returns the rank that the words right before a name give it.
WordsBefore ReadWordsBefore(std::string_view before) {
  constexpr int kMostSetWords = 2;
  WordsBefore words;
  for (int i = 0; i <= kMostSetWords; ++i) {
    const std::string word = TakeLastWord(before);
    if (IsWordOf(word, kOtherWords)) {
      // A "new best" is the value that was measured just now.
      const bool is_new = word == "best" && TakeLastWord(before) == "new";
      words.has_set |= is_new;
      if (!is_new) words.rank = Rank::kOther;
      return words;
    }
    if (IsWordOf(word, kTimeWords)) return {};  // Of "after training".
    words.has_set |= word == "current" || word == "new";
    if (!IsSetWord(word) || word.empty()) break;
    words.has_set = true;
    if (word.starts_with("train")) words.rank = Rank::kTraining;
  }
  return words;
}

// Returns the rest of the line's part that a mention stands in: parts end at
// "|", ";" and ". ".
std::string_view PartOf(std::string_view before) {
  std::size_t begin = 0;
  for (const std::string_view end : {"|", ";", ". "}) {
    const std::size_t at = before.rfind(end);
    if (at != std::string_view::npos) begin = std::max(begin, at + end.size());
  }
  return before.substr(begin);
}

// Returns whether "best", with `rest` behind it, has a value of its own: true
// for "loss: 0.31" and "bound 1.28", false for "epoch: 12" and "metric, acc".
bool HasOwnValue(std::string_view rest) {
  constexpr int kMostWords = 3;
  constexpr std::string_view kVerbs[] = {"at", "from", "is", "was"};
  std::string_view last;
  for (int i = 0; i < kMostWords && PrintedNumberSize(rest) == 0; ++i) {
    last = WordAt(rest);
    if (last.empty() || IsWordOf(last, kVerbs)) return false;
    rest.remove_prefix(last.size());
    if (!SkipAssignment(rest)) SkipBlanks(rest);
  }
  return PrintedNumberSize(rest) > 0 && !UnitOfWord(last).has_value();
}

// Returns whether a part of a line says from its beginning on what the best
// result was: "best metric, acc: 0.7", "[best] acc: 0.7", "INFO: Best model:
// ...". False if "best" has a value of its own there: "best=0.1, acc: 0.7".
bool IsAboutTheBest(std::string_view part) {
  constexpr std::string_view kBest = "best";
  constexpr std::size_t kLongestPrefix = 100;
  const std::string lower = absl::AsciiStrToLower(std::string(part));
  const std::size_t at =
      lower.substr(0, kLongestPrefix + kBest.size()).find(kBest);
  if (at == std::string::npos || !BeginsWord(lower, at)) return false;
  std::string_view prefix = std::string_view(lower).substr(0, at);
  while (!prefix.empty() &&
         std::string_view(" \t[(*\"'").find(prefix.back()) != prefix.npos) {
    prefix.remove_suffix(1);
  }
  constexpr std::string_view kEnds = ":]-|>";
  const bool is_first =
      prefix.empty() || kEnds.find(prefix.back()) != prefix.npos;
  if (!is_first || prefix.find('=') != prefix.npos ||
      FindPrintedMark(prefix).unit != StepUnit::kNone) {
    return false;
  }
  std::string_view rest = std::string_view(lower).substr(at + kBest.size());
  while (!rest.empty() && IsNameByte(rest.front())) rest.remove_prefix(1);
  // Of "best: {'acc': 0.7} now ..." the mapping is all that is about it.
  if (rest.find('}') != std::string_view::npos) return false;
  while (SkipOneOf("\"'])*", rest)) {
  }
  SkipBlanks(rest);
  if (SkipOneOf(":=", rest)) {
    SkipBlanks(rest);
    return PrintedNumberSize(rest) == 0;
  }
  return !HasOwnValue(rest);
}

// Words behind "training" that say nothing of the data.
constexpr std::string_view kActivityWords[] = {
    "batches",  "complete", "completed", "data",   "dataset",  "done",
    "duration", "ended",    "epoch",     "epochs", "examples", "finished",
    "images",   "iter",     "iters",     "log",    "loop",     "metrics",
    "pid",      "process",  "rate",      "run",    "samples",  "set",
    "size",     "speed",    "step",      "steps",  "time",     "took"};

constexpr std::string_view kEndWords[] = {"complete", "completed", "done",
                                          "ended",    "finished",  "over"};

// Returns whether the mapping that begins in `text` has ended there: "{'loss':
// 0.1}, ".
bool HasEnded(std::string_view text) {
  return text.find('{') != std::string_view::npos &&
         std::count(text.begin(), text.end(), '}') >=
             std::count(text.begin(), text.end(), '{');
}

// Returns whether the text ends with the sign behind a word such as "split":
// "phase=", "\"split\": \"".
bool EndsWithSplitKey(std::string_view text) {
  constexpr std::string_view kSigns = " \"'";
  constexpr std::string_view kKeys[] = {"dataset", "mode",  "phase", "set",
                                        "split",   "stage", "subset"};
  const auto trim = [&] {
    while (!text.empty() && kSigns.find(text.back()) != kSigns.npos) {
      text.remove_suffix(1);
    }
  };
  trim();
  if (!text.ends_with('=') && !text.ends_with(':')) return false;
  text.remove_suffix(1);
  trim();
  std::size_t begin = text.size();
  while (begin > 0 && IsNameByte(text[begin - 1])) --begin;
  return IsWordOf(text.substr(begin), kKeys);
}

// Returns whether a word for a part of the data, with `behind` after it, is a
// label of what follows ("Train - loss: 0.1 acc: 0.9", "[train] acc: 0.9",
// "{'test': {'loss': 1") or belongs to a metric of the same part of the line
// ("Train loss: 0.1, acc: 0.9").
bool IsLabel(std::string_view behind, bool is_in_part) {
  if (behind.starts_with('(')) return behind.find(')') == behind.npos;
  std::string_view rest = behind;
  SkipOneOf("\"'", rest);
  if (SkipOneOf(")]", rest)) return true;
  SkipBlanks(rest);
  if (rest.empty()) return false;
  const char sign = rest.front();
  constexpr std::string_view kSigns = ":-|{";
  if (kSigns.find(sign) != std::string_view::npos) {
    rest.remove_prefix(1);
    constexpr std::string_view kBegins = " \t{[";
    const bool is_apart =
        sign != ':' || rest.empty() || kBegins.find(rest.front()) != rest.npos;
    SkipBlanks(rest);
    return is_apart && !HasEnded(behind) && PrintedNumberSize(rest) == 0 &&
           !IsWordOf(WordAt(rest), kEndWords);
  }
  if (!is_in_part || rest.size() == behind.size()) return false;
  const std::string_view name = WordAt(rest);
  if (name.empty() || IsWordOf(name, kActivityWords)) return false;
  rest.remove_prefix(name.size());
  return SkipAssignment(rest);
}

// Returns whether the nearest label before a mention says that what follows is
// of the training data.
bool IsLabelledTraining(std::string_view before, std::size_t part) {
  for (std::size_t end = before.size(); end > 0;) {
    if (!IsNameByte(before[end - 1])) {
      --end;
      continue;
    }
    std::size_t begin = end;
    while (begin > 0 && IsNameByte(before[begin - 1])) --begin;
    const std::string_view stem = StemOf(before.substr(begin, end - begin));
    if (IsWordOf(stem, kDataWords)) {
      const std::string_view ahead = before.substr(0, begin);
      std::string_view words = ahead;
      const bool is_time = IsWordOf(TakeLastWord(words), kTimeWords);
      if (EndsWithSplitKey(ahead) ||
          (!is_time && IsLabel(before.substr(end), begin >= part))) {
        return stem.starts_with("train");
      }
    }
    end = begin;
  }
  return false;
}

// Returns the rank that all the words before a name in its line give it.
Rank RankOf(std::string_view before) {
  const WordsBefore words = ReadWordsBefore(before);
  if (words.rank != Rank::kPlain || words.has_set) return words.rank;
  if (before.size() > kLookedAtBefore) {
    before.remove_prefix(before.size() - kLookedAtBefore);
  }
  const std::string_view part = PartOf(before);
  if (IsAboutTheBest(part)) return Rank::kOther;
  const std::string lower = absl::AsciiStrToLower(std::string(before));
  return IsLabelledTraining(lower, before.size() - part.size())
             ? Rank::kTraining
             : Rank::kPlain;
}

// Returns the text up to the first blank, if that is near; what is longer is no
// word.
std::string_view FirstWord(std::string_view text) {
  constexpr std::size_t kLongest = 32;
  text = text.substr(0, kLongest);
  return text.substr(0, text.find_first_of(" \t"));
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
  const std::string_view word = FirstWord(rest);
  const bool is_verb = IsWordOf(word, kVerbs);
  if (is_verb || IsWordOf(word, kOthers)) rest.remove_prefix(word.size());
  SkipBlanks(rest);
  constexpr std::string_view kNow = "now ";
  if (is_verb && rest.starts_with(kNow)) rest.remove_prefix(kNow.size());
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
  const std::string_view word = FirstWord(rest);
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

// Returns whether the text begins with a name and a sign: "steps: 500".
bool BeginsPair(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && IsNameByte(text[size])) ++size;
  if (size == 0 || !IsLetter(text.front())) return false;
  text.remove_prefix(size);
  return text.starts_with('=') || text.starts_with(':');
}

// Takes the last word, between blanks and without a comma, off the text.
std::string_view TakeLastToken(std::string_view& text) {
  constexpr std::string_view kEnds = " \t,;";
  while (!text.empty() && kEnds.find(text.back()) != kEnds.npos) {
    text.remove_suffix(1);
  }
  const std::size_t blank = text.find_last_of(" \t");
  const std::size_t begin = blank == std::string_view::npos ? 0 : blank + 1;
  const std::string_view word = text.substr(begin);
  text = text.substr(0, begin);
  return word;
}

bool IsNumberToken(std::string_view word) {
  return !word.empty() && PrintedNumberSize(word) == word.size();
}

bool IsNameToken(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return IsLetter(c) || c == '_';
  });
}

// Returns whether a line has its numbers before their names, as in "0.9 acc 0.2
// loss 0.001 lr": pairs of a number and a name lead from its beginning to the
// mention, and from there to its end.
bool HasNumbersFirst(std::string_view before, std::string_view behind) {
  if (before.size() > kLookedAtBefore || behind.size() > kLookedAtBefore) {
    return false;
  }
  if (!IsNumberToken(TakeLastToken(before))) return false;
  for (std::string_view name = TakeLastToken(before); !name.empty();
       name = TakeLastToken(before)) {
    if (!IsNameToken(name) || !IsNumberToken(TakeLastToken(before))) {
      return false;
    }
  }
  return IsNameToken(TakeLastToken(behind)) &&
         IsNumberToken(TakeLastToken(behind));
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
         kSeparators.find(rest.front()) != std::string_view::npos ||
         BeginsPair(rest);
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
  // "loss[1]" is another name, and "recall [0.5]" the recall at 0.5.
  const bool is_index = rest.size() == text.size() && rest.starts_with('[');
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

// Returns whether what follows a name looks like a value that cannot be read,
// and not like prose: "[0.4, 0.3]", "| 0.2", "> 0.3".
bool LooksLikeValue(std::string_view text) {
  SkipBlanks(text);
  const bool is_call = BeginsObject(text) && text.front() != '[';
  if (is_call) text.remove_prefix(text.find('('));
  constexpr std::size_t kMostSigns = 6;
  for (std::size_t i = 0; i < kMostSigns && !text.empty(); ++i) {
    if (PrintedNumberSize(text) > 0) return true;
    if (IsLetter(text.front())) return false;
    text.remove_prefix(1);
  }
  return false;
}

// The words between a metric's name and the sign before its value.
struct Description {
  Rank rank = Rank::kPlain;
  /// The last word is a counter's, so that a whole number is a count: "loss at
  /// step: 500".
  bool is_of_counter = false;
};

// Skips the words that describe a metric between its name and its value: "of
// the network on the 10000 test images: ". Adjusts the rank by them.
bool SkipDescription(std::string_view& text, Description& description) {
  constexpr int kMostWords = 12;
  constexpr std::string_view kThese[] = {"last", "this"};
  Rank& rank = description.rank;
  std::string_view rest = text;
  bool has_number = false;
  std::string previous;
  for (int i = 0; i < kMostWords; ++i) {
    SkipBlanks(rest);
    const std::string_view near = rest.substr(0, kLookedAtBefore);
    const std::size_t size =
        std::min(near.find_first_of(" \t:=,;"), near.size());
    const std::string word =
        absl::AsciiStrToLower(std::string(rest.substr(0, size)));
    const bool is_training = word.starts_with("train");
    // The number right behind the name is more likely to be the value.
    const bool is_number = i > 0 && IsNumberWord(word);
    if (!is_training && !is_number && !IsWordOf(word, kFillWords)) return false;
    has_number |= is_number;
    const std::string before = std::exchange(previous, word);
    if (is_training) rank = std::min(rank, Rank::kTraining);
    rest.remove_prefix(size);
    std::string_view value = rest;
    const bool is_verb = word == "is" || word == "was";
    if (!SkipAssignment(value) && !(is_verb && i > 0)) continue;
    SkipBlanks(value);
    if (PrintedNumberSize(value) == 0 && !PrintedValue(value)) continue;
    const std::size_t digits = PrintedNumberSize(value);
    description.is_of_counter = !has_number && IsWordOf(word, kCountWords) &&
                                !IsWordOf(before, kThese) &&
                                IsNumberWord(value.substr(0, digits)) &&
                                UnitOfPrinted(value).empty();
    text = value;
    return true;
  }
  return false;
}

// Returns whether a metric's name says of which data it is: "val_loss".
bool NamesASet(std::string_view name) {
  const std::string lower = absl::AsciiStrToLower(std::string(name));
  for (std::size_t at = 0; at < lower.size();) {
    const std::size_t end =
        std::min(lower.find_first_of("_-/. '", at), lower.size());
    if (IsWordOf(std::string_view(lower).substr(at, end - at), kDataWords)) {
      return true;
    }
    at = end + 1;
  }
  return false;
}

// Returns whether the name goes on behind its sign, as in "mAP@.5:.95: 0.2".
bool IsLongerName(std::string_view behind) {
  if (!SkipOneOf(":=", behind)) return false;
  const std::size_t size = PrintedNumberSize(behind);
  if (size == 0) return false;
  behind.remove_prefix(size);
  if (!SkipOneOf(":", behind)) return false;
  SkipBlanks(behind);
  return PrintedNumberSize(behind) > 0;
}

// Returns whether the text begins with a progress bar: "100%|###| 14/14 [".
bool BeginsProgressBar(std::string_view text) {
  const std::size_t size = PrintedNumberSize(text);
  constexpr std::string_view kBar = "%|";
  if (size == 0 || !text.substr(size).starts_with(kBar)) return false;
  text.remove_prefix(size + kBar.size());
  const std::size_t end = text.find('|');
  if (end == std::string_view::npos) return false;
  text.remove_prefix(end + 1);
  SkipBlanks(text);
  const std::size_t done = PrintedNumberSize(text);
  return done > 0 && text.substr(done).starts_with('/');
}

// Returns the number in brackets behind the number at the text's beginning:
// "(0.4)" of "0.5 (0.4)"; empty if there is none.
std::string_view BesideValue(std::string_view text) {
  std::string_view rest = text.substr(PrintedNumberSize(text));
  SkipBlanks(rest);
  if (!rest.starts_with('(')) return "";
  const std::size_t size = PrintedNumberSize(rest.substr(1));
  const bool ends = size > 0 && rest[1] != '+' && rest[1] != '-' &&
                    rest.substr(size + 1).starts_with(')');
  return ends ? rest.substr(0, size + 2) : "";
}

// Takes the mentions of a metric in a line, from left to right.
class MentionTaker {
 public:
  explicit MentionTaker(std::string_view name)
      : names_a_set_(NamesASet(name)) {}

  // `before` is the text before the name, `rest` the text behind it.
  void Take(std::string_view before, std::string_view rest) {
    Rank rank = RankOf(before);
    if (rank == Rank::kTraining && names_a_set_) rank = Rank::kPlain;
    const std::string qualifier = QualifierOf(before);
    if (rank != Rank::kOther && !qualifier.empty()) rank = Rank::kQualified;
    if (rank < rank_ || IsLongerName(rest)) return;
    const std::string_view behind = rest;
    if (SkipAssignment(rest)) return TakeText(rank, qualifier, rest);
    if (!behind.empty() && IsNameByte(behind.front())) return;
    // Of "monitor=loss 3", which is a value itself.
    if (before.ends_with('=')) return;
    TakeProse(rank, before, behind);
  }

  const PrintedMetric& found() const { return found_; }

 private:
  // Takes the text behind a sign of assignment.
  void TakeText(Rank rank, const std::string& qualifier,
                std::string_view text) {
    if (BeginsProgressBar(text)) return;
    const std::optional<double> value = PrintedValue(text);
    if (!value.has_value()) {
      if (rank == Rank::kQualified && rank > rank_) {
        rank_ = rank;
        part_ = qualifier;
      }
      TakeMiss(rank, WhyNoPrintedValue(text), text, false);
      return;
    }
    // Of several parts none is the metric.
    const bool is_another =
        rank == Rank::kQualified && rank_ == rank && part_ != qualifier;
    TakeValue(rank, *value);
    found_.unit = std::string(UnitOfPrinted(text));
    found_.before = qualifier;
    part_ = qualifier;
    found_.beside = std::string(BesideValue(text));
    has_several_ |= is_another;
    if (!has_several_) return;
    found_.value.reset();
    TakeMiss(rank, NoValue::kSeveralWords, text, false);
  }

  // Takes text without a sign of assignment before it.
  void TakeProse(Rank rank, std::string_view before, std::string_view rest) {
    const std::string qualifier = QualifierOf(before);
    if (SkipValueKey(rest)) return TakeText(rank, qualifier, rest);
    if (SkipChange(rest)) {
      // The value itself is usually printed on a line of its own.
      if (rank_ == Rank::kOther) TakeText(Rank::kOther, qualifier, rest);
      return;
    }
    SkipOneOf("\"'`", rest);
    const bool is_apart =
        !rest.empty() && (rest.front() == ' ' || rest.front() == '\t');
    std::string_view described = rest;
    Description description{rank};
    std::string inside;
    if (SkipBracket(described, description.rank, inside)) {
      if (!inside.empty()) {
        description.rank = std::min(description.rank, Rank::kQualified);
      }
      if (description.rank < rank_) return;
      TakeText(description.rank, inside.empty() ? qualifier : inside,
               described);
      return;
    }
    if (is_apart && SkipDescription(described, description)) {
      if (description.rank < rank_) return;
      if (description.is_of_counter) {
        return TakeMiss(rank, NoValue::kCounter, described, true);
      }
      return TakeText(description.rank, qualifier, described);
    }
    TakeNumber(rank, before, rest, is_apart);
  }

  // Takes a number right behind the name, or behind a verb.
  void TakeNumber(Rank rank, std::string_view before, std::string_view rest,
                  bool is_apart) {
    const std::string_view behind = rest;
    const bool is_verb = is_apart && SkipSentence(rest);
    const std::optional<double> value = !is_apart ? std::nullopt
                                        : BeginsObject(rest)
                                            ? PrintedValue(rest)
                                            : PrintedNumber(rest);
    const bool is_finite = value.has_value() && std::isfinite(*value);
    if (value.has_value() && !is_finite && (is_verb || IsClearNoNumber(rest))) {
      TakeValue(rank, *value);
      found_.is_sentence = is_verb;
    } else if (is_finite && !is_verb && HasNumbersFirst(before, behind)) {
      TakeMiss(rank, NoValue::kNumberFirst, rest, false);
    } else if (is_finite && (BeginsObject(rest) || IsClearValue(rest))) {
      TakeText(rank, QualifierOf(before), rest);
    } else {
      const bool is_value = is_apart && !value && LooksLikeValue(rest);
      TakeMiss(rank, is_value ? WhyNoPrintedValue(rest) : NoValue::kNoSign,
               rest, !value.has_value() && !is_value);
    }
  }

  void TakeValue(Rank rank, double value) {
    if (rank != rank_) has_several_ = false;
    rank_ = rank;
    found_ = {};
    found_.value = value;
    found_.is_other = rank == Rank::kOther;
    found_.is_training = rank == Rank::kTraining;
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

  const bool names_a_set_;  // The metric's name says of which data it is.
  Rank rank_ = Rank::kOther;
  std::string part_;          // The word before the last mention of the rank.
  bool has_several_ = false;  // Of the rank, with different words before them.
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
  MentionTaker taker(name);
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
