#ifndef VERNIER_CLI_LIVE_SCREEN_H_
#define VERNIER_CLI_LIVE_SCREEN_H_

#include <cstddef>
#include <string>
#include <vector>

#include "cli/display/terminal.h"
#include "cli/live/display_area.h"

namespace vernier {

/// Returns the rows that the lines take on a terminal with this many columns,
/// which wraps them.
std::size_t RowsOf(const std::vector<std::string>& lines, std::size_t columns);

/// Returns the bytes that replace the `rows_before` rows above the cursor by
/// `frame`, with `above` before it, which stays. They are one piece, so that
/// the screen is never empty in between. Pure.
std::string FrameText(std::size_t rows_before,
                      const std::vector<std::string>& above,
                      const std::vector<std::string>& frame);

/// The live part of the screen; each frame is one write(2). Prints plain lines
/// if the cursor cannot be moved. After the process was stopped and continued,
/// draws a new frame instead of overwriting the shell's output. Not
/// thread-safe. There must be one at a time, since it handles SIGCONT and
/// SIGWINCH while it lives.
class Screen {
 public:
  explicit Screen(const Terminal& terminal = StandardOutput());
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// Prints lines that stay. They appear with the next frame.
  void Print(const std::vector<std::string>& lines);

  bool can_redraw() const { return terminal_.can_redraw; }
  /// Returns the area in which a frame fits now.
  DisplayArea Area() const;

  /// Replaces the last frame, if the cursor can be moved. `frame` must fit into
  /// Area(). A frame that is shown already is not drawn again.
  void Draw(const std::vector<std::string>& frame);

  /// Removes the last frame.
  void Clear();

 private:
  void Show(const std::vector<std::string>& frame);

  const Terminal terminal_;
  std::vector<std::string> above_;  // Not yet printed.
  std::vector<std::string> drawn_;  // What the next frame replaces.
  std::size_t drawn_columns_ = 0;   // Of the terminal, at that time.
};

}  // namespace vernier

#endif  // VERNIER_CLI_LIVE_SCREEN_H_
