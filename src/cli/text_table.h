#ifndef VERNIER_CLI_TEXT_TABLE_H_
#define VERNIER_CLI_TEXT_TABLE_H_

#include <string>
#include <vector>

namespace vernier {

/// Rows of text under column names. Every row has as many cells as there are
/// columns.
struct TextTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// Columns as wide as their widest cell, two blanks apart, no blanks at line
/// ends; a line break in a cell becomes a blank. Empty without rows.
std::string FormatTable(const TextTable& table);

/// RFC 4180, lines ended by \n. A text that a spreadsheet would take for a
/// formula (it begins with = + - @ or a control character) and that is no
/// number gets a ' before it.
std::string FormatCsv(const TextTable& table);

/// Columns that a terminal gives to `text`: one per UTF-8 character.
std::size_t DisplayWidth(const std::string& text);

}  // namespace vernier

#endif  // VERNIER_CLI_TEXT_TABLE_H_
