// gRPC by mutual TLS, whose connections the accept loop hands over as they are.

#include <gtest/gtest.h>

#include <string>

#include "absl/status/status.h"
#include "base/json.h"
#include "client/job_client.h"
#include "tests/e2e/service_process.h"
#include "tests/e2e/test_certificates.h"
#include "tests/edge/raw_http2.h"

namespace vernier {
namespace {

class GrpcTlsTest : public testing::Test {
 protected:
  void SetUp() override {
    authority_.Issue("service");
    authority_.Issue("client");
    service_.Start({"--listen", "127.0.0.1:0", "--http", "off", "--tls-cert",
                    authority_.Path("service.pem"), "--tls-key",
                    authority_.Path("service.key"), "--tls-client-ca",
                    authority_.Path("ca.pem")});
    const auto endpoint = ParseEndpoint(service_.LoggedValue("endpoint"));
    ASSERT_TRUE(endpoint.ok()) << endpoint.status();
    endpoint_ = *endpoint;
  }

  absl::Status Call(const std::string& token, bool has_certificate) const {
    JobClient::Credentials credentials;
    credentials.token = token;
    credentials.ca_file = authority_.Path("ca.pem");
    if (has_certificate) {
      credentials.cert_file = authority_.Path("client.pem");
      credentials.key_file = authority_.Path("client.key");
    }
    JobClient client(endpoint_, credentials);
    return client.GetServiceInfo().status();
  }

  ServiceProcess service_;
  TestAuthority authority_{service_.folder()};
  Endpoint endpoint_;
};

TEST_F(GrpcTlsTest, WantsACertificateAndAToken) {
  JobClient owner(ParseEndpoint(service_.Socket()).value());
  TokenOrder request;
  request.scope = "admin";
  const auto made = owner.CreateToken(request);
  ASSERT_TRUE(made.ok()) << made.status();
  const std::string token = (*ParseJson(*made))["secret"];
  EXPECT_TRUE(Call(token, true).ok());
  EXPECT_TRUE(absl::IsUnauthenticated(Call("", true)));
  EXPECT_TRUE(absl::IsUnavailable(Call(token, false)));
}

TEST_F(GrpcTlsTest, WithoutACertificateNothingReadsHttp2) {
  RawHttp2 attacker(ConnectLoopback(endpoint_.port));
  EXPECT_TRUE(attacker.Send(RawHttp2::Preface()));
  EXPECT_TRUE(attacker.ReadUntilClosed());
}

}  // namespace
}  // namespace vernier
