#ifndef VERNIER_FACES_NATIVE_ACCESS_GRPC_SERVICE_H_
#define VERNIER_FACES_NATIVE_ACCESS_GRPC_SERVICE_H_

#include <vernier/v1/access_service.grpc.pb.h>

#include "absl/status/status.h"
#include "edge/call_activity.h"
#include "edge/call_pool.h"
#include "edge/grpc/call_gate.h"
#include "faces/native/access_handlers.h"

namespace vernier {

/// vernier.v1.AccessService on gRPC's callback API. Thread-safe.
class AccessGrpcService final : public v1::AccessService::CallbackService {
 public:
  struct Dependencies {
    AccessHandlers& handlers;
    const CallGate& gate;
    CallPool& pool;
    CallActivity& activity;
  };

  /// Borrows what `dependencies` refers to; it must outlive this object and
  /// every call.
  explicit AccessGrpcService(const Dependencies& dependencies)
      : dependencies_(dependencies) {}

  using Context = grpc::CallbackServerContext;
  using Unary = grpc::ServerUnaryReactor;

  Unary* CreateToken(Context* context, const v1::CreateTokenRequest* request,
                     v1::CreateTokenResponse* response) override;
  Unary* ListTokens(Context* context, const v1::ListTokensRequest* request,
                    v1::ListTokensResponse* response) override;
  Unary* RevokeToken(Context* context, const v1::RevokeTokenRequest* request,
                     v1::RevokeTokenResponse* response) override;

 private:
  const Dependencies dependencies_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_NATIVE_ACCESS_GRPC_SERVICE_H_
