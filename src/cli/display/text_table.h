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

/// More columns than any table has.
inline constexpr std::size_t kAnyWidth = 1'000'000;

/// Columns as wide as their widest cell, two blanks apart, no blanks at line
/// ends; cells are made printable, one line each. States and the best value are
/// painted. Empty without rows.
///
/// A table that is wider than `width` becomes narrower if it can: a NOTE ends
/// in dots, then names (also those above numbers) give up their middle
/// (ShortNames). Numbers are never cut.
/// A table of FIELD and VALUE keeps the lines of a value, below one another.
std::string FormatTable(const TextTable& table,
                        Palette palette = Palette::kPlain,
                        std::size_t width = kAnyWidth);

/// RFC 4180, lines ended by \n. A text that a spreadsheet would take for a
/// formula (it begins with = + - @ or a control character) and that is no
/// number gets a ' before it.
std::string FormatCsv(const TextTable& table);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_TEXT_TABLE_H_
