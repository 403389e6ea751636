#include "edge/http/indented_json.h"

#include <cstddef>

namespace vernier {
namespace {

constexpr std::size_t kTimes = 4;
constexpr std::size_t kBesides = std::size_t{64} << 10;
constexpr std::size_t kBlanks = 2;

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Writes the characters of a JSON text one by one.
class Indenter {
 public:
  void Add(char c) {
    if (is_in_string_) return AddInString(c);
    if (IsBlank(c)) return;
    if (c == '}' || c == ']') return Close(c);
    if (is_opened_) NewLine();
    is_opened_ = false;
    text_ += c;
    if (c == '"') is_in_string_ = true;
    if (c == ':') text_ += ' ';
    if (c == ',') NewLine();
    if (c == '{' || c == '[') {
      ++level_;
      is_opened_ = true;
    }
  }

  std::size_t size() const { return text_.size(); }
  std::string Take() { return std::move(text_) + "\n"; }

 private:
  void AddInString(char c) {
    text_ += c;
    if (is_escaped_) {
      is_escaped_ = false;
    } else if (c == '\\') {
      is_escaped_ = true;
    } else if (c == '"') {
      is_in_string_ = false;
    }
  }

  void Close(char c) {
    --level_;
    // Empty objects and arrays stay on one line.
    if (!is_opened_) NewLine();
    is_opened_ = false;
    text_ += c;
  }

  void NewLine() {
    text_ += '\n';
    text_.append(level_ * kBlanks, ' ');
  }

  std::string text_;
  std::size_t level_ = 0;
  bool is_opened_ = false;  // The last one was '{' or '['.
  bool is_in_string_ = false;
  bool is_escaped_ = false;
};

}  // namespace

std::optional<std::string> IndentJson(std::string_view json) {
  const std::size_t most = json.size() * kTimes + kBesides;
  Indenter indenter;
  for (const char c : json) {
    indenter.Add(c);
    if (indenter.size() > most) return std::nullopt;
  }
  return indenter.Take();
}

}  // namespace vernier
