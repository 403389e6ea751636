// What holds for every answer over HTTP, of whichever interface: the whole way
// from the socket to the gate and back.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "access/bucket_caller.h"
#include "base/random_bits.h"
#include "buckets/bucket_store.h"
#include "daemon/open_api.h"
#include "edge/http/safety_headers.h"
#include "faces/storage/storage_api.h"
#include "faces/storage/storage_route.h"
#include "http/http_server.h"
#include "tests/edge/http_reply.h"
#include "tests/faces/rest_bed.h"

namespace vernier {
namespace {

constexpr char kObject[] = "/storage/v1/b/models/o/x";

class HttpAnswerTest : public RestBed {
 protected:
  HttpAnswerTest() {
    AddDescriptionRoute(&front_.router());
    front_.AddMount(&IsStoragePath, v1::READ_OBJECTS, v1::WRITE_OBJECTS,
                    [this](const HttpRequest& request, const Principal& caller,
                           const std::string& base_url) {
                      return storage_.Begin(request, BucketUserOf(caller),
                                            base_url);
                    });
    HttpServerOptions options;
    options.max_head_bytes = 4096;
    server_ = Start(front_, std::move(options));
  }
  ~HttpAnswerTest() override { server_->Stop(); }

  void SetUp() override {
    RestBed::SetUp();
    Create("j1");
    Ask("POST", "/storage/v1/b", R"({"name":"models"})");
    Ask("POST", "/upload/storage/v1/b/models/o?uploadType=media&name=x", "abc");
  }

  std::unique_ptr<HttpServer> Start(HttpHandler& handler,
                                    HttpServerOptions options) {
    return HttpServer::Start(
               std::move(options), handler,
               [this](const std::string& caller, std::function<void()> work) {
                 pool_.Run(caller, std::move(work));
               })
        .value();
  }

  HttpReply Raw(const std::string& bytes) const {
    const RawConnection connection(server_->port());
    connection.Write(bytes);
    return connection.Read();
  }

  HttpReply Ask(const std::string& method, const std::string& target,
                const std::string& body = "", const std::string& headers = "") {
    return Raw(method + " " + target +
               " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
               "Authorization: Bearer " +
               token_ + "\r\nContent-Length: " + std::to_string(body.size()) +
               "\r\n" + headers + "\r\n" + body);
  }

  static void ExpectSafe(int status, const HttpReply& reply) {
    EXPECT_EQ(reply.status, status) << reply.head << reply.body;
    for (const auto& [name, value] : kSafetyHeaders) {
      EXPECT_EQ(reply.Header(std::string(name)), value) << reply.head;
    }
  }

  std::unique_ptr<BucketStore> buckets_ =
      BucketStore::Open({folder_ / "buckets", {}, &RandomHex}, clock_).value();
  StorageApi storage_{*buckets_};
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpAnswerTest, GoodAnswersAreSafe) {
  const std::string media = std::string(kObject) + "?alt=media";
  ExpectSafe(200, Ask("GET", "/v1/projects/p1/jobs/j1"));
  ExpectSafe(200, Ask("GET", "/openapi.json", "", "Accept-Encoding: gzip\r\n"));
  ExpectSafe(200, Ask("GET", kObject));
  ExpectSafe(200, Ask("GET", media));
  ExpectSafe(206, Ask("GET", media, "", "Range: bytes=1-\r\n"));
  ExpectSafe(200, Ask("HEAD", media));
  ExpectSafe(304, Ask("GET", kObject, "",
                      "If-None-Match: " + Ask("GET", kObject).Header("ETag") +
                          "\r\n"));
  ExpectSafe(308, Ask("PUT",
                      Ask("POST",
                          "/upload/storage/v1/b/models/o"
                          "?uploadType=resumable&name=y",
                          "{}")
                          .Header("Location")
                          .substr(std::string("http://localhost").size()),
                      "a", "Content-Range: bytes 0-0/*\r\n"));
  ExpectSafe(204, Ask("DELETE", kObject));
}

TEST_F(HttpAnswerTest, ErrorsAreSafe) {
  const std::string jobs = "/v1/projects/p1/jobs";
  ExpectSafe(400, Ask("POST", jobs, "nonsense"));
  ExpectSafe(404, Ask("GET", jobs + "/gone"));
  ExpectSafe(405, Ask("PUT", jobs));
  ExpectSafe(415, Ask("POST", jobs, "x", "Content-Type: text/plain\r\n"));
  ExpectSafe(403, Ask("POST", jobs, "x", "Origin: http://evil.example\r\n"));
  ExpectSafe(404, Ask("GET", "/storage/v1/b/models/o/gone"));
  ExpectSafe(405, Ask("PATCH", "/storage/v1/b/models"));
  ExpectSafe(416, Ask("GET", std::string(kObject) + "?alt=media", "",
                      "Range: bytes=9-\r\n"));
  token_ = "x";
  ExpectSafe(401, Ask("GET", jobs));
  ExpectSafe(401, Ask("GET", kObject));
}

TEST_F(HttpAnswerTest, AnswersToWhatIsNoRequestAreSafe) {
  ExpectSafe(400, Raw("nonsense\r\n\r\n"));
  ExpectSafe(400, Raw("GET / HTTP/1.1\r\n\r\n"));
  ExpectSafe(421, Raw("GET / HTTP/1.1\r\nHost: evil.example\r\n"
                      "Connection: close\r\n\r\n"));
  ExpectSafe(413, Raw("POST /v1/projects/p1/jobs HTTP/1.1\r\n"
                      "Host: localhost\r\nAuthorization: Bearer " +
                      token_ + "\r\nContent-Length: 999999999\r\n\r\n"));
  ExpectSafe(431, Raw("GET / HTTP/1.1\r\nX: " + std::string(5000, 'x')));
}

// Nobody would send an upload again that is too long; one that was refused for
// another reason, and was told so, may come again.
TEST_F(HttpAnswerTest, WhoIsRefusedIsToldWhyHoweverLongTheBody) {
  token_ = "x";
  ExpectSafe(401, Raw("POST /upload/storage/v1/b/models/o?uploadType=media"
                      "&name=y HTTP/1.1\r\nHost: localhost\r\n"
                      "Content-Length: 999999999\r\n\r\nabc"));
}

// A caller who may only read could have megabytes kept on each connection.
TEST_F(HttpAnswerTest, ABodyThatNothingReadsIsNotKept) {
  const std::string jobs = "/v1/projects/p1/jobs";
  EXPECT_EQ(Ask("GET", jobs, std::string(5000, ' ')).status, 413);
  EXPECT_EQ(Ask("GET", jobs, "{}").status, 200);
  const HttpReply posted = Ask("POST", jobs, std::string(5000, ' ') + "{}");
  EXPECT_EQ(posted.status, 400) << "read, and no job";
}

TEST_F(HttpAnswerTest, TheServiceIsSafeBeforeItServesAndWhenItIsFull) {
  HttpGateway closed({authenticator_, attempts_, activity_, limiter_, load_},
                     {});
  const auto starting = Start(closed, {});
  const RawConnection early(starting->port());
  early.Write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  ExpectSafe(503, early.Read());
  starting->Stop();

  HttpServerOptions none;
  none.max_connections = 0;
  const auto full = Start(front_, std::move(none));
  ExpectSafe(503, RawConnection(full->port()).Read());
  full->Stop();
}

TEST_F(HttpAnswerTest, AnObjectsOwnCacheControlStays) {
  Ask("PATCH", kObject, R"({"cacheControl":"public, max-age=60"})");
  EXPECT_EQ(
      Ask("GET", std::string(kObject) + "?alt=media").Header("Cache-Control"),
      "public, max-age=60");
}

TEST_F(HttpAnswerTest, HeadHasTheHeadOfGet) {
  for (const std::string& target : std::vector<std::string>{
           "/v1/projects/p1/jobs/j1", "/v1/projects/p1/jobs/gone",
           "/openapi.json", "/storage/v1/b", "/storage/v1/b/models",
           "/storage/v1/b/models/o", kObject,
           std::string(kObject) + "?alt=media",
           "/download/storage/v1/b/models/o/x",
           "/storage/v1/b/models/o/gone"}) {
    for (const char* headers :
         {"", "Accept-Encoding: gzip\r\n", "Range: bytes=0-1\r\n"}) {
      // Otherwise each answer has an id of its own.
      const std::string all = std::string("X-Request-Id: r\r\n") + headers;
      const HttpReply get = Ask("GET", target, "", all);
      const HttpReply head = Ask("HEAD", target, "", all);
      EXPECT_EQ(head.head, get.head) << target;
      EXPECT_EQ(head.body, "") << target;
      EXPECT_NE(get.body, "") << target;
    }
  }
}

}  // namespace
}  // namespace vernier
