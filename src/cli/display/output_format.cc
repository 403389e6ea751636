#include "cli/display/output_format.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/display/yaml_text.h"

namespace vernier {
namespace {

constexpr std::string_view kValuePrefix = "value(";

}  // namespace

absl::StatusOr<OutputFormat> ParseOutputFormat(std::string_view text) {
  if (text == "table") return OutputFormat{OutputFormat::Kind::kTable, {}};
  if (text == "json") return OutputFormat{OutputFormat::Kind::kJson, {}};
  if (text == "yaml") return OutputFormat{OutputFormat::Kind::kYaml, {}};
  if (text == "csv") return OutputFormat{OutputFormat::Kind::kCsv, {}};
  if (text.substr(0, kValuePrefix.size()) == kValuePrefix &&
      text.back() == ')' && text.size() > kValuePrefix.size() + 1) {
    OutputFormat format{OutputFormat::Kind::kValue, {}};
    const std::string inner(text.substr(kValuePrefix.size(),
                                        text.size() - kValuePrefix.size() - 1));
    // Paths have parentheses of their own, but no commas in them.
    for (auto path : absl::StrSplit(inner, ',')) {
      format.paths.emplace_back(absl::StripAsciiWhitespace(path));
    }
    return format;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--format must be table, json, yaml, csv or "
                   "value(PATH,...): \"",
                   std::string(text), "\""));
}

absl::StatusOr<std::string> Render(const OutputFormat& format,
                                   std::string_view json,
                                   const TextTable& table,
                                   const PathCheck& may_be_absent,
                                   Palette palette, std::size_t width) {
  switch (format.kind) {
    case OutputFormat::Kind::kTable:
      return FormatTable(table, palette, width);
    case OutputFormat::Kind::kCsv:
      return FormatCsv(table);
    case OutputFormat::Kind::kYaml:
      return YamlFromJson(json);
    case OutputFormat::Kind::kValue:
      return ProjectValues(json, format.paths, may_be_absent);
    case OutputFormat::Kind::kJson:
      break;
  }
  VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(json));
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vernier
