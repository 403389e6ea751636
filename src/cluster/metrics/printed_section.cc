#include "cluster/metrics/printed_section.h"

#include <algorithm>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "cluster/metrics/line_words.h"
#include "cluster/metrics/mention_rank.h"
#include "cluster/metrics/printed_mark.h"

namespace vernier {
namespace {

// A longer line is no heading, in bytes.
constexpr std::size_t kLongestHeading = 80;

std::size_t IndentationOf(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

// Returns how many brackets of mappings the line opens and does not close.
int OpenBracketsOf(std::string_view line) {
  return static_cast<int>(std::count(line.begin(), line.end(), '{') -
                          std::count(line.begin(), line.end(), '}'));
}

SectionKind KindOfData(std::string_view word) {
  return IsTrainingWord(word) ? SectionKind::kTraining : SectionKind::kMeasured;
}

// Returns the kind of the mapping that a line opens last, if it stands under a
// word for one: "train": {.
std::optional<SectionKind> KindOfOpenMapping(const std::string& lower) {
  if (OpenBracketsOf(lower) <= 0) return std::nullopt;
  std::string_view before = std::string_view(lower).substr(0, lower.rfind('{'));
  while (!before.empty() && !IsNameByte(before.back())) {
    constexpr std::string_view kSigns = " \t\"':=";
    if (kSigns.find(before.back()) == kSigns.npos) return std::nullopt;
    before.remove_suffix(1);
  }
  const std::string_view word = WordAtEnd(before);
  if (IsKeyOfOthers(word)) return SectionKind::kOther;
  if (!IsDataWord(word)) return std::nullopt;
  return KindOfData(word);
}

// Returns whether a word of a heading names a part of the data, or the way in
// which results on such were got.
bool IsDataWordOfHeading(std::string_view word) {
  return IsDataWord(word) || word == "cross-validation";
}

// Returns the kind of section that a heading begins, if it has only words for
// one. `text` is in lower case.
std::optional<SectionKind> KindOfHeading(std::string_view text) {
  constexpr std::string_view kOthers[] = {
      "accuracy",   "and",      "classification",
      "data",       "dataset",  "error",
      "final",      "for",      "metric",
      "metrics",    "model",    "of",
      "on",         "overall",  "performance",
      "report",     "reported", "result",
      "results",    "score",    "scores",
      "set",        "split",    "stats",
      "stratified", "summary",  "the"};
  if (text.size() > kLongestHeading) return std::nullopt;
  const bool is_key = text.ends_with(':');
  std::optional<SectionKind> kind;
  while (!text.empty()) {
    if (!IsNameByte(text.front())) {
      constexpr std::string_view kSigns = " \t:=*#-()[]>\"'";
      if (!SkipOneOf(kSigns, text)) return std::nullopt;
      continue;
    }
    std::string_view word = WordAt(text);
    text.remove_prefix(word.size());
    const bool is_ruler = word.find_first_not_of('-') == word.npos;
    constexpr std::string_view kEmoji = "\xe2\xf0";  // Their first bytes.
    if (is_ruler || kEmoji.find(word.front()) != kEmoji.npos) continue;
    if (word.ends_with('.')) word.remove_suffix(1);  // Of a sentence.
    word.remove_prefix(word.rfind('.') + 1);         // Of "[results.train]".
    if (is_key && IsKeyOfOthers(word)) {
      kind = SectionKind::kOther;
    } else if (IsDataWordOfHeading(word)) {
      if (kind == SectionKind::kOther) continue;
      if (kind.has_value()) return std::nullopt;
      kind = KindOfData(word);
    } else if (!IsWordOf(word, kOthers)) {
      return std::nullopt;
    }
  }
  return kind;
}

// Returns the kind of section that a heading begins which stands behind a
// logger's prefix and is drawn: "INFO *** Train metrics ***".
std::optional<SectionKind> KindOfDrawn(std::string_view lower) {
  std::size_t begin = lower.size();
  for (const std::string_view sign : {"**", "==", "--", "##"}) {
    const std::size_t at = lower.find(sign);
    const bool is_behind_prefix =
        at != lower.npos && at > 0 &&
        (lower[at - 1] == ' ' || lower[at - 1] == ':');
    if (is_behind_prefix) begin = std::min(begin, at);
  }
  return KindOfHeading(lower.substr(begin));
}

// Returns the kind of section that the end of a line begins: "... - Train
// metrics:". It must name results, since a phase may begin with "INFO: Train:".
std::optional<SectionKind> KindOfEnd(std::string_view lower) {
  constexpr std::string_view kBefore[] = {" - ", " | ", "] ", ": "};
  constexpr std::string_view kResults[] = {"metrics", "report", "results",
                                           "stats", "summary"};
  if (!lower.ends_with(':')) return KindOfDrawn(lower);
  std::size_t begin = 0;
  for (const std::string_view sign : kBefore) {
    const std::size_t at = lower.rfind(sign);
    if (at != lower.npos) begin = std::max(begin, at + sign.size());
  }
  const std::string_view end = lower.substr(begin);
  const std::string_view last = WordAtEnd(end.substr(0, end.size() - 1));
  if (begin == 0 || !IsWordOf(last, kResults)) return std::nullopt;
  return KindOfHeading(end);
}

// Returns whether the line states a step, and something else besides.
bool StatesAStep(std::string_view line) {
  if (FindPrintedMark(line).unit == StepUnit::kNone) return false;
  const std::string lower = absl::AsciiStrToLower(std::string(line));
  std::string_view rest = lower;
  while (!rest.empty()) {
    const std::string_view word = WordAt(rest);
    const bool is_other = HasLetter(word) && !UnitOfWord(word);
    if (is_other) return true;
    rest.remove_prefix(std::max<std::size_t>(word.size(), 1));
  }
  return false;
}

}  // namespace

void PrintedSection::Begin(std::string_view line, SectionKind kind,
                           bool is_mapping) {
  *this = {};
  kind_ = kind;
  is_mapping_ = is_mapping;
  depth_ = is_mapping ? 1 : 0;
  heading_ = IndentationOf(line);
  is_first_ = true;
}

// Returns whether the section, which has no mapping, ends before the line.
bool PrintedSection::Ends(std::string_view line) {
  const std::size_t indentation = IndentationOf(line);
  if (indentation == line.size()) return false;  // A blank line.
  if (is_first_) {
    is_first_ = false;
    indentation_ = indentation;
    if (kind_ == SectionKind::kOther && indentation <= heading_) return true;
  }
  return ++lines_ > kMostSectionLines || indentation < heading_ ||
         (indentation_ > heading_ && indentation <= heading_) ||
         StatesAStep(line);
}

SectionKind PrintedSection::Take(std::string_view line) {
  const bool is_looked_at = is_mapping_ || line.size() <= 2 * kLongestHeading ||
                            line.ends_with('{') || line.ends_with(':');
  const std::string lower =
      is_looked_at ? absl::AsciiStrToLower(std::string(line)) : "";
  // Of "best": {"val": {... the inner ones are of the best, too.
  const bool is_of_others = kind_ == SectionKind::kOther &&
                            (is_mapping_ || IndentationOf(line) > heading_);
  const auto opened = is_of_others ? std::nullopt : KindOfOpenMapping(lower);
  if (opened) {
    // What stands in the line that opens a mapping has its own label.
    Begin(line, *opened, /*is_mapping=*/true);
    return SectionKind::kMeasured;
  }
  if (is_mapping_) {
    const SectionKind kind = kind_;
    depth_ += OpenBracketsOf(line);
    if (depth_ <= 0 || ++lines_ > kMostSectionLines) *this = {};
    return kind;
  }
  if (!is_of_others) {
    const auto whole = KindOfHeading(lower);
    if (const auto named = whole ? whole : KindOfEnd(lower)) {
      Begin(line, *named, /*is_mapping=*/false);
      return SectionKind::kMeasured;
    }
  }
  if (kind_ == SectionKind::kMeasured) return kind_;
  if (Ends(line)) *this = {};
  return kind_;
}

}  // namespace vernier
