#ifndef VERNIER_SERVER_UNARY_CALL_H_
#define VERNIER_SERVER_UNARY_CALL_H_

#include <grpcpp/support/server_callback.h>

#include "absl/status/status.h"
#include "server/call_activity.h"
#include "server/call_gate.h"
#include "server/call_pool.h"
#include "server/grpc_status.h"

namespace vernier {

/// What every unary call goes through.
struct UnaryCallParts {
  const CallGate& gate;
  CallPool& pool;
  CallActivity& activity;
};

/// Answers a call that was looked at: refuses it, or runs `handler` on a thread
/// of the pool. What is referred to must outlive the call.
template <typename Handlers, typename Request, typename Response>
grpc::ServerUnaryReactor* AnswerUnaryCall(
    const absl::Status& admitted, CallPool& pool, CallActivity& activity,
    grpc::CallbackServerContext* context, Handlers& handlers,
    const Request* request, Response* response,
    absl::Status (Handlers::*handler)(const Request&, Response*)) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  if (!admitted.ok()) {
    reactor->Finish(ToGrpc(admitted));
    return reactor;
  }
  activity.Begin();
  // GCC 12's UBSan reads an unset copy of `this` in a call through a pointer to
  // a member: hence references.
  pool.Run([&handlers, &activity, reactor, request, response, handler] {
    const absl::Status status = (handlers.*handler)(*request, response);
    activity.End();
    reactor->Finish(ToGrpc(status));
  });
  return reactor;
}

/// AnswerUnaryCall for a service whose callers the gate knows.
template <typename Handlers, typename Request, typename Response>
grpc::ServerUnaryReactor* RunUnaryCall(
    const UnaryCallParts& parts, grpc::CallbackServerContext* context,
    Handlers& handlers, const Request* request, Response* response,
    absl::Status (Handlers::*handler)(const Request&, Response*)) {
  return AnswerUnaryCall(
      parts.gate.Admit(*context, Request::descriptor()).status(), parts.pool,
      parts.activity, context, handlers, request, response, handler);
}

}  // namespace vernier

#endif  // VERNIER_SERVER_UNARY_CALL_H_
