#include "cli/display/text_table.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <utility>

#include "cli/text/short_names.h"

namespace vernier {
namespace {

// Widths are measured in terminal columns and not in bytes (DisplayWidth). A
// table that is too wide is narrowed in its NOTE first, and then always in the
// widest column that may still lose some width, until it fits. If it cannot
// fit, it stays as it is.

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowestNote = 20;
constexpr std::size_t kNarrowestName = 24;
constexpr std::string_view kDots = "...";

bool IsNumber(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  return result.ec == std::errc() && result.ptr == end;
}

using Lines = std::vector<std::vector<std::string>>;

Colour ColourOf(const TextTable& table, const Lines& lines,
                const std::vector<std::string>* line, std::size_t column) {
  if (line == &lines.front()) return Colour::kNone;
  const std::string& name = table.columns[column];
  if (name == "STATE") return ColourOfState((*line)[column]);
  const bool is_best = table.has_best_first && line == &lines[1];
  if (name == "OBJECTIVE" && is_best) return Colour::kBold;
  // The table of a single resource has a row for each field.
  const bool is_field = name == "VALUE" && column == 1 &&
                        table.columns[0] == "FIELD" && (*line)[0] == "state";
  return is_field ? ColourOfState((*line)[column]) : Colour::kNone;
}

bool IsOfFields(const TextTable& table) {
  return table.columns == std::vector<std::string>{"FIELD", "VALUE"};
}

Lines PrintableLines(const TextTable& table, bool is_fields) {
  Lines lines = {table.columns};
  for (const auto& row : table.rows) {
    std::vector<std::string> line;
    line.reserve(row.size());
    for (const std::string& cell : row) {
      const bool has_lines = is_fields && !line.empty();
      line.push_back(Printable(
          cell, has_lines ? LineBreaks::kKeep : LineBreaks::kToBlanks));
    }
    lines.push_back(std::move(line));
  }
  // A column's name may be a parameter's name, so it is made printable, too.
  for (std::string& name : lines.front()) {
    name = Printable(name, LineBreaks::kToBlanks);
  }
  return lines;
}

std::vector<std::size_t> WidthsOf(const Lines& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(line[i]));
    }
  }
  return widths;
}

/// Returns the smallest width to which a column of a table can be narrowed.
std::size_t LeastWidth(const Lines& lines, std::size_t column) {
  std::size_t least = kFewestNameColumns;
  for (std::size_t row = 1; row < lines.size(); ++row) {
    const std::string& cell = lines[row][column];
    const std::size_t width = DisplayWidth(cell);
    least = std::max(least,
                     IsNumber(cell) ? width : std::min(width, kNarrowestName));
  }
  return least;
}

/// Returns the width of each column so that all fit into `width`; their natural
/// widths if that is impossible.
std::vector<std::size_t> NarrowWidths(const Lines& lines, std::size_t width) {
  const std::vector<std::size_t> whole = WidthsOf(lines);
  std::vector<std::size_t> widths = whole;
  std::size_t total = kGap * (widths.size() - 1);
  for (const std::size_t each : widths) total += each;
  const bool has_note = lines.front().back() == "NOTE";
  if (total > width && has_note) {
    const std::size_t least = std::min(widths.back(), kNarrowestNote);
    const std::size_t less = std::min(total - width, widths.back() - least);
    widths.back() -= less;
    total -= less;
  }
  const std::size_t names = widths.size() - (has_note ? 1 : 0);
  while (total > width) {
    // The widest column that can still be narrowed loses one.
    std::size_t widest = names;
    for (std::size_t i = 0; i < names; ++i) {
      if (widths[i] <= LeastWidth(lines, i)) continue;
      if (widest == names || widths[i] > widths[widest]) widest = i;
    }
    if (widest == names) return whole;
    --widths[widest];
    --total;
  }
  return widths;
}

void Narrow(std::size_t width, Lines* lines) {
  const std::vector<std::size_t> widths = NarrowWidths(*lines, width);
  const std::size_t last = widths.size() - 1;
  lines->front() = ShortNames(lines->front(), widths);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const bool is_note = i == last && lines->front()[i] == "NOTE";
    std::vector<std::string> names;
    for (std::size_t row = 1; row < lines->size(); ++row) {
      std::string& cell = (*lines)[row][i];
      if (is_note && DisplayWidth(cell) > widths[i]) {
        cell = CutToWidth(cell, widths[i] - kDots.size()) + std::string(kDots);
      }
      names.push_back(cell);
    }
    if (is_note) continue;
    const std::vector<std::string> shown = ShortNames(names, widths[i]);
    for (std::size_t row = 1; row < lines->size(); ++row) {
      (*lines)[row][i] = shown[row - 1];
    }
  }
}

/// Indents the lines after the first, so that they begin below it.
std::string Indented(const std::string& text, std::size_t columns) {
  std::string indented;
  for (const char c : text) {
    indented += c;
    if (c == '\n') indented.append(columns, ' ');
  }
  return indented;
}

std::string CsvCell(std::string text) {
  if (!text.empty() && !IsNumber(text) &&
      std::string("=+-@\t\r").find(text.front()) != std::string::npos) {
    text.insert(0, "'");
  }
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace

std::string FormatTable(const TextTable& table, Palette palette,
                        std::size_t width) {
  if (table.rows.empty()) return "";
  const bool is_fields = IsOfFields(table);
  Lines lines = PrintableLines(table, is_fields);
  if (!is_fields) Narrow(width, &lines);
  const std::vector<std::size_t> widths = WidthsOf(lines);
  std::string text;
  for (const auto& line : lines) {
    std::string row;
    std::size_t blanks = 0;  // Before the next cell that is not empty.
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (!line[i].empty()) {
        row.append(blanks, ' ');
        blanks = 0;
        const Colour colour = ColourOf(table, lines, &line, i);
        const std::string cell =
            is_fields && i > 0 ? Indented(line[i], widths[0] + kGap) : line[i];
        row += Painted(cell, colour, palette);
      }
      const std::size_t used = DisplayWidth(line[i]);
      blanks += (widths[i] > used ? widths[i] - used : 0) + kGap;
    }
    text += row + "\n";
  }
  return text;
}

std::string FormatCsv(const TextTable& table) {
  std::string text;
  const auto add = [&text](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) text += ',';
      text += CsvCell(cells[i]);
    }
    text += '\n';
  };
  add(table.columns);
  for (const auto& row : table.rows) add(row);
  return text;
}

}  // namespace vernier
