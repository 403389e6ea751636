#ifndef VERNIER_CLI_SCREEN_H_
#define VERNIER_CLI_SCREEN_H_

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/progress_view.h"

namespace vernier {

/// The live part of the screen. Prints plain lines if there is no terminal.
/// Not thread-safe: it belongs to whoever follows.
class Screen {
 public:
  Screen();

  /// Prints lines that stay, in place of what was drawn.
  void Print(const std::vector<std::string>& lines);

  /// Draws what is known now in place of what was drawn before.
  void Draw(const ProgressView& view, std::chrono::seconds elapsed);

  /// Takes away what was drawn.
  void Clear();

 private:
  const bool is_terminal_;
  std::size_t drawn_ = 0;  // Lines that the next drawing replaces.
};

}  // namespace vernier

#endif  // VERNIER_CLI_SCREEN_H_
