#ifndef VERNIER_CLI_OUTPUT_FORMAT_H_
#define VERNIER_CLI_OUTPUT_FORMAT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/text_table.h"

namespace vernier {

/// What --format asks for.
struct OutputFormat {
  enum class Kind { kTable, kJson, kYaml, kCsv, kValue };
  Kind kind = Kind::kTable;
  std::vector<std::string> paths;  ///< Of kValue.
};

/// Parses "table", "json", "yaml", "csv" or "value(PATH,...)".
/// INVALID_ARGUMENT for anything else.
absl::StatusOr<OutputFormat> ParseOutputFormat(std::string_view text);

/// Prints a JSON document in the format asked for; `table` is its form as a
/// table. Of a list, kValue prints one line per item.
absl::StatusOr<std::string> Render(const OutputFormat& format,
                                   std::string_view json,
                                   const TextTable& table);

}  // namespace vernier

#endif  // VERNIER_CLI_OUTPUT_FORMAT_H_
