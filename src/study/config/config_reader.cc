#include "study/config/config_reader.h"

#include <algorithm>
#include <string>

#include "base/shown_text.h"
#include "base/utf8.h"

namespace vernier {
namespace {

ConfigPosition PositionAt(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_end = before.rfind('\n');
  const std::size_t line_start =
      line_end == std::string_view::npos ? 0 : line_end + 1;
  return {"",
          1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
          1 + static_cast<int>(offset - line_start)};
}

// yaml-cpp takes some control characters for the end of the file and misreads
// invalid UTF-8, so both are refused before yaml-cpp gets the text.
bool IsText(std::string_view text, SpecDiagnostics& diagnostics) {
  if (text.size() > kMaxConfigBytes) {
    diagnostics.AddError(
        {}, "",
        "the file is too large: " + std::to_string(text.size()) + " > " +
            std::to_string(kMaxConfigBytes) + " bytes");
    return false;
  }
  const std::size_t invalid = FindInvalidUtf8(text);
  if (invalid != std::string_view::npos) {
    diagnostics.AddError(PositionAt(text, invalid), "", "not valid UTF-8");
    return false;
  }
  const auto is_control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7f || (byte < 0x20 && c != '\t' && c != '\n' && c != '\r');
  };
  const auto control = std::find_if(text.begin(), text.end(), is_control);
  if (control == text.end()) return true;
  const auto offset = static_cast<std::size_t>(control - text.begin());
  diagnostics.AddError(
      PositionAt(text, offset), "",
      "not text: control character " + ShowText(text.substr(offset, 1)));
  return false;
}

}  // namespace

bool ReadConfig(std::string_view text, ConfigTree& tree,
                SpecDiagnostics& diagnostics) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  if (!IsText(text, diagnostics)) return false;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') {
    // Errors of this attempt count only if the text is JSON.
    SpecDiagnostics attempt = diagnostics;
    ConfigTree json_tree;
    const JsonOutcome outcome = ReadJsonConfig(text, "", json_tree, attempt);
    if (outcome != JsonOutcome::kNotJson) {
      diagnostics = std::move(attempt);
      tree = std::move(json_tree);
      return outcome == JsonOutcome::kRead;
    }
  }
  return ReadYamlConfig(text, tree, diagnostics);
}

}  // namespace vernier
