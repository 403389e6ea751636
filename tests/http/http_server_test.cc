#include "http/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <new>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/unique_fd.h"
#include "tests/http/loopback.h"
#include "tests/support/await_condition.h"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Counts what it is sent, and answers at the end or as soon as it sees 'X'.
class CountingExchange final : public HttpExchange {
 public:
  explicit CountingExchange(bool blocks, std::atomic<int>* cut_off)
      : blocks_(blocks), cut_off_(cut_off) {}
  ~CountingExchange() override {
    if (!is_finished_) ++*cut_off_;
  }
  std::uint64_t body_limit() const override { return 1 << 20; }
  bool receive_blocks() const override { return blocks_; }
  std::optional<HttpResponse> Receive(std::string_view piece) override {
    size_ += piece.size();
    if (piece.find('X') == std::string_view::npos) return std::nullopt;
    is_finished_ = true;
    return TextResponse(409, "text/plain", "no X, please");
  }
  HttpResponse Finish() override {
    is_finished_ = true;
    return TextResponse(200, "text/plain", "got " + std::to_string(size_));
  }

 private:
  const bool blocks_;
  std::atomic<int>* const cut_off_;
  std::size_t size_ = 0;
  bool is_finished_ = false;
};

/// Passes on what it is sent, and tells once that is much.
class StreamingExchange final : public HttpExchange {
 public:
  explicit StreamingExchange(std::binary_semaphore* has_much)
      : has_much_(has_much) {}
  std::uint64_t body_limit() const override { return UINT64_MAX; }
  bool streams() const override { return true; }
  std::optional<HttpResponse> Receive(std::string_view piece) override {
    const bool had_much = size_ >= kMuch;
    size_ += piece.size();
    if (size_ >= kMuch && !had_much) has_much_->release();
    return std::nullopt;
  }
  HttpResponse Finish() override { return TextResponse(200, "text/plain", ""); }

  static constexpr std::size_t kMuch = 200000;

 private:
  std::binary_semaphore* const has_much_;
  std::size_t size_ = 0;
};

/// Works until nobody waits for it any more.
class PatientExchange final : public HttpExchange {
 public:
  explicit PatientExchange(std::binary_semaphore* told) : told_(told) {}
  std::string_view caller() const override { return "token-7"; }
  std::uint64_t body_limit() const override { return 0; }
  std::optional<HttpResponse> Receive(std::string_view) override {
    return std::nullopt;
  }
  HttpResponse Finish() override {
    left_.acquire();
    told_->release();
    return TextResponse(499, "text/plain", "left");
  }
  void Abandon() override { left_.release(); }

 private:
  std::binary_semaphore* const told_;
  std::binary_semaphore left_{0};
};

/// Throws where its path says.
class FailingExchange final : public HttpExchange {
 public:
  explicit FailingExchange(std::string path) : path_(std::move(path)) {}
  bool is_refusal() const override { return path_ == "/fail-refused"; }
  std::uint64_t body_limit() const override { return 100; }
  std::optional<HttpResponse> Receive(std::string_view) override {
    if (path_ == "/fail-early") throw std::bad_alloc();
    return std::nullopt;
  }
  HttpResponse Finish() override {
    if (path_ == "/fail-oddly") throw std::runtime_error("odd");
    if (path_ == "/fail-midway") {
      HttpResponse response;
      response.source = std::make_unique<FailingSource>();
      return response;
    }
    throw std::bad_alloc();
  }

 private:
  class FailingSource final : public ByteSource {
    bool Next(std::string*) override { throw std::bad_alloc(); }
  };
  const std::string path_;
};

class CountDown final : public ByteSource {
 public:
  CountDown(int pieces, bool fails) : left_(pieces), fails_(fails) {}
  bool Next(std::string* piece) override {
    if (left_ == 0) return !fails_;
    *piece = std::string(100000, static_cast<char>('a' + left_ % 26));
    --left_;
    return true;
  }

 private:
  int left_;
  const bool fails_;
};

/// Tells something three times, with pauses; the second time it has no news.
class Teller final : public ByteSource {
 public:
  bool Next(std::string* piece) override {
    ++told_;
    if (told_ != 2 && told_ <= 3) *piece = "news " + std::to_string(told_);
    return true;
  }
  std::chrono::milliseconds pause() const override {
    return std::chrono::milliseconds(told_ <= 3 ? 20 : 0);
  }

 private:
  int told_ = 0;
};

/// Has no news, ever.
class Silent final : public ByteSource {
 public:
  bool Next(std::string*) override { return true; }
  std::chrono::milliseconds pause() const override {
    return std::chrono::hours(1);
  }
};

class TestHandler final : public HttpHandler {
 public:
  std::unique_ptr<HttpExchange> Begin(const HttpRequest& request) override {
    if (request.path == "/count" || request.path == "/count-slowly") {
      return std::make_unique<CountingExchange>(request.path == "/count-slowly",
                                                &cut_off);
    }
    if (request.path == "/pass-on") {
      return std::make_unique<StreamingExchange>(&has_much);
    }
    if (request.path == "/patient") {
      return std::make_unique<PatientExchange>(&ended);
    }
    if (request.path == "/wait") {
      return std::make_unique<BufferedExchange>(100, [this](const auto&) {
        waiting.release();
        may_go_on.acquire();
        return TextResponse(200, "text/plain", "waited|");
      });
    }
    if (request.path == "/stream" || request.path == "/torn") {
      return Stream(request.path == "/torn",
                    request.Query("length").has_value());
    }
    if (request.path == "/tell") return FromSource<Teller>();
    if (request.path == "/silent") return FromSource<Silent>();
    if (request.path.rfind("/fail", 0) == 0) {
      return std::make_unique<FailingExchange>(request.path);
    }
    if (request.path == "/forged") return Forged();
    std::string echo = request.method + " " + request.path;
    for (const auto& [name, value] : request.query) {
      echo += " " + name + "=" + value;
    }
    if (request.path == "/long") echo.assign(5000, 'y');
    return std::make_unique<BufferedExchange>(
        100, [echo](const std::string& body) {
          return TextResponse(200, "text/plain", echo + "|" + body);
        });
  }
  HttpResponse Malformed(int status, const std::string& why) override {
    return TextResponse(status, "text/plain", why);
  }

  std::atomic<int> cut_off = 0;
  std::binary_semaphore has_much{0};
  std::binary_semaphore ended{0};
  std::counting_semaphore<> waiting{0};
  std::counting_semaphore<> may_go_on{0};

 private:
  static std::unique_ptr<HttpExchange> Stream(bool fails, bool has_length) {
    return std::make_unique<BufferedExchange>(
        0, [fails, has_length](const std::string&) {
          HttpResponse response;
          response.source = std::make_unique<CountDown>(5, fails);
          if (has_length) response.source_length = 500000;
          return response;
        });
  }

  template <typename Source>
  static std::unique_ptr<HttpExchange> FromSource() {
    return std::make_unique<BufferedExchange>(0, [](const std::string&) {
      HttpResponse response;
      response.source = std::make_unique<Source>();
      return response;
    });
  }

  /// Headers that would be more than one, or too long, if they were sent.
  static std::unique_ptr<HttpExchange> Forged() {
    return std::make_unique<BufferedExchange>(0, [](const std::string&) {
      HttpResponse response = TextResponse(200, "text/plain", "good");
      response.headers.emplace_back("X-A", "b\r\nX-Forged: c");
      response.headers.emplace_back("X-B\r\nX-Forged", "c");
      response.headers.emplace_back("X-Long", std::string(70000, 'x'));
      response.headers.emplace_back("X-Good", "d");
      return response;
    });
  }
};

class Client {
 public:
  explicit Client(int port) : fd_(ConnectLoopback(port)) {
    EXPECT_TRUE(fd_.is_open());
  }
  void Send(const std::string& bytes) {
    EXPECT_EQ(send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  void EndSending() { shutdown(fd_.get(), SHUT_WR); }
  /// All there is until `end` is read, or the connection ends.
  [[nodiscard]] std::string ReadUntil(const std::string& end) {
    std::string text;
    char c = 0;
    while (recv(fd_.get(), &c, 1, 0) == 1) {
      text.push_back(c);
      if (!end.empty() && text.size() >= end.size() &&
          text.compare(text.size() - end.size(), end.size(), end) == 0) {
        break;
      }
    }
    return text;
  }
  std::string ReadAll() { return ReadUntil(""); }
  /// Sends one byte after the other until there is an answer; all of that.
  std::string Drip() {
    pollfd answer{fd_.get(), POLLIN, 0};
    EXPECT_TRUE(AwaitCondition([&] {
      if (poll(&answer, 1, /*timeout=*/0) != 0) return true;
      send(fd_.get(), "x", 1, MSG_NOSIGNAL);
      return false;
    }));
    return ReadAll();
  }

 private:
  const UniqueFd fd_;
};

class HttpServerTest : public testing::Test {
 protected:
  void Start(HttpServerOptions options = {}) {
    auto server = HttpServer::Start(
        std::move(options), handler_,
        // A thread a call, so that a worker is truly another thread.
        [this](const std::string& caller, std::function<void()> call) {
          caller_ = caller;
          workers_.emplace_back(std::move(call));
        });
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }
  void TearDown() override {
    if (server_ != nullptr) server_->Stop();
    for (std::thread& worker : workers_) worker.join();
  }
  /// Sends one request and reads to the end of the connection.
  std::string Exchange(const std::string& request) {
    Client client(server_->port());
    client.Send(request);
    return client.ReadAll();
  }

  TestHandler handler_;
  std::vector<std::thread> workers_;
  std::string caller_;  ///< Of the last work, for tests of one connection.
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, AnswersAndKeepsTheConnection) {
  HttpServerOptions options;
  options.io_threads = 1;  // Workers are appended by it alone.
  Start(std::move(options));
  Client client(server_->port());
  client.Send("GET /a%20b?x=%31 HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_THAT(client.ReadUntil("|"), EndsWith("GET /a%20b x=1|"));
  client.Send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc");
  const std::string second = client.ReadUntil("|abc");
  EXPECT_THAT(second, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(second, HasSubstr("Content-Length: 11\r\n"));
}

class OneThread : public HttpServerTest {
 protected:
  void SetUp() override {
    HttpServerOptions options;
    options.io_threads = 1;
    options.max_head_bytes = 4096;
    Start(std::move(options));
  }
};

TEST_F(OneThread, PipelinedRequestsAreAnsweredInOrder) {
  const std::string get = " HTTP/1.1\r\nHost: h\r\n\r\n";
  const std::string text =
      Exchange("GET /1" + get + "GET /2" + get +
               "GET /3 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  const std::size_t first = text.find("GET /1|");
  const std::size_t third = text.find("GET /3|");
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(third, std::string::npos);
  EXPECT_LT(first, text.find("GET /2|"));
  EXPECT_LT(text.find("GET /2|"), third);
}

TEST_F(OneThread, HeadHasTheLengthButNoBody) {
  const std::string text =
      Exchange("HEAD /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(text, HasSubstr("Content-Length: 8\r\n"));
  EXPECT_THAT(text, EndsWith("\r\n\r\n"));
}

TEST_F(OneThread, ARefusalBehindAHeadHasABody) {
  const std::string text =
      Exchange("HEAD /x HTTP/1.1\r\nHost: h\r\n\r\nGARBAGE\r\n\r\n");
  EXPECT_THAT(text, HasSubstr("HTTP/1.1 400 "));
  EXPECT_THAT(text, EndsWith("METHOD TARGET HTTP/1.1"));
}

TEST_F(OneThread, TakesAChunkedBody) {
  EXPECT_THAT(
      Exchange("POST /count HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
               "Transfer-Encoding: chunked\r\n\r\n"
               "5\r\nabcde\r\n3\r\nfgh\r\n0\r\n\r\n"),
      EndsWith("got 8"));
}

TEST_F(OneThread, TakesALongBodyOnAWorker) {
  const std::string body(700000, 'b');
  EXPECT_THAT(
      Exchange("POST /count-slowly HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
               "Content-Length: 700000\r\n\r\n" +
               body),
      EndsWith("got 700000"));
}

TEST_F(OneThread, ABodyEndsWhereTheNextRequestBegins) {
  const std::string next =
      "GET /next HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
  // One that comes with its head, and one that is read piece by piece.
  for (const std::size_t size : {3u, 700000u}) {
    const std::string text = Exchange(
        "POST /count HTTP/1.1\r\nHost: h\r\nContent-Length: " +
        std::to_string(size) + "\r\n\r\n" + std::string(size, 'b') + next);
    EXPECT_THAT(text, HasSubstr("got " + std::to_string(size) + "HTTP/1.1"));
    EXPECT_THAT(text, EndsWith("GET /next|"));
  }
}

TEST_F(OneThread, SaysContinueBeforeTheBody) {
  Client client(server_->port());
  client.Send(
      "POST /count HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n"
      "Expect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.ReadUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.Send("ab");
  EXPECT_THAT(client.ReadUntil("got 2"), EndsWith("got 2"));
}

TEST_F(OneThread, RefusesALongBodyByItsLengthAndByItsBytes) {
  EXPECT_THAT(Exchange("POST /p HTTP/1.1\r\nHost: h\r\n"
                       "Content-Length: 101\r\n\r\n"),
              StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(Exchange("POST /p HTTP/1.1\r\nHost: h\r\n"
                       "Transfer-Encoding: chunked\r\n\r\n65\r\n" +
                       std::string(101, 'z') + "\r\n0\r\n\r\n"),
              StartsWith("HTTP/1.1 413 "));
}

TEST_F(OneThread, AnEarlyAnswerEndsTheConnection) {
  Client client(server_->port());
  client.Send("POST /count HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\naX");
  const std::string text = client.ReadAll();
  EXPECT_THAT(text, StartsWith("HTTP/1.1 409 "));
  EXPECT_THAT(text, HasSubstr("Connection: close"));
}

TEST_F(OneThread, ABodyThatEndsEarlyIsCutOff) {
  {
    Client client(server_->port());
    client.Send(
        "POST /count HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\na");
    client.EndSending();
    EXPECT_EQ(client.ReadAll(), "");
  }
  EXPECT_EQ(handler_.cut_off, 1);
}

TEST_F(OneThread, StreamsWithAndWithoutALength) {
  const std::string end = " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
  const std::string known = Exchange("GET /stream?length=1" + end);
  EXPECT_THAT(known, HasSubstr("Content-Length: 500000\r\n"));
  EXPECT_EQ(known.size() - known.find("\r\n\r\n") - 4, 500000u);
  const std::string chunked = Exchange("GET /stream" + end);
  EXPECT_THAT(chunked, HasSubstr("Transfer-Encoding: chunked\r\n"));
  EXPECT_THAT(chunked, EndsWith("\r\n0\r\n\r\n"));
}

TEST_F(OneThread, ABodyMayWaitForNews) {
  const std::string answer =
      Exchange("GET /tell HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("\r\n6\r\nnews 1\r\n6\r\nnews 3\r\n0\r\n"));
}

// The one worker serves others meanwhile, and the server can stop.
TEST_F(OneThread, WhatWaitsForNewsHoldsNoThread) {
  const UniqueFd waiting = ConnectLoopback(server_->port());
  const std::string request = "GET /silent HTTP/1.1\r\nHost: a\r\n\r\n";
  ASSERT_EQ(send(waiting.get(), request.data(), request.size(), 0),
            static_cast<ssize_t>(request.size()));
  char byte = 0;
  ASSERT_EQ(recv(waiting.get(), &byte, 1, 0), 1);  // Its head has come.
  EXPECT_THAT(
      Exchange("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
      HasSubstr("GET /a"));
  server_->Stop();
}

TEST_F(OneThread, AFailingStreamHasNoProperEnd) {
  const std::string text = Exchange("GET /torn HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_THAT(text, Not(EndsWith("0\r\n\r\n")));
}

TEST_F(OneThread, PacksLongTextForWhoAsks) {
  const std::string end = "Connection: close\r\n\r\n";
  const std::string packed = Exchange(
      "GET /long HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\n" + end);
  EXPECT_THAT(packed, HasSubstr("Content-Encoding: gzip\r\n"));
  EXPECT_LT(packed.size(), 1000u);
  EXPECT_THAT(Exchange("GET /long HTTP/1.1\r\nHost: h\r\n" + end),
              Not(HasSubstr("Content-Encoding")));
}

TEST_F(OneThread, RefusesWhatIsNoRequest) {
  const struct {
    std::string bytes;
    const char* status;
  } cases[] = {
      {"GARBAGE\r\n\r\n", "HTTP/1.1 400 "},
      {"GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 "},  // No Host.
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "HTTP/1.1 400 "},
      {"GET /%zz?a=%zz HTTP/1.1\r\nHost: h\r\n\r\n", "HTTP/1.1 400 "},
      {"GET host HTTP/1.1\r\nHost: h\r\n\r\n", "HTTP/1.1 400 "},
      {"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n",
       "HTTP/1.1 400 "},
      {"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: "
       "2\r\n\r\nab",
       "HTTP/1.1 400 "},
      // What smuggles a second request past a proxy.
      {"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: "
       "chunked\r\n\r\n0\r\n\r\n",
       "HTTP/1.1 400 "},
      {"GET / HTTP/1.1\r\nHost: h\r\nA: " + std::string(5000, 'a') + "\r\n\r\n",
       "HTTP/1.1 431 "},
  };
  for (const auto& each : cases) {
    const std::string text = Exchange(each.bytes);
    EXPECT_THAT(text, StartsWith(each.status)) << each.bytes;
    EXPECT_THAT(text, HasSubstr("Connection: close")) << each.bytes;
  }
}

// Without an end, each of these once took all memory there was.
TEST_F(OneThread, RefusesAnEndlessPartOfABody) {
  const std::string head =
      "POST /count HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
      "chunked\r\n\r\n";
  for (const std::string& part :
       {"1;" + std::string(9000, 'x'), "0\r\nA: " + std::string(9000, 'x'),
        std::string(9000, '0'), std::string("x\r\n")}) {
    const std::string text = Exchange(head + part);
    EXPECT_THAT(text, StartsWith("HTTP/1.1 400 ")) << part.substr(0, 9);
    EXPECT_THAT(text, HasSubstr("Connection: close")) << part.substr(0, 9);
  }
}

TEST_F(OneThread, TakesManySmallChunks) {
  std::string body;
  for (int i = 0; i < 50000; ++i) body += "1\r\na\r\n";
  EXPECT_THAT(
      Exchange("POST /count HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
               "Transfer-Encoding: chunked\r\n\r\n" +
               body + "0\r\n\r\n"),
      EndsWith("got 50000"));
}

TEST_F(OneThread, ARequestWithoutMemoryFailsAlone) {
  const std::string rest = " HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\na";
  EXPECT_THAT(Exchange("POST /fail-early" + rest), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(Exchange("POST /fail-late" + rest), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(Exchange("POST /fail-oddly" + rest), StartsWith("HTTP/1.1 500 "));
  EXPECT_THAT(Exchange("POST /fail-midway" + rest), Not(EndsWith("0\r\n\r\n")));
  EXPECT_THAT(
      Exchange("GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"),
      EndsWith("GET /x|"));
}

// A value with a line end in it would begin another answer.
TEST_F(OneThread, SendsNoHeaderThatForgesAnother) {
  const std::string text =
      Exchange("GET /forged HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(text, EndsWith("\r\n\r\ngood"));
  EXPECT_THAT(text, HasSubstr("X-Good: d\r\n"));
  EXPECT_THAT(text, Not(HasSubstr("X-Forged")));
  EXPECT_THAT(text, Not(HasSubstr("X-Long")));
}

TEST_F(OneThread, RefusesTooManyHeaders) {
  std::string request = "GET / HTTP/1.1\r\nHost: h\r\n";
  for (int i = 0; i < 101; ++i) request += "a: b\r\n";
  EXPECT_THAT(Exchange(request + "\r\n"), StartsWith("HTTP/1.1 400 "));
}

class FullServer : public HttpServerTest {
 protected:
  void SetUp() override {
    HttpServerOptions options;
    options.io_threads = 1;
    options.max_connections = 3;
    options.max_connections_per_address = 2;
    Start(std::move(options));
  }
};

TEST_F(FullServer, TheLongestIdleConnectionGivesWay) {
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 2; ++i) {
    clients.push_back(std::make_unique<Client>(server_->port()));
    clients.back()->Send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_THAT(clients.back()->ReadUntil("|"), EndsWith("|"));
  }
  EXPECT_THAT(
      Exchange("GET /2 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"),
      EndsWith("GET /2|"));
  EXPECT_EQ(clients[0]->ReadAll(), "");
  clients[1]->Send("GET /3 HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_THAT(clients[1]->ReadUntil("|"), EndsWith("GET /3|"));
}

// Who sends half a head, or nothing, keeps nobody out.
TEST_F(FullServer, WhoHasAskedForNothingGivesWay) {
  Client silent(server_->port());
  Client slow(server_->port());
  slow.Send("GET / HT");
  for (int i = 0; i < 5; ++i) {
    EXPECT_THAT(
        Exchange("GET /2 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"),
        EndsWith("GET /2|"));
  }
}

TEST_F(FullServer, OneConnectionTooManyIsToldSo) {
  Client first(server_->port());
  Client second(server_->port());
  for (Client* each : {&first, &second}) {
    each->Send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n");
    handler_.waiting.acquire();
  }
  EXPECT_THAT(Exchange(""), AllOf(StartsWith("HTTP/1.1 503 "),
                                  EndsWith("too many connections")));
  handler_.may_go_on.release(2);
  EXPECT_THAT(first.ReadUntil("|"), EndsWith("waited|"));
}

constexpr char kPromise[] =
    " HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n"
    "Expect: 100-continue\r\n\r\n";

// Else whoever has a token could hold all connections by promising bodies.
TEST_F(FullServer, WhoseBodyIsNotWholeGivesWay) {
  Client first(server_->port());
  Client second(server_->port());
  for (Client* each : {&first, &second}) {
    each->Send(std::string("POST /count") + kPromise);
    EXPECT_THAT(each->ReadUntil("\r\n\r\n"), EndsWith("\r\n\r\n"));
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(
        Exchange("GET /2 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"),
        EndsWith("GET /2|"));
  }
  EXPECT_EQ(first.ReadAll(), "");
}

TEST_F(FullServer, AnUploadThatGetsOnOutlastsOneThatDoesNot) {
  Client moving(server_->port());
  Client stalled(server_->port());
  for (Client* each : {&moving, &stalled}) {
    each->Send(std::string("POST /pass-on") + kPromise);
    EXPECT_THAT(each->ReadUntil("\r\n\r\n"), EndsWith("\r\n\r\n"));
  }
  moving.Send(std::string(StreamingExchange::kMuch, 'x'));
  handler_.has_much.acquire();
  EXPECT_THAT(
      Exchange("GET /2 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"),
      EndsWith("GET /2|"));
  EXPECT_EQ(stalled.ReadAll(), "");
  moving.Send(std::string(1000000 - StreamingExchange::kMuch, 'x'));
  EXPECT_THAT(moving.ReadUntil("\r\n\r\n"), StartsWith("HTTP/1.1 200 "));
}

// Else whoever has no token could hold all connections by promising bodies.
TEST_F(FullServer, WhoIsRefusedGivesWay) {
  Client first(server_->port());
  Client second(server_->port());
  for (Client* each : {&first, &second}) {
    each->Send(
        "POST /fail-refused HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n"
        "Expect: 100-continue\r\n\r\n");
    EXPECT_THAT(each->ReadUntil("\r\n\r\n"), EndsWith("\r\n\r\n"));
  }
  EXPECT_THAT(
      Exchange("GET /2 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"),
      EndsWith("GET /2|"));
}

TEST_F(HttpServerTest, EndsConnectionsThatAreTooSlow) {
  HttpServerOptions options;
  options.io_threads = 1;
  options.head_timeout = std::chrono::milliseconds(20);
  options.idle_timeout = std::chrono::milliseconds(20);
  options.stall_timeout = std::chrono::milliseconds(20);
  Start(std::move(options));
  Client half(server_->port());
  half.Send("GET / HT");
  EXPECT_EQ(half.ReadAll(), "");
  Client stalled(server_->port());
  stalled.Send("POST /count HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\na");
  EXPECT_EQ(stalled.ReadAll(), "");
  Client idle(server_->port());
  idle.Send("GET /i HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_THAT(idle.ReadAll(), EndsWith("GET /i|"));
}

// Each byte comes in time; the body does not.
TEST_F(HttpServerTest, EndsBodiesThatDrip) {
  HttpServerOptions options;
  options.io_threads = 1;
  options.body_grace = std::chrono::milliseconds(20);
  options.least_body_bytes_per_second = 1'000'000;
  Start(std::move(options));
  for (const char* path : {"/count", "/pass-on"}) {
    Client client(server_->port());
    client.Send(std::string("POST ") + path +
                " HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n");
    const std::string answer = client.Drip();
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 408 ")) << path;
    EXPECT_THAT(answer, HasSubstr("1000000 bytes a second")) << path;
    EXPECT_THAT(answer, HasSubstr("Connection: close")) << path;
  }
}

TEST_F(HttpServerTest, ABodyThatIsKeptHasATime) {
  HttpServerOptions options;
  options.io_threads = 1;
  options.body_timeout = std::chrono::milliseconds(20);
  Start(std::move(options));
  Client client(server_->port());
  client.Send(
      "POST /count HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n");
  const std::string answer = client.Drip();
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 408 "));
  EXPECT_THAT(answer, HasSubstr("longer than"));
}

TEST_F(HttpServerTest, StopClosesWhatIsIdle) {
  HttpServerOptions options;
  options.io_threads = 1;
  Start(std::move(options));
  Client client(server_->port());
  client.Send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_THAT(client.ReadUntil("|"), EndsWith("|"));
  server_->Stop();
  EXPECT_EQ(client.ReadAll(), "");
}

TEST_F(HttpServerTest, RefusesAnAddressThatCannotBe) {
  HttpServerOptions options;
  options.host = "example.invalid";
  EXPECT_TRUE(absl::IsInvalidArgument(
      HttpServer::Start(std::move(options), handler_, {}).status()));
  Start();
  HttpServerOptions taken;
  taken.port = server_->port();
  EXPECT_TRUE(absl::IsUnavailable(
      HttpServer::Start(std::move(taken), handler_, {}).status()));
}

// Else the work of clients that come and go at once would pile up.
TEST_F(HttpServerTest, WorkEndsWithItsClient) {
  Start();
  {
    Client client(server_->port());
    client.Send("GET /patient HTTP/1.1\r\nHost: h\r\n\r\n");
    // What it sends besides does not hide that it left.
    client.Send("GET /");
  }
  handler_.ended.acquire();
  server_->Stop();
  EXPECT_EQ(caller_, "token-7");
}

}  // namespace
}  // namespace vernier
