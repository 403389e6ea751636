#include "edge/endpoint.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

TEST(EndpointTest, ReadsSocketsAndPorts) {
  EXPECT_EQ(ParseEndpoint("unix:/run/v.sock")->socket_path, "/run/v.sock");
  EXPECT_EQ(ParseEndpoint("unix:/run/./v.sock")->ToString(),
            "unix:/run/v.sock");
  EXPECT_EQ(ParseEndpoint("127.0.0.1:5000")->port, 5000);
  EXPECT_EQ(ParseEndpoint("localhost:0")->host, "localhost");
  EXPECT_EQ(ParseEndpoint("[::1]:80")->ToString(), "[::1]:80");
}

TEST(EndpointTest, RefusesWhatIsNeither) {
  for (const char* text : {"", "unix:", "localhost", ":80", "host:", "host:x",
                           "host:70000", "host:-1", "::1:80", "/run/v.sock"}) {
    const auto endpoint = ParseEndpoint(text);
    EXPECT_EQ(endpoint.status().code(), absl::StatusCode::kInvalidArgument)
        << text;
  }
}

TEST(EndpointTest, ALongSocketPathIsRefusedWithTheLimitAndAWayOut) {
  const std::string longest = "/" + std::string(106, 'a');
  EXPECT_TRUE(ParseEndpoint("unix:" + longest).ok());
  const auto too_long = ParseEndpoint("unix:" + longest + "a");
  const std::string message(too_long.status().message());
  EXPECT_NE(message.find("at most 107 bytes, but has 108"), std::string::npos)
      << message;
  EXPECT_NE(message.find("--listen unix:"), std::string::npos) << message;
}

TEST(EndpointTest, OnlyThisMachineMayConnect) {
  for (const char* text : {"unix:/run/v.sock", "127.0.0.1:1", "127.8.9.1:1",
                           "localhost:1", "[::1]:1"}) {
    EXPECT_TRUE(CheckLoopback(*ParseEndpoint(text)).ok()) << text;
  }
  for (const char* text : {"0.0.0.0:1", "192.168.0.1:1", "[::]:1",
                           "example.org:1", "128.0.0.1:1"}) {
    EXPECT_EQ(CheckLoopback(*ParseEndpoint(text)).code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

TEST(EndpointTest, NobodyListensAtAPathThatIsNotThere) {
  EXPECT_FALSE(SomebodyListens("/nowhere/v.sock"));
  EXPECT_FALSE(SomebodyListens(std::string(200, 'a')));
}

}  // namespace
}  // namespace vernier
