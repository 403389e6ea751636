#include "http/request_head.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vernier {
namespace {

TEST(RequestHeadTest, EndsBehindItsBlankLine) {
  const std::string text = "GET / HTTP/1.1\r\nHost: h\r\n\r\nbody";
  EXPECT_EQ(FindHeadEnd(text, 0), text.size() - 4);
  for (std::size_t size = 1; size < text.size() - 4; ++size) {
    EXPECT_FALSE(FindHeadEnd(text.substr(0, size), size - 1)) << size;
    EXPECT_EQ(FindHeadEnd(text, size), text.size() - 4) << size;
  }
}

TEST(RequestHeadTest, ReadsWhatItSays) {
  const auto head = ParseRequestHead(
      "POST /a%2Fb?x=1&y HTTP/1.1\r\nHOST: h:1\r\nX-Name:  a b\t\r\n"
      "Content-Length: 12\r\nExpect: 100-Continue\r\nEmpty:\r\n\r\n");
  ASSERT_TRUE(head.ok()) << head.status();
  EXPECT_EQ(head->request.method, "POST");
  EXPECT_EQ(head->request.path, "/a%2Fb");
  EXPECT_EQ(head->request.query, (HttpFields{{"x", "1"}, {"y", ""}}));
  EXPECT_EQ(head->request.Header("host"), "h:1");
  EXPECT_EQ(head->request.Header("x-name"), "a b");
  EXPECT_EQ(head->request.headers.back(),
            (HttpFields::value_type{"empty", ""}));
  EXPECT_EQ(head->content_length, 12u);
  EXPECT_FALSE(head->is_chunked);
  EXPECT_TRUE(head->keeps_connection);
  EXPECT_TRUE(head->expects_continue);
}

TEST(RequestHeadTest, KnowsWhetherTheConnectionIsKept) {
  const struct {
    const char* text;
    bool is_kept;
  } cases[] = {
      {"GET / HTTP/1.1\r\nHost: h\r\n\r\n", true},
      {"GET / HTTP/1.1\r\nHost: h\r\nConnection: Close\r\n\r\n", false},
      {"GET / HTTP/1.1\r\nHost: h\r\nConnection: te , close\r\n\r\n", false},
      {"GET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\n\r\n", true},
      {"GET / HTTP/1.0\r\nHost: h\r\n\r\n", false},
  };
  for (const auto& each : cases) {
    const auto head = ParseRequestHead(each.text);
    ASSERT_TRUE(head.ok()) << each.text;
    EXPECT_EQ(head->keeps_connection, each.is_kept) << each.text;
  }
}

// A proxy may see one request in these where we would see two.
TEST(RequestHeadTest, RefusesWhatOthersReadInAnotherWay) {
  const std::vector<std::string> heads = {
      "Transfer-Encoding: xchunked\r\n",
      "Transfer-Encoding: chunked, identity\r\n",
      "Transfer-Encoding: identity\r\n",
      "Transfer-Encoding: gzip, chunked\r\n",
      "Transfer-Encoding:\r\n",
      "Transfer-Encoding: \"chunked\"\r\n",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
      "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
      "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
      "Transfer-Encoding : chunked\r\n",
      "Transfer-Encoding\t: chunked\r\n",
      "Content-Length: 3\r\nContent-Length: 3\r\n",
      "Content-Length: 3, 3\r\n",
      "Content-Length: +3\r\n",
      "Content-Length: 0x3\r\n",
      "Content-Length: 3 \v\r\n",
      "Content-Length:\r\n",
      "Content-Length: 99999999999999999999\r\n",
      "Content-Length : 3\r\n",
      "A: b\r\n Transfer-Encoding: chunked\r\n",
      "A: b\r\n\tgoes on\r\n",
      " A: b\r\n",
      "A: b\nTransfer-Encoding: chunked\r\n",
      "A: b\rTransfer-Encoding: chunked\r\n",
      std::string("A: b\0c\r\n", 8),
      "A: b\x7f\r\n",
      "A b\r\n",
      ": b\r\n",
      "A(b): c\r\n",
      "Host: other\r\n",
  };
  for (const std::string& each : heads) {
    const auto head =
        ParseRequestHead("POST / HTTP/1.1\r\nHost: h\r\n" + each + "\r\n");
    EXPECT_TRUE(absl::IsInvalidArgument(head.status())) << each;
  }
  EXPECT_TRUE(ParseRequestHead(
                  "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n"
                  "\r\n")
                  .ok());
  EXPECT_FALSE(ParseRequestHead("POST / HTTP/1.0\r\nHost: h\r\n"
                                "Transfer-Encoding: chunked\r\n\r\n")
                   .ok());
}

// The Host header decides which names are this service's.
TEST(RequestHeadTest, RefusesAnAbsoluteTargetOfAnotherHost) {
  const struct {
    const char* target;
    const char* host;
    bool is_served;
  } cases[] = {
      {"http://h:1/x", "h:1", true},
      {"HTTP://H:1/x", "h:1", true},
      {"http://evil.example/x", "h:1", false},
      {"http://h/x", "h:1", false},
      {"http://h:1@evil.example/x", "h:1", false},
      {"http://h:1.evil.example/x", "h:1", false},
      {"http://evil.example/x", "", false},
      {"ftp://h:1/x", "h:1", false},
  };
  for (const auto& each : cases) {
    const auto head =
        ParseRequestHead(std::string("GET ") + each.target +
                         " HTTP/1.1\r\nHost: " + each.host + "\r\n\r\n");
    EXPECT_EQ(head.ok(), each.is_served) << each.target << head.status();
    if (head.ok()) {
      EXPECT_EQ(head->request.path, "/x");
    }
  }
}

TEST(RequestHeadTest, RefusesRequestLinesThatAreNone) {
  for (const std::string line :
       {"GET /", "GET  / HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1",
        "GET / HTTP/2.0", "GET / HTTP/1.2", "GET / http/1.1", "GET\t/ HTTP/1.1",
        "G(T / HTTP/1.1", "GET x HTTP/1.1", "GET /a\tb HTTP/1.1",
        "GET /a\x01 HTTP/1.1", "GET / x HTTP/1.1", "GET / HTTP/1.1\n"}) {
    EXPECT_FALSE(ParseRequestHead(line + "\r\nHost: h\r\n\r\n").ok()) << line;
  }
}

}  // namespace
}  // namespace vernier
