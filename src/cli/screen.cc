#include "cli/screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace vernier {

Screen::Screen() : is_terminal_(isatty(STDOUT_FILENO) == 1) {}

void Screen::Print(const std::vector<std::string>& lines) {
  Clear();
  for (const std::string& line : lines) std::printf("%s\n", line.c_str());
}

void Screen::Draw(const ProgressView& view, std::chrono::seconds elapsed) {
  if (is_terminal_) {
    winsize size{};
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    const std::size_t width =
        known && size.ws_col > 10 ? size.ws_col - 1u : 79u;
    const auto lines = view.Lines(elapsed, width);
    Clear();
    for (const std::string& line : lines) std::printf("%s\n", line.c_str());
    drawn_ = lines.size();
  }
  std::fflush(stdout);
}

void Screen::Clear() {
  if (drawn_ > 0) std::printf("\033[%zuA\033[J", drawn_);
  drawn_ = 0;
}

}  // namespace vernier
