#ifndef TESTS_SERVER_HTTP_REPLY_H_
#define TESTS_SERVER_HTTP_REPLY_H_

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "study/json.h"

namespace vernier {

/// What a server answered.
struct HttpReply {
  int status = 0;
  std::string head;  ///< Status line and headers.
  std::string body;

  Json json() const {
    auto parsed = ParseJson(body);
    EXPECT_TRUE(parsed.ok()) << body;
    return parsed.ok() ? *parsed : Json();
  }
  /// A header's value; "" if there is none.
  std::string Header(const std::string& name) const {
    const std::size_t at = head.find("\r\n" + name + ": ");
    if (at == std::string::npos) return "";
    const std::size_t begin = at + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
  }
};

/// A connection to a server of this machine, byte by byte.
class RawConnection {
 public:
  explicit RawConnection(int port) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(
        connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)),
        0);
  }
  ~RawConnection() { close(fd_); }
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  void Write(const std::string& bytes) const {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t n =
          send(fd_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) return;  // It has answered and closed.
      sent += static_cast<std::size_t>(n);
    }
  }
  /// All that comes until the server closes.
  HttpReply Read() const {
    std::string text;
    char buffer[65536];
    ssize_t n = 0;
    while ((n = recv(fd_, buffer, sizeof(buffer), 0)) > 0) {
      text.append(buffer, static_cast<std::size_t>(n));
    }
    HttpReply reply;
    const std::size_t end = text.find("\r\n\r\n");
    if (end == std::string::npos) return reply;
    reply.head = text.substr(0, end + 2);
    reply.body = text.substr(end + 4);
    std::sscanf(text.c_str(), "HTTP/1.1 %d", &reply.status);
    return reply;
  }

 private:
  const int fd_;
};

}  // namespace vernier

#endif  // TESTS_SERVER_HTTP_REPLY_H_
