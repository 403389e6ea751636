// gRPC by mutual TLS, whose connections the accept loop hands over as they are.

#include <gtest/gtest.h>
#include <vernier/v1/access_service.grpc.pb.h>

#include <string>

#include "absl/status/status.h"
#include "base/json.h"
#include "tests/e2e/frontends/service_process.h"
#include "tests/e2e/frontends/test_certificates.h"
#include "tests/edge/raw_http2.h"
#include "tests/fakes/service_client.h"

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
    ClientCredentials credentials;
    credentials.token = token;
    credentials.ca_file = authority_.Path("ca.pem");
    if (has_certificate) {
      credentials.cert_file = authority_.Path("client.pem");
      credentials.key_file = authority_.Path("client.key");
    }
    ServiceClient client(endpoint_, credentials);
    return client.Ask(&Jobs::GetServiceInfo).status();
  }

  ServiceProcess service_;
  TestAuthority authority_{service_.folder()};
  Endpoint endpoint_;
};

TEST_F(GrpcTlsTest, WantsACertificateAndAToken) {
  ServiceClient owner(ParseEndpoint(service_.Socket()).value());
  v1::CreateTokenRequest request;
  request.set_scope("admin");
  const auto made =
      owner.CallForJson(&v1::AccessService::Stub::CreateToken, request);
  ASSERT_TRUE(made.ok()) << made.status();
  const std::string token = (*ParseJson(*made))["secret"];
  EXPECT_TRUE(Call(token, true).ok());
  EXPECT_TRUE(absl::IsUnauthenticated(Call("", true)));
  EXPECT_TRUE(absl::IsUnavailable(Call(token, false)));
}

TEST_F(GrpcTlsTest, AStrangerReachesNothingThatReadsHttp2) {
  RawHttp2 stranger(ConnectLoopback(endpoint_.port));
  EXPECT_TRUE(stranger.Send(RawHttp2::Preface()));
  EXPECT_TRUE(stranger.ReadUntilClosed());
}

}  // namespace
}  // namespace vernier
