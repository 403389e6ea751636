#include "edge/grpc/call_head.h"

#include <string_view>
#include <utility>

#include "base/shown_text.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxLoggedError = 500;
constexpr char kRequestId[] = "x-request-id";

}  // namespace

std::string_view MetadataText(const grpc::ServerContextBase& context,
                              const char* key) {
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find(key);
  if (found == metadata.end()) return "";
  return {found->second.data(), found->second.size()};
}

CallRecord BeginRecord(GrpcMethods::Context* context,
                       const CallActivity& activity) {
  CallRecord call;
  call.transport = Transport::kGrpc;
  call.request_id = RequestIdFor(MetadataText(*context, kRequestId));
  context->AddTrailingMetadata(kRequestId, call.request_id);
  if (!activity.is_told()) return call;
  // Only methods of the table get here, so the text is one of a few.
  call.method = context->method();
  if (!call.method.empty() && call.method.front() == '/') {
    call.method.erase(0, 1);
  }
  call.caller = ParseTraceParent(MetadataText(*context, "traceparent"));
  call.began = activity.Now();
  return call;
}

GrpcMethods::Reactor* Refuse(CallActivity& activity, CallRecord call,
                             const absl::Status& status) {
  SetEnd(status, &call);
  activity.Refuse(std::move(call));
  return Refuse(status);
}

void SetEnd(const absl::Status& status, CallRecord* call) {
  call->code = absl::StatusCodeToString(status.code());
  if (IsServiceFault(call->code)) {
    call->error = ShowText(std::string(status.message()), kMaxLoggedError);
  }
}

}  // namespace vernier
