// What anybody can do to the HTTP of the real binary, without a token: none of
// it may take its memory, its descriptors, or the others' turn.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <vernier/v1/access_service.grpc.pb.h>

#include <memory>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "edge/endpoint.h"
#include "tests/e2e/frontends/service_process.h"
#include "tests/edge/http_reply.h"
#include "tests/fakes/service_client.h"

namespace vernier {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class HttpFrontendTest : public testing::Test {
 protected:
  void SetUp() override {
    service_.Start({"--http", "127.0.0.1:0"});
    const std::string url = service_.LoggedValue("http");
    port_ = std::atoi(url.substr(url.rfind(':') + 1).c_str());
    ASSERT_GT(port_, 0);
  }

  HttpReply Ask(const std::string& request) const {
    const RawConnection connection(port_);
    connection.Write(request);
    return connection.Read();
  }

  void ExpectServes() const {
    EXPECT_EQ(Ask("GET /v1/projects/p/jobs HTTP/1.1\r\nHost: localhost\r\n"
                  "Connection: close\r\n\r\n")
                  .status,
              401);
    EXPECT_TRUE(ServiceClient(ParseEndpoint(service_.Socket()).value())
                    .Ask(&Jobs::GetServiceInfo)
                    .ok());
  }

  ServiceProcess service_;
  int port_ = 0;
};

TEST_F(HttpFrontendTest, AnswersNoCallWithoutAToken) {
  const ServiceClient owner(ParseEndpoint(service_.Socket()).value());
  const auto made =
      owner.Ask(&v1::AccessService::Stub::CreateToken, R"({"scope":"admin"})");
  ASSERT_TRUE(made.ok()) << made.status();
  const std::string token = (*ParseJson(*made))["secret"];
  const auto ask = [this](const std::string& method, const std::string& path,
                          const std::string& header) {
    return Ask(absl::StrCat(method, " ", path,
                            " HTTP/1.1\r\nHost: localhost\r\n", header,
                            "Connection: close\r\n\r\n"));
  };
  // What the service describes of itself, and what it does not.
  const Json paths =
      ask("GET", "/openapi.json", "Authorization: Bearer " + token + "\r\n")
          .json()["paths"];
  EXPECT_GT(paths.size(), 30u);
  std::vector<std::pair<std::string, std::string>> calls = {
      {"GET", "/openapi.json"},
      {"GET", "/v1"},
      {"GET", "/ui/api/jobs"},
      {"POST", "/ui/rpc/vernier.v1.JobService/CreateJob"}};
  for (const auto& [pattern, operations] : paths.items()) {
    const std::string path =
        std::regex_replace(pattern, std::regex("\\{[^}]*\\}"), "x");
    for (const auto& [method, operation] : operations.items()) {
      if (method == "parameters") continue;
      calls.emplace_back(absl::AsciiStrToUpper(method), path);
    }
  }
  for (const auto& [method, path] : calls) {
    EXPECT_EQ(ask(method, path, "Content-Length: 0\r\n").status, 401)
        << method << " " << path;
  }
}

TEST_F(HttpFrontendTest, NoPartOfARequestIsEndless) {
  const long before = service_.StatusKib("VmHWM");
  const std::string start =
      "POST /v1/projects/p/jobs HTTP/1.1\r\nHost: localhost\r\n";
  const std::string chunked = start + "Transfer-Encoding: chunked\r\n\r\n";
  for (const std::string& head : {chunked + "1;", chunked + "0\r\nA: ", chunked,
                                  start + "A: ", std::string()}) {
    const RawConnection attacker(port_);
    attacker.Write(head);
    // '0' goes on with a size, an extension, a trailer, a header and a method.
    const std::string part(1 << 20, '0');
    for (int i = 0; i < 64; ++i) attacker.Write(part);
  }
  ExpectServes();
  EXPECT_LT(service_.StatusKib("VmHWM") - before, 30 << 10);
}

TEST_F(HttpFrontendTest, IdleConnectionsLockNobodyOut) {
  const rlimit few{512, 512};
  ASSERT_EQ(prlimit(service_.pid(), RLIMIT_NOFILE, &few, nullptr), 0);
  std::vector<std::unique_ptr<RawConnection>> idle;
  for (int i = 0; i < 700; ++i) {
    idle.push_back(std::make_unique<RawConnection>(port_));
    // Some have promised a body, as nobody may who has no token.
    if (i % 3 == 0) {
      idle.back()->Write(
          "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n");
    }
    if (i % 3 == 1) idle.back()->Write("GET / HT");
  }
  ExpectServes();
  const auto fds =
      std::distance(std::filesystem::directory_iterator(
                        "/proc/" + std::to_string(service_.pid()) + "/fd"),
                    std::filesystem::directory_iterator());
  // A quarter is kept for the database, the trials, the unix socket.
  EXPECT_LT(fds, 512 - 100);
  EXPECT_THAT(service_.Log(), Not(HasSubstr("Too many open files")));
}

TEST_F(HttpFrontendTest, ABodyIsNoSecondRequest) {
  const HttpReply reply = Ask(
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n"
      "\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(reply.status, 400);
  EXPECT_THAT(reply.body, HasSubstr("Transfer-Encoding must be chunked"));
  EXPECT_THAT(reply.body, Not(HasSubstr("HTTP/1.1 401")));
}

}  // namespace
}  // namespace vernier
