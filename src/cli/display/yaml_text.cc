#include "cli/display/yaml_text.h"

#include <algorithm>
#include <cctype>

#include "absl/strings/ascii.h"
#include "base/json.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

bool IsPlainCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) ||
         std::string_view("_-./+ ").find(c) != std::string_view::npos;
}

/// Returns true if `text` needs no quotes. To be safe, everything that looks
/// like a number, a date or a word of YAML is quoted.
bool IsPlain(const std::string& text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ') return false;
  if (!std::isalpha(static_cast<unsigned char>(text.front())) &&
      text.front() != '_' && text.front() != '/') {
    return false;
  }
  if (!std::all_of(text.begin(), text.end(), IsPlainCharacter)) return false;
  const std::string lower = absl::AsciiStrToLower(text);
  for (std::string_view word : {"true", "false", "yes", "no", "on", "off",
                                "null", "y", "n", "nan", "inf", "infinity"}) {
    if (lower == word) return false;
  }
  return true;
}

std::string Scalar(const Json& json) {
  if (!json.is_string()) return DumpJson(json);
  const auto text = json.get<std::string>();
  // JSON's quoted form is also YAML's.
  return IsPlain(text) ? text : DumpJson(json);
}

void Append(const Json& json, std::size_t indent, std::string* text);

bool IsBlock(const Json& json) {
  return (json.is_object() || json.is_array()) && !json.empty();
}

void AppendObject(const Json& json, std::size_t indent, bool indent_first,
                  std::string* text) {
  bool first = !indent_first;
  for (const auto& [key, value] : json.items()) {
    if (!first) text->append(indent, ' ');
    first = false;
    *text += Scalar(Json(key)) + ":";
    if (!IsBlock(value)) {
      *text += " " + Scalar(value) + "\n";
      continue;
    }
    *text += "\n";
    Append(value, value.is_array() ? indent : indent + 2, text);
  }
}

void Append(const Json& json, std::size_t indent, std::string* text) {
  if (json.is_object() && !json.empty()) {
    AppendObject(json, indent, true, text);
    return;
  }
  if (!IsBlock(json)) {
    text->append(indent, ' ');
    *text += Scalar(json) + "\n";
    return;
  }
  for (const Json& item : json) {
    text->append(indent, ' ');
    *text += "-";
    if (item.is_object() && !item.empty()) {
      *text += " ";
      AppendObject(item, indent + 2, false, text);
    } else if (IsBlock(item)) {
      *text += "\n";
      Append(item, indent + 2, text);
    } else {
      *text += " " + Scalar(item) + "\n";
    }
  }
}

}  // namespace

absl::StatusOr<std::string> YamlFromJson(std::string_view json) {
  VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(json));
  std::string text;
  Append(document, 0, &text);
  return text;
}

}  // namespace vernier
