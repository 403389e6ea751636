#include "edge/endpoint.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <optional>
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

// Root may connect anywhere, so that the kernel's answer is given here.
TEST(EndpointTest, TheSocketOfAnotherUserIsNoAbsentService) {
  EXPECT_TRUE(ReachStatus("/v.sock", 0, 1u).ok());
  EXPECT_TRUE(ReachStatus("/v.sock", EAGAIN, 1u).ok());
  for (const int error : {ENOENT, ECONNREFUSED, ENAMETOOLONG, ENOTDIR}) {
    EXPECT_TRUE(absl::IsNotFound(ReachStatus("/v.sock", error, std::nullopt)));
  }
  const absl::Status others = ReachStatus("/v.sock", EACCES, 1001u);
  EXPECT_TRUE(absl::IsPermissionDenied(others));
  EXPECT_NE(others.message().find("/v.sock: permission denied"),
            std::string::npos);
  EXPECT_NE(others.message().find("belongs to user 1001"), std::string::npos);
  const absl::Status hidden = ReachStatus("/v.sock", EPERM, std::nullopt);
  EXPECT_NE(hidden.message().find("its folder is closed"), std::string::npos);
}

TEST(EndpointTest, NobodyListensAtAPathThatIsNotThere) {
  EXPECT_FALSE(SomebodyListens("/nowhere/v.sock"));
  EXPECT_FALSE(SomebodyListens(std::string(200, 'a')));
}

}  // namespace
}  // namespace vernier
