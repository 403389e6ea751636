#ifndef VERNIER_HTTP_CLIENT_PRESENCE_H_
#define VERNIER_HTTP_CLIENT_PRESENCE_H_

#include <poll.h>

namespace vernier {

/// Whether the other side of a socket has closed it, or at least sends nothing
/// more. Clients of HTTP that do the latter do not wait for an answer. Does not
/// wait, and reads nothing.
inline bool HasLeft(int socket) {
  // POLLRDHUP tells of the end also behind bytes that were not read yet.
  pollfd waiting{socket, POLLRDHUP, 0};
  if (::poll(&waiting, 1, 0) <= 0) return false;
  return (waiting.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

}  // namespace vernier

#endif  // VERNIER_HTTP_CLIENT_PRESENCE_H_
