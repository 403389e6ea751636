// A JSON reader of our own, because nlohmann's reports no positions and
// yaml-cpp does not read surrogate pairs.

#include <cstdint>
#include <optional>
#include <string>

#include "base/utf8.h"
#include "study/config/config_reader.h"
#include "study/config/config_tree_builder.h"

namespace vernier {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// True for a number by RFC 8259, section 6.
bool IsJsonNumber(std::string_view text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t start = i;
    while (i < text.size() && IsDigit(text[i])) ++i;
    return i > start;
  };
  if (i < text.size() && text[i] == '-') ++i;
  const bool has_leading_zero = i < text.size() && text[i] == '0';
  const std::size_t first = i;
  if (!digits() || (has_leading_zero && i - first > 1)) return false;
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (!digits()) return false;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (!digits()) return false;
  }
  return i == text.size();
}

class JsonReader {
 public:
  JsonReader(std::string_view text, std::string_view flag, ConfigTree& tree,
             SpecDiagnostics& diagnostics)
      : text_(text), flag_(flag), builder_(tree, diagnostics) {}

  JsonOutcome Read() {
    const bool is_read = ReadValue() && AtEnd();
    if (is_read) return JsonOutcome::kRead;
    return is_over_limits_ ? JsonOutcome::kOverLimits : JsonOutcome::kNotJson;
  }

 private:
  ConfigPosition Position() const {
    if (!flag_.empty()) return {flag_, 0, 0};
    return {"", line_, static_cast<int>(at_ - line_start_) + 1};
  }

  // Returns the next character that is not white space, or 0 at the end.
  char Peek() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return c;
      }
    }
    return 0;
  }

  bool AtEnd() {
    Peek();
    return at_ == text_.size();
  }

  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }

  bool Keep(bool fits) {
    if (!fits) is_over_limits_ = true;
    return fits;
  }

  // Recursion is bounded: Open() refuses more than kMaxConfigDepth levels.
  bool ReadValue() {
    const char c = Peek();
    const ConfigPosition position = Position();
    if (c == '{') return ReadMap(position);
    if (c == '[') return ReadList(position);
    if (c == '"') {
      const std::optional<std::string> text = ReadString();
      return text && Keep(builder_.AddScalar(position, *text, false));
    }
    return ReadWord(position);
  }

  bool ReadMap(const ConfigPosition& position) {
    ++at_;
    if (!Keep(builder_.Open(ConfigNode::Kind::kMap, position))) return false;
    while (!Take('}')) {
      if (Peek() != '"') return false;
      const ConfigPosition key_position = Position();
      const std::optional<std::string> key = ReadString();
      if (!key || !Take(':')) return false;
      builder_.Key(key_position, *key);
      if (!ReadValue()) return false;
      if (!Take(',') && Peek() != '}') return false;
    }
    return Keep(builder_.Close());
  }

  bool ReadList(const ConfigPosition& position) {
    ++at_;
    if (!Keep(builder_.Open(ConfigNode::Kind::kList, position))) return false;
    while (!Take(']')) {
      if (!ReadValue()) return false;
      if (!Take(',') && Peek() != ']') return false;
    }
    return Keep(builder_.Close());
  }

  bool ReadWord(const ConfigPosition& position) {
    const std::size_t start = at_;
    const auto is_word = [](char c) {
      return IsDigit(c) || (c >= 'a' && c <= 'z') || c == 'E' || c == '-' ||
             c == '+' || c == '.';
    };
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    if (word == "null") return Keep(builder_.AddNull(position));
    if (word != "true" && word != "false" && !IsJsonNumber(word)) return false;
    return Keep(builder_.AddScalar(position, word, true));
  }

  std::optional<std::string> ReadString() {
    std::string value;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return value;
      }
      if (static_cast<unsigned char>(c) < 0x20) return std::nullopt;
      if (c != '\\') {
        value += c;
      } else if (!ReadEscape(value)) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  // Starts at a backslash; leaves `at_` at the escape's last character.
  bool ReadEscape(std::string& value) {
    if (++at_ >= text_.size()) return false;
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const std::size_t letter = kLetters.find(text_[at_]);
    if (letter != std::string_view::npos) {
      value += kMeanings[letter];
      return true;
    }
    if (text_[at_] != 'u') return false;
    std::optional<std::uint32_t> unit = ReadHex4();
    if (!unit || (*unit >= 0xdc00 && *unit <= 0xdfff)) return false;
    if (*unit >= 0xd800 && *unit <= 0xdbff) {
      if (text_.substr(at_ + 1, 2) != "\\u") return false;
      at_ += 2;
      const std::optional<std::uint32_t> low = ReadHex4();
      if (!low || *low < 0xdc00 || *low > 0xdfff) return false;
      unit = 0x10000 + ((*unit - 0xd800) << 10) + (*low - 0xdc00);
    }
    AppendUtf8(*unit, value);
    return true;
  }

  // Starts at the 'u'; leaves `at_` at the last digit.
  std::optional<std::uint32_t> ReadHex4() {
    if (at_ + 4 >= text_.size()) return std::nullopt;
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = text_[++at_];
      std::uint32_t digit = 0;
      if (IsDigit(c)) {
        digit = static_cast<std::uint32_t>(c - '0');
      } else if (c >= 'a' && c <= 'f') {
        digit = static_cast<std::uint32_t>(c - 'a' + 10);
      } else if (c >= 'A' && c <= 'F') {
        digit = static_cast<std::uint32_t>(c - 'A' + 10);
      } else {
        return std::nullopt;
      }
      value = value * 16 + digit;
    }
    return value;
  }

  const std::string_view text_;
  const std::string_view flag_;
  ConfigTreeBuilder builder_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
  bool is_over_limits_ = false;
};

}  // namespace

JsonOutcome ReadJsonConfig(std::string_view text, std::string_view flag,
                           ConfigTree& tree, SpecDiagnostics& diagnostics) {
  return JsonReader(text, flag, tree, diagnostics).Read();
}

}  // namespace vernier
