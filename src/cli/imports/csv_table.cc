#include "cli/imports/csv_table.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/csv_reader.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "cli/imports/foreign_study.h"

namespace vernier {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Returns the error of the record that was read last.
absl::Status WrongRecord(
    const CsvReader& reader, const std::string& file, const std::string& what,
    absl::StatusCode code = absl::StatusCode::kInvalidArgument) {
  return absl::Status(code,
                      absl::StrCat(file, ": line ", reader.line(), ": ", what));
}

absl::Status CheckHeader(const CsvReader& reader, const std::string& file,
                         const std::vector<std::string>& columns) {
  std::set<std::string> names;
  for (const std::string& name : columns) {
    if (name.empty()) {
      return WrongRecord(reader, file, "the header must name every column");
    }
    if (!names.insert(name).second) {
      return WrongRecord(reader, file,
                         absl::StrCat("the header names column \"",
                                      ShowText(name), "\" twice"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::string SeparatorHint(const std::vector<std::string>& columns) {
  constexpr std::pair<char, std::string_view> kSeparators[] = {
      {';', "semicolons"}, {'\t', "tabs"}, {'|', "bars"}};
  if (columns.size() != 1) return "";
  for (const auto& [separator, name] : kSeparators) {
    if (columns.front().find(separator) == std::string::npos) continue;
    return absl::StrCat("; it seems to be separated by ", std::string(name),
                        ", and a CSV file is by commas");
  }
  return "";
}

absl::StatusOr<CsvTable> ParseCsv(std::string_view text,
                                  const std::string& file) {
  if (text.rfind(kByteOrderMark, 0) == 0) {
    text.remove_prefix(kByteOrderMark.size());
  }
  CsvReader reader(text);
  if (const auto invalid = FindInvalidUtf8(text);
      invalid != std::string_view::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat(file, ": byte ", invalid, ": must be UTF-8"));
  }
  CsvTable table;
  // pandas writes the numbers of the rows under no name.
  bool has_index = false;
  while (!reader.is_at_end()) {
    absl::StatusOr<std::vector<std::string>> record = reader.Next();
    if (!record.ok()) {
      return WrongRecord(reader, file, std::string(record.status().message()),
                         record.status().code());
    }
    std::vector<std::string> cells = *std::move(record);
    if (cells.size() == 1 && cells.front().empty()) continue;
    TrimCells(&cells);
    if (table.columns.empty()) {
      has_index = cells.size() > 1 && cells.front().empty();
      if (has_index) cells.erase(cells.begin());
      VERNIER_RETURN_IF_ERROR(CheckHeader(reader, file, cells));
      table.columns = std::move(cells);
      continue;
    }
    const std::size_t expected = table.columns.size() + (has_index ? 1 : 0);
    if (cells.size() != expected) {
      return WrongRecord(
          reader, file,
          absl::StrCat("has ", cells.size(), " cells, and the header has ",
                       expected, SeparatorHint(table.columns)));
    }
    if (has_index) cells.erase(cells.begin());
    if (table.rows.size() >= kMostForeignTrials) {
      return absl::ResourceExhaustedError(
          absl::StrCat(file, ": has more than ", kMostForeignTrials, " rows"));
    }
    table.rows.push_back({reader.line(), std::move(cells)});
  }
  if (table.columns.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(file, ": is empty: its first line must name the columns"));
  }
  return table;
}

}  // namespace vernier
