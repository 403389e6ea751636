#include "cluster/slurm/node/node_probe.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "base/unique_fd.h"

namespace vernier {
namespace {

constexpr std::chrono::milliseconds kLimit{5000};

/// Accepts one connection on loopback, reads, and answers `words`.
class OneAnswer {
 public:
  explicit OneAnswer(std::string words)
      : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const general = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listener_.get(), general, sizeof(address)), 0);
    EXPECT_EQ(::listen(listener_.get(), 1), 0);
    socklen_t size = sizeof(address);
    EXPECT_EQ(::getsockname(listener_.get(), general, &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this, words = std::move(words)] {
      const UniqueFd peer(::accept(listener_.get(), nullptr, nullptr));
      char request[512];
      EXPECT_GE(::recv(peer.get(), request, sizeof(request), 0), 0);
      EXPECT_GE(::send(peer.get(), words.data(), words.size(), MSG_NOSIGNAL),
                0);
    });
  }
  ~OneAnswer() { thread_.join(); }
  std::string url(const std::string& scheme = "http") const {
    return absl::StrCat(scheme, "://127.0.0.1:", port_);
  }

 private:
  UniqueFd listener_;
  int port_ = 0;
  std::thread thread_;
};

TEST(NodeProbeTest, ReachesAServerOfHttp) {
  const OneAnswer server("HTTP/1.1 404 Not Found\r\n\r\n");
  EXPECT_EQ(ReachUrl(server.url(), kLimit), absl::OkStatus());
}

TEST(NodeProbeTest, ReachesWhatTakesAConnectionOfHttps) {
  const OneAnswer server("");
  EXPECT_EQ(ReachUrl(server.url("https"), kLimit), absl::OkStatus());
}

TEST(NodeProbeTest, SaysThatSomethingElseAnswers) {
  const OneAnswer server("220 mail");
  EXPECT_EQ(ReachUrl(server.url(), kLimit).message(),
            "no HTTP server answers there");
}

TEST(NodeProbeTest, SaysWhatIsWrong) {
  // Nobody listens at port 1 of loopback.
  EXPECT_THAT(std::string(ReachUrl("http://127.0.0.1:1", kLimit).message()),
              testing::HasSubstr("cannot connect"));
  EXPECT_FALSE(ReachUrl("http://no-such-host.invalid:80", kLimit).ok());
  EXPECT_FALSE(ReachUrl("http://[::1]:1", kLimit).ok());
}

}  // namespace
}  // namespace vernier
