#include "cli/display/text_table.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace vernier {
namespace {

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
  // Of a resource: a row for each field.
  const bool is_field = name == "VALUE" && column == 1 &&
                        table.columns[0] == "FIELD" && (*line)[0] == "state";
  return is_field ? ColourOfState((*line)[column]) : Colour::kNone;
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

std::string FormatTable(const TextTable& table, Palette palette) {
  if (table.rows.empty()) return "";
  std::vector<std::vector<std::string>> lines = {table.columns};
  for (const auto& row : table.rows) {
    std::vector<std::string> line;
    line.reserve(row.size());
    for (const std::string& cell : row) {
      line.push_back(Printable(cell, LineBreaks::kToBlanks));
    }
    lines.push_back(std::move(line));
  }
  std::vector<std::size_t> widths(table.columns.size(), 0);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(line[i]));
    }
  }
  std::string text;
  for (const auto& line : lines) {
    std::string row;
    std::size_t blanks = 0;  // Before the next cell that is not empty.
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (!line[i].empty()) {
        row.append(blanks, ' ');
        blanks = 0;
        row += Painted(line[i], ColourOf(table, lines, &line, i), palette);
      }
      blanks += widths[i] - DisplayWidth(line[i]) + 2;
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
