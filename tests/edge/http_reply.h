#ifndef VERNIER_TESTS_EDGE_HTTP_REPLY_H_
#define VERNIER_TESTS_EDGE_HTTP_REPLY_H_

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cstdio>
#include <string>

#include "base/json.h"
#include "base/unique_fd.h"
#include "tests/http/loopback.h"

namespace vernier {

/// The answer of a server.
struct HttpReply {
  int status = 0;
  std::string head;  ///< Status line and headers.
  std::string body;

  Json json() const {
    auto parsed = ParseJson(body);
    EXPECT_TRUE(parsed.ok()) << body;
    return parsed.ok() ? *parsed : Json();
  }
  /// Returns a header's value; "" if there is none.
  std::string Header(const std::string& name) const {
    const std::size_t at = head.find("\r\n" + name + ": ");
    if (at == std::string::npos) return "";
    const std::size_t begin = at + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
  }
};

/// A connection to a server on this machine that sends any bytes.
class RawConnection {
 public:
  explicit RawConnection(int port) : fd_(ConnectLoopback(port)) {
    EXPECT_TRUE(fd_.is_open());
  }

  void Write(const std::string& bytes) const {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t n = send(fd_.get(), bytes.data() + sent,
                             bytes.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) return;  // The server has answered and closed.
      sent += static_cast<std::size_t>(n);
    }
  }
  /// Returns everything that comes until the server closes.
  HttpReply Read() const {
    std::string text;
    char buffer[65536];
    ssize_t n = 0;
    while ((n = recv(fd_.get(), buffer, sizeof(buffer), 0)) > 0) {
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
  const UniqueFd fd_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_EDGE_HTTP_REPLY_H_
