#include "cli/text_table.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace vernier {
namespace {

std::string OneLine(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

bool IsNumber(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  return result.ec == std::errc() && result.ptr == end;
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

std::size_t DisplayWidth(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string FormatTable(const TextTable& table) {
  if (table.rows.empty()) return "";
  std::vector<std::vector<std::string>> lines = {table.columns};
  for (const auto& row : table.rows) {
    std::vector<std::string> line;
    line.reserve(row.size());
    for (const std::string& cell : row) line.push_back(OneLine(cell));
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
    for (std::size_t i = 0; i < widths.size(); ++i) {
      row += line[i];
      row.append(widths[i] - DisplayWidth(line[i]) + 2, ' ');
    }
    row.erase(row.find_last_not_of(' ') + 1);
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
