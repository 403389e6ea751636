#include "edge/grpc/accept_loop.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "edge/listening_socket.h"
#include "tests/edge/raw_http2.h"
#include "tests/support/await_condition.h"

namespace vernier {
namespace {

/// An accept loop; the test is in gRPC's place.
class AcceptLoopTest : public testing::Test {
 protected:
  void Start(AcceptLoop::Kind kind, const ConnectionLimits& limits = {}) {
    Endpoint endpoint;
    endpoint.host = "127.0.0.1";
    auto sockets = ListenAt(&endpoint);
    ASSERT_TRUE(sockets.ok()) << sockets.status();
    port_ = endpoint.port;
    std::vector<AcceptLoop::ListeningSocket> listeners;
    listeners.push_back(
        {std::move(sockets->front()), kind, [this](UniqueFd fd) {
           MutexLock lock(mu_);
           handed_.push_back(std::move(fd));
           changed_.notify_all();
         }});
    loop_ = std::make_unique<AcceptLoop>(
        std::move(listeners),
        AcceptLoop::Options{limits, [this](const absl::Status& why) {
                              MutexLock lock(mu_);
                              offences_.push_back(std::string(why.message()));
                            }});
  }

  /// The next connection that was handed over, as gRPC would have it.
  UniqueFd NextHanded() {
    mu_.lock();
    while (handed_.empty()) changed_.wait(mu_);
    UniqueFd fd = std::move(handed_.front());
    handed_.pop_front();
    mu_.unlock();
    // Unlike gRPC, the test waits for what comes.
    fcntl(fd.get(), F_SETFL, 0);
    return fd;
  }

  static void Write(const UniqueFd& fd, const std::string& bytes) {
    EXPECT_EQ(send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }

  static std::string Read(const UniqueFd& fd, std::size_t size) {
    std::string bytes(size, '\0');
    const ssize_t got = recv(fd.get(), bytes.data(), size, MSG_WAITALL);
    bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return bytes;
  }

  UniqueFd Connect() const {
    UniqueFd fd = ConnectLoopback(port_);
    EXPECT_TRUE(fd.is_open());
    return fd;
  }

  /// Returns when the loop has seen it.
  static void BeginCall(const UniqueFd& client, const UniqueFd& server) {
    const std::string call =
        RawHttp2::Preface() +
        RawHttp2::Frame(RawHttp2::kHeaders, RawHttp2::kEndHeaders, 1, "h");
    Write(client, call);
    EXPECT_EQ(Read(server, call.size()), call);
  }

  Mutex mu_;
  std::condition_variable_any changed_;
  std::deque<UniqueFd> handed_ VERNIER_GUARDED_BY(mu_);
  std::vector<std::string> offences_ VERNIER_GUARDED_BY(mu_);
  int port_ = 0;
  std::unique_ptr<AcceptLoop> loop_;
};

TEST_F(AcceptLoopTest, RelaysBothWaysMoreThanSocketsHold) {
  Start(AcceptLoop::Kind::kGuarded);
  const UniqueFd client = Connect();
  const UniqueFd server = NextHanded();
  const std::string hello =
      RawHttp2::Preface() +
      RawHttp2::Frame(RawHttp2::kHeaders, RawHttp2::kEndHeaders, 1, "h");
  Write(client, hello);
  EXPECT_EQ(Read(server, hello.size()), hello);
  const std::string data = RawHttp2::Frame(0, 0, 1, std::string(16 << 20, 'd'));
  for (const auto& [from, to] :
       {std::pair(&client, &server), std::pair(&server, &client)}) {
    std::thread writer([&data, sender = from] { Write(*sender, data); });
    EXPECT_TRUE(Read(*to, data.size()) == data);
    writer.join();
  }
}

// The limits of the meeting of the two ends are not for what follows.
TEST_F(AcceptLoopTest, WhatIsHandedOverWaitsWithoutALimit) {
  Start(AcceptLoop::Kind::kGuarded);
  const UniqueFd client = Connect();
  const UniqueFd server = NextHanded();
  timeval limit{1, 1};
  socklen_t size = sizeof(limit);
  ASSERT_EQ(getsockopt(server.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, &size),
            0);
  EXPECT_EQ(limit.tv_sec, 0);
  EXPECT_EQ(limit.tv_usec, 0);
}

TEST_F(AcceptLoopTest, AClosedEndClosesTheOther) {
  Start(AcceptLoop::Kind::kGuarded);
  UniqueFd client = Connect();
  UniqueFd server = NextHanded();
  client.Reset();
  EXPECT_EQ(Read(server, 1), "");
  client = Connect();
  server = NextHanded();
  Write(server, "bye");
  server.Reset();
  EXPECT_EQ(Read(client, 4), "bye");
}

// The gate trusts whoever came by a unix socket.
TEST_F(AcceptLoopTest, WhatIsRelayedDoesNotLookLikeAUnixSocket) {
  Start(AcceptLoop::Kind::kGuarded);
  const UniqueFd client = Connect();
  const UniqueFd server = NextHanded();
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  ASSERT_EQ(
      getpeername(server.get(), reinterpret_cast<sockaddr*>(&address), &size),
      0);
  EXPECT_EQ(address.ss_family, AF_INET);
}

TEST_F(AcceptLoopTest, CutsOffWhoAsksTooMuchAndSaysSo) {
  Start(AcceptLoop::Kind::kGuarded);
  const UniqueFd client = Connect();
  const UniqueFd server = NextHanded();
  Write(client, "GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(Read(client, 1), "");
  EXPECT_EQ(Read(server, 1), "");
  loop_->Stop();
  MutexLock lock(mu_);
  EXPECT_EQ(offences_, std::vector<std::string>{"not HTTP/2"});
}

// It has asked for nothing, or has been answered; its client connects anew.
TEST_F(AcceptLoopTest, AConnectionWithoutACallGivesWay) {
  Start(AcceptLoop::Kind::kGuarded, {.all = 10, .per_address = 2});
  const UniqueFd idle = Connect();
  const UniqueFd idle_server = NextHanded();
  const UniqueFd calls = Connect();
  const UniqueFd calls_server = NextHanded();
  BeginCall(calls, calls_server);
  for (int i = 0; i < 3; ++i) {
    const UniqueFd last = Connect();
    const UniqueFd last_server = NextHanded();
    if (i == 0) {
      EXPECT_EQ(Read(idle, 1), "");
    }
  }
  Write(calls_server, "still here");
  EXPECT_EQ(Read(calls, 10), "still here");
}

// Each kind notices in a way of its own that a connection has ended.
TEST_F(AcceptLoopTest, ClosesWhatIsOneTooManyOfAnAddress) {
  for (const auto kind :
       {AcceptLoop::Kind::kGuarded, AcceptLoop::Kind::kCounted}) {
    Start(kind, {.all = 10, .per_address = 2});
    std::vector<UniqueFd> kept;
    std::vector<UniqueFd> served;
    for (int i = 0; i < 2; ++i) {
      kept.push_back(Connect());
      served.push_back(NextHanded());
      // Else it would give way.
      if (kind == AcceptLoop::Kind::kGuarded) {
        BeginCall(kept.back(), served.back());
      }
    }
    EXPECT_EQ(Read(Connect(), 1), "");
    // gRPC ends a connection, and there is room for one more.
    shutdown(served[0].get(), SHUT_RDWR);
    served[0].Reset();
    EXPECT_EQ(Read(kept[0], 1), "");
    kept[0].Reset();
    UniqueFd last;
    // Room is made by the loop's thread in its own time.
    ASSERT_TRUE(AwaitCondition([&] {
      last = Connect();
      Write(last, "P");
      pollfd closed{last.get(), POLLIN, 0};
      return poll(&closed, 1, 20) == 0;
    }));
    NextHanded();
    loop_.reset();
  }
}

TEST_F(AcceptLoopTest, HandsNothingOverOnceTheListenersAreClosed) {
  Start(AcceptLoop::Kind::kTrusted);
  loop_->CloseListeners();
  EXPECT_FALSE(ConnectLoopback(port_).is_open());
  MutexLock lock(mu_);
  EXPECT_TRUE(handed_.empty());
}

}  // namespace
}  // namespace vernier
