#ifndef VERNIER_CLI_DISPLAY_TEXT_TABLE_H_
#define VERNIER_CLI_DISPLAY_TEXT_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "cli/text/terminal_text.h"

namespace vernier {

/// Rows of text under column names. Every row has as many cells as there are
/// columns.
struct TextTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  bool has_best_first = false;  ///< The first row is the best trial's.
};

/// A width that no table reaches.
inline constexpr std::size_t kAnyWidth = 1'000'000;

/// Returns the table as text: columns as wide as their widest cell, two blanks
/// apart, without blanks at line ends. Cells are made printable, one line each.
/// States and the best value are painted. Empty without rows.
///
/// A table wider than `width` is narrowed if possible: a NOTE is cut and ends
/// in dots, then names (also those above numbers) lose their middle
/// (ShortNames). Numbers are never cut. A table of FIELD and VALUE keeps the
/// lines of a value, below one another.
std::string FormatTable(const TextTable& table,
                        Palette palette = Palette::kPlain,
                        std::size_t width = kAnyWidth);

/// Returns the table as RFC 4180, with lines ended by \n. A text that is not a
/// number and that a spreadsheet would take for a formula (it begins with = + -
/// @ or a control character) gets a ' before it.
std::string FormatCsv(const TextTable& table);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_TEXT_TABLE_H_
