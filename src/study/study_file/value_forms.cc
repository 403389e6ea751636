#include "study/study_file/value_forms.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

// protobuf's longest Duration, 10,000 years.
constexpr double kLongest = 315'576'000'000;

struct Unit {
  char letter;
  std::int64_t seconds;
};
constexpr Unit kUnits[] = {{'d', 86'400}, {'h', 3600}, {'m', 60}, {'s', 1}};

constexpr std::string_view kNeedsShell = "|&;<>$`";
// Bytes that need no quotes in a written command line, besides letters and
// digits.
constexpr std::string_view kPlainBytes = "_-./+=:,@%{}[]~^!#*?()";

const Unit* UnitOf(char letter) {
  for (const Unit& unit : kUnits) {
    if (unit.letter == letter) return &unit;
  }
  return nullptr;
}

absl::Status NeedsShell(char c) {
  return absl::InvalidArgumentError(absl::StrCat(
      "has '", std::string(1, c),
      "', which only a shell understands: put it into quotes if the program "
      "gets it, or give a list that runs a shell: [bash, -c, \"...\"]"));
}

/// Takes the words off a command line, one after the other.
class WordReader {
 public:
  explicit WordReader(std::string_view text) : rest_(text) {}

  absl::StatusOr<std::vector<std::string>> ReadAll() {
    std::vector<std::string> words;
    while (true) {
      while (!rest_.empty() && IsBlank(rest_.front())) rest_.remove_prefix(1);
      if (rest_.empty()) return words;
      std::string word;
      while (!rest_.empty() && !IsBlank(rest_.front())) {
        const absl::Status taken = TakePart(&word);
        if (!taken.ok()) return taken;
      }
      words.push_back(std::move(word));
    }
  }

 private:
  static bool IsBlank(char c) {
    return absl::ascii_isspace(static_cast<unsigned char>(c));
  }

  char Next() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  // Takes a character, or a quoted text.
  absl::Status TakePart(std::string* word) {
    const char c = Next();
    if (c == '\'' || c == '"') return TakeQuoted(c, word);
    if (kNeedsShell.find(c) != std::string_view::npos) return NeedsShell(c);
    if (c == '\\' && !rest_.empty()) {
      const char escaped = Next();
      if (escaped != '\n') *word += escaped;
    } else {
      *word += c;
    }
    return absl::OkStatus();
  }

  absl::Status TakeQuoted(char quote, std::string* word) {
    while (!rest_.empty()) {
      const char c = Next();
      if (c == quote) return absl::OkStatus();
      if (quote == '"' && (c == '$' || c == '`')) return NeedsShell(c);
      const bool is_escape = quote == '"' && c == '\\' && !rest_.empty() &&
                             (rest_.front() == '"' || rest_.front() == '\\');
      *word += is_escape ? Next() : c;
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "has a quote ", std::string(1, quote), " that is not closed"));
  }

  std::string_view rest_;
};

bool IsPlainWord(std::string_view word) {
  if (word.empty()) return false;
  for (const char c : word) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) &&
        kPlainBytes.find(c) == std::string_view::npos) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<std::string> SecondsFromWords(std::string_view text) {
  double seconds = 0;
  bool is_any = false;
  while (true) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    if (text.empty()) break;
    double count = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), count,
                        std::chars_format::fixed);
    if (error != std::errc() || !(count >= 0)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const Unit* const unit = text.empty() ? nullptr : UnitOf(text.front());
    if (unit == nullptr) return std::nullopt;
    text.remove_prefix(1);
    seconds += count * static_cast<double>(unit->seconds);
    is_any = true;
  }
  if (!is_any || !(seconds <= kLongest)) return std::nullopt;
  return absl::StrCat(static_cast<std::int64_t>(std::ceil(seconds)), "s");
}

std::string WordsFromSeconds(std::string_view seconds) {
  std::int64_t rest = 0;
  if (!seconds.ends_with('s') ||
      !absl::SimpleAtoi(std::string(seconds.substr(0, seconds.size() - 1)),
                        &rest) ||
      rest <= 0) {
    return std::string(seconds);
  }
  std::string words;
  for (const Unit& unit : kUnits) {
    const std::int64_t count = rest / unit.seconds;
    rest %= unit.seconds;
    if (count == 0) continue;
    absl::StrAppend(&words, words.empty() ? "" : " ", count,
                    std::string(1, unit.letter));
  }
  return words;
}

absl::StatusOr<std::vector<std::string>> SplitCommand(std::string_view text) {
  return WordReader(text).ReadAll();
}

std::string JoinCommand(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (IsPlainWord(word)) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? "'\\''" : std::string(1, c);
    line += '\'';
  }
  return line;
}

std::vector<std::string_view> TextsInBraces(std::string_view word) {
  std::vector<std::string_view> texts;
  for (std::size_t at = word.find('{'); at != std::string_view::npos;
       at = word.find('{', at + 1)) {
    const std::size_t end = word.find_first_of("{}", at + 1);
    if (end == std::string_view::npos || word[end] == '{') continue;
    texts.push_back(word.substr(at + 1, end - at - 1));
  }
  return texts;
}

}  // namespace vernier
