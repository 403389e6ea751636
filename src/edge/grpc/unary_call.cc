#include "edge/grpc/unary_call.h"

#include <utility>

#include "access/request_names.h"
#include "base/shown_text.h"
#include "edge/grpc/call_head.h"
#include "edge/grpc/grpc_status.h"

namespace vernier {

UnaryCall::UnaryCall(const Parts& parts, CallRecord call,
                     const MessageLimits& limits,
                     std::unique_ptr<google::protobuf::Message> request,
                     std::unique_ptr<google::protobuf::Message> response,
                     Work work)
    : parts_(parts),
      call_(std::move(call)),
      limits_(limits),
      request_(std::move(request)),
      response_(std::move(response)),
      work_(std::move(work)) {}

UnaryCall* UnaryCall::Start(const Parts& parts, CallRecord record,
                            const MessageLimits& limits,
                            std::unique_ptr<google::protobuf::Message> request,
                            std::unique_ptr<google::protobuf::Message> response,
                            Work work) {
  auto* const call =
      new UnaryCall(parts, std::move(record), limits, std::move(request),
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
  began_ = parts_.activity.Begin();
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

// A request that makes something does not name it, but its answer does.
void UnaryCall::NameSubject() {
  MessageSubject subject = SubjectOf(*request_);
  if (subject.job.empty()) subject = SubjectOf(*response_);
  call_.job = ShowText(subject.job, kMaxSubject);
  call_.trial = subject.trial;
}

void UnaryCall::End(const absl::Status& status) {
  const absl::Status sent = RunContained([&]() -> absl::Status {
    if (!status.ok()) return status;
    absl::StatusOr<grpc::ByteBuffer> bytes = SerializeMessage(*response_);
    if (!bytes.ok()) return bytes.status();
    sent_ = *std::move(bytes);
    return absl::OkStatus();
  });
  if (parts_.activity.is_told()) NameSubject();
  SetEnd(sent, &call_);
  parts_.activity.End(began_, std::move(call_));
  // The call may be deleted as soon as it is finished.
  if (sent.ok()) {
    StartWriteAndFinish(&sent_, grpc::WriteOptions(), grpc::Status::OK);
  } else {
    Finish(ToGrpc(sent));
  }
}

}  // namespace vernier
