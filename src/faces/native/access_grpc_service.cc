#include "faces/native/access_grpc_service.h"

#include "edge/grpc/unary_call.h"

namespace vernier {

AccessGrpcService::Unary* AccessGrpcService::CreateToken(
    Context* context, const v1::CreateTokenRequest* request,
    v1::CreateTokenResponse* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &AccessHandlers::CreateToken);
}

AccessGrpcService::Unary* AccessGrpcService::ListTokens(
    Context* context, const v1::ListTokensRequest* request,
    v1::ListTokensResponse* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &AccessHandlers::ListTokens);
}

AccessGrpcService::Unary* AccessGrpcService::RevokeToken(
    Context* context, const v1::RevokeTokenRequest* request,
    v1::RevokeTokenResponse* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &AccessHandlers::RevokeToken);
}

}  // namespace vernier
