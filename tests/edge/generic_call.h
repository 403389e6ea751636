#ifndef VERNIER_TESTS_EDGE_GENERIC_CALL_H_
#define VERNIER_TESTS_EDGE_GENERIC_CALL_H_

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

namespace vernier {

struct GenericAnswer {
  grpc::Status status;
  grpc::ByteBuffer message;
};

/// Makes the call that `method` names ("/package.Service/Method"), with a
/// request in bytes, and waits for its end. With a streaming method it is only
/// the beginning of the stream.
inline GenericAnswer CallGeneric(const std::shared_ptr<grpc::Channel>& channel,
                                 grpc::ClientContext& context,
                                 const std::string& method,
                                 const std::string& request = "") {
  grpc::GenericStub stub(channel);
  grpc::CompletionQueue queue;
  const grpc::Slice slice(request);
  const auto call = stub.PrepareUnaryCall(&context, method,
                                          grpc::ByteBuffer(&slice, 1), &queue);
  call->StartCall();
  GenericAnswer answer;
  call->Finish(&answer.message, &answer.status, nullptr);
  void* tag = nullptr;
  bool ok = false;
  queue.Next(&tag, &ok);
  return answer;
}

}  // namespace vernier

#endif  // VERNIER_TESTS_EDGE_GENERIC_CALL_H_
