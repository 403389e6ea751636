#ifndef VERNIER_HTTP_CLIENT_PRESENCE_H_
#define VERNIER_HTTP_CLIENT_PRESENCE_H_

#include <poll.h>

namespace vernier {

/// Returns whether the other side of a socket has closed it, or at least sends
/// nothing more. HTTP clients that do the latter do not wait for an answer.
/// Does not wait, and reads nothing.
inline bool HasLeft(int socket) {
  // POLLRDHUP reports the end even if it lies behind unread bytes.
  pollfd waiting{socket, POLLRDHUP, 0};
  if (::poll(&waiting, 1, 0) <= 0) return false;
  return (waiting.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

}  // namespace vernier

#endif  // VERNIER_HTTP_CLIENT_PRESENCE_H_
