#include "faces/logging/log_line.h"

#include <array>
#include <cctype>
#include <cstddef>
#include <utility>

#include "absl/strings/ascii.h"
#include "base/json.h"

namespace vernier {
namespace {

// A level is searched for in this many bytes at the beginning of a line: after
// a time, a process and a logger's name, but not inside the message.
constexpr std::size_t kLevelWithin = 60;

constexpr std::array<std::pair<std::string_view, const char*>, 10> kLevels = {{
    {"DEBUG", "DEBUG"},
    {"INFO", "INFO"},
    {"NOTICE", "NOTICE"},
    {"WARNING", "WARNING"},
    {"WARN", "WARNING"},
    {"ERROR", "ERROR"},
    {"CRITICAL", "CRITICAL"},
    {"FATAL", "CRITICAL"},
    {"ALERT", "ALERT"},
    {"EMERGENCY", "EMERGENCY"},
}};

bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)); }
bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

const char* LevelOf(std::string_view word) {
  for (const auto& [name, severity] : kLevels) {
    if (name == word) return severity;
  }
  return nullptr;
}

// Parses the form of glog and absl: "I0102 15:04:05.678901 1234 file.cc:56]
// text".
const char* LevelOfGlog(std::string_view line) {
  if (line.size() < 6 || line[5] != ' ') return nullptr;
  for (std::size_t i = 1; i < 5; ++i) {
    if (!IsDigit(line[i])) return nullptr;
  }
  switch (line[0]) {
    case 'I':
      return "INFO";
    case 'W':
      return "WARNING";
    case 'E':
      return "ERROR";
    case 'F':
      return "CRITICAL";
    default:
      return nullptr;
  }
}

const char* SeverityOfText(std::string_view line) {
  if (const char* level = LevelOfGlog(line)) return level;
  if (line.substr(0, 34) == "Traceback (most recent call last):")
    return "ERROR";
  const std::string_view head = line.substr(0, kLevelWithin);
  for (std::size_t at = 0; at < head.size();) {
    if (!IsLetter(head[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < head.size() && (IsLetter(head[end]) || head[end] == '_')) {
      ++end;
    }
    // Punctuation must follow a level, since "INFO theory" is not one. At the
    // very beginning of a line a blank suffices.
    const char next = end < line.size() ? line[end] : ':';
    const bool is_apart = next == ':' || next == ']' || next == ' ' ||
                          next == '|' || next == ')' || next == '\t';
    if (is_apart) {
      if (const char* level = LevelOf(head.substr(at, end - at))) return level;
    }
    at = end;
  }
  return "INFO";
}

std::string TakeText(Json* json, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto found = json->find(name);
    if (found == json->end() || !found->is_string()) continue;
    std::string text = found->get<std::string>();
    json->erase(found);
    return text;
  }
  return "";
}

bool ParseJsonLine(const std::string& line, LogLine* parsed) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos || line[begin] != '{') return false;
  auto json = ParseJson(line);
  if (!json.ok() || !json->is_object()) return false;
  const std::string level = absl::AsciiStrToUpper(
      TakeText(&*json, {"severity", "levelname", "level"}));
  if (const char* known = LevelOf(level)) parsed->severity = known;
  parsed->message = TakeText(&*json, {"message", "msg"});
  if (parsed->message.empty() && !json->empty()) parsed->message = line;
  if (!json->empty()) parsed->json = DumpJson(*json);
  return true;
}

}  // namespace

LogLine ParseLogLine(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) {
    line.remove_suffix(1);
  }
  // A progress bar overwrites itself; only its last state is kept.
  const std::size_t redrawn = line.rfind('\r');
  if (redrawn != std::string_view::npos) line.remove_prefix(redrawn + 1);
  LogLine parsed;
  const std::string text(line);
  if (ParseJsonLine(text, &parsed)) return parsed;
  parsed.severity = SeverityOfText(text);
  parsed.message = text;
  return parsed;
}

}  // namespace vernier
