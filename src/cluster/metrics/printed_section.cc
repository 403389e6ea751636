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

// Returns whether the mapping that a line opens last stands under a word for a
// part of the data, and whether that is the training data: "train": {.
std::optional<bool> PartOfOpenMapping(const std::string& lower) {
  if (OpenBracketsOf(lower) <= 0) return std::nullopt;
  std::string_view before = std::string_view(lower).substr(0, lower.rfind('{'));
  while (!before.empty() && !IsNameByte(before.back())) {
    constexpr std::string_view kSigns = " \t\"':=";
    if (kSigns.find(before.back()) == kSigns.npos) return std::nullopt;
    before.remove_suffix(1);
  }
  const std::string_view word = WordAtEnd(before);
  if (!IsDataWord(word)) return std::nullopt;
  return IsTrainingWord(word);
}

// Returns whether a line is a heading about a part of the data, and whether
// that is the training data. `lower` is the line in lower case.
std::optional<bool> PartOfHeading(const std::string& lower) {
  constexpr std::string_view kOthers[] = {
      "accuracy", "and",     "classification", "data",
      "dataset",  "error",   "final",          "for",
      "metric",   "metrics", "model",          "of",
      "on",       "overall", "performance",    "report",
      "result",   "results", "score",          "scores",
      "set",      "split",   "stats",          "summary",
      "the"};
  if (lower.size() > kLongestHeading) return std::nullopt;
  std::string_view text = lower;
  std::optional<bool> is_training;
  while (!text.empty()) {
    if (!IsNameByte(text.front())) {
      constexpr std::string_view kSigns = " \t:=*#-()[]>\"'";
      if (!SkipOneOf(kSigns, text)) return std::nullopt;
      continue;
    }
    const std::string_view word = WordAt(text);
    text.remove_prefix(word.size());
    if (word.find_first_not_of('-') == std::string_view::npos) continue;
    if (IsDataWord(word)) {
      if (is_training.has_value()) return std::nullopt;
      is_training = IsTrainingWord(word);
    } else if (!IsWordOf(word, kOthers)) {
      return std::nullopt;
    }
  }
  return is_training;
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

void PrintedSection::Begin(std::string_view line, bool is_training,
                           bool is_mapping) {
  *this = {};
  is_training_ = is_training;
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
  }
  return ++lines_ > kMostSectionLines || indentation < heading_ ||
         (indentation_ > heading_ && indentation <= heading_) ||
         StatesAStep(line);
}

bool PrintedSection::Take(std::string_view line) {
  const bool is_looked_at =
      is_mapping_ || line.size() <= kLongestHeading || line.ends_with('{');
  const std::string lower =
      is_looked_at ? absl::AsciiStrToLower(std::string(line)) : "";
  // What stands in the line that opens a mapping has its own label.
  if (const auto part = PartOfOpenMapping(lower)) {
    Begin(line, *part, /*is_mapping=*/true);
    return false;
  }
  if (is_mapping_) {
    const bool was_training = is_training_;
    depth_ += OpenBracketsOf(line);
    if (depth_ <= 0 || ++lines_ > kMostSectionLines) *this = {};
    return was_training;
  }
  if (const auto part = PartOfHeading(lower)) {
    Begin(line, *part, /*is_mapping=*/false);
    return false;
  }
  if (!is_training_) return false;
  if (Ends(line)) *this = {};
  return is_training_;
}

}  // namespace vernier
