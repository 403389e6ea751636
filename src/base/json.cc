#include "base/json.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "base/json_bounds.h"
#include "base/shown_text.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

// The text comes from outside, so a message shows only part of it.
constexpr std::size_t kMaxError = 300;

// Removes what stands before `end` in `text`, and `end`, if it is there.
void RemoveUntil(std::string_view end, std::string* text) {
  const std::size_t at = text->find(end);
  if (at != std::string::npos) text->erase(0, at + end.size());
}

// Returns what the library says of a text that is no JSON, without its own
// names: "[json.exception.parse_error.101] parse error at line 1, column 2:
// syntax error while parsing value - invalid literal" becomes "no JSON at
// column 2: invalid literal".
std::string PlainMistake(std::string message) {
  constexpr std::string_view kPlace = "parse error at ";
  RemoveUntil("] ", &message);
  if (!std::string_view(message).starts_with(kPlace)) return message;
  message.erase(0, kPlace.size());
  // Most texts have one line, and may be a line of a file themselves.
  if (std::string_view(message).starts_with("line 1, ")) {
    RemoveUntil("line 1, ", &message);
  }
  const std::string place = message.substr(0, message.find(": "));
  RemoveUntil(": ", &message);
  if (std::string_view(message).starts_with("syntax error")) {
    RemoveUntil(" - ", &message);
  }
  return "no JSON at " + place + ": " + message;
}

}  // namespace

absl::StatusOr<Json> ParseJson(std::string_view text) {
  VERNIER_RETURN_IF_ERROR(CheckJsonBounds(text));
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    // The message repeats what was read last, which may be the whole text.
    return absl::InvalidArgumentError(
        ShowText(PlainMistake(error.what()), kMaxError));
  }
}

std::string DumpJson(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string PlainText(const Json& json) {
  return json.is_string() ? json.get<std::string>() : DumpJson(json);
}

std::string TextAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>()
                                                   : "";
}

std::optional<std::int64_t> WholeAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

}  // namespace vernier
