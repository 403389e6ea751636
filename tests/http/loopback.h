#ifndef VERNIER_TESTS_HTTP_LOOPBACK_H_
#define VERNIER_TESTS_HTTP_LOOPBACK_H_

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>

#include "base/unique_fd.h"

namespace vernier {

/// Connects to 127.0.0.1. The descriptor is not open on an error.
inline UniqueFd ConnectLoopback(int port) {
  UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (connect(fd.get(), reinterpret_cast<sockaddr*>(&address),
              sizeof(address)) != 0) {
    fd.Reset();
  }
  return fd;
}

}  // namespace vernier

#endif  // VERNIER_TESTS_HTTP_LOOPBACK_H_
