#include "cluster/metrics/printed_metrics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "cluster/metrics/line_words.h"
#include "cluster/metrics/mention_rank.h"
#include "cluster/metrics/printed_mark.h"
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
// The part of a line around a name that is looked at for words, in bytes.
constexpr std::size_t kLookedAtAround = 400;

// Words between a name and its sign that select no part of the data.
constexpr std::string_view kFillWords[] = {
    "a",          "after",    "all",     "and",    "at",         "batch",
    "batches",    "data",     "dataset", "epoch",  "epochs",     "eval",
    "evaluation", "examples", "final",   "for",    "full",       "held-out",
    "image",      "images",   "in",      "is",     "iter",       "iteration",
    "iterations", "last",     "mean",    "model",  "network",    "of",
    "on",         "our",      "over",    "sample", "samples",    "score",
    "set",        "split",    "step",    "steps",  "test",       "testing",
    "the",        "this",     "total",   "val",    "validation", "value",
    "was",        "whole"};

// Words of counters: a whole number behind them is a count.
constexpr std::string_view kCountWords[] = {
    "batch",     "batches",    "epoch",  "epochs",  "examples", "iter",
    "iteration", "iterations", "sample", "samples", "step",     "steps"};

// Returns the name that ends right before `text`'s end, with or without quotes;
// empty if there is none that begins with a letter.
std::string_view NameBefore(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
    text.remove_suffix(1);
  }
  const bool is_quoted =
      !text.empty() && (text.back() == '"' || text.back() == '\'');
  if (is_quoted) text.remove_suffix(1);
  std::string_view name = WordAtEnd(text);
  while (!name.empty() && !IsLetter(name.front())) name.remove_prefix(1);
  return name.size() <= kLongestName ? name : "";
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
  constexpr std::string_view kOthers[] = {"of", "at", "-",
                                          "->", "=>", "\xe2\x86\x92"};
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
  const std::string_view name = WordAt(text);
  if (name.empty() || !IsLetter(name.front())) return false;
  text.remove_prefix(name.size());
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

bool IsNameToken(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return IsLetter(c) || c == '_' || c == '/' || c == '%';
  });
}

// Returns whether a word is a number, which may have its unit behind it.
bool IsNumberToken(std::string_view word) {
  const std::size_t size = PrintedNumberSize(word);
  return size > 0 && (size == word.size() || IsPrintedUnit(word.substr(size)));
}

// Returns whether a line has its numbers before their names, as in "0.9 acc 0.2
// loss 0.001 lr": pairs of a number and a name lead from its beginning to the
// mention, and from there to its end.
bool HasNumbersFirst(std::string_view before, std::string_view behind) {
  if (before.size() > kLookedAtAround || behind.size() > kLookedAtAround) {
    return false;
  }
  // Something may lead the pairs: "Throughput: 12.5 MB/s 812 req/s", "make all
  // 1.2s user 0.3s system".
  for (const std::string_view end : {": ", "  "}) {
    const std::size_t at = before.rfind(end);
    if (at != std::string_view::npos) before.remove_prefix(at + end.size());
  }
  std::string_view number = TakeLastToken(before);
  if (!IsNumberToken(number)) return false;
  for (std::string_view name = TakeLastToken(before); IsNameToken(name);
       name = TakeLastToken(before)) {
    number = TakeLastToken(before);
    if (!IsNumberToken(number)) return false;
  }
  // A whole number at the beginning may be a step.
  if (number.find('.') == std::string_view::npos) return false;
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
  // Of "TOTAL      100   19   81%" it may be any.
  const bool is_apart = (before - rest.size() > 1 || text[size] == '\t') &&
                        PrintedNumberSize(rest) == 0;
  return is_apart || kSeparators.find(rest.front()) != std::string_view::npos ||
         BeginsPair(rest);
}

// Returns whether the text, behind a name, has only a count of what the value
// was got from, and then a sign: " of 99 percentile: 12.5", " at 8 threads: 3".
bool BeginsCount(std::string_view text) {
  constexpr std::string_view kOf[] = {"at", "of"};
  SkipBlanks(text);
  const std::string_view word = FirstWord(text);
  if (!IsWordOf(word, kOf)) return false;
  text.remove_prefix(word.size());
  SkipBlanks(text);
  const std::size_t size = PrintedNumberSize(text);
  if (!IsNumberWord(text.substr(0, size))) return false;
  text.remove_prefix(size);
  SkipBlanks(text);
  return BeginsPair(text);
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
// "step": 3, "value": 0.25; or "loss", of ("loss", 0.25).
bool SkipValueKey(std::string_view& text) {
  constexpr std::string_view kKey = "value";
  std::string_view rest = text.substr(0, kLookedAtAround);
  if (!SkipOneOf("\"'", rest) || !SkipOneOf(",", rest)) return false;
  SkipBlanks(rest);
  const std::size_t size = PrintedNumberSize(rest);
  if (size == 0) {
    rest = rest.substr(0, rest.find_first_of("{}[]"));
    const std::size_t at = rest.find(kKey);
    if (at == std::string_view::npos || !BeginsWord(rest, at)) return false;
    rest.remove_prefix(at + kKey.size());
    if (!SkipAssignment(rest)) return false;
  } else if (!rest.substr(size).starts_with(')')) {
    return false;
  }
  text.remove_prefix(static_cast<std::size_t>(rest.data() - text.data()));
  return true;
}

// Skips " value=" behind the name of a metric that is a value itself:
// "metric=loss value=0.25", "{metricName: loss, metricValue: 0.25}".
bool SkipNamedValue(std::string_view& text) {
  constexpr std::string_view kKeys[] = {"metric_value", "metricvalue", "value"};
  std::string_view rest = text;
  while (SkipOneOf(" \t,;\"'", rest)) {
  }
  const std::string_view key = WordAt(rest.substr(0, kLongestName));
  if (!IsWordOf(absl::AsciiStrToLower(std::string(key)), kKeys)) return false;
  rest.remove_prefix(key.size());
  if (!SkipAssignment(rest)) return false;
  text = rest;
  return true;
}

// Returns whether all words are of those that select no part of the data, or
// name its sets: "train", "test set".
bool IsSetOfData(std::string_view words) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    if (!IsTrainingWord(word) && !IsWordOf(word, kFillWords) &&
        !IsSetWord(word)) {
      return false;
    }
    words.remove_prefix(std::min(word.size() + 1, words.size()));
  }
  return true;
}

// Skips a bracket behind a name, as in "time (s): 3" and "Loss (val) = 0.5".
// Sets `inside` to the word in it if that may turn the value into another
// quantity.
bool SkipBracket(std::string_view& text, MentionRank& rank,
                 std::string& inside) {
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
  if (IsTrainingWord(WordAt(word))) {
    rank = std::min(rank, MentionRank::kTraining);
  }
  const bool is_plain = IsPrintedUnit(word) || IsSetOfData(word);
  if (is_index && !is_plain) return false;
  inside = is_plain ? "" : word;
  text = rest;
  return true;
}

// Returns whether the text begins with a printed object: "tensor(0.25, ...)",
// "[0.25]".
bool BeginsObject(std::string_view text) {
  const std::string_view name = WordAt(text);
  if (name.empty()) return text.starts_with('[');
  return text.substr(name.size()).starts_with('(');
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
    if (IsLetter(text.front())) {
      // Of "[np.float32(0.4), np.float32(0.3)]".
      text.remove_prefix(WordAt(text).size());
      return SkipOneOf("(", text) && PrintedNumberSize(text) > 0;
    }
    text.remove_prefix(1);
  }
  return false;
}

// The words between a metric's name and the sign before its value.
struct Description {
  MentionRank rank = MentionRank::kPlain;
  /// The last word is a counter's, so that a whole number is a count: "loss at
  /// step: 500".
  bool is_of_counter = false;
};

// Skips the words that describe a metric between its name and its value: "of
// the network on the 10000 test images: ". Adjusts the rank by them.
bool SkipDescription(std::string_view& text, Description& description) {
  constexpr int kMostWords = 12;
  constexpr std::string_view kThese[] = {"all", "each", "last", "of", "this"};
  MentionRank& rank = description.rank;
  std::string_view rest = text;
  bool has_number = false;
  std::string previous;
  for (int i = 0; i < kMostWords; ++i) {
    SkipBlanks(rest);
    const std::string_view near = rest.substr(0, kLookedAtAround);
    const std::size_t size =
        std::min(near.find_first_of(" \t:=,;"), near.size());
    const std::string word =
        absl::AsciiStrToLower(std::string(rest.substr(0, size)));
    const bool is_training = IsTrainingWord(word);
    // The number right behind the name is more likely to be the value.
    const bool is_number = i > 0 && IsNumberWord(word);
    if (!is_training && !is_number && !IsWordOf(word, kFillWords)) return false;
    has_number |= is_number;
    const std::string before = std::exchange(previous, word);
    if (is_training) rank = std::min(rank, MentionRank::kTraining);
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

// Returns whether the name goes on behind its sign, as in "mAP@.5:.95: 0.2".
bool IsLongerName(std::string_view behind) {
  if (!behind.starts_with(":.")) return false;
  behind.remove_prefix(1);
  behind.remove_prefix(PrintedNumberSize(behind));
  if (!SkipOneOf(":", behind)) return false;
  SkipBlanks(behind);
  return PrintedNumberSize(behind) > 0;
}

// Returns whether a number with a fraction follows behind blanks.
bool HasFractionAt(std::string_view text) {
  SkipBlanks(text);
  return text.substr(0, PrintedNumberSize(text)).find('.') != text.npos;
}

// Returns the value of a part of the data that the text begins with, behind
// separators: "val: 0.8" of ", val: 0.8, ..."; empty if there is none.
std::string_view PartAt(std::string_view text) {
  while (SkipOneOf(" \t,;|/(", text)) {
  }
  const std::string word = absl::AsciiStrToLower(std::string(WordAt(text)));
  if (!IsDataWord(word) || IsTrainingWord(word)) return "";
  std::string_view value = text.substr(word.size());
  const bool has_sign = SkipAssignment(value);
  SkipBlanks(value);
  const std::size_t size = PrintedNumberSize(value);
  if (size == 0 || (!has_sign && !HasFractionAt(value))) return "";
  return text.substr(0, text.size() - value.size() + size);
}

// Returns what stands behind the number at the text's beginning and may be
// meant: the number in brackets "(0.4)" of "0.5 (0.4)", or the value of a part
// of the data, "val: 0.8" of "0.9, val: 0.8"; empty if there is none.
std::string_view BesideValue(std::string_view text, bool names_a_set) {
  std::string_view rest = text.substr(PrintedNumberSize(text));
  const std::string_view part =
      names_a_set ? "" : PartAt(rest.substr(rest.starts_with('%') ? 1 : 0));
  if (!part.empty()) return part;
  SkipBlanks(rest);
  std::string_view inside = rest;
  if (!SkipOneOf("(", inside)) return "";
  SkipBlanks(inside);
  const std::size_t size = PrintedNumberSize(inside);
  const bool ends = size > 0 && inside.front() != '+' &&
                    inside.front() != '-' &&
                    inside.substr(size).starts_with(')');
  return ends ? rest.substr(0, rest.size() - inside.size() + size + 1) : "";
}

// A value behind a metric's name with the part of the data that it is of.
struct PartValue {
  bool is_training = false;
  bool is_labelled = false;
  std::string_view text;  // Begins with the number.
};

// Returns whether the values are those of several parts. The first may have no
// label if a bracket follows it: of "Loss: 1.8, Train: 0.3, Val: 0.4" the
// others are of another metric.
bool AreOfParts(const std::vector<PartValue>& values) {
  if (values.size() < 2) return false;
  const auto is_labelled = [](const PartValue& value) {
    return value.is_labelled;
  };
  if (!std::all_of(values.begin() + 1, values.end(), is_labelled)) return false;
  std::string_view behind = values.front().text;
  behind.remove_prefix(PrintedNumberSize(behind));
  SkipBlanks(behind);
  return values.front().is_labelled || behind.starts_with('(');
}

// Reads values of several parts behind a name: "train: 0.99 val: 0.80", "0.1
// (train), 0.5 (val)", ": 0.99 (val: 0.80)". `first` has the label that stands
// before the metric, as in "train acc 0.99 val 0.80". Returns none where there
// are fewer than two values, or one has no label.
std::vector<PartValue> ReadParts(std::string_view text, PartValue first) {
  constexpr std::string_view kSigns = " \t:=,|/;()[]";
  constexpr std::string_view kBetween[] = {"and", "for", "of",
                                           "on",  "set", "the"};
  constexpr std::size_t kMostParts = 4;
  std::vector<PartValue> parts;
  PartValue next = first;  // With the label of the value that comes next.
  bool labels_follow = false;
  text = text.substr(0, kLookedAtAround);
  while (!text.empty() && parts.size() < kMostParts) {
    if (SkipOneOf(kSigns, text)) continue;
    if (const std::size_t size = PrintedNumberSize(text); size > 0) {
      if (!PrintedValue(text)) break;
      next.text = text;
      parts.push_back(std::exchange(next, {}));
      text.remove_prefix(size);
      SkipOneOf("%", text);
      continue;
    }
    const std::string word = absl::AsciiStrToLower(std::string(WordAt(text)));
    if (word.empty()) break;
    text.remove_prefix(word.size());
    if (IsWordOf(word, kBetween)) continue;
    if (word.find('/') != word.npos || !IsSetWord(word)) break;
    std::string_view value = text;
    const bool precedes = SkipAssignment(value) ||
                          (!labels_follow && PrintedNumberSize(value) > 0 &&
                           value.size() < text.size());
    labels_follow |= !precedes && !parts.empty() && !parts.back().is_labelled;
    PartValue& labelled = parts.empty() || parts.back().is_labelled || precedes
                              ? next
                              : parts.back();
    labelled.is_labelled = true;
    labelled.is_training = IsTrainingWord(word);
  }
  return AreOfParts(parts) ? parts : std::vector<PartValue>{};
}

// Returns the number that is not of the training data where as many numbers as
// parts of the data are joined by "/": "0.8" of "Train/Valid acc: 0.9/0.8".
// Empty if there is no such, or more than one. `before` ends before the name.
std::string_view MeasuredOfJoined(std::string_view before,
                                  std::string_view text) {
  const std::string word = TakeLastWord(before);
  std::string_view sets = word;
  if (sets.find('/') == sets.npos || !IsSetWord(sets)) return "";
  if (!SkipAssignment(text)) return "";
  std::string_view measured;
  while (true) {
    const std::size_t end = std::min(sets.find('/'), sets.size());
    const std::size_t size = PrintedNumberSize(text);
    if (size == 0) return "";
    if (!IsTrainingWord(sets.substr(0, end))) {
      if (!measured.empty()) return "";
      measured = text.substr(0, size);
    }
    text.remove_prefix(size);
    SkipOneOf("%", text);
    if (end == sets.size()) return text.starts_with('/') ? "" : measured;
    sets.remove_prefix(end + 1);
    if (!SkipOneOf("/", text)) return "";
  }
}

// Returns whether the text begins with three numbers or more between blanks: "1
// 8   2.1   8".
bool BeginsList(std::string_view text) {
  constexpr int kFewest = 3;
  for (int i = 0; i < kFewest; ++i) {
    const std::size_t size = PrintedNumberSize(text);
    if (size == 0) return false;
    text.remove_prefix(size);
    if (!text.empty() && text.front() != ' ' && text.front() != '\t') {
      return false;
    }
    SkipBlanks(text);
  }
  return true;
}

// Returns what stands before the words that a name in brackets abbreviates:
// "Test " of "Test mean absolute error (", where the name is "MAE"; nullopt if
// the words do not have its letters as initials.
std::optional<std::string_view> BeforeSpelledOut(std::string_view before,
                                                 std::string_view name) {
  constexpr std::string_view kSmallWords[] = {"and", "for",  "of",
                                              "on",  "over", "the"};
  if (!before.ends_with('(')) return std::nullopt;
  before.remove_suffix(1);
  std::size_t letters = 0;
  while (letters < name.size() && IsLetter(name[letters])) ++letters;
  if (letters < 2) return std::nullopt;
  while (letters > 0) {
    while (before.ends_with(' ') || before.ends_with('-')) {
      before.remove_suffix(1);
    }
    const std::string_view text =
        before.substr(before.size() - std::min(before.size(), kLookedAtAround));
    std::size_t size = 0;
    while (size < text.size() && IsLetter(text[text.size() - 1 - size])) ++size;
    if (size == 0) return std::nullopt;
    const std::string_view word = text.substr(text.size() - size);
    if (absl::ascii_tolower(static_cast<unsigned char>(word.front())) ==
        absl::ascii_tolower(static_cast<unsigned char>(name[letters - 1]))) {
      --letters;
    } else if (!IsWordOf(word, kSmallWords)) {
      return std::nullopt;
    }
    before.remove_suffix(size);
  }
  return before;
}

// Takes the mentions of a metric in a line, from left to right.
class MentionTaker {
 public:
  MentionTaker(std::string_view line, std::string_view name)
      : name_(name),
        names_a_set_(NamesASet(name)),
        labels_lead_(LabelsLead(line)),
        leading_(LeadingQualifier(line)) {}

  // `before` is the text before the name in the line, `rest` the text behind.
  void Take(std::string_view before, std::string_view rest) {
    if (rest.starts_with(')')) {
      if (const auto spelled_out = BeforeSpelledOut(before, name_)) {
        before = *spelled_out;
        rest.remove_prefix(1);
      }
    }
    MentionRank rank = RankOfMention(before);
    if (rank == MentionRank::kTraining && names_a_set_) {
      rank = MentionRank::kPlain;
    }
    const std::string qualifier = PartBefore(before);
    if (rank != MentionRank::kOther && !qualifier.empty()) {
      rank = MentionRank::kQualified;
    }
    if (rank < rank_ || IsLongerName(rest)) return;
    const std::string_view joined = MeasuredOfJoined(before, rest);
    if (!joined.empty()) {
      // Both sets stand before the name, so that it is not of training alone.
      const bool is_other = rank == MentionRank::kOther;
      return TakeText(is_other ? rank : MentionRank::kPlain, "", joined);
    }
    if (!names_a_set_ && rank != MentionRank::kOther &&
        TakeParts(rank, qualifier, before, rest)) {
      return;
    }
    const std::string_view behind = rest;
    if (IsBlank(before) && IsBlank(rest)) {
      return TakeMiss(rank, NoValue::kNothing, rest, true);
    }
    if (SkipAssignment(rest)) return TakeText(rank, qualifier, rest);
    if (!behind.empty() && IsNameByte(behind.front())) return;
    // Of "monitor=loss 3", where the name is a value itself.
    const bool is_value = before.ends_with('=') && !before.ends_with("==");
    const bool has_key = is_value || before.ends_with(": ");
    std::string_view valued = behind;
    if (has_key && SkipNamedValue(valued)) {
      return TakeText(rank, qualifier, valued);
    }
    if (is_value && !HasFractionAt(behind)) return;
    TakeProse(rank, before, behind);
  }

  const PrintedMetric& found() const { return found_; }

 private:
  std::string PartBefore(std::string_view before) const {
    std::string qualifier = QualifierOf(before);
    return qualifier.empty() ? leading_ : qualifier;
  }

  // Takes the value that is not of the training data where a line has values
  // of several parts behind one name. Returns whether it has.
  bool TakeParts(MentionRank rank, const std::string& qualifier,
                 std::string_view before, std::string_view rest) {
    const std::string last = TakeLastWord(before);
    PartValue first;
    first.is_labelled = !last.empty() && IsSetWord(last);
    first.is_training = first.is_labelled && rank == MentionRank::kTraining;
    const std::vector<PartValue> parts = ReadParts(rest, first);
    std::vector<PartValue> measured;
    std::copy_if(parts.begin(), parts.end(), std::back_inserter(measured),
                 [](const PartValue& part) {
                   return part.is_labelled && !part.is_training;
                 });
    if (measured.empty()) return false;
    if (rank == MentionRank::kTraining) rank = MentionRank::kPlain;
    if (measured.size() > 1) {
      TakeMiss(rank, NoValue::kSeveralWords, rest, false);
    } else {
      TakeText(rank, qualifier, measured.front().text);
    }
    return true;
  }

  // Takes the text behind a sign of assignment.
  void TakeText(MentionRank rank, const std::string& qualifier,
                std::string_view text) {
    if (BeginsProgressBar(text)) return;
    const std::optional<double> value =
        BeginsList(text) ? std::nullopt : PrintedValue(text);
    if (!value.has_value()) {
      if (rank == MentionRank::kQualified && rank > rank_) {
        rank_ = rank;
        part_ = qualifier;
      }
      TakeMiss(rank, WhyNoPrintedValue(text), text, false);
      return;
    }
    // Of several parts none is the metric.
    const bool is_another =
        rank == MentionRank::kQualified && rank_ == rank && part_ != qualifier;
    if (!labels_lead_ &&
        IsLabelledTrainingBehind(text.substr(PrintedNumberSize(text)))) {
      rank = std::min(rank, MentionRank::kTraining);
      if (rank < rank_) return;
    }
    TakeValue(rank, *value);
    found_.unit = std::string(UnitOfPrinted(text));
    found_.before = qualifier;
    part_ = qualifier;
    found_.beside = std::string(BesideValue(text, names_a_set_));
    has_several_ |= is_another;
    if (!has_several_) return;
    found_.value.reset();
    TakeMiss(rank, NoValue::kSeveralWords, text, false);
  }

  // Takes text without a sign of assignment before it.
  void TakeProse(MentionRank rank, std::string_view before,
                 std::string_view rest) {
    const std::string qualifier = PartBefore(before);
    if (SkipValueKey(rest)) return TakeText(rank, qualifier, rest);
    if (SkipChange(rest)) {
      // The value itself is usually printed on a line of its own.
      if (rank_ == MentionRank::kOther)
        TakeText(MentionRank::kOther, qualifier, rest);
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
        description.rank = std::min(description.rank, MentionRank::kQualified);
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
  void TakeNumber(MentionRank rank, std::string_view before,
                  std::string_view rest, bool is_apart) {
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
    } else if (is_finite && BeginsCount(behind)) {
      TakeMiss(rank, NoValue::kCounter, rest, false);
    } else if (is_finite && (BeginsObject(rest) || IsClearValue(rest))) {
      TakeText(rank, PartBefore(before), rest);
    } else {
      const bool is_value = is_apart && !value && LooksLikeValue(rest);
      TakeMiss(rank, is_value ? WhyNoPrintedValue(rest) : NoValue::kNoSign,
               rest, !value.has_value() && !is_value);
    }
  }

  void TakeValue(MentionRank rank, double value) {
    if (rank != rank_) has_several_ = false;
    rank_ = rank;
    found_ = {};
    found_.value = value;
    found_.is_other = rank == MentionRank::kOther;
    found_.is_training = rank == MentionRank::kTraining;
  }

  // Records a mention without a readable value, unless it is of another
  // quantity.
  void TakeMiss(MentionRank rank, NoValue why, std::string_view text,
                bool is_prose) {
    constexpr std::size_t kShown = 100;
    if (rank == MentionRank::kOther) return;
    // Prose is weaker evidence than the mentions before it.
    if (is_prose && (found_.value.has_value() || found_.miss.has_value())) {
      return;
    }
    found_.miss = why;
    found_.miss_text = std::string(text.substr(0, kShown));
    found_.is_prose = is_prose;
  }

  const std::string_view name_;
  const bool names_a_set_;     // The metric's name says of which data it is.
  const bool labels_lead_;     // Those in brackets stand before the values.
  const std::string leading_;  // LeadingQualifier of the line.
  MentionRank rank_ = MentionRank::kOther;
  std::string part_;          // The word before the last mention of the rank.
  bool has_several_ = false;  // Of the rank, with different words before them.
  PrintedMetric found_;
};

}  // namespace

PrintedMetric FindPrintedMetric(std::string_view line, std::string_view name,
                                LetterCase letters) {
  if (name.empty()) return {};
  if (letters == LetterCase::kDoesNotMatter) {
    return FindPrintedMetric(absl::AsciiStrToLower(std::string(line)),
                             absl::AsciiStrToLower(std::string(name)));
  }
  MentionTaker taker(line, name);
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

}  // namespace vernier
