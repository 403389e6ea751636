#include "base/python_json.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace vernier {
namespace {

// Begins a text that stands for a bare word; no sane text begins with it.
constexpr char kBareWordMark = '\x01';

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct BareWord {
  std::string_view word;
  std::string_view marked;
  std::string_view as_text;
  double number;
};

constexpr BareWord kBareWords[] = {
    {"NaN", R"("\u0001NaN")", R"("nan")",
     std::numeric_limits<double>::quiet_NaN()},
    {"Infinity", R"("\u0001Infinity")", R"("inf")", kInfinite},
    {"-Infinity", R"("\u0001-Infinity")", R"("-inf")", -kInfinite},
};

std::optional<double> NumberOfWord(std::string_view text) {
  for (const BareWord& one : kBareWords) {
    if (one.word == text) return one.number;
  }
  return std::nullopt;
}

// Returns the bytes of the number at the text's beginning if it is too large
// for a double; 0 for anything else.
std::size_t OverflowSize(std::string_view text) {
  const std::size_t size =
      std::min(text.find_first_not_of("+-.0123456789eE"), text.size());
  double number = 0;
  const bool is_number =
      size > 0 && absl::SimpleAtod(std::string(text.substr(0, size)), &number);
  return is_number && std::isinf(number) ? size : 0;
}

// Appends what takes the place of the token at the text's beginning, and
// returns the token's bytes; 0 if it can stay.
std::size_t AppendQuoted(std::string_view text, BareWords form,
                         std::string* json) {
  for (const BareWord& one : kBareWords) {
    if (!text.starts_with(one.word)) continue;
    *json += form == BareWords::kMarked ? one.marked : one.as_text;
    return one.word.size();
  }
  if (form == BareWords::kMarked) return 0;
  const std::size_t size = OverflowSize(text);
  if (size > 0) {
    absl::StrAppend(json, "\"", std::string(text.substr(0, size)), "\"");
  }
  return size;
}

}  // namespace

std::string QuoteBareWords(std::string_view json, BareWords form) {
  std::string strict;
  bool is_inside = false;  // A text.
  while (!json.empty()) {
    if (json.front() == '"') is_inside = !is_inside;
    std::size_t taken = is_inside ? 0 : AppendQuoted(json, form, &strict);
    if (taken == 0) {
      taken = is_inside && json.size() > 1 && json.front() == '\\' ? 2 : 1;
      strict += json.substr(0, taken);
    }
    json.remove_prefix(taken);
  }
  return strict;
}

absl::StatusOr<Json> ParsePythonJson(std::string_view text) {
  return ParseJson(QuoteBareWords(text, BareWords::kMarked));
}

std::optional<double> PythonNumber(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  const std::string_view text = value.get_ref<const std::string&>();
  if (!text.starts_with(kBareWordMark)) return std::nullopt;
  return NumberOfWord(text.substr(1));
}

std::optional<double> PythonNumberOrWord(const Json& value) {
  const std::optional<double> number = PythonNumber(value);
  if (number || !value.is_string()) return number;
  return NumberOfWord(value.get_ref<const std::string&>());
}

std::string DumpPythonJson(const Json& value) {
  std::string text = DumpJson(value);
  for (const BareWord& one : kBareWords) {
    absl::StrReplaceAll({{std::string(one.marked), std::string(one.word)}},
                        &text);
  }
  return text;
}

}  // namespace vernier
