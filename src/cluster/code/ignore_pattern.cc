#include "cluster/code/ignore_pattern.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace vernier {
namespace {

// Removes trailing spaces, except those after a backslash.
std::string_view WithoutTrailingSpaces(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size()) {
      ++i;
    } else if (line[i] == ' ') {
      continue;
    }
    end = i + 1;
  }
  return line.substr(0, end);
}

// The classes of characters, as a set of RE2 has them. A slash is in none, nor
// in any other part of a pattern but a slash: it separates names.
constexpr std::pair<std::string_view, std::string_view> kClasses[] = {
    {"alnum", "[:alnum:]"}, {"alpha", "[:alpha:]"}, {"blank", "[:blank:]"},
    {"cntrl", "[:cntrl:]"}, {"digit", "[:digit:]"}, {"graph", "!-.0-~"},
    {"lower", "[:lower:]"}, {"print", " -.0-~"},    {"punct", "!-.:-@\\[-`{-~"},
    {"space", "[:space:]"}, {"upper", "[:upper:]"}, {"xdigit", "[:xdigit:]"}};

// Takes a character, or the one behind a backslash, off the text; nullopt if
// there is none.
std::optional<unsigned char> TakeCharacter(std::string_view& text) {
  if (text.starts_with('\\')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  const auto character = static_cast<unsigned char>(text.front());
  text.remove_prefix(1);
  return character;
}

// Takes a character or a range off the text of a set, and appends it. Returns
// whether there is one.
bool TakeRange(std::string_view& text, std::string* members) {
  const std::optional<unsigned char> first = TakeCharacter(text);
  if (!first) return false;
  std::optional<unsigned char> last = first;
  if (text.size() >= 2 && text[0] == '-' && text[1] != ']') {
    text.remove_prefix(1);
    last = TakeCharacter(text);
    if (!last) return false;
  }
  // Even an empty range such as "z-a" contains its first character: git
  // compares with that before it sees the hyphen.
  last = std::max(*first, *last);
  constexpr unsigned char kBeforeSlash = '/' - 1;
  constexpr unsigned char kBehindSlash = '/' + 1;
  for (const auto& [from, to] :
       {std::pair(*first, std::min(*last, kBeforeSlash)),
        std::pair(std::max(*first, kBehindSlash), *last)}) {
    if (from <= to) {
      absl::StrAppendFormat(members, "\\x%02x-\\x%02x", from, to);
    }
  }
  return true;
}

// Likewise for any member of a set: a range or a class.
bool TakeMember(std::string_view& text, std::string* members) {
  constexpr std::string_view kBegin = "[:";
  if (!text.starts_with(kBegin)) return TakeRange(text, members);
  const std::size_t end = text.find(']', kBegin.size());
  if (end == std::string_view::npos) return false;
  // "[:" without ":]" is a plain bracket.
  if (end == kBegin.size() || text[end - 1] != ':') {
    return TakeRange(text, members);
  }
  const std::string_view name = text.substr(2, end - 3);
  text.remove_prefix(end + 1);
  const auto* const found =
      std::find_if(std::begin(kClasses), std::end(kClasses),
                   [&](const auto& known) { return known.first == name; });
  if (found == std::end(kClasses)) return false;
  *members += found->second;
  return true;
}

// Takes a set "[...]" off the text, and appends it. Returns whether it is
// valid.
bool TakeSet(std::string_view& text, std::string* regex) {
  text.remove_prefix(1);
  const bool is_negated = text.starts_with('!') || text.starts_with('^');
  if (is_negated) text.remove_prefix(1);
  std::string members;
  // A closing bracket that comes first belongs to the set.
  do {
    if (!TakeMember(text, &members)) return false;
  } while (!text.starts_with(']'));
  text.remove_prefix(1);
  const bool is_nothing = !is_negated && members.empty();  // "[/]"
  absl::StrAppend(regex, is_negated ? "[^/" : "[",
                  is_nothing ? "^\\x00-\\xff" : members, "]");
  return true;
}

// Returns the regular expression for a pattern without "!" and the slashes at
// its ends; nullopt if it is malformed.
std::optional<std::string> RegexOf(std::string_view pattern) {
  std::string regex;
  bool begins_name = true;
  while (!pattern.empty()) {
    const std::size_t stars =
        std::min(pattern.find_first_not_of('*'), pattern.size());
    const bool is_last = stars == pattern.size();
    if (begins_name && stars >= 2 && (is_last || pattern[stars] == '/')) {
      // "a/**" matches everything in a, but not a itself.
      regex += is_last ? ".+" : "(.*/)?";
      pattern.remove_prefix(is_last ? stars : stars + 1);
      continue;
    }
    begins_name = false;
    const char c = pattern.front();
    if (c == '[') {
      if (!TakeSet(pattern, &regex)) return std::nullopt;
    } else if (c == '*' || c == '?') {
      regex += c == '*' ? "[^/]*" : "[^/]";
      pattern.remove_prefix(1);
    } else {
      const std::optional<unsigned char> character = TakeCharacter(pattern);
      if (!character) return std::nullopt;
      absl::StrAppendFormat(&regex, "\\x%02x", *character);
      begins_name = *character == '/';
    }
  }
  return regex;
}

}  // namespace

std::optional<IgnorePattern> IgnorePattern::Parse(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line.empty() || line.front() == '#') return std::nullopt;
  line = WithoutTrailingSpaces(line);
  IgnorePattern pattern;
  if (!line.empty() && line.front() == '!') {
    pattern.is_negated_ = true;
    line.remove_prefix(1);
  }
  if (!line.empty() && line.back() == '/') {
    pattern.is_for_folders_ = true;
    line.remove_suffix(1);
  }
  if (line.empty()) return std::nullopt;
  pattern.is_for_names_ = line.find('/') == std::string_view::npos;
  if (line.front() == '/') line.remove_prefix(1);
  const std::optional<std::string> regex = RegexOf(line);
  if (!regex) return pattern;
  re2::RE2::Options options(re2::RE2::Latin1);
  options.set_dot_nl(true);
  options.set_never_capture(true);
  options.set_log_errors(false);
  pattern.regex_ = std::make_shared<const re2::RE2>(*regex, options);
  return pattern;
}

bool IgnorePattern::Matches(std::string_view path, EntryKind kind) const {
  if (is_for_folders_ && kind != EntryKind::kFolder) return false;
  if (is_for_names_) path.remove_prefix(path.rfind('/') + 1);
  return regex_ != nullptr &&
         re2::RE2::FullMatch(re2::StringPiece(path.data(), path.size()),
                             *regex_);
}

std::string IgnoreLineFor(std::string_view path, EntryKind kind) {
  // The leading slash also keeps "#" and "!" from being special.
  std::string line = "/";
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool is_last_space = path[i] == ' ' && i + 1 == path.size();
    if (std::string_view("*?[\\").find(path[i]) != std::string_view::npos ||
        is_last_space) {
      line += '\\';
    }
    line += path[i];
  }
  if (kind == EntryKind::kFolder) line += '/';
  return line;
}

}  // namespace vernier
