#include "study/config/yaml_problem.h"

#include <yaml-cpp/exceptions.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/shown_text.h"

namespace vernier {
namespace {

namespace said_by = YAML::ErrorMsg;

struct Opened {
  char c = 0;
  ConfigPosition position;
};

// Follows the brackets, quotes and comments of a text. It does not know block
// scalars, so its findings count only for a text that is known to be wrong or
// that is all in brackets.
class BracketScan {
 public:
  explicit BracketScan(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char next = i + 1 < text.size() ? text[i + 1] : '\n';
      if (quote_.has_value() && quote_->c == '"' && text[i] == '\\') {
        Advance(text[i++]);
        if (i < text.size()) Advance(text[i]);
        continue;
      }
      Step(text[i], next);
      Advance(text[i]);
    }
  }

  // Returns a quote that is open at the end, else the innermost open bracket.
  std::optional<Opened> Unclosed() const {
    if (quote_.has_value()) return quote_;
    if (brackets_.empty()) return std::nullopt;
    return brackets_.back();
  }

 private:
  void Advance(char c) {
    ++column_;
    if (c != '\n') return;
    ++line_;
    column_ = 1;
  }

  void Step(char c, char next) {
    const bool begins_token = may_begin_;
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    const bool next_is_space = next == ' ' || next == '\n' || next == '\r';
    may_begin_ = is_space || c == '[' || c == '{' || c == ',' ||
                 (c == ':' && (next_is_space || !brackets_.empty())) ||
                 (c == '-' && begins_token && next_is_space);
    if (in_comment_) {
      in_comment_ = c != '\n';
    } else if (quote_.has_value()) {
      if (c == quote_->c) quote_.reset();
    } else if (begins_token && c == '#') {
      in_comment_ = true;
    } else if (begins_token && (c == '"' || c == '\'')) {
      quote_ = Opened{c, {"", line_, column_}};
    } else if (begins_token && (c == '[' || c == '{')) {
      brackets_.push_back({c, {"", line_, column_}});
    } else if (!brackets_.empty() && (c == ']' || c == '}')) {
      brackets_.pop_back();
    }
  }

  int line_ = 1;
  int column_ = 1;
  std::vector<Opened> brackets_;
  std::optional<Opened> quote_;
  bool in_comment_ = false;
  bool may_begin_ = true;
};

// Returns the first tab in the indentation of a line up to `last_line`.
std::optional<ConfigPosition> TabInIndentation(std::string_view text,
                                               int last_line) {
  for (int line = 1; line <= last_line && !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    const std::string_view this_line = text.substr(0, end);
    const std::size_t begin = this_line.find_first_not_of(" \t\r");
    const std::size_t tab = this_line.find('\t');
    if (begin != std::string_view::npos && tab < begin) {
      return ConfigPosition{"", line, static_cast<int>(tab) + 1};
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return std::nullopt;
}

bool IsAboutBrackets(std::string_view said) {
  return said == said_by::END_OF_MAP_FLOW || said == said_by::END_OF_SEQ_FLOW ||
         said == said_by::EOF_IN_SCALAR;
}

// Returns a sentence about the text that yaml-cpp did not expect at the place
// that it names.
std::string SentenceFor(std::string_view said) {
  static const std::pair<std::string_view, const char*> kSentences[] = {
      {said_by::END_OF_MAP,
       "this does not fit the fields above it; check the indentation, and that "
       "each name has a ':' and a blank after it"},
      {said_by::END_OF_SEQ,
       "this does not fit the list above it; check the indentation, and that "
       "each item begins with '- '"},
      {said_by::END_OF_MAP_FLOW, "a ',' or the closing '}' is missing here"},
      {said_by::END_OF_SEQ_FLOW, "a ',' or the closing ']' is missing here"},
      {said_by::FLOW_END, "this bracket closes none that is open"},
      {said_by::MAP_VALUE,
       "a ':' is not expected here; put a text that has one into quotes, and "
       "check the indentation"},
      {said_by::MAP_KEY, "a field is not expected here; check the indentation"},
      {said_by::BLOCK_ENTRY,
       "a list is not expected here; its first '- ' stands on a line of its "
       "own, below its field"},
      {said_by::EOF_IN_SCALAR, "a quote is not closed before the end"},
      {said_by::DOC_IN_SCALAR, "a quote is not closed before this line"},
      {said_by::UNKNOWN_TOKEN,
       "a value cannot begin with this character; put it into quotes"},
      {said_by::INVALID_HEX,
       "not a valid escape; in double quotes, \\x needs 2 hexadecimal digits, "
       "\\u needs 4 and \\U needs 8"},
      {said_by::UNKNOWN_ANCHOR, "this alias names no anchor above it"},
      {said_by::ALIAS_NOT_FOUND,
       "a '*' begins an alias; put a text that begins with one into quotes"},
      {said_by::ANCHOR_NOT_FOUND,
       "a '&' begins an anchor; put a text that begins with one into quotes"},
      {said_by::TAB_IN_INDENTATION,
       "a tab must not stand in the indentation; use blanks"},
  };
  for (const auto& [theirs, ours] : kSentences) {
    if (said == theirs) return ours;
  }
  if (said.starts_with(said_by::INVALID_ESCAPE)) {
    return "not a valid escape: \\" +
           ShowText(
               said.substr(std::string_view(said_by::INVALID_ESCAPE).size())) +
           "; in double quotes, write \\\\ for a backslash";
  }
  return "not valid YAML: " + ShowText(said);
}

YamlProblem NeverClosed(const Opened& opened) {
  return {opened.position,
          "this " + std::string(1, opened.c) + " is never closed"};
}

}  // namespace

YamlProblem ExplainYamlError(std::string_view text, std::string_view said,
                             const ConfigPosition& where) {
  if (const auto tab = TabInIndentation(text, where.line)) {
    return {*tab, SentenceFor(said_by::TAB_IN_INDENTATION)};
  }
  if (!IsAboutBrackets(said)) return {where, SentenceFor(said)};
  const std::optional<Opened> opened = BracketScan(text).Unclosed();
  if (!opened.has_value()) return {where, SentenceFor(said)};
  return NeverClosed(*opened);
}

std::optional<YamlProblem> FindUnclosed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos ||
      (text[begin] != '{' && text[begin] != '[')) {
    return std::nullopt;
  }
  const std::optional<Opened> opened = BracketScan(text).Unclosed();
  if (!opened.has_value()) return std::nullopt;
  return NeverClosed(*opened);
}

}  // namespace vernier
