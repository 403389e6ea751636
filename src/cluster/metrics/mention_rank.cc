#include "cluster/metrics/mention_rank.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "cluster/metrics/line_words.h"
#include "cluster/metrics/printed_mark.h"
#include "cluster/metrics/printed_number.h"

namespace vernier {
namespace {

// Words that may stand between kOtherWords and the name.
constexpr std::string_view kSetWords[] = {
    "average", "avg",     "dev",   "eval",      "evaluation", "mean",
    "model",   "set",     "te",    "test",      "testing",    "tr",
    "train",   "train's", "trn",   "tst",       "training",   "training's",
    "va",      "val",     "valid", "validation"};

// Words before a name that do not change what is measured.
constexpr std::string_view kPlainWords[] = {
    "a",           "achieved", "an",      "and",       "complete", "current",
    "debug",       "done",     "end",     "final",     "finally",  "finished",
    "full",        "global",   "got",     "info",      "last",     "latest",
    "metric",      "metrics",  "model's", "new",       "our",      "overall",
    "performance", "reached",  "result",  "resulting", "results",  "the",
    "this",        "total",    "warning", "whole",     "with"};
// Words for a part of the data.
constexpr std::string_view kDataWords[] = {
    "dev",     "eval", "evaluation", "te",       "test",
    "testing", "tr",   "train",      "training", "trn",
    "tst",     "va",   "val",        "valid",    "validation"};
// Words that a number behind them turns into a part: "class 3", "top 5".
constexpr std::string_view kPartWords[] = {
    "class", "client", "cluster", "domain", "fold",  "group",  "head",
    "label", "layer",  "level",   "part",   "scale", "shot",   "split",
    "stage", "subset", "target",  "task",   "top",   "version"};

// Returns a word without what is only its form: "train" of "train_set's",
// "valid" of "valid_1's".
std::string_view StemOf(std::string_view word) {
  constexpr std::string_view kOwner = "'s";
  if (word.ends_with(kOwner)) word.remove_suffix(kOwner.size());
  while (!word.empty() && IsDigit(word.back())) word.remove_suffix(1);
  for (const std::string_view end : {"set", "data"}) {
    const bool is_form = word.size() > end.size() && word.ends_with(end);
    if (is_form) word.remove_suffix(end.size());
  }
  while (!word.empty() && (word.back() == '_' || word.back() == '-')) {
    word.remove_suffix(1);
  }
  return word;
}

// Skips counters and the signs around them: "Epoch: 2 [640/60000 (1%)]", "(1/2)
// ", ", step 20 ". Returns whether there was a number.
bool SkipCounters(std::string_view& text) {
  constexpr std::string_view kSigns = " \t:#,|/()[]-%@";
  bool has_number = false;
  while (!text.empty()) {
    if (kSigns.find(text.front()) != kSigns.npos) {
      text.remove_prefix(1);
      continue;
    }
    const std::string_view word = WordAt(text);
    const bool is_number =
        !word.empty() &&
        word.find_first_not_of("0123456789/.") == std::string_view::npos;
    if (!is_number && !UnitOfWord(word)) break;
    has_number |= is_number;
    text.remove_prefix(word.size());
  }
  return has_number;
}

// Returns "train" of "train_epoch".
std::string_view WithoutCounter(std::string_view word) {
  const std::size_t end = word.find('_');
  const bool is_of_counter =
      end != std::string_view::npos && UnitOfWord(word.substr(end + 1));
  return is_of_counter ? word.substr(0, end) : word;
}

// Returns whether a word with digits is a step or a unit and no part:
// "epoch_3", "it100", "12s".
bool IsCounterWord(std::string_view word) {
  constexpr std::string_view kCounters[] = {
      "b",   "batch",      "chunk", "e",  "ep",   "episode",   "epoch",
      "gen", "generation", "i",     "it", "iter", "iteration", "round",
      "run", "s",          "step",  "t",  "trial"};
  if (IsWordOf(StemOf(word), kCounters)) return true;
  return IsDigit(word.front()) && word.find_first_of("-_") == word.npos;
}

// The parts of a line before a mention and behind its value that are looked at,
// in bytes.
constexpr std::size_t kLookedAtBefore = 400;
constexpr std::size_t kLookedAtBehind = 400;

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

// Words that make "training" a time.
constexpr std::string_view kTimeWords[] = {"after", "before", "during", "post"};

// Returns whether the text ends with the sign or word behind which a name is
// the condition of another: "precision @ ", "FPR at ".
bool EndsWithCondition(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  std::string_view before = text;
  const bool is_word =
      absl::AsciiStrToLower(std::string(WordAtEnd(text))) == "at";
  if (!is_word && !text.ends_with('@')) return false;
  before.remove_suffix(is_word ? 2 : 1);
  return before.ends_with(' ') && !IsBlank(before);
}

// Returns whether the text ends with a number and its unit, as in "123.4 Hz ".
bool EndsWithUnit(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  const std::string_view word = WordAtEnd(text);
  if (!IsPrintedUnit(word)) return false;
  text.remove_suffix(word.size());
  while (text.ends_with(' ') || text.ends_with(')')) text.remove_suffix(1);
  return !text.empty() && IsDigit(text.back());
}

// What the words right before a name say of it.
struct WordsBefore {
  MentionRank rank = MentionRank::kPlain;
  bool has_set = false;  // They name a part of the data, or that it is new.
};

// Returns whether the word begins the text, and skips it.
bool SkipWord(std::string_view word, std::string_view& text) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

// Returns the rank that the words right before a name give it.
WordsBefore ReadWordsBefore(std::string_view before) {
  constexpr int kMostSetWords = 2;
  WordsBefore words;
  for (int i = 0; i <= kMostSetWords; ++i) {
    std::string word = TakeLastWord(before);
    if (word.ends_with('.')) word.pop_back();  // Of "val. loss".
    if (IsWordOf(word, kOtherWords)) {
      // A "new best" is the value that was measured just now.
      const bool is_new = word == "best" && TakeLastWord(before) == "new";
      words.has_set |= is_new;
      if (!is_new) words.rank = MentionRank::kOther;
      return words;
    }
    if (IsWordOf(word, kTimeWords)) return {};  // Of "after training".
    words.has_set |= word == "current" || word == "new";
    if (!IsSetWord(word)) break;
    words.has_set |= IsDataWord(word) || word.find('/') != std::string::npos;
    if (IsTrainingWord(word)) words.rank = MentionRank::kTraining;
  }
  return words;
}

// Returns the rest of the line's part that a mention stands in: parts end at
// "|", ";", ". " and "! ".
std::string_view PartOf(std::string_view before) {
  std::size_t begin = 0;
  for (const std::string_view end : {"|", ";", ". ", "! "}) {
    const std::size_t at = before.rfind(end);
    if (at != std::string_view::npos) begin = std::max(begin, at + end.size());
  }
  return before.substr(begin);
}

// Returns whether "best", with `rest` behind it up to a mention, has a value of
// its own: true for "val loss so far: 0.31" and "(0.3)", false for "epoch: 12"
// and "metric". What follows a comma is about something else.
bool HasOwnValue(std::string_view rest) {
  constexpr std::string_view kCounted[] = {"fold", "run", "seed", "trial"};
  rest = rest.substr(0, rest.find(','));
  std::string_view last;
  while (!rest.empty()) {
    const bool is_number = PrintedNumberSize(rest) > 0 || SaysNoNumber(rest);
    if (is_number && !UnitOfWord(last) && !IsWordOf(last, kCounted)) {
      return true;
    }
    const std::string_view word = WordAt(rest);
    if (!word.empty()) last = word;
    rest.remove_prefix(std::max<std::size_t>(word.size(), 1));
  }
  return false;
}

// Returns whether the text begins with a counter of its own part: "epoch 3: ",
// "iteration 3 ", and not "epoch=3, ".
bool BeginsWithCounter(std::string_view text) {
  const std::string_view word = WordAt(text);
  if (!UnitOfWord(word)) return false;
  text.remove_prefix(word.size());
  SkipBlanks(text);
  const std::size_t size = PrintedNumberSize(text);
  if (!IsNumberWord(text.substr(0, size))) return false;
  text.remove_prefix(size);
  return text.starts_with(": ") || text.starts_with(' ');
}

// Returns whether words behind "best" say that a result was measured just now.
bool IsJustMeasured(std::string_view rest) {
  constexpr std::string_view kWords[] = {"found", "loaded", "restored", "saved",
                                         "updated"};
  while (!rest.empty()) {
    const std::string_view word = WordAt(rest);
    if (IsWordOf(word, kWords)) return true;
    rest.remove_prefix(std::max<std::size_t>(word.size(), 1));
  }
  return false;
}

// Returns whether a mapping that is open at the text's end stands under a key
// of others: "{'loss': 0.5, 'best': {'epoch': 2, ". `lower` is in lower case.
bool IsInMappingOfOthers(std::string_view lower) {
  int depth = 0;
  for (std::size_t at = lower.size(); at > 0; --at) {
    const char c = lower[at - 1];
    if (c == '}') ++depth;
    if (c != '{' || depth-- > 0) continue;
    depth = 0;
    std::string_view key = lower.substr(0, at - 1);
    while (!key.empty() && !IsNameByte(key.back())) {
      constexpr std::string_view kSigns = " \t\"':=";
      if (kSigns.find(key.back()) == kSigns.npos) break;
      key.remove_suffix(1);
    }
    if (IsKeyOfOthers(WordAtEnd(key))) return true;
  }
  return false;
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
  constexpr std::string_view kLoads[] = {"loaded", "loading", "restored",
                                         "restoring"};
  while (IsWordOf(WordAtEnd(prefix), kLoads)) {  // "Loaded best model (acc=1)"
    prefix.remove_suffix(WordAtEnd(prefix).size());
    prefix.remove_suffix(prefix.ends_with(' ') ? 1 : 0);
  }
  const bool is_first =
      prefix.empty() || kEnds.find(prefix.back()) != prefix.npos;
  if (!is_first || prefix.find('=') != prefix.npos ||
      FindPrintedMark(prefix).unit != StepUnit::kNone) {
    return false;
  }
  std::string_view rest = std::string_view(lower).substr(at + kBest.size());
  rest.remove_prefix(WordAt(rest).size());
  // Of "best: {'acc': 0.7} now ..." the mapping is all that is about it.
  if (rest.find('}') != std::string_view::npos) return false;
  const std::size_t comma = std::min(rest.find(','), rest.size());
  const bool goes_on =
      FindPrintedMark(rest.substr(comma)).unit != StepUnit::kNone;
  if (goes_on || IsJustMeasured(rest)) return false;
  while (SkipOneOf("\"'])*", rest)) {
  }
  SkipBlanks(rest);
  // Of "Best epoch 3: acc 0.7, loss 0.2" all is about that epoch.
  if (BeginsWithCounter(rest)) return true;
  if (SkipOneOf(":=", rest)) {
    SkipBlanks(rest);
    return !PrintedValue(rest).has_value();
  }
  return !HasOwnValue(rest);
}

// Words behind "training" that say nothing of the data.
constexpr std::string_view kEndWords[] = {
    "complete", "completed", "done", "ended", "finished", "ok", "over"};

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
  constexpr std::string_view kKeys[] = {
      "_type", "collection", "data",  "dataset", "event",     "job",
      "kind",  "loader",     "mode",  "name",    "partition", "phase",
      "set",   "split",      "stage", "subset",  "tag",       "type"};
  const auto trim = [&] {
    while (!text.empty() && kSigns.find(text.back()) != kSigns.npos) {
      text.remove_suffix(1);
    }
  };
  trim();
  if (!text.ends_with('=') && !text.ends_with(':')) return false;
  text.remove_suffix(1);
  trim();
  return IsWordOf(WordAtEnd(text), kKeys);
}

// Returns whether the text ends with a counter: "Epoch 2 ", "step: 3/10 ".
bool EndsWithCounter(std::string_view text) {
  constexpr std::string_view kOfNumbers = " \t0123456789/#:=";
  const std::size_t end = text.find_last_not_of(kOfNumbers);
  if (end == std::string_view::npos) return true;
  return UnitOfWord(WordAtEnd(text.substr(0, end + 1))).has_value();
}

// Returns whether a label in brackets stands in the text before any number but
// counters: "[Epoch 2] (val) loss: 0.5 ".
bool HasLeadingLabel(std::string_view text) {
  for (std::size_t at = text.find_first_of("(["); at != text.npos;
       at = text.find_first_of("([", at + 1)) {
    if (!IsDataWord(WordAt(text.substr(at + 1)))) continue;
    std::string_view ahead = text.substr(0, at);
    while (ahead.ends_with(' ') || ahead.ends_with(']')) {
      ahead.remove_suffix(1);
    }
    return ahead.empty() || !IsDigit(ahead.back()) || EndsWithCounter(ahead);
  }
  return false;
}

// The levels of loggers.
constexpr std::string_view kLevels[] = {"debug", "error", "info", "warning"};

// Returns whether a word in brackets is a label of what follows: not of the
// number before it, as in "0.9 (train), ", unless others lead, and not the name
// of a logger, as in "[train][INFO]" and "[train] INFO: ".
bool IsBracketLabel(std::string_view ahead, std::string_view behind) {
  if (!ahead.empty()) ahead.remove_suffix(1);
  if (behind.starts_with(':')) return true;
  const bool is_chained = SkipOneOf("[", behind);
  SkipBlanks(behind);
  if (IsWordOf(WordAt(behind), kLevels)) return false;
  if (is_chained && !SkipCounters(behind)) return false;
  if (ahead.ends_with(']')) {
    ahead.remove_suffix(1);
    return EndsWithCounter(ahead);
  }
  while (ahead.ends_with(' ') || ahead.ends_with('%')) ahead.remove_suffix(1);
  return ahead.empty() || !IsDigit(ahead.back()) || EndsWithCounter(ahead) ||
         HasLeadingLabel(ahead);
}

// Returns whether the text, behind a word such as "Train ", has a metric with
// its value: a number with a fraction and without a unit. Others are settings,
// counts and times.
bool IsMetricOf(std::string_view text) {
  const std::string_view name = WordAt(text);
  text.remove_prefix(name.size());
  if (!SkipAssignment(text)) {
    if (name.empty() || !IsLetter(name.front())) return false;
    SkipBlanks(text);  // Of "TRAIN Batch 4/100 loss 12.6 acc 0.5".
  }
  const std::string_view number = text.substr(0, PrintedNumberSize(text));
  const std::string_view unit = UnitOfPrinted(text);
  return number.find('.') != std::string_view::npos &&
         (unit.empty() || unit == "%");
}

// Returns whether the text, behind a word such as "Train", goes on to the sign
// of a heading right before a mention: " net output #0: ", as Caffe prints it.
bool EndsHeading(std::string_view text) {
  constexpr int kMostWords = 3;
  if (!text.ends_with(": ")) return false;
  text.remove_suffix(2);
  for (int i = 0; i <= kMostWords && SkipOneOf(" ", text); ++i) {
    const bool is_number = SkipOneOf("#", text);
    const std::string_view word = WordAt(text);
    const bool is_word =
        is_number
            ? IsNumberWord(word)
            : !word.empty() && std::all_of(word.begin(), word.end(), IsLetter);
    if (!is_word || (i == 0 && IsWordOf(word, kEndWords))) return false;
    text.remove_prefix(word.size());
  }
  return text.empty();
}

// Returns whether a part of a line may begin behind the text.
bool BeginsPart(std::string_view ahead) {
  constexpr std::string_view kEnds = "]:|>";
  while (ahead.ends_with(' ')) ahead.remove_suffix(1);
  return ahead.empty() || kEnds.find(ahead.back()) != kEnds.npos;
}

// Returns whether the text ends with a sign behind which "train:" is a label
// and no logger's name: "[1,0]<stdout>:", "INFO:root:".
bool EndsPrefix(std::string_view ahead) {
  if (!ahead.ends_with(':')) return false;
  ahead.remove_suffix(1);
  if (ahead.ends_with('>')) return true;
  ahead.remove_suffix(WordAtEnd(ahead).size());
  if (!ahead.ends_with(':')) return false;
  ahead.remove_suffix(1);
  return IsWordOf(WordAtEnd(ahead), kLevels);
}

// Returns whether a word for a part of the data, between `ahead` and `behind`,
// is a label of what follows ("Train - loss: 0.1 acc: 0.9", "[train] acc: 0.9",
// "{'test': {'loss': 1") or belongs to a metric of the same part of the line
// ("Train loss: 0.1, acc: 0.9").
bool IsLabel(std::string_view ahead, std::string_view behind, bool is_in_part) {
  if (behind.starts_with('(')) return behind.find(')') == behind.npos;
  if (BeginsPart(ahead) && EndsHeading(behind)) return true;
  std::string_view rest = behind;
  // "INFO:train:epoch 2" has a logger's name.
  const bool is_name = ahead.ends_with(':') && !EndsPrefix(ahead);
  const bool is_logger = is_name && behind.starts_with(':');
  if (!is_logger && SkipCounters(rest) && (rest.empty() || IsMetricOf(rest))) {
    return !HasEnded(behind);
  }
  rest = behind;
  const bool is_quoted = SkipOneOf("\"'", rest);
  if (!is_quoted && SkipOneOf(")]>", rest)) return IsBracketLabel(ahead, rest);
  SkipBlanks(rest);
  constexpr std::string_view kSummaries[] = {"metrics", "results", "stats",
                                             "summary"};
  if (IsWordOf(WordAt(rest), kSummaries)) {
    rest.remove_prefix(WordAt(rest).size());
    SkipBlanks(rest);
  }
  if (rest.empty()) return false;
  if (BeginsProgressBar(rest)) return true;
  const char sign = rest.front();
  constexpr std::string_view kSigns = ":-|{,";
  if (kSigns.find(sign) != std::string_view::npos) {
    rest.remove_prefix(1);
    constexpr std::string_view kBegins = " \t{[";
    const bool is_apart =
        rest.empty() || kBegins.find(rest.front()) != rest.npos;
    SkipBlanks(rest);
    if (is_quoted) return rest.starts_with('{') && !HasEnded(behind);
    // "INFO:train:" is a logger's name.
    if (sign == ':' && (!is_apart || is_name)) return false;
    if (sign == ',' && !ahead.ends_with(", ")) return false;
    return !HasEnded(behind) &&
           (PrintedNumberSize(rest) == 0 || BeginsProgressBar(rest)) &&
           !IsWordOf(WordAt(rest), kEndWords);
  }
  if (!is_in_part || rest.size() == behind.size()) return false;
  return IsMetricOf(rest);
}

// Returns whether the nearest label before a mention says that what follows is
// of the training data.
bool IsLabelledTraining(std::string_view before, std::size_t part) {
  for (std::size_t end = before.size(); end > 0;) {
    if (!IsNameByte(before[end - 1])) {
      --end;
      continue;
    }
    const std::string_view word = WordAtEnd(before.substr(0, end));
    const std::size_t begin = end - word.size();
    const std::string_view ahead = before.substr(0, begin);
    std::string_view stem = StemOf(word);
    const bool is_of_key = EndsWithSplitKey(ahead);
    if (is_of_key) stem = WithoutCounter(stem);
    if (IsWordOf(stem, kDataWords)) {
      std::string_view words = ahead;
      const bool is_time = IsWordOf(TakeLastWord(words), kTimeWords);
      const std::string_view behind = before.substr(end);
      const bool is_closed = behind.find_first_of("})") <= 1;
      if ((is_of_key && !is_closed) ||
          (!is_time && IsLabel(ahead, behind, begin >= part))) {
        return IsTrainingWord(stem);
      }
    }
    end = begin;
  }
  return false;
}

// Returns whether a record goes on behind a value with the key of a part of the
// data, which is "train": ", \"split\": \"train\"}", " split=train".
bool NamesTrainingByKey(std::string_view text) {
  text = text.substr(0, text.find_first_of("{}"));
  for (std::size_t at = text.find("train"); at != std::string_view::npos;
       at = text.find("train", at + 1)) {
    const std::string_view word = WordAt(text.substr(at));
    const std::string_view stem = WithoutCounter(StemOf(word));
    if (BeginsWord(text, at) && IsWordOf(stem, kDataWords) &&
        EndsWithSplitKey(text.substr(0, at))) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool IsDataWord(std::string_view word) {
  return IsWordOf(StemOf(word), kDataWords);
}

bool IsTrainingWord(std::string_view word) {
  return word.starts_with("train") || word == "trn" || word == "tr";
}

bool IsKeyOfOthers(std::string_view key) {
  constexpr std::string_view kSettings[] = {
      "args",   "config",   "hparams",      "hyperparameters", "options",
      "params", "settings", "loss_weights", "parameters",      "weights"};
  constexpr std::string_view kBest = "best";
  constexpr std::string_view kDomain = "target";  // Its data are measured.
  const bool is_best = key.starts_with(kBest) && (key.size() == kBest.size() ||
                                                  !IsLetter(key[kBest.size()]));
  return is_best || IsWordOf(key, kSettings) ||
         (key != kDomain && IsWordOf(key, kOtherWords));
}

bool IsSetWord(std::string_view word) {
  if (word.empty()) return false;
  while (!word.empty()) {
    const std::size_t end = std::min(word.find('/'), word.size());
    if (!IsWordOf(StemOf(word.substr(0, end)), kSetWords)) return false;
    word.remove_prefix(std::min(end + 1, word.size()));
  }
  return true;
}

bool LabelsLead(std::string_view line) {
  return HasLeadingLabel(
      absl::AsciiStrToLower(std::string(line.substr(0, kLookedAtBefore))));
}

std::string QualifierOf(std::string_view before) {
  const std::string call = OpenCall(
      before.substr(before.size() - std::min(before.size(), kLookedAtBefore)));
  if (!call.empty()) {
    const std::string_view word(call.data(), call.size() - 1);
    return IsDataWord(word) ? "" : call;
  }
  // A word that is further away belongs to another column.
  const bool is_near = before.ends_with(' ') && !before.ends_with("  ");
  if (!is_near || EndsWithUnit(before)) return "";
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

std::string LeadingQualifier(std::string_view line) {
  SkipBlanks(line);
  const std::string_view word = WordAt(line);
  std::string_view rest = line.substr(word.size());
  if (!SkipOneOf(":", rest)) return "";
  const std::size_t blanks = rest.size();
  SkipBlanks(rest);
  const std::string_view name = WordAt(rest);
  const bool is_pair = rest.size() < blanks && !name.empty() &&
                       HasLetter(name) &&
                       rest.substr(name.size()).starts_with(':');
  return is_pair ? QualifierOf(absl::StrCat(
                       std::string(line.substr(0, word.size())), ": "))
                 : "";
}

bool IsLabelledTrainingBehind(std::string_view behind) {
  behind = behind.substr(0, kLookedAtBehind);
  const std::string lower = absl::AsciiStrToLower(std::string(behind));
  std::string_view text = lower;
  SkipBlanks(text);
  const bool is_apart = SkipOneOf("|", text);
  SkipBlanks(text);
  const bool has_bracket = !is_apart && SkipOneOf("([", text);
  bool is_of_word = false;
  for (const std::string_view word : {"on ", "for ", "in "}) {
    is_of_word |= !is_apart && !has_bracket && SkipWord(word, text);
  }
  SkipWord("the ", text);
  const std::string_view word = WordAt(text);
  if (IsDataWord(word)) {
    text.remove_prefix(word.size());
    SkipBlanks(text);
    const bool ends = has_bracket ? SkipOneOf(")]", text)
                                  : is_of_word || (is_apart && text.empty());
    return ends && IsTrainingWord(StemOf(word));
  }
  return NamesTrainingByKey(lower);
}

MentionRank RankOfMention(std::string_view before) {
  if (EndsWithCondition(before)) return MentionRank::kOther;
  const WordsBefore words = ReadWordsBefore(before);
  if (words.rank != MentionRank::kPlain || words.has_set) return words.rank;
  if (before.size() > kLookedAtBefore) {
    before.remove_prefix(before.size() - kLookedAtBefore);
  }
  const std::string_view part = PartOf(before);
  const std::string lower = absl::AsciiStrToLower(std::string(before));
  if (IsAboutTheBest(part) || IsInMappingOfOthers(lower)) {
    return MentionRank::kOther;
  }
  return IsLabelledTraining(lower, before.size() - part.size())
             ? MentionRank::kTraining
             : MentionRank::kPlain;
}

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

}  // namespace vernier
