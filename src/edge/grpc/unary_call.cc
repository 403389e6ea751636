#include "edge/grpc/unary_call.h"

#include <utility>

#include "access/principal.h"
#include "access/request_names.h"
#include "base/calls/call_meter.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "edge/grpc/call_head.h"
#include "edge/grpc/grpc_status.h"

namespace vernier {

const std::string& BegunCall::caller() const {
  static const auto& owner = *new std::string(SocketPrincipal().name);
  return share == nullptr ? owner : share->caller();
}

UnaryCall::UnaryCall(const Parts& parts, BegunCall call,
                     const MessageLimits& limits,
                     std::unique_ptr<google::protobuf::Message> request,
                     std::unique_ptr<google::protobuf::Message> response,
                     Work work)
    : parts_(parts),
      call_(std::move(call)),
      budget_(call_.share.get(), parts.activity.clock()),
      limits_(limits),
      request_(std::move(request)),
      response_(std::move(response)),
      work_(std::move(work)) {}

UnaryCall* UnaryCall::Start(const Parts& parts, BegunCall begun,
                            const MessageLimits& limits,
                            std::unique_ptr<google::protobuf::Message> request,
                            std::unique_ptr<google::protobuf::Message> response,
                            Work work) {
  auto* const call =
      new UnaryCall(parts, std::move(begun), limits, std::move(request),
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
  parts_.pool.Run(call_.caller(), [this] { Run(); });
}

// Checks the caller before the call has any effect, since a refused call must
// not have had one.
absl::Status UnaryCall::Admit() {
  if (budget_.is_abandoned() && call_.changes_nothing) {
    return absl::CancelledError("its client has left");
  }
  if (call_.share == nullptr) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(call_.share->Hold(received_.Length()));
  return call_.share->CheckRoom();
}

void UnaryCall::Run() {
  const CallMeterScope scope(&budget_);
  budget_.Begin();
  const absl::Status parsed = RunContained([this]() -> absl::Status {
    VERNIER_RETURN_IF_ERROR(Admit());
    return ParseMessage(received_, limits_, request_.get());
  });
  received_.Clear();
  if (!parsed.ok()) return End(parsed);
  work_(request_.get(), response_.get(),
        [this](const absl::Status& status) { End(status); });
}

// Names the subject in the record. A request that creates something does not
// name it, but its answer does.
void UnaryCall::NameSubject() {
  MessageSubject subject = SubjectOf(*request_);
  if (subject.job.empty()) subject = SubjectOf(*response_);
  call_.record.job = ShowText(subject.job, kMaxSubject);
  call_.record.trial = subject.trial;
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
  // From now on only the serialized bytes take memory, perhaps for long: until
  // the client has read them.
  request_.reset();
  response_.reset();
  if (call_.share != nullptr) call_.share->Set(sent_.Length());
  SetEnd(sent, &call_.record);
  parts_.activity.End(began_, std::move(call_.record));
  // The call may be deleted as soon as it is finished.
  if (sent.ok()) {
    StartWriteAndFinish(&sent_, grpc::WriteOptions(), grpc::Status::OK);
  } else {
    Finish(ToGrpc(sent));
  }
}

}  // namespace vernier
