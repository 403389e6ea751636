#include "cli/live/keyboard.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace vernier {
namespace {

constexpr tcflag_t kLocalFlags = ICANON | ECHO;
constexpr char kEscape = '\033';

}  // namespace

std::vector<Key> KeysOf(std::string_view bytes) {
  std::vector<Key> keys;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == 'q' || bytes[i] == 'Q') keys.push_back(Key::kQuit);
    if (bytes[i] == 'k') keys.push_back(Key::kUp);
    if (bytes[i] == 'j') keys.push_back(Key::kDown);
    // An arrow is ESC [ A, or ESC O A in another mode. Other sequences are
    // skipped as a whole, since letters end them.
    if (bytes[i] != kEscape || i + 1 >= bytes.size() ||
        (bytes[i + 1] != '[' && bytes[i + 1] != 'O')) {
      continue;
    }
    i += 2;
    while (i < bytes.size() && (bytes[i] < '@' || bytes[i] > '~')) ++i;
    if (i < bytes.size() && bytes[i] == 'A') keys.push_back(Key::kUp);
    if (i < bytes.size() && bytes[i] == 'B') keys.push_back(Key::kDown);
  }
  return keys;
}

Keyboard::Keyboard() {
  is_there_ =
      isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &before_) == 0;
  Renew();
}

Keyboard::~Keyboard() {
  if (is_there_) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

void Keyboard::Renew() {
  termios now{};
  if (!is_there_ || tcgetattr(STDIN_FILENO, &now) != 0 ||
      (now.c_lflag & kLocalFlags) == 0) {
    return;
  }
  now.c_lflag &= ~kLocalFlags;
  now.c_cc[VMIN] = 1;
  now.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSANOW, &now);
}

std::vector<Key> Keyboard::WaitFor(int milliseconds, int stop) {
  Renew();
  pollfd events[] = {{stop, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
  if (poll(events, is_there_ ? 2 : 1, milliseconds) <= 0 ||
      events[1].revents == 0) {
    return {};
  }
  char bytes[256];
  const ssize_t size = read(STDIN_FILENO, bytes, sizeof(bytes));
  if (size < 0 && (errno == EINTR || errno == EAGAIN)) return {};
  if (size <= 0) return {Key::kQuit};
  return KeysOf(std::string_view(bytes, static_cast<std::size_t>(size)));
}

}  // namespace vernier
