#ifndef VERNIER_CLI_LIVE_LINE_PARTS_H_
#define VERNIER_CLI_LIVE_LINE_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/text/terminal_text.h"

namespace vernier {

/// Functions that fit lines of a display into its width. All are pure.

/// A part of a line. Parts of rank 0 are always shown, others in the order of
/// their ranks while there is room.
struct Part {
  Span span;
  int rank = 0;
};

/// Returns the parts that fit into `columns`, in their order, two blanks apart.
/// Empty parts are left out.
std::vector<Span> FitParts(const std::vector<Part>& parts, std::size_t columns);

std::size_t WidthOf(const std::vector<Span>& spans);

/// Returns "[####....]"; `width` counts the characters inside.
std::string ProgressBar(std::int64_t done, std::int64_t total,
                        std::size_t width);

/// A column of a table, which may be left out if there is no room.
struct LiveColumn {
  std::string name;
  int rank = 0;  ///< As of a Part.
  bool is_right = false;
  /// The width to which the last column may be cut; 0 if it is not cut.
  std::size_t least = 0;
  std::vector<Span> cells;  ///< One for each row; printable.
};

/// Returns a line of column names and one for each row, with those columns that
/// fit; two blanks apart, none at line ends. Columns without any text are left
/// out.
std::vector<std::vector<Span>> FitColumns(
    const std::vector<LiveColumn>& columns, std::size_t width);

}  // namespace vernier

#endif  // VERNIER_CLI_LIVE_LINE_PARTS_H_
