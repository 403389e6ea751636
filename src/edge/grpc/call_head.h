#ifndef VERNIER_EDGE_GRPC_CALL_HEAD_H_
#define VERNIER_EDGE_GRPC_CALL_HEAD_H_

#include <grpcpp/server_context.h>

#include <string_view>

#include "absl/status/status.h"
#include "edge/call_activity.h"
#include "edge/call_record.h"
#include "edge/grpc/grpc_methods.h"

namespace vernier {

/// Returns the caller's metadata under `key`; empty if there is none. It lives
/// as long as `context`.
std::string_view MetadataText(const grpc::ServerContextBase& context,
                              const char* key);

/// Returns the record of a gRPC call with the data of its head and its id,
/// which the caller gets in the trailing metadata, `x-request-id`. Must be
/// called once for each call, before anything is answered.
CallRecord BeginRecord(GrpcMethods::Context* context,
                       const CallActivity& activity);

/// Refuses a call before its message is read, and reports it.
GrpcMethods::Reactor* Refuse(CallActivity& activity, CallRecord call,
                             const absl::Status& status);

/// Writes how a call ended into its record.
void SetEnd(const absl::Status& status, CallRecord* call);

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_CALL_HEAD_H_
