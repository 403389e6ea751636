#include "cli/text/console.h"

#include <unistd.h>

#include <algorithm>

#include "cli/text/terminal_text.h"

namespace vernier {
namespace {

constexpr char kEscape = '\033';
// The longest SGR sequence that is completed: a few colours of 24 bits.
constexpr std::size_t kMostHeld = 64;
constexpr std::size_t kLongestCharacter = 4;
constexpr char kEndOfColour[] = "\033[0m";
// These draw a progress bar, and stay within its line.
constexpr std::string_view kKept = "\n\t\r\b";

bool IsTerminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

bool WriteBytes(std::FILE* stream, std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size();
}

bool IsSgrByte(char c) {
  return (c >= '0' && c <= '9') || c == ';' || c == ':';
}

/// Returns the size of the SGR sequence (ESC [ ... m) at the beginning of
/// `text`; 0 if there is none, npos if its end has not come yet.
std::size_t SgrSize(std::string_view text) {
  if (text.size() < 2) return std::string_view::npos;
  if (text[1] != '[') return 0;
  std::size_t end = 2;
  while (end < text.size() && IsSgrByte(text[end])) ++end;
  if (end >= kMostHeld) return 0;
  if (end == text.size()) return std::string_view::npos;
  return text[end] == 'm' ? end + 1 : 0;
}

/// Returns where an incomplete character at the end of `text` begins; the size
/// of `text` if there is none.
std::size_t CompletePart(std::string_view text) {
  const std::size_t most = std::min(text.size(), kLongestCharacter - 1);
  for (std::size_t i = 1; i <= most; ++i) {
    const auto byte = static_cast<unsigned char>(text[text.size() - i]);
    if (byte < 0x80) break;
    if (byte < 0xC0) continue;  // Not a first byte.
    const std::size_t size = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    return size > i ? text.size() - i : text.size();
  }
  return text.size();
}

bool IsSpecial(char c) {
  return c == kEscape || kKept.find(c) != std::string_view::npos;
}

}  // namespace

bool WriteText(std::FILE* stream, std::string_view text) {
  return WriteBytes(stream, Printable(text, LineBreaks::kKeep));
}

bool WritePainted(std::FILE* stream, std::string_view text) {
  return WriteBytes(stream, text);
}

bool WriteData(std::FILE* stream, std::string_view text) {
  return IsTerminal(stream) ? WriteText(stream, text)
                            : WriteBytes(stream, text);
}

std::string TerminalLog::Add(std::string_view piece) {
  const std::string whole = held_ + std::string(piece);
  held_.clear();
  std::string_view text = whole;
  std::string shown;
  while (!text.empty()) {
    if (text.front() == kEscape) {
      const std::size_t size = SgrSize(text);
      if (size == std::string_view::npos) break;
      if (size > 0) {
        shown += text.substr(0, size);
        is_coloured_ = text.substr(0, size) != kEndOfColour;
        text.remove_prefix(size);
        continue;
      }
    } else if (IsSpecial(text.front())) {
      shown += text.front();
      text.remove_prefix(1);
      continue;
    }
    const auto next = std::find_if(text.begin() + 1, text.end(), &IsSpecial);
    std::string_view plain =
        text.substr(0, static_cast<std::size_t>(next - text.begin()));
    const bool is_last = plain.size() == text.size();
    if (is_last) plain = plain.substr(0, CompletePart(plain));
    shown += Printable(plain, LineBreaks::kKeep);
    text.remove_prefix(plain.size());
    if (is_last) break;
  }
  held_ = std::string(text);
  return shown;
}

std::string TerminalLog::Finish() {
  std::string shown = Printable(held_, LineBreaks::kKeep);
  held_.clear();
  if (is_coloured_) shown += kEndOfColour;
  is_coloured_ = false;
  return shown;
}

LogWriter::LogWriter(std::FILE* stream)
    : stream_(stream), is_terminal_(IsTerminal(stream)) {}

bool LogWriter::Write(std::string_view piece) {
  return WriteBytes(stream_,
                    is_terminal_ ? log_.Add(piece) : std::string(piece)) &&
         std::fflush(stream_) == 0;
}

bool LogWriter::Finish() {
  return !is_terminal_ ||
         (WriteBytes(stream_, log_.Finish()) && std::fflush(stream_) == 0);
}

}  // namespace vernier
