#ifndef TESTS_SERVER_STORAGE_BED_H_
#define TESTS_SERVER_STORAGE_BED_H_

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "buckets/bucket_store.h"
#include "http/http_server.h"
#include "server/call_pool.h"
#include "server/random_bits.h"
#include "server/storage_api.h"
#include "server/storage_json.h"
#include "study/clock.h"
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

/// The storage API on a real server of loopback, over buckets in a folder of
/// the test's own.
class StorageBed : public ::testing::Test, private HttpHandler {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "vernier_storage_XXXXXX";
    dir_ = mkdtemp(pattern.data());
    Start();
    EXPECT_EQ(
        Send("POST", "/storage/v1/b?project=p", R"({"name":"models"})").status,
        200);
  }
  void TearDown() override {
    Stop();
    std::error_code ignored;
    std::filesystem::remove_all(dir_, ignored);
  }

  void Start() {
    auto buckets =
        BucketStore::Open({dir_ + "/buckets", {}, &RandomHex}, clock_);
    ASSERT_TRUE(buckets.ok()) << buckets.status();
    buckets_ = *std::move(buckets);
    api_ = std::make_unique<StorageApi>(*buckets_);
    pool_ = std::make_unique<CallPool>(2);
    auto server = HttpServer::Start(
        {}, *this,
        [this](std::function<void()> work) { pool_->Run(std::move(work)); });
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }
  void Stop() {
    server_->Stop();
    server_.reset();
    pool_.reset();
    api_.reset();
    buckets_.reset();
  }

  /// `headers` are lines that end with CR LF.
  HttpReply Send(const std::string& method, const std::string& target,
                 const std::string& body = "",
                 const std::string& headers = "") {
    const int fd = Connect();
    Write(fd, method + " " + target + " HTTP/1.1\r\nHost: host\r\n" +
                  "Connection: close\r\nContent-Length: " +
                  std::to_string(body.size()) + "\r\n" + headers + "\r\n" +
                  body);
    const HttpReply reply = Read(fd);
    close(fd);
    return reply;
  }

  /// Sends the head and a part of the body, then hangs up.
  void HangUp(const std::string& method, const std::string& target,
              std::size_t promised, const std::string& body,
              const std::string& headers = "") {
    const int fd = Connect();
    Write(fd, method + " " + target + " HTTP/1.1\r\nHost: host\r\n" +
                  "Content-Length: " + std::to_string(promised) + "\r\n" +
                  headers + "\r\n" + body);
    close(fd);
  }

  std::string PathOf(const std::string& name) const {
    return dir_ + "/buckets/models/" + name;
  }
  int CountFiles(const std::string& folder) const {
    std::error_code error;
    std::filesystem::directory_iterator files(PathOf(folder), error);
    return error ? 0
                 : static_cast<int>(std::distance(begin(files), end(files)));
  }

 private:
  std::unique_ptr<HttpExchange> Begin(const HttpRequest& request) override {
    return api_->Begin(request, BaseUrlOf(request));
  }
  HttpResponse Malformed(int status, const std::string& why) override {
    return ErrorResponse(status, "invalid", why);
  }

  int Connect() const {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(server_->port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(
        connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    return fd;
  }
  static void Write(int fd, const std::string& bytes) {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t n =
          send(fd, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) return;  // It has answered and closed.
      sent += static_cast<std::size_t>(n);
    }
  }
  static HttpReply Read(int fd) {
    std::string text;
    char buffer[65536];
    ssize_t n = 0;
    while ((n = recv(fd, buffer, sizeof(buffer), 0)) > 0) {
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

  const SystemClock clock_;
  std::string dir_;
  std::unique_ptr<BucketStore> buckets_;
  std::unique_ptr<StorageApi> api_;
  std::unique_ptr<CallPool> pool_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace vernier

#endif  // TESTS_SERVER_STORAGE_BED_H_
