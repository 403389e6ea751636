#include "cli/text/terminal_text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/utf8.h"

namespace vernier {
namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;
constexpr char kEscapeCharacter = '\033';

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Characters without width: combining marks, joiners, variation selectors.
constexpr Range kZeroWidth[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489},   {0x0591, 0x05BD},   {0x0610, 0x061A},
    {0x064B, 0x065F}, {0x0670, 0x0670},   {0x06D6, 0x06DC},   {0x06DF, 0x06E4},
    {0x0900, 0x0902}, {0x093C, 0x093C},   {0x0941, 0x0948},   {0x094D, 0x094D},
    {0x0E31, 0x0E31}, {0x0E34, 0x0E3A},   {0x0E47, 0x0E4E},   {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x200B, 0x200F},   {0x2060, 0x2064},   {0x20D0, 0x20F0},
    {0x302A, 0x302D}, {0x3099, 0x309A},   {0xFE00, 0xFE0F},   {0xFE20, 0xFE2F},
    {0xFEFF, 0xFEFF}, {0x1F3FB, 0x1F3FF}, {0xE0100, 0xE01EF},
};

// Characters of two columns: East Asian Wide and Fullwidth, and emoji.
constexpr Range kWide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},
    {0x23E9, 0x23EC},   {0x23F0, 0x23F0},   {0x23F3, 0x23F3},
    {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},
    {0x267F, 0x267F},   {0x2693, 0x2693},   {0x26A1, 0x26A1},
    {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},
    {0x26CE, 0x26CE},   {0x26D4, 0x26D4},   {0x26EA, 0x26EA},
    {0x26F2, 0x26F3},   {0x26F5, 0x26F5},   {0x26FA, 0x26FA},
    {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},
    {0x2728, 0x2728},   {0x274C, 0x274C},   {0x274E, 0x274E},
    {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x27B0, 0x27B0},   {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},
    {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},
    {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},
    {0xA000, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x16FE0, 0x18CFF}, {0x1AFF0, 0x1B2FF},
    {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E},
    {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335},
    {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA},
    {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4},
    {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC},
    {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F54E}, {0x1F550, 0x1F567},
    {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4},
    {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC},
    {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6D7}, {0x1F6DC, 0x1F6DF},
    {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7EB},
    {0x1F7F0, 0x1F7F0}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945},
    {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
};

template <std::size_t size>
bool IsIn(const Range (&ranges)[size], std::uint32_t c) {
  const Range* end = std::end(ranges);
  const Range* found = std::lower_bound(
      std::begin(ranges), end, c, [](const Range& range, std::uint32_t value) {
        return range.last < value;
      });
  return found != end && found->first <= c;
}

/// One character and its number of bytes; U+FFFD for invalid UTF-8.
struct Character {
  std::uint32_t code_point = kReplacement;
  std::size_t size = 1;
};

Character Next(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  if (byte < 0x80) return {byte, 1};
  const std::size_t size = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
  if (byte < 0xC0 || text.size() < size ||
      FindInvalidUtf8(text.substr(0, size)) != std::string_view::npos) {
    return {};
  }
  std::uint32_t c = byte & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    c = c << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  }
  return {c, size};
}

bool IsControl(std::uint32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

std::size_t WidthOf(std::uint32_t c) {
  if (IsControl(c)) return 0;
  if (c < 0x300) return 1;
  if (IsIn(kZeroWidth, c)) return 0;
  return IsIn(kWide, c) ? 2 : 1;
}

// Returns the size of an escape sequence of Painted, ESC [ ... m; 0 if none
// begins here.
std::size_t EscapeSize(std::string_view text) {
  if (text.size() < 2 || text[0] != kEscapeCharacter || text[1] != '[')
    return 0;
  const std::size_t end = text.find('m');
  return end == std::string_view::npos ? 0 : end + 1;
}

// Returns whether a mark changes the direction of text or breaks a line.
bool IsReordering(std::uint32_t c) {
  return c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    std::size_t size = EscapeSize(text);
    if (size == 0) {
      const Character next = Next(text);
      width += WidthOf(next.code_point);
      size = next.size;
    }
    text.remove_prefix(size);
  }
  return width;
}

std::string CutToWidth(std::string_view text, std::size_t width) {
  std::size_t end = 0;
  std::size_t used = 0;
  while (end < text.size()) {
    const Character next = Next(text.substr(end));
    used += WidthOf(next.code_point);
    if (used > width) break;
    end += next.size;
  }
  return std::string(text.substr(0, end));
}

std::string Printable(std::string_view text, LineBreaks breaks) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const Character next = Next(text);
    const std::uint32_t c = next.code_point;
    const bool is_space = c == '\n' || c == '\t' || c == '\r';
    if (is_space) {
      const bool stays = breaks == LineBreaks::kKeep && c != '\r';
      // CR LF counts as one line break.
      const bool is_half = c == '\r' && text.size() > 1 && text[1] == '\n';
      if (stays) {
        shown += static_cast<char>(c);
      } else if (!is_half) {
        shown += ' ';
      }
    } else if (IsControl(c) || IsReordering(c) || c == kReplacement) {
      AppendUtf8(kReplacement, shown);
    } else {
      shown.append(text.substr(0, next.size));
    }
    text.remove_prefix(next.size);
  }
  return shown;
}

std::string Painted(std::string text, Colour colour, Palette palette) {
  if (palette == Palette::kPlain || text.empty()) return text;
  const char* code = nullptr;
  switch (colour) {
    case Colour::kNone:
      return text;
    case Colour::kBold:
      code = "1";
      break;
    case Colour::kGreen:
      code = "32";
      break;
    case Colour::kRed:
      code = "31";
      break;
    case Colour::kYellow:
      code = "33";
      break;
    case Colour::kCyan:
      code = "36";
      break;
  }
  return absl::StrCat("\033[", code, "m", text, "\033[0m");
}

std::string RenderLine(const std::vector<Span>& spans, std::size_t width,
                       Palette palette) {
  std::string line;
  for (const Span& span : spans) {
    const std::string text =
        CutToWidth(Printable(span.text, LineBreaks::kToBlanks), width);
    width -= DisplayWidth(text);
    line += Painted(text, span.colour, palette);
  }
  return line;
}

Colour ColourOfState(std::string_view state) {
  static constexpr struct {
    std::string_view state;
    Colour colour;
  } kColours[] = {
      {"active", Colour::kCyan},       {"running", Colour::kCyan},
      {"preparing", Colour::kCyan},    {"completed", Colour::kGreen},
      {"succeeded", Colour::kGreen},   {"failed", Colour::kRed},
      {"infeasible", Colour::kYellow}, {"stopped", Colour::kYellow},
      {"stopping", Colour::kYellow},   {"cancelled", Colour::kYellow},
      {"cancelling", Colour::kYellow}, {"paused", Colour::kYellow},
  };
  const std::string lower = absl::AsciiStrToLower(std::string(state));
  for (const auto& each : kColours) {
    if (each.state == lower) return each.colour;
  }
  return Colour::kNone;
}

}  // namespace vernier
