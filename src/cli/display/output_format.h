#ifndef VERNIER_CLI_DISPLAY_OUTPUT_FORMAT_H_
#define VERNIER_CLI_DISPLAY_OUTPUT_FORMAT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/display/text_table.h"
#include "cli/display/value_projection.h"

namespace vernier {

/// The value of --format.
struct OutputFormat {
  enum class Kind { kTable, kJson, kYaml, kCsv, kValue };
  Kind kind = Kind::kTable;
  std::vector<std::string> paths;  ///< Of kValue.
};

/// Parses "table", "json", "yaml", "csv" or "value(PATH,...)".
/// INVALID_ARGUMENT for anything else.
absl::StatusOr<OutputFormat> ParseOutputFormat(std::string_view text);

/// Prints a JSON document in the format asked for; `table` is its form as a
/// table. `may_be_absent` is ProjectValues', for kValue; `palette` and
/// `width` are for kTable.
absl::StatusOr<std::string> Render(const OutputFormat& format,
                                   std::string_view json,
                                   const TextTable& table,
                                   const PathCheck& may_be_absent = nullptr,
                                   Palette palette = Palette::kPlain,
                                   std::size_t width = kAnyWidth);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_OUTPUT_FORMAT_H_
