#include "http/client/curl_poster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <utility>

#include "base/unique_fd.h"
#include "http/client/curl_fetch.h"

namespace vernier {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Takes one connection, reads a request of `body_bytes`, and sends a text.
class OneAnswer {
 public:
  OneAnswer(std::string answer, std::size_t body_bytes)
      : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(listener_.get(), reinterpret_cast<sockaddr*>(&address),
                   sizeof(address)),
              0);
    EXPECT_EQ(listen(listener_.get(), 1), 0);
    socklen_t size = sizeof(address);
    getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/x";
    thread_ = std::thread([this, answer = std::move(answer), body_bytes] {
      Serve(answer, body_bytes);
    });
  }
  ~OneAnswer() { thread_.join(); }

  const std::string& url() const { return url_; }
  /// After the answer has come.
  const std::string& request() const { return request_; }

 private:
  void Serve(const std::string& answer, std::size_t body_bytes) {
    const UniqueFd client(accept(listener_.get(), nullptr, nullptr));
    char buffer[4096];
    std::size_t end = std::string::npos;
    while (end == std::string::npos || request_.size() < end + 4 + body_bytes) {
      const ssize_t n = read(client.get(), buffer, sizeof(buffer));
      if (n <= 0) return;
      request_.append(buffer, static_cast<std::size_t>(n));
      end = request_.find("\r\n\r\n");
    }
    for (std::size_t at = 0; at < answer.size();) {
      const ssize_t n = send(client.get(), answer.data() + at,
                             answer.size() - at, MSG_NOSIGNAL);
      if (n <= 0) return;
      at += static_cast<std::size_t>(n);
    }
  }

  const UniqueFd listener_;
  std::string url_;
  std::string request_;
  std::thread thread_;
};

class CurlPosterTest : public testing::Test {
 protected:
  absl::StatusOr<HttpPostAnswer> Post(const std::string& url) {
    HttpPost post;
    post.url = url;
    post.headers = {"Content-Type: application/json", "webhook-id: m"};
    post.body = std::string("{\0}", 3);
    return poster_->Post(post);
  }

  std::unique_ptr<CurlPoster> poster_ = CurlPoster::Create().value();
};

TEST_F(CurlPosterTest, SendsTheBodyAndItsHeaders) {
  OneAnswer server(
      "HTTP/1.1 429 Later\r\nRetry-After: 17\r\nContent-Length: 4\r\n\r\nlate",
      3);
  const auto answer = Post(server.url());
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->status, 429);
  EXPECT_EQ(answer->beginning, "late");
  EXPECT_EQ(answer->retry_after, std::chrono::seconds(17));
  EXPECT_THAT(server.request(), StartsWith("POST /x HTTP/1.1\r\n"));
  EXPECT_THAT(server.request(), HasSubstr("\r\nwebhook-id: m\r\n"));
  EXPECT_THAT(server.request(), testing::EndsWith(std::string("{\0}", 3)));
}

TEST_F(CurlPosterTest, DoesNotFollowARedirect) {
  OneAnswer elsewhere("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 3);
  {
    OneAnswer server("HTTP/1.1 307 Go\r\nLocation: " + elsewhere.url() +
                         "\r\nContent-Length: 0\r\n\r\n",
                     3);
    const auto answer = Post(server.url());
    ASSERT_TRUE(answer.ok()) << answer.status();
    EXPECT_EQ(answer->status, 307);
  }
  EXPECT_EQ(elsewhere.request(), "");
  ASSERT_TRUE(Post(elsewhere.url()).ok());  // So that it ends.
}

TEST_F(CurlPosterTest, ReadsNoMoreOfALongAnswerThanItKeeps) {
  // Of a length that would take for ever.
  OneAnswer server("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n" +
                       std::string(100000, 'x'),
                   3);
  const auto answer = Post(server.url());
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->beginning, std::string(500, 'x'));
}

TEST_F(CurlPosterTest, AFetchedAnswerIsWholeOrTooLong) {
  HttpPost post;
  for (const std::size_t most_bytes : {4U, 3U}) {
    OneAnswer server("HTTP/1.1 404 No\r\nContent-Length: 4\r\n\r\nnone", 0);
    post.url = server.url();
    const auto answer = FetchAnswer(post, most_bytes);
    if (most_bytes == 4) {
      ASSERT_TRUE(answer.ok()) << answer.status();
      EXPECT_EQ(answer->status, 404);
      EXPECT_EQ(answer->body, "none");
    } else {
      EXPECT_EQ(answer.status().code(), absl::StatusCode::kResourceExhausted);
      EXPECT_THAT(std::string(answer.status().message()),
                  HasSubstr(": its answer has more than 3 bytes"));
    }
  }
  post.url = "file:///etc/passwd";
  EXPECT_EQ(FetchAnswer(post, 4).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(CurlPosterTest, WithoutAnAnswerNobodyKnows) {
  OneAnswer server("", 3);
  EXPECT_EQ(Post(server.url()).status().code(), absl::StatusCode::kUnavailable);
  // Only these are spoken, whatever libcurl could.
  EXPECT_FALSE(Post("file:///etc/passwd").ok());
  poster_->Stop();
  EXPECT_EQ(Post(server.url()).status().code(), absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace vernier
