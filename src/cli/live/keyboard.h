#ifndef VERNIER_CLI_LIVE_KEYBOARD_H_
#define VERNIER_CLI_LIVE_KEYBOARD_H_

#include <termios.h>

#include <string_view>
#include <vector>

namespace vernier {

enum class Key { kUp, kDown, kQuit };

/// Returns the keys in the bytes that a terminal sent: q, the arrows, and j and
/// k, which mean the same; other keys are ignored. Pure.
std::vector<Key> KeysOf(std::string_view bytes);

/// Reads the keys of standard input as they are pressed, without echo. The
/// destructor restores the terminal. Ctrl-C and Ctrl-Z remain signals. Not
/// thread-safe; one at a time.
class Keyboard {
 public:
  Keyboard();
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  /// Returns whether standard input is a terminal; otherwise there are no keys.
  bool is_there() const { return is_there_; }

  /// Waits until a key is pressed, `stop` is readable, a signal comes, or
  /// `milliseconds` are over. Returns the keys; kQuit when the terminal is
  /// gone. Does not read from `stop`.
  std::vector<Key> WaitFor(int milliseconds, int stop);

 private:
  /// Sets the terminal up again, since a shell resets it when this process is
  /// stopped.
  void Renew();

  bool is_there_ = false;
  termios before_{};
};

}  // namespace vernier

#endif  // VERNIER_CLI_LIVE_KEYBOARD_H_
