#ifndef VERNIER_EDGE_GRPC_UNARY_CALL_H_
#define VERNIER_EDGE_GRPC_UNARY_CALL_H_

#include <grpcpp/support/server_callback.h>

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "access/request_names.h"
#include "base/status_macros.h"
#include "edge/call_activity.h"
#include "edge/call_pool.h"
#include "edge/contained_call.h"
#include "edge/grpc/call_gate.h"
#include "edge/grpc/grpc_status.h"

namespace vernier {

/// Answers a call that was looked at: refuses it, or runs `work` on a thread of
/// the pool. What `work` refers to must outlive the call.
template <typename Work>
grpc::ServerUnaryReactor* RunOnPool(const absl::Status& admitted,
                                    CallPool& pool, CallActivity& activity,
                                    grpc::CallbackServerContext* context,
                                    Work work) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  if (!admitted.ok()) {
    reactor->Finish(ToGrpc(admitted));
    return reactor;
  }
  activity.Begin();
  pool.Run([&activity, reactor, work = std::move(work)] {
    const absl::Status status = RunContained(work);
    activity.End();
    reactor->Finish(ToGrpc(status));
  });
  return reactor;
}

// GCC 12's UBSan reads an unset copy of `this` in a call through a pointer to a
// member: hence references to handlers.

/// RunOnPool of a handler, with the request as it came.
template <typename Handlers, typename Request, typename Response>
grpc::ServerUnaryReactor* AnswerUnaryCall(
    const absl::Status& admitted, CallPool& pool, CallActivity& activity,
    grpc::CallbackServerContext* context, Handlers& handlers,
    const Request* request, Response* response,
    absl::Status (Handlers::*handler)(const Request&, Response*)) {
  return RunOnPool(admitted, pool, activity, context,
                   [&handlers, request, response, handler] {
                     return (handlers.*handler)(*request, response);
                   });
}

/// RunOnPool for a service whose callers the gate knows; the handler gets the
/// request with whole names, all of them the caller's own. `parts` are the
/// service's dependencies: its handlers, and the gate, the pool and the
/// activity that every call goes through.
template <typename Dependencies, typename Handlers, typename Request,
          typename Response>
grpc::ServerUnaryReactor* RunUnaryCall(
    const Dependencies& parts, grpc::CallbackServerContext* context,
    const Request* request, Response* response,
    absl::Status (Handlers::*handler)(const Request&, Response*)) {
  Handlers& handlers = parts.handlers;
  const absl::StatusOr<Principal> caller =
      parts.gate.Admit(*context, Request::descriptor());
  return RunOnPool(
      caller.status(), parts.pool, parts.activity, context,
      [&handlers, caller, request, response, handler]() -> absl::Status {
        Request named = *request;
        VERNIER_RETURN_IF_ERROR(NameInFull(*caller, &named));
        return (handlers.*handler)(named, response);
      });
}

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_UNARY_CALL_H_
