#ifndef VERNIER_EDGE_GRPC_HEALTH_METHODS_H_
#define VERNIER_EDGE_GRPC_HEALTH_METHODS_H_

#include <cstddef>
#include <list>

#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "edge/grpc/grpc_methods.h"

namespace vernier {

/// The standard health service (grpc.health.v1). It answers everybody, since
/// probes carry no token: Check, for the whole server ("") or one of its
/// services. Watch would let anybody keep a call open forever, so it gets
/// UNIMPLEMENTED, after which the protocol lets a client assume that the server
/// is healthy. Thread-safe.
class HealthMethods {
 public:
  /// At most `max_waiting` calls may wait for the rest of their message; one
  /// more ends the first of them.
  explicit HealthMethods(std::size_t max_waiting = 64)
      : max_waiting_(max_waiting) {}

  /// Adds the methods to `methods`; Check then knows the services in it. Both
  /// must outlive every call.
  void AddTo(GrpcMethods* methods);

  /// Makes Check answer NOT_SERVING from now on.
  void StopServing();

 private:
  class CheckCall;

  void Enter(CheckCall* call);
  /// Takes the call off the list. Returns whether it still waited; then the
  /// caller must finish it.
  bool Leave(CheckCall* call);
  absl::StatusOr<grpc::ByteBuffer> Answer(
      const grpc::ByteBuffer& request) const;

  const std::size_t max_waiting_;
  const GrpcMethods* methods_ = nullptr;  // Constant after AddTo.
  mutable Mutex mu_;
  bool is_serving_ VERNIER_GUARDED_BY(mu_) = true;
  std::list<CheckCall*> waiting_ VERNIER_GUARDED_BY(mu_);  // Oldest first.
};

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_HEALTH_METHODS_H_
