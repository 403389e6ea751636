#ifndef VERNIER_TESTS_FACES_STORAGE_BED_H_
#define VERNIER_TESTS_FACES_STORAGE_BED_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/json.h"
#include "base/random_bits.h"
#include "base/thread_pool.h"
#include "buckets/bucket_store.h"
#include "faces/storage/storage_api.h"
#include "faces/storage/storage_json.h"
#include "http/http_server.h"
#include "tests/edge/http_reply.h"
#include "tests/support/scratch_folder.h"

namespace vernier {

/// The storage API on a real server of loopback, over buckets in a folder of
/// the test's own.
class StorageBed : public ::testing::Test, private HttpHandler {
 protected:
  void SetUp() override {
    Start();
    EXPECT_EQ(
        Send("POST", "/storage/v1/b?project=p", R"({"name":"models"})").status,
        200);
  }
  void TearDown() override { Stop(); }

  void Start() {
    auto buckets =
        BucketStore::Open({dir_ / "buckets", {}, &RandomHex}, clock_);
    ASSERT_TRUE(buckets.ok()) << buckets.status();
    buckets_ = *std::move(buckets);
    api_ = std::make_unique<StorageApi>(*buckets_);
    pool_ = std::make_unique<ThreadPool>(2);
    auto server = HttpServer::Start(
        {}, *this,
        [this](const std::string& caller, std::function<void()> work) {
          pool_->Run(caller, std::move(work));
        });
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
    const RawConnection connection(server_->port());
    connection.Write(
        method + " " + target + " HTTP/1.1\r\nHost: host\r\n" +
        "Connection: close\r\nContent-Length: " + std::to_string(body.size()) +
        "\r\n" + headers + "\r\n" + body);
    return connection.Read();
  }

  /// Sends the head and a part of the body, then hangs up.
  void HangUp(const std::string& method, const std::string& target,
              std::size_t promised, const std::string& body,
              const std::string& headers = "") {
    RawConnection(server_->port())
        .Write(method + " " + target + " HTTP/1.1\r\nHost: host\r\n" +
               "Content-Length: " + std::to_string(promised) + "\r\n" +
               headers + "\r\n" + body);
  }

  BucketUser user_ = BucketUser::Administrator();  ///< The caller.
  std::unique_ptr<BucketStore> buckets_;

  std::string PathOf(const std::string& name) const {
    return dir_ / "buckets/models/" + name;
  }
  int CountFiles(const std::string& folder) const {
    std::error_code error;
    std::filesystem::directory_iterator files(PathOf(folder), error);
    return error ? 0
                 : static_cast<int>(std::distance(begin(files), end(files)));
  }

 private:
  std::unique_ptr<HttpExchange> Begin(const HttpRequest& request) override {
    return api_->Begin(request, user_,
                       "http://" + std::string(request.Header("host")));
  }
  HttpResponse Malformed(int status, const std::string& why) override {
    return ErrorResponse(status, "invalid", why);
  }

  const SystemClock clock_{};
  const ScratchFolder dir_;
  std::unique_ptr<StorageApi> api_;
  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_FACES_STORAGE_BED_H_
