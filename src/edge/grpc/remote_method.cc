#include "edge/grpc/remote_method.h"

#include <google/protobuf/message.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>

#include <utility>

#include "edge/grpc/grpc_status.h"
#include "edge/grpc/message_bytes.h"
#include "edge/grpc/transfer_limits.h"

namespace vernier {
namespace {

constexpr MessageLimits kLimitsOfAnswers{kMaxReceivedBytes, 1'000'000};

std::shared_ptr<grpc::Channel> ChannelTo(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxReceivedBytes);
  // A connection that failed is tried again at the next call, not a minute
  // later.
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(),
                                   arguments);
}

}  // namespace

struct RemoteMethod::Stub {
  grpc::GenericStub calls;
};

// What gRPC borrows until the answer is there.
struct RemoteMethod::CallUnderWay {
  grpc::ClientContext context;
  grpc::ByteBuffer sent;
  grpc::ByteBuffer received;
};

RemoteMethod::RemoteMethod(const std::string& address, std::string path,
                           std::chrono::milliseconds limit)
    : path_(std::move(path)),
      limit_(limit),
      stub_(new Stub{grpc::GenericStub(ChannelTo(address))}) {}

RemoteMethod::~RemoteMethod() {
  std::unique_lock lock(mu_);
  idle_.wait(lock, [this] { return under_way_ == 0; });
}

void RemoteMethod::Call(const google::protobuf::Message& request,
                        google::protobuf::Message* reply,
                        std::function<void(absl::Status)> done) {
  auto bytes = SerializeMessage(request);
  if (!bytes.ok()) return done(bytes.status());
  std::list<CallUnderWay>::iterator call;
  {
    const std::lock_guard lock(mu_);
    call = calls_.emplace(calls_.end());
    ++under_way_;
  }
  call->sent = *std::move(bytes);
  call->context.set_deadline(std::chrono::system_clock::now() + limit_);
  stub_->calls.UnaryCall(
      &call->context, path_, grpc::StubOptions(), &call->sent, &call->received,
      [this, call, reply, done = std::move(done)](const grpc::Status& status) {
        const absl::Status result =
            status.ok() ? ParseMessage(call->received, kLimitsOfAnswers, reply)
                        : FromGrpc(status);
        End(call);
        done(result);
      });
}

// The context holds the channel, which a thread of gRPC must not be the last to
// let go: so it goes while this object still has the channel.
void RemoteMethod::End(std::list<CallUnderWay>::iterator call) {
  std::list<CallUnderWay> ended;
  {
    const std::lock_guard lock(mu_);
    ended.splice(ended.end(), calls_, call);
  }
  ended.clear();
  const std::lock_guard lock(mu_);
  --under_way_;
  idle_.notify_all();
}

}  // namespace vernier
