#include "cli/live/screen.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "base/small_file.h"

namespace vernier {
namespace {

// Between these two, terminals with private mode 2026 show no partial frame;
// others ignore them.
constexpr char kBeginFrame[] = "\033[?2026h";
constexpr char kEndFrame[] = "\033[?2026l";
constexpr char kEraseBelow[] = "\033[J";
constexpr char kEraseRight[] = "\033[K";

// A signal handler can only reach a global variable.
volatile sig_atomic_t g_was_stopped = 0;
struct sigaction g_old_continue;
struct sigaction g_old_resize;

extern "C" void OnContinue(int /*signal*/) { g_was_stopped = 1; }
// The signal's only effect is to end the wait for the next frame.
extern "C" void OnResize(int /*signal*/) {}

void WriteWhole(const std::string& text) {
  // Earlier output through stdio must come first.
  std::fflush(stdout);
  // An error is ignored: a terminal that is gone shows nothing.
  WriteAll(STDOUT_FILENO, text.data(), text.size()).IgnoreError();
}

}  // namespace

std::size_t RowsOf(const std::vector<std::string>& lines, std::size_t columns) {
  std::size_t rows = 0;
  for (const std::string& line : lines) {
    const std::size_t width = std::max<std::size_t>(DisplayWidth(line), 1);
    rows += (width + columns - 1) / columns;
  }
  return rows;
}

std::string FrameText(std::size_t rows_before,
                      const std::vector<std::string>& above,
                      const std::vector<std::string>& frame) {
  std::string text = kBeginFrame;
  if (rows_before > 0) absl::StrAppend(&text, "\r\033[", rows_before, "A");
  // These lines may be wider than the screen.
  if (!above.empty()) text += kEraseBelow;
  for (const std::string& line : above) absl::StrAppend(&text, line, "\n");
  for (const std::string& line : frame) {
    absl::StrAppend(&text, line, kEraseRight, "\n");
  }
  absl::StrAppend(&text, kEraseBelow, kEndFrame);
  return text;
}

Screen::Screen(const Terminal& terminal) : terminal_(terminal) {
  if (!terminal_.can_redraw) return;
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  action.sa_handler = &OnContinue;
  sigaction(SIGCONT, &action, &g_old_continue);
  action.sa_handler = &OnResize;
  sigaction(SIGWINCH, &action, &g_old_resize);
}

Screen::~Screen() {
  if (!terminal_.can_redraw) return;
  sigaction(SIGCONT, &g_old_continue, nullptr);
  sigaction(SIGWINCH, &g_old_resize, nullptr);
}

void Screen::Print(const std::vector<std::string>& lines) {
  above_.insert(above_.end(), lines.begin(), lines.end());
  if (!terminal_.can_redraw) Show({});
}

DisplayArea Screen::Area() const {
  const TerminalSize size = StandardOutputSize();
  // A character in the last column or row makes some terminals scroll.
  DisplayArea area;
  area.columns = std::max<std::size_t>(size.columns, 2) - 1;
  area.rows = std::max<std::size_t>(size.rows, 2) - 1;
  area.palette = terminal_.palette;
  area.glyphs = GlyphsHere();
  return area;
}

void Screen::Draw(const std::vector<std::string>& frame) {
  if (!terminal_.can_redraw) return;
  // A window that has become narrower has wrapped the lines.
  const bool is_there = frame == drawn_ && above_.empty() &&
                        g_was_stopped == 0 &&
                        StandardOutputSize().columns == drawn_columns_;
  if (!is_there) Show(frame);
}

void Screen::Clear() {
  if (!drawn_.empty() || !above_.empty()) Show({});
}

void Screen::Show(const std::vector<std::string>& frame) {
  std::string text;
  if (terminal_.can_redraw) {
    if (g_was_stopped != 0) {
      g_was_stopped = 0;
      drawn_.clear();
    }
    drawn_columns_ = StandardOutputSize().columns;
    text = FrameText(RowsOf(drawn_, drawn_columns_), above_, frame);
  } else {
    for (const std::string& line : above_) absl::StrAppend(&text, line, "\n");
  }
  above_.clear();
  drawn_ = frame;
  WriteWhole(text);
}

}  // namespace vernier
