#include "daemon/stop_signal.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "base/check.h"

namespace vernier {
namespace {

// A signal handler can only reach a global variable.
int g_event = -1;
struct sigaction g_old_term;
struct sigaction g_old_int;

void Raise() {
  const std::uint64_t one = 1;
  // It fails only if the counter is full, and then the event is set already.
  [[maybe_unused]] const ssize_t written = write(g_event, &one, sizeof(one));
}

extern "C" void OnStopSignal(int /*signal*/) {
  // The handler may interrupt code between a failed call and its reading of
  // errno.
  const int saved = errno;
  Raise();
  errno = saved;
}

}  // namespace

StopSignal::StopSignal() {
  VERNIER_CHECK(g_event < 0);
  g_event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  VERNIER_CHECK(g_event >= 0);
  struct sigaction action {};
  action.sa_handler = &OnStopSignal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGTERM, &action, &g_old_term);
  sigaction(SIGINT, &action, &g_old_int);
}

StopSignal::~StopSignal() {
  sigaction(SIGTERM, &g_old_term, nullptr);
  sigaction(SIGINT, &g_old_int, nullptr);
  close(g_event);
  g_event = -1;
}

bool StopSignal::WaitFor(std::chrono::milliseconds timeout) {
  pollfd event{g_event, POLLIN, 0};
  // An interrupted poll was most likely interrupted by the signal itself.
  const int ready = poll(&event, 1, static_cast<int>(timeout.count()));
  if (ready < 0) {
    event.revents = 0;
    return poll(&event, 1, 0) > 0;
  }
  return ready > 0;
}

int StopSignal::descriptor() const { return g_event; }

void StopSignal::Trigger() { Raise(); }

}  // namespace vernier
