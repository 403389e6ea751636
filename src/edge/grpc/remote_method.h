#ifndef VERNIER_EDGE_GRPC_REMOTE_METHOD_H_
#define VERNIER_EDGE_GRPC_REMOTE_METHOD_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"

namespace google::protobuf {
class Message;
}  // namespace google::protobuf

namespace vernier {

/// A unary method of a gRPC service of another process, which is called in
/// plain text. Thread-safe.
class RemoteMethod {
 public:
  /// `address` is "HOST:PORT" and `path` "/package.Service/Method". Nothing is
  /// connected before the first call, and calls share the connection. Each call
  /// ends after `limit`.
  RemoteMethod(const std::string& address, std::string path,
               std::chrono::milliseconds limit);
  /// Waits for the calls under way. Not to be called by a `done`, since gRPC
  /// 1.51 cannot end its threads from one of them.
  ~RemoteMethod();
  RemoteMethod(const RemoteMethod&) = delete;
  RemoteMethod& operator=(const RemoteMethod&) = delete;

  /// Sends `request`; `done` is called once, by a thread of gRPC, when the
  /// answer is in `reply`, which must live until then. No thread waits
  /// meanwhile.
  ///
  /// Errors: the service's; UNAVAILABLE if it does not answer,
  /// DEADLINE_EXCEEDED; RESOURCE_EXHAUSTED for an answer beyond
  /// kMaxReceivedBytes or a million fields.
  void Call(const google::protobuf::Message& request,
            google::protobuf::Message* reply,
            std::function<void(absl::Status)> done);

 private:
  struct Stub;
  struct CallUnderWay;

  void End(std::list<CallUnderWay>::iterator call);

  const std::string path_;
  const std::chrono::milliseconds limit_;
  const std::unique_ptr<Stub> stub_;
  std::mutex mu_;  // std's, for the condition variable.
  std::condition_variable idle_;
  std::list<CallUnderWay> calls_;  // gRPC uses them without the lock.
  int under_way_ = 0;              // Calls whose objects are not yet gone.
};

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_REMOTE_METHOD_H_
