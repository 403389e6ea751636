#include "study/config/environment_file.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

constexpr std::string_view kBlanks = " \t";

/// A position in the text that knows its line.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool is_at_end() const { return at_ >= text_.size(); }
  char peek() const { return is_at_end() ? '\n' : text_[at_]; }
  int line() const { return line_; }

  char Take() {
    const char c = text_[at_++];
    line_ += c == '\n';
    return c;
  }
  void SkipBlanks() {
    while (!is_at_end() && kBlanks.find(peek()) != std::string_view::npos) {
      Take();
    }
  }
  /// Takes the rest of the line and the line break.
  std::string TakeLine() {
    std::string rest;
    while (!is_at_end()) {
      const char c = Take();
      if (c == '\n') break;
      rest += c;
    }
    while (!rest.empty() &&
           (rest.back() == '\r' || kBlanks.find(rest.back()) != kBlanks.npos)) {
      rest.pop_back();
    }
    return rest;
  }

 private:
  const std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

absl::Status AtLine(int line, const std::string& what) {
  return absl::InvalidArgumentError(absl::StrCat("line ", line, ": ", what));
}

/// Takes a quoted text and its quotes; the next character is the first quote.
absl::StatusOr<std::string> TakeQuoted(Cursor& cursor) {
  const int line = cursor.line();
  const char quote = cursor.Take();
  std::string value;
  while (!cursor.is_at_end()) {
    const char c = cursor.Take();
    if (c == quote) return value;
    const bool is_escape = quote == '"' && c == '\\' && !cursor.is_at_end();
    if (!is_escape) {
      value += c;
      continue;
    }
    const char next = cursor.Take();
    if (next == 'n') {
      value += '\n';
    } else if (next == '"' || next == '\\' || next == '$' || next == '`') {
      value += next;
    } else {
      value += c;
      value += next;
    }
  }
  return AtLine(line, "the closing quote is missing");
}

/// Takes quoted pieces that follow each other, such as 'it'\''s', and the end
/// of the line.
absl::StatusOr<std::string> TakeQuotedValue(Cursor& cursor) {
  std::string value;
  const int line = cursor.line();
  while (true) {
    if (cursor.peek() == '\'' || cursor.peek() == '"') {
      VERNIER_ASSIGN_OR_RETURN(const std::string piece, TakeQuoted(cursor));
      value += piece;
    } else if (cursor.peek() == '\\') {
      cursor.Take();
      value += cursor.is_at_end() ? '\\' : cursor.Take();
    } else {
      break;
    }
  }
  const int last_line = cursor.line();
  const std::string rest = cursor.TakeLine();
  const std::size_t begin = rest.find_first_not_of(kBlanks);
  if (begin != std::string::npos && rest[begin] != '#') {
    return AtLine(last_line, "there is text after the closing quote of line " +
                                 std::to_string(line));
  }
  return value;
}

std::string TakeName(Cursor& cursor) {
  std::string name;
  while (!cursor.is_at_end() && cursor.peek() != '=' && cursor.peek() != '\n') {
    name += cursor.Take();
  }
  while (!name.empty() &&
         (name.back() == '\r' || kBlanks.find(name.back()) != kBlanks.npos)) {
    name.pop_back();
  }
  constexpr std::string_view kExport = "export ";
  if (name.rfind(kExport, 0) == 0) {
    name.erase(0, name.find_first_not_of(kBlanks, kExport.size()));
  }
  return name;
}

}  // namespace

bool IsVariableName(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  for (const char c : text) {
    const bool is_allowed = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                            (c >= '0' && c <= '9') || c == '_';
    if (!is_allowed) return false;
  }
  return true;
}

absl::StatusOr<std::map<std::string, std::string>> ParseEnvironmentFile(
    std::string_view text,
    const std::function<std::optional<std::string>(const std::string&)>&
        lookup) {
  std::map<std::string, std::string> variables;
  Cursor cursor(text);
  while (!cursor.is_at_end()) {
    cursor.SkipBlanks();
    if (cursor.peek() == '#' || cursor.peek() == '\n' ||
        cursor.peek() == '\r') {
      cursor.TakeLine();
      continue;
    }
    const int line = cursor.line();
    const std::string name = TakeName(cursor);
    if (!IsVariableName(name)) {
      // The message leaves the text out, because it may be part of a secret.
      return AtLine(line,
                    "must be NAME=VALUE; a name is letters, digits and '_', "
                    "and does not begin with a digit");
    }
    if (cursor.peek() != '=') {
      cursor.TakeLine();
      const auto value = lookup == nullptr ? std::nullopt : lookup(name);
      if (!value.has_value()) {
        return AtLine(line, absl::StrCat(name,
                                         " has no value, and is not set "
                                         "in your environment"));
      }
      variables[name] = *value;
      continue;
    }
    cursor.Take();
    cursor.SkipBlanks();
    if (cursor.peek() == '\'' || cursor.peek() == '"') {
      VERNIER_ASSIGN_OR_RETURN(variables[name], TakeQuotedValue(cursor));
    } else {
      variables[name] = cursor.TakeLine();
    }
    if (variables[name].find('\0') != std::string::npos) {
      return AtLine(line, "a value must not have a zero byte");
    }
  }
  return variables;
}

std::string FormatEnvironmentFile(
    const std::map<std::string, std::string>& variables) {
  std::string text;
  for (const auto& [name, value] : variables) {
    absl::StrAppend(&text, name, "='",
                    absl::StrReplaceAll(value, {{"'", "'\\''"}}), "'\n");
  }
  return text;
}

std::string ShellQuoted(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-+=./:,@%^";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) {
    return text;
  }
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

}  // namespace vernier
