#include "edge/grpc/remote_method.h"

#include <grpc/health/v1/health.pb.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>

#include "edge/endpoint.h"
#include "edge/grpc/grpc_listener.h"
#include "edge/grpc/grpc_methods.h"

namespace vernier {
namespace {

using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;
using std::chrono::milliseconds;

absl::Status CallRemote(RemoteMethod& method, const HealthCheckRequest& request,
                        HealthCheckResponse* response) {
  std::promise<absl::Status> done;
  method.Call(request, response,
              [&done](const absl::Status& status) { done.set_value(status); });
  return done.get_future().get();
}

TEST(RemoteMethodTest, AnAnswerAndAnErrorComeBack) {
  GrpcMethods methods;
  methods.AddServiceName("ours");
  Endpoint endpoint = *ParseEndpoint("127.0.0.1:0");
  const auto listener = GrpcListener::Listen({&endpoint}, std::move(methods));
  ASSERT_TRUE(listener.ok()) << listener.status();
  RemoteMethod check(endpoint.ToString(), "/grpc.health.v1.Health/Check",
                     milliseconds(10'000));
  HealthCheckRequest request;
  HealthCheckResponse response;
  request.set_service("ours");
  EXPECT_TRUE(CallRemote(check, request, &response).ok());
  EXPECT_EQ(response.status(), HealthCheckResponse::SERVING);
  request.set_service("theirs");
  EXPECT_EQ(CallRemote(check, request, &response).code(),
            absl::StatusCode::kNotFound);
  RemoteMethod none(endpoint.ToString(), "/a.B/C", milliseconds(10'000));
  EXPECT_EQ(CallRemote(none, request, &response).code(),
            absl::StatusCode::kUnimplemented);
  (*listener)->Shutdown();
}

TEST(RemoteMethodTest, WhereNobodyListensIsUnavailable) {
  // Port 1 is reserved, and nobody listens there.
  RemoteMethod method("127.0.0.1:1", "/a.B/C", milliseconds(10'000));
  HealthCheckResponse response;
  EXPECT_EQ(CallRemote(method, {}, &response).code(),
            absl::StatusCode::kUnavailable);
}

TEST(RemoteMethodTest, TheObjectWaitsForItsCalls) {
  auto method = std::make_unique<RemoteMethod>("127.0.0.1:1", "/a.B/C",
                                               milliseconds(10'000));
  HealthCheckResponse response;
  std::promise<absl::Status> done;
  method->Call(HealthCheckRequest(), &response,
               [&done](const absl::Status& status) { done.set_value(status); });
  method.reset();
  EXPECT_FALSE(done.get_future().get().ok());
}

}  // namespace
}  // namespace vernier
