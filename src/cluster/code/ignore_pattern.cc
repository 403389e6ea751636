#include "cluster/code/ignore_pattern.h"

#include <cctype>
#include <cstddef>
#include <utility>

namespace vernier {
namespace {

// A pattern is parsed into one list of tokens per path component, "**" being a
// component of its own. Matching uses the same greedy algorithm on both levels,
// characters within a name and names within a path: it remembers the last star
// only, which keeps the cost at the product of the sizes.

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

using CharacterTest = int (*)(int);

CharacterTest ClassTest(std::string_view name) {
  constexpr std::pair<std::string_view, CharacterTest> kTests[] = {
      {"alnum", &std::isalnum}, {"alpha", &std::isalpha},
      {"blank", &std::isblank}, {"cntrl", &std::iscntrl},
      {"digit", &std::isdigit}, {"graph", &std::isgraph},
      {"lower", &std::islower}, {"print", &std::isprint},
      {"punct", &std::ispunct}, {"space", &std::isspace},
      {"upper", &std::isupper}, {"xdigit", &std::isxdigit}};
  for (const auto& [known, test] : kTests) {
    if (known == name) return test;
  }
  return nullptr;
}

std::vector<std::string_view> Split(std::string_view path) {
  std::vector<std::string_view> names;
  std::size_t begin = 0;
  while (true) {
    const std::size_t slash = path.find('/', begin);
    names.push_back(path.substr(begin, slash - begin));
    if (slash == std::string_view::npos) return names;
    begin = slash + 1;
  }
}

}  // namespace

/// Parses the text of a pattern, without "!" and the slashes at its ends.
class IgnorePattern::Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  /// Parses the text. Returns whether all of it is valid.
  bool Read(std::vector<Segment>* segments) {
    Segment segment;
    std::size_t begin = 0;
    for (; at_ < text_.size(); ++at_) {
      // A slash may also follow a backslash.
      if (Is('\\') && Is('/', 1)) ++at_;
      if (text_[at_] == '/') {
        segments->push_back(Finish(std::move(segment), begin));
        segment = Segment();
        begin = at_ + 1;
        continue;
      }
      Token token;
      if (!ReadToken(&token)) return false;
      segment.tokens.push_back(token);
    }
    segments->push_back(Finish(std::move(segment), begin));
    return true;
  }

 private:
  Segment Finish(Segment segment, std::size_t begin) const {
    const std::string_view text = text_.substr(begin, at_ - begin);
    segment.is_double_star =
        text.size() >= 2 && text.find_first_not_of('*') == text.npos;
    return segment;
  }

  bool ReadToken(Token* token) {
    switch (text_[at_]) {
      case '*':
        token->kind = Token::Kind::kStar;
        return true;
      case '?':
        token->kind = Token::Kind::kAny;
        return true;
      case '[':
        token->kind = Token::Kind::kSet;
        return ReadSet(&token->set);
      default:
        return ReadCharacter(&token->character);
    }
  }

  // Reads the character at the current position, or the one behind a backslash.
  bool ReadCharacter(unsigned char* character) {
    if (text_[at_] == '\\' && ++at_ == text_.size()) return false;
    *character = static_cast<unsigned char>(text_[at_]);
    return true;
  }

  // Reads a set "[...]"; stops at the closing bracket.
  bool ReadSet(std::bitset<256>* set) {
    ++at_;
    const bool is_negated = Is('!') || Is('^');
    if (is_negated) ++at_;
    // A closing bracket that comes first belongs to the set.
    for (bool is_first = true;; is_first = false, ++at_) {
      if (at_ >= text_.size()) return false;
      if (Is(']') && !is_first) break;
      if (!ReadMember(set)) return false;
    }
    if (is_negated) set->flip();
    return true;
  }

  // Reads one member of a set: a character, a range or a class.
  bool ReadMember(std::bitset<256>* set) {
    if (Is('[') && Is(':', 1)) {
      const std::size_t end = text_.find(']', at_ + 2);
      if (end == std::string_view::npos) return false;
      // "[:" without ":]" is a plain bracket.
      if (end > at_ + 2 && text_[end - 1] == ':') return ReadClass(end, set);
    }
    unsigned char first = 0;
    if (!ReadCharacter(&first)) return false;
    unsigned char last = first;
    if (Is('-', 1) && at_ + 2 < text_.size() && !Is(']', 2)) {
      at_ += 2;
      if (!ReadCharacter(&last)) return false;
    }
    for (int c = first; c <= last; ++c) set->set(static_cast<std::size_t>(c));
    // Even an empty range such as "z-a" contains its first character: git
    // compares with that before it sees the hyphen.
    set->set(first);
    return true;
  }

  bool ReadClass(std::size_t end, std::bitset<256>* set) {
    const CharacterTest test =
        ClassTest(text_.substr(at_ + 2, end - 1 - (at_ + 2)));
    if (test == nullptr) return false;
    for (int c = 0; c < 128; ++c) {
      if (test(c) != 0) set->set(static_cast<std::size_t>(c));
    }
    at_ = end;
    return true;
  }

  bool Is(char c, std::size_t further = 0) const {
    return at_ + further < text_.size() && text_[at_ + further] == c;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

bool IgnorePattern::Token::Accepts(unsigned char c) const {
  switch (kind) {
    case Kind::kCharacter:
      return c == character;
    case Kind::kSet:
      return set.test(c);
    case Kind::kAny:
    case Kind::kStar:
      break;
  }
  return true;
}

// The two loops below are the same: a star first matches as little as possible,
// and one more whenever the rest does not match. An earlier star never has to
// match more, so the time is not exponential.

bool IgnorePattern::Segment::Accepts(std::string_view name) const {
  std::size_t token = 0;
  std::size_t at = 0;
  std::optional<std::pair<std::size_t, std::size_t>> retry;  // token, at
  while (at < name.size() || token < tokens.size()) {
    if (token < tokens.size() && tokens[token].kind == Token::Kind::kStar) {
      retry = {++token, at};
      continue;
    }
    if (token < tokens.size() && at < name.size() &&
        tokens[token].Accepts(static_cast<unsigned char>(name[at]))) {
      ++token;
      ++at;
      continue;
    }
    if (!retry.has_value() || retry->second >= name.size()) return false;
    at = ++retry->second;
    token = retry->first;
  }
  return true;
}

bool IgnorePattern::MatchesPath(
    const std::vector<std::string_view>& names) const {
  std::size_t segment = 0;
  std::size_t at = 0;
  std::optional<std::pair<std::size_t, std::size_t>> retry;  // segment, at
  while (at < names.size() || segment < segments_.size()) {
    if (segment < segments_.size() && segments_[segment].is_double_star) {
      // "a/**" matches everything in a, but not a itself.
      if (++segment == segments_.size()) return at < names.size();
      retry = {segment, at};
      continue;
    }
    if (segment < segments_.size() && at < names.size() &&
        segments_[segment].Accepts(names[at])) {
      ++segment;
      ++at;
      continue;
    }
    if (!retry.has_value() || retry->second >= names.size()) return false;
    at = ++retry->second;
    segment = retry->first;
  }
  return true;
}

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
  pattern.is_malformed_ = !Reader(line).Read(&pattern.segments_);
  return pattern;
}

bool IgnorePattern::Matches(std::string_view path, EntryKind kind) const {
  if (is_malformed_) return false;
  if (is_for_folders_ && kind != EntryKind::kFolder) return false;
  if (is_for_names_) {
    return segments_.front().Accepts(path.substr(path.rfind('/') + 1));
  }
  return MatchesPath(Split(path));
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
