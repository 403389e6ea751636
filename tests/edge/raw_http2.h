#ifndef VERNIER_TESTS_EDGE_RAW_HTTP2_H_
#define VERNIER_TESTS_EDGE_RAW_HTTP2_H_

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "tests/http/loopback.h"

namespace vernier {

/// An HTTP/2 connection of a client that breaks the rules. Not thread-safe.
class RawHttp2 {
 public:
  enum : std::uint8_t {
    kData = 0,
    kHeaders = 1,
    kResetStream = 3,
    kSettings = 4,
    kContinuation = 9,
    kEndStream = 1,
    kEndHeaders = 4
  };

  explicit RawHttp2(UniqueFd fd) : fd_(std::move(fd)) {
    // With a time limit a hang is a failure and not a test without end.
    const timeval limit{60, 0};
    setsockopt(fd_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    setsockopt(fd_.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
  }

  static std::string Preface() {
    return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + Frame(kSettings, 0, 0, "");
  }

  static std::string Frame(std::uint8_t type, std::uint8_t flags,
                           std::uint32_t stream, std::string_view payload) {
    const auto size = static_cast<std::uint32_t>(payload.size());
    std::string frame;
    for (int shift : {16, 8, 0}) frame += static_cast<char>(size >> shift);
    frame += static_cast<char>(type);
    frame += static_cast<char>(flags);
    for (int shift : {24, 16, 8, 0})
      frame += static_cast<char>(stream >> shift);
    return frame.append(payload);
  }

  /// Returns a literal field that is not indexed (RFC 7541, 6.2.2).
  static std::string Field(std::string_view name, std::string_view value) {
    return '\0' + Literal(name) + Literal(value);
  }

  /// Returns the fields with which a call begins.
  static std::string CallFields(std::string_view path) {
    return Field(":method", "POST") + Field(":scheme", "http") +
           Field(":path", path) + Field(":authority", "here") +
           Field("content-type", "application/grpc") + Field("te", "trailers");
  }

  static std::string Literal(std::string_view text) {
    return Integer(text.size()).append(text);
  }

  /// Encodes a number with a prefix of 7 bits (RFC 7541, 5.1).
  static std::string Integer(std::size_t value) {
    if (value < 127) return {static_cast<char>(value)};
    std::string bytes(1, '\x7f');
    for (value -= 127; value >= 128; value /= 128) {
      bytes += static_cast<char>(value % 128 + 128);
    }
    return bytes += static_cast<char>(value);
  }

  /// Sends bytes; false once the other side takes no more.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent =
          send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  /// Reads until `wanted` has come; false if the other side closes first.
  [[nodiscard]] bool ReadUntil(std::string_view wanted) {
    std::string all;
    char bytes[16384];
    while (all.find(wanted) == std::string::npos) {
      const ssize_t got = recv(fd_.get(), bytes, sizeof(bytes), 0);
      if (got <= 0) return false;
      all.append(bytes, static_cast<std::size_t>(got));
    }
    return true;
  }

  /// Reads and drops bytes until the other side closes; false if it does not.
  [[nodiscard]] bool ReadUntilClosed() {
    char bytes[16384];
    while (true) {
      const ssize_t got = recv(fd_.get(), bytes, sizeof(bytes), 0);
      if (got == 0) return true;
      if (got < 0) return errno == ECONNRESET;
    }
  }

  void Close() { fd_.Reset(); }

 private:
  UniqueFd fd_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_EDGE_RAW_HTTP2_H_
