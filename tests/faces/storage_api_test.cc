#include "faces/storage/storage_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "buckets/object_hash.h"
#include "tests/faces/storage_bed.h"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kObjects[] = "/storage/v1/b/models/o/";
constexpr char kUpload[] = "/upload/storage/v1/b/models/o?uploadType=";

class StorageApiTest : public StorageBed {
 protected:
  HttpReply Put(const std::string& name, const std::string& bytes,
                const std::string& more = "") {
    return Send("POST", kUpload + ("media&name=" + name + more), bytes,
                "Content-Type: text/plain\r\n");
  }
  std::string BytesOf(const std::string& name) {
    return Send("GET", kObjects + name + "?alt=media").body;
  }
};

TEST_F(StorageApiTest, BucketsAreMadeListedAndDeleted) {
  EXPECT_EQ(Send("GET", "/storage/v1/b/data").status, 404);
  const HttpReply made =
      Send("POST", "/storage/v1/b?project=p", R"({"name":"data"})");
  EXPECT_EQ(made.status, 200);
  EXPECT_EQ(made.json()["kind"], "storage#bucket");
  EXPECT_EQ(Send("POST", "/storage/v1/b", R"({"name":"data"})").status, 409);
  EXPECT_EQ(Send("POST", "/storage/v1/b", R"({"name":"../x"})").status, 400);
  EXPECT_EQ(Send("GET", "/storage/v1/b?project=p").json()["items"].size(), 2u);
  EXPECT_EQ(Send("DELETE", "/storage/v1/b/data").status, 204);
  EXPECT_EQ(Send("GET", "/storage/v1/b/data").status, 404);
}

TEST_F(StorageApiTest, MediaGoesInAndComesOut) {
  const HttpReply put = Put("a%2Fb.txt", "hello world");
  ASSERT_EQ(put.status, 200) << put.body;
  const Json object = put.json();
  EXPECT_EQ(object["kind"], "storage#object");
  EXPECT_EQ(object["name"], "a/b.txt");
  EXPECT_EQ(object["size"], "11");
  EXPECT_EQ(object["md5Hash"], "XrY7u+Ae7tCTyyK7j1rNww==");
  EXPECT_EQ(object["crc32c"], "yZRlqg==");
  EXPECT_EQ(object["contentType"], "text/plain");
  EXPECT_TRUE(object["generation"].is_string());

  const HttpReply get = Send("GET", std::string(kObjects) + "a%2Fb.txt");
  EXPECT_EQ(get.json()["generation"], object["generation"]);
  for (const char* path : {"/download/storage/v1/b/models/o/a%2Fb.txt",
                           "/storage/v1/b/models/o/a%2Fb.txt?alt=media"}) {
    const HttpReply bytes = Send("GET", path);
    EXPECT_EQ(bytes.status, 200);
    EXPECT_EQ(bytes.body, "hello world");
    EXPECT_EQ(bytes.Header("Content-Type"), "text/plain");
  }
}

TEST_F(StorageApiTest, RangesAreServed) {
  ASSERT_EQ(Put("x", "hello world").status, 200);
  const std::string url = std::string(kObjects) + "x?alt=media";
  const HttpReply part = Send("GET", url, "", "Range: bytes=6-99\r\n");
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.body, "world");
  EXPECT_EQ(part.Header("Content-Range"), "bytes 6-10/11");
  const HttpReply beyond = Send("GET", url, "", "Range: bytes=11-\r\n");
  EXPECT_EQ(beyond.status, 416);
  EXPECT_EQ(beyond.Header("Content-Range"), "bytes */11");
}

TEST_F(StorageApiTest, AMultipartUploadBringsItsMetadata) {
  const std::string body =
      "--B\r\nContent-Type: application/json\r\n\r\n"
      R"({"name":"m","metadata":{"who":"me"},"md5Hash":"XrY7u+Ae7tCTyyK7j1rNww=="})"
      "\r\n--B\r\nContent-Type: image/png\r\n\r\nhello world\r\n--B--\r\n";
  const std::string type = "Content-Type: multipart/related; boundary=B\r\n";
  const HttpReply put =
      Send("POST", kUpload + std::string("multipart"), body, type);
  ASSERT_EQ(put.status, 200) << put.body;
  EXPECT_EQ(put.json()["metadata"]["who"], "me");
  EXPECT_EQ(put.json()["contentType"], "image/png");
  EXPECT_EQ(BytesOf("m"), "hello world");

  std::string other = body;
  other.replace(other.find("hello"), 5, "HELLO");
  EXPECT_EQ(
      Send("POST", kUpload + std::string("multipart"), other, type).status,
      400);
  EXPECT_EQ(BytesOf("m"), "hello world");
}

TEST_F(StorageApiTest, AnUploadThatIsCutOffLeavesNoTrace) {
  HangUp("POST", kUpload + std::string("media&name=half"), 8 << 20,
         std::string(5 << 20, 'x'));
  Stop();  // Has waited for every exchange.
  EXPECT_EQ(CountFiles(".vernier/staging"), 0);
  Start();
  EXPECT_EQ(Send("GET", std::string(kObjects) + "half").status, 404);
}

TEST_F(StorageApiTest, ALongUploadIsStreamed) {
  std::string bytes(9 << 20, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(i * 31 + i / 4099);
  }
  ObjectHasher hasher;
  hasher.Update(bytes);
  const Json object = Put("long", bytes).json();
  EXPECT_EQ(object["size"], std::to_string(bytes.size()));
  EXPECT_EQ(object["md5Hash"], hasher.Value().md5);
  EXPECT_EQ(object["crc32c"], hasher.Value().crc32c);
  EXPECT_TRUE(BytesOf("long") == bytes);
}

class ResumableTest : public StorageApiTest {
 protected:
  std::string BeginUpload(const std::string& name,
                          const std::string& more = "") {
    const HttpReply reply =
        Send("POST", kUpload + ("resumable&name=" + name + more), "{}",
             "X-Upload-Content-Type: text/x-test\r\n");
    EXPECT_EQ(reply.status, 200) << reply.body;
    const std::string location = reply.Header("Location");
    EXPECT_EQ(location.compare(0, 12, "http://host/"), 0) << location;
    return location.substr(11);
  }
  HttpReply Piece(const std::string& url, const std::string& bytes,
                  const std::string& range) {
    return Send("PUT", url, bytes, "Content-Range: bytes " + range + "\r\n");
  }
};

TEST_F(ResumableTest, GoesOnPieceByPieceAndOverARestart) {
  const std::string url = BeginUpload("r");
  HttpReply reply = Piece(url, "hello ", "0-5/*");
  EXPECT_EQ(reply.status, 308);
  EXPECT_EQ(reply.Header("Range"), "bytes=0-5");
  Stop();
  Start();
  reply = Piece(url, "", "*/11");
  EXPECT_EQ(reply.status, 308);
  EXPECT_EQ(reply.Header("Range"), "bytes=0-5");
  reply = Piece(url, "world", "6-10/11");
  ASSERT_EQ(reply.status, 200) << reply.body;
  EXPECT_EQ(reply.json()["contentType"], "text/x-test");
  EXPECT_EQ(reply.json()["md5Hash"], "XrY7u+Ae7tCTyyK7j1rNww==");
  EXPECT_EQ(BytesOf("r"), "hello world");
  EXPECT_EQ(Piece(url, "", "*/11").status, 404);
}

TEST_F(ResumableTest, BytesThatComeAgainCountOnce) {
  const std::string url = BeginUpload("r");
  ASSERT_EQ(Piece(url, "hello ", "0-5/*").status, 308);
  ASSERT_EQ(Piece(url, "lo wor", "3-8/*").Header("Range"), "bytes=0-8");
  EXPECT_EQ(Piece(url, "d", "10-10/11").Header("Range"), "bytes=0-8");
  EXPECT_EQ(Piece(url, "ld", "9-10/11").status, 200);
  EXPECT_EQ(BytesOf("r"), "hello world");
}

TEST_F(ResumableTest, TheWholeMayComeAtOnce) {
  EXPECT_EQ(Send("PUT", BeginUpload("r"), "hello world").status, 200);
  EXPECT_EQ(BytesOf("r"), "hello world");
  EXPECT_EQ(Piece(BeginUpload("empty"), "", "*/0").json()["size"], "0");
}

TEST_F(ResumableTest, APieceThatIsCutOffDoesNotCount) {
  const std::string url = BeginUpload("r");
  ASSERT_EQ(Piece(url, "hello ", "0-5/*").status, 308);
  HangUp("PUT", url, 8 << 20, std::string(5 << 20, 'x'),
         "Content-Range: bytes 6-8388613/8388614\r\n");
  Stop();
  Start();
  EXPECT_EQ(Piece(url, "", "*/*").Header("Range"), "bytes=0-5");
  EXPECT_EQ(Piece(url, "world", "6-10/11").status, 200);
  EXPECT_EQ(BytesOf("r"), "hello world");
}

TEST_F(ResumableTest, BadPiecesAreRefused) {
  const std::string url = BeginUpload("r");
  EXPECT_EQ(Piece(url, "hello", "0-9/10").status, 400);
  EXPECT_EQ(Piece(url, "hello", "zero-4/5").status, 400);
  EXPECT_EQ(Piece(url, "hello", "0-4/*").status, 308);
  EXPECT_EQ(Piece(url, "", "*/3").status, 400);
}

TEST_F(ResumableTest, CanBeCancelled) {
  const std::string url = BeginUpload("r");
  EXPECT_EQ(Send("DELETE", url).status, 499);
  EXPECT_EQ(Piece(url, "x", "0-0/1").status, 404);
  EXPECT_EQ(CountFiles(".vernier/uploads"), 0);
}

TEST_F(ResumableTest, ItsPreconditionsAreThoseOfTheBeginning) {
  const std::string url = BeginUpload("r", "&ifGenerationMatch=0");
  ASSERT_EQ(Put("r", "first").status, 200);
  EXPECT_EQ(Send("PUT", url, "late").status, 412);
  EXPECT_EQ(BytesOf("r"), "first");
}

TEST_F(StorageApiTest, PreconditionsAreKept) {
  const Json first = Put("x", "1", "&ifGenerationMatch=0").json();
  EXPECT_EQ(Put("x", "2", "&ifGenerationMatch=0").status, 412);
  const std::string generation = first["generation"];
  const std::string url = std::string(kObjects) + "x";
  EXPECT_EQ(Send("GET", url + "?ifGenerationNotMatch=" + generation).status,
            304);
  EXPECT_EQ(Send("DELETE", url + "?ifGenerationMatch=1").status, 412);
  EXPECT_EQ(Send("DELETE", url + "?generation=1").status, 404);
  EXPECT_EQ(Send("DELETE", url + "?ifGenerationMatch=no").status, 400);
  EXPECT_EQ(Send("DELETE", url + "?generation=" + generation).status, 204);
}

TEST_F(StorageApiTest, ListsWithPrefixDelimiterAndPages) {
  for (const char* name : {"a%2F1", "a%2F2", "a%2Fsub%2F3", "b"}) {
    ASSERT_EQ(Put(name, "").status, 200);
  }
  const std::string list = "/storage/v1/b/models/o?";
  const Json top = Send("GET", list + "delimiter=%2F").json();
  EXPECT_EQ(top["prefixes"], Json::array({"a/"}));
  EXPECT_EQ(top["items"].size(), 1u);

  std::vector<std::string> names;
  std::string token;
  do {
    const Json page =
        Send("GET", list + "prefix=a/&maxResults=2&pageToken=" + token).json();
    for (const Json& item : page["items"]) names.push_back(item["name"]);
    token = page.value("nextPageToken", "");
    ASSERT_LE(names.size(), 3u);
  } while (!token.empty());
  EXPECT_THAT(names, ElementsAre("a/1", "a/2", "a/sub/3"));
  for (const char* other : {"!", "YS8y%20", "YS8", "YS8x=", "YSA-"}) {
    EXPECT_EQ(Send("GET", list + "pageToken=" + other).status, 400) << other;
  }
  ASSERT_EQ(Put("aa>", "").status, 200);
  ASSERT_EQ(Put("ab", "").status, 200);
  const std::string later = list + "prefix=a&startOffset=aa&maxResults=1";
  EXPECT_EQ(Send("GET", later).json()["nextPageToken"], "YWE+");
  EXPECT_EQ(Send("GET", later + "&pageToken=YWE%2B").json()["items"][0]["name"],
            "ab");
}

TEST_F(StorageApiTest, CopiesRewritesAndComposes) {
  ASSERT_EQ(Put("1", "hello ").status, 200);
  ASSERT_EQ(Put("2", "world").status, 200);
  const HttpReply rewritten =
      Send("POST", std::string(kObjects) + "2/rewriteTo/b/models/o/c%2F2");
  EXPECT_EQ(rewritten.json()["done"], true);
  EXPECT_EQ(rewritten.json()["resource"]["name"], "c/2");
  EXPECT_EQ(Send("POST", std::string(kObjects) + "2/copyTo/b/models/o/d")
                .json()["contentType"],
            "text/plain");
  const HttpReply composed =
      Send("POST", std::string(kObjects) + "whole/compose",
           R"({"sourceObjects":[{"name":"1"},{"name":"c/2"}]})");
  EXPECT_EQ(composed.status, 200) << composed.body;
  EXPECT_EQ(BytesOf("whole"), "hello world");
  EXPECT_EQ(Send("POST", std::string(kObjects) + "w/compose",
                 R"({"sourceObjects":[{"name":7}]})")
                .status,
            400);
}

TEST_F(StorageApiTest, MetadataIsPatched) {
  ASSERT_EQ(Put("x", "1").status, 200);
  const std::string url = std::string(kObjects) + "x";
  Send("PATCH", url, R"({"metadata":{"a":"1","b":"2"},"cacheControl":"no"})");
  const Json patched =
      Send("PATCH", url, R"({"metadata":{"a":null},"cacheControl":null})")
          .json();
  EXPECT_EQ(patched["metadata"], Json::parse(R"({"b":"2"})"));
  EXPECT_FALSE(patched.contains("cacheControl"));
  EXPECT_EQ(patched["metageneration"], "3");
  EXPECT_EQ(Send("PATCH", url, R"({"metadata":7})").status, 400);
  EXPECT_EQ(Send("PATCH", url, "[1]").status, 400);
}

// Each GET would send them as headers, for ever.
TEST_F(StorageApiTest, AttributesThatNoHeaderCanBeAreRefused) {
  const std::string url = std::string(kObjects) + "x";
  const std::string longest(70000, 'x');
  ASSERT_EQ(Put("x", "1").status, 200);
  for (const std::string& body :
       {"{\"cacheControl\":\"" + longest + "\"}",
        std::string(R"({"contentDisposition":"a\r\nX-Forged: b"})"),
        std::string(R"({"contentType":"a\nb"})")}) {
    for (const char* method : {"PATCH", "PUT"}) {
      EXPECT_EQ(Send(method, url, body).status, 400) << body.substr(0, 40);
    }
    EXPECT_EQ(
        Send("POST", kUpload + std::string("resumable&name=y"), body).status,
        400);
    EXPECT_EQ(Send("POST", kUpload + std::string("multipart&name=y"),
                   "--B\r\n\r\n" + body + "\r\n--B\r\n\r\nbytes\r\n--B--",
                   "Content-Type: multipart/related; boundary=B\r\n")
                  .status,
              400);
    EXPECT_EQ(
        Send("POST", std::string(kObjects) + "z/compose",
             R"({"sourceObjects":[{"name":"x"}],"destination":)" + body + "}")
            .status,
        400);
    EXPECT_EQ(
        Send("POST", std::string(kObjects) + "x/copyTo/b/models/o/z", body)
            .status,
        400);
  }
  const HttpReply read = Send("GET", url + "?alt=media");
  EXPECT_EQ(read.status, 200);
  EXPECT_EQ(read.body, "1");
}

// Its tree was walked, level by level, until the stack was used up.
TEST_F(StorageApiTest, DeepJsonIsRefused) {
  ASSERT_EQ(Put("x", "1").status, 200);
  std::string deep(50000, '[');
  deep += std::string(50000, ']');
  const std::string body = "{\"a\":" + deep + "}";
  EXPECT_EQ(
      Send("POST", std::string(kObjects) + "x/compose",
           R"({"sourceObjects":[{"name":"x"}],"destination":)" + body + "}")
          .status,
      400);
  EXPECT_EQ(Send("PATCH", std::string(kObjects) + "x", body).status, 400);
  EXPECT_EQ(Send("POST", "/storage/v1/b", body).status, 400);
}

TEST_F(StorageApiTest, ABatchAnswersEachOfItsCalls) {
  ASSERT_EQ(Put("a%2F1", "").status, 200);
  const std::string body =
      "--B\nContent-Type: application/http\nContent-ID: <id+1>\n\n"
      "DELETE /storage/v1/b/models/o/a%2F1 HTTP/1.1\nAccept: x\n\n\n"
      "--B\nContent-Type: application/http\nContent-ID: <id+2>\n\n"
      "DELETE http://host/storage/v1/b/models/o/gone HTTP/1.1\n\n\n"
      "--B\nContent-Type: application/http\nContent-ID: <id+3>\n\n"
      "GET /storage/v1/b/models/o/a?alt=media HTTP/1.1\n\n\n--B--";
  const HttpReply reply =
      Send("POST", "/batch/storage/v1", body,
           "Content-Type: multipart/mixed; boundary=\"B\"\r\n");
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.body,
              HasSubstr("Content-ID: <response-id+1>\r\n\r\nHTTP/1.1 204 "));
  EXPECT_THAT(reply.body,
              HasSubstr("Content-ID: <response-id+2>\r\n\r\nHTTP/1.1 404 "));
  EXPECT_THAT(reply.body,
              HasSubstr("Content-ID: <response-id+3>\r\n\r\nHTTP/1.1 400 "));
  EXPECT_EQ(Send("GET", std::string(kObjects) + "a%2F1").status, 404);
}

// A megabyte of brackets is tens of megabytes once it is parsed.
TEST_F(StorageApiTest, JsonOfTooManyValuesIsNotRead) {
  ASSERT_EQ(Put("x", "1").status, 200);
  std::string body = R"({"metadata":[{})";
  for (int i = 0; i < 10'000; ++i) body += ",{}";
  body += "]}";
  for (const auto& [method, target] :
       {std::pair{"POST", std::string("/storage/v1/b")},
        {"PATCH", std::string(kObjects) + "x"},
        {"POST", std::string(kObjects) + "x/compose"},
        {"POST", kUpload + std::string("resumable&name=y")}}) {
    const HttpReply reply = Send(method, target, body);
    EXPECT_EQ(reply.status, 400) << target;
    EXPECT_THAT(reply.body, HasSubstr("at most 20000")) << target;
  }
}

TEST_F(StorageApiTest, ACallOfABatchIsNoLongerThanOneAlone) {
  ASSERT_EQ(Put("x", "1").status, 200);
  const std::string reply =
      Send("POST", "/batch/storage/v1",
           "--B\nContent-Type: application/http\nContent-ID: <id>\n\n"
           "PATCH /storage/v1/b/models/o/x HTTP/1.1\n\n{" +
               std::string(1 << 20, ' ') + "}\n--B--",
           "Content-Type: multipart/mixed; boundary=\"B\"\r\n")
          .body;
  EXPECT_THAT(reply, HasSubstr("HTTP/1.1 400 "));
  EXPECT_THAT(reply, HasSubstr("more than 1 MiB"));
}

// What is built in memory has a bound; the caller is told what was left out.
TEST_F(StorageApiTest, ABatchOfLongListsEndsInTime) {
  const std::string metadata =
      R"({"metadata":{"m":")" + std::string(7000, 'm') + R"("}})";
  for (int i = 0; i < 50; ++i) {
    const std::string name = "long-" + std::to_string(i);
    ASSERT_EQ(Put(name, "").status, 200);
    ASSERT_EQ(Send("PATCH", kObjects + name, metadata).status, 200);
  }
  std::string body;
  for (int i = 0; i < 100; ++i) {
    body +=
        "--B\nContent-Type: application/http\nContent-ID: <id>\n\n"
        "GET /storage/v1/b/models/o HTTP/1.1\n\n\n";
  }
  const HttpReply reply =
      Send("POST", "/batch/storage/v1", body + "--B--",
           "Content-Type: multipart/mixed; boundary=\"B\"\r\n");
  EXPECT_EQ(reply.status, 200);
  EXPECT_LT(reply.body.size(), std::size_t{18} << 20);
  EXPECT_THAT(reply.body, HasSubstr("HTTP/1.1 200 "));
  EXPECT_THAT(reply.body, HasSubstr("HTTP/1.1 413 "));
}

TEST_F(StorageApiTest, ErrorsHaveGooglesForm) {
  const HttpReply reply = Send("GET", std::string(kObjects) + "gone");
  EXPECT_EQ(reply.status, 404);
  const Json error = reply.json()["error"];
  EXPECT_EQ(error["code"], 404);
  EXPECT_EQ(error["errors"][0]["domain"], "global");
  EXPECT_EQ(error["errors"][0]["reason"], "notFound");
  EXPECT_EQ(error["status"], "NOT_FOUND");
}

TEST_F(StorageApiTest, HostileNamesAreRefusedHoweverTheyAreWritten) {
  for (const char* name :
       {"..%2F..%2Fvernier.db", "%2Fetc%2Fpasswd", "a%2F..%2F..%2Fx", "..",
        ".vernier%2Fuploads%2Fx", "a%0Ab", "%ff", "a%2F%2Fb"}) {
    EXPECT_EQ(Put(name, "x").status, 400) << name;
    const int get = Send("GET", std::string(kObjects) + name).status;
    EXPECT_EQ(get, 400) << name;
  }
  // Decoded once: this is a name with a percent sign in it.
  EXPECT_EQ(Put("%252e%252e%252Fx", "x").json()["name"], "%2e%2e%2Fx");
  EXPECT_EQ(Send("GET", "/storage/v1/b/..%2Fmodels/o/x").status, 400);
  EXPECT_EQ(Send("GET", "/storage/v1/b/models/../../x").status, 404);
}

TEST_F(StorageApiTest, UnknownMethodsAndPathsAreClear) {
  EXPECT_EQ(Send("GET", "/storage/v1/nothing").status, 404);
  EXPECT_EQ(Send("GET", "/storage/v1/b/models/o/x/y").status, 404);
  const HttpReply patch = Send("PATCH", "/storage/v1/b/models");
  EXPECT_EQ(patch.status, 405);
  EXPECT_EQ(patch.Header("Allow"), "GET, HEAD, DELETE");
  EXPECT_EQ(Send("GET", "/batch/storage/v1").Header("Allow"), "POST");
  EXPECT_EQ(Send("POST", kUpload + std::string("strange"), "x").status, 400);
  EXPECT_EQ(Send("POST", kUpload + std::string("multipart"), "x").status, 400);
}

}  // namespace
}  // namespace vernier
