#include "edge/grpc/unary_call.h"

#include "edge/grpc/grpc_status.h"

namespace vernier {

UnaryCall::UnaryCall(const Parts& parts, const MessageLimits& limits,
                     std::unique_ptr<google::protobuf::Message> request,
                     std::unique_ptr<google::protobuf::Message> response,
                     Work work)
    : parts_(parts),
      limits_(limits),
      request_(std::move(request)),
      response_(std::move(response)),
      work_(std::move(work)) {}

UnaryCall* UnaryCall::Start(const Parts& parts, const MessageLimits& limits,
                            std::unique_ptr<google::protobuf::Message> request,
                            std::unique_ptr<google::protobuf::Message> response,
                            Work work) {
  auto* const call = new UnaryCall(parts, limits, std::move(request),
                                   std::move(response), std::move(work));
  call->StartRead(&call->received_);
  return call;
}

void UnaryCall::OnReadDone(bool ok) {
  if (!ok) {
    Finish(ToGrpc(absl::InvalidArgumentError(
        "the call brought no message, or one that is too large")));
    return;
  }
  parts_.activity.Begin();
  parts_.pool.Run([this] { Run(); });
}

void UnaryCall::Run() {
  const absl::Status parsed = RunContained(
      [this] { return ParseMessage(received_, limits_, request_.get()); });
  received_.Clear();
  if (!parsed.ok()) return End(parsed);
  work_(request_.get(), response_.get(),
        [this](const absl::Status& status) { End(status); });
}

void UnaryCall::End(const absl::Status& status) {
  const absl::Status sent = RunContained([&]() -> absl::Status {
    if (!status.ok()) return status;
    absl::StatusOr<grpc::ByteBuffer> bytes = SerializeMessage(*response_);
    if (!bytes.ok()) return bytes.status();
    sent_ = *std::move(bytes);
    return absl::OkStatus();
  });
  parts_.activity.End();
  // The call may be deleted as soon as it is finished.
  if (sent.ok()) {
    StartWriteAndFinish(&sent_, grpc::WriteOptions(), grpc::Status::OK);
  } else {
    Finish(ToGrpc(sent));
  }
}

}  // namespace vernier
