#include "cli/live/line_parts.h"

#include <algorithm>
#include <utility>

namespace vernier {
namespace {

constexpr std::size_t kBlanks = 2;  // Between parts of a line.

/// Returns which items fit into `room`, the best ranks first: item i has
/// `widths[i]` columns and the rank `ranks[i]`. Items without a width are left
/// out.
std::vector<bool> Choose(const std::vector<std::size_t>& widths,
                         const std::vector<int>& ranks, std::size_t room) {
  std::vector<bool> is_in(widths.size(), false);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (widths[i] > 0) order.push_back(i);
  }
  std::stable_sort(
      order.begin(), order.end(),
      [&ranks](std::size_t a, std::size_t b) { return ranks[a] < ranks[b]; });
  std::size_t used = 0;
  for (const std::size_t i : order) {
    const std::size_t width = widths[i] + (used > 0 ? kBlanks : 0);
    if (ranks[i] > 0 && used + width > room) continue;
    is_in[i] = true;
    used += width;
  }
  return is_in;
}

std::size_t WidthOfColumn(const LiveColumn& column) {
  std::size_t width = 0;
  for (const Span& cell : column.cells) {
    width = std::max(width, DisplayWidth(cell.text));
  }
  return width == 0 ? 0 : std::max(width, DisplayWidth(column.name));
}

}  // namespace

std::vector<Span> FitParts(const std::vector<Part>& parts,
                           std::size_t columns) {
  std::vector<std::size_t> widths;
  std::vector<int> ranks;
  for (const Part& part : parts) {
    widths.push_back(DisplayWidth(part.span.text));
    ranks.push_back(part.rank);
  }
  const std::vector<bool> is_in = Choose(widths, ranks, columns);
  std::vector<Span> line;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!is_in[i]) continue;
    if (!line.empty()) line.push_back({std::string(kBlanks, ' ')});
    line.push_back(parts[i].span);
  }
  return line;
}

std::size_t WidthOf(const std::vector<Span>& spans) {
  std::size_t width = 0;
  for (const Span& span : spans) width += DisplayWidth(span.text);
  return width;
}

std::string ProgressBar(std::int64_t done, std::int64_t total,
                        std::size_t width) {
  const double part = total > 0 ? static_cast<double>(std::min(done, total)) /
                                      static_cast<double>(total)
                                : 0;
  const auto full = static_cast<std::size_t>(part * static_cast<double>(width));
  return "[" + std::string(full, '#') + std::string(width - full, '.') + "]";
}

std::vector<std::vector<Span>> FitColumns(
    const std::vector<LiveColumn>& columns, std::size_t width) {
  std::vector<std::size_t> widths;
  std::vector<int> ranks;
  std::size_t rows = 0;
  for (const LiveColumn& column : columns) {
    const std::size_t whole = WidthOfColumn(column);
    widths.push_back(column.least > 0 ? std::min(whole, column.least) : whole);
    ranks.push_back(column.rank);
    rows = std::max(rows, column.cells.size());
  }
  const std::vector<bool> is_in = Choose(widths, ranks, width);
  std::vector<std::vector<Span>> lines(rows + 1);
  for (std::size_t row = 0; row <= rows; ++row) {
    std::size_t blanks = 0;  // Before the next cell that is not empty.
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!is_in[i]) continue;
      const LiveColumn& column = columns[i];
      Span cell =
          row == 0 ? Span{column.name, Colour::kBold} : column.cells[row - 1];
      const std::size_t shown = DisplayWidth(cell.text);
      const std::size_t rest = shown < widths[i] ? widths[i] - shown : 0;
      if (shown == 0) {
        blanks += rest + kBlanks;
        continue;
      }
      if (column.is_right) blanks += rest;
      lines[row].push_back({std::string(blanks, ' ')});
      lines[row].push_back(std::move(cell));
      blanks = kBlanks + (column.is_right ? 0 : rest);
    }
  }
  return lines;
}

}  // namespace vernier
