#ifndef VERNIER_EDGE_GRPC_GRPC_METHODS_H_
#define VERNIER_EDGE_GRPC_GRPC_METHODS_H_

#include <grpcpp/generic/async_generic_service.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "absl/status/status.h"

namespace vernier {

/// The methods of a gRPC server by their paths ("/package.Service/Method").
///
/// gRPC's generated services get a call only after its message was read and
/// parsed, whoever sent it, and 8 MiB may become a gigabyte. This table is
/// asked at the headers of a call, before anything else of it is read.
/// Thread-safe once it is filled.
class GrpcMethods {
 public:
  using Context = grpc::GenericCallbackServerContext;
  using Reactor = grpc::ServerGenericBidiReactor;
  /// Examines the headers, and returns the reactor that serves the call, or a
  /// refusal (see Refuse). Any thread; must not wait. gRPC owns the result.
  using BeginCall = std::function<Reactor*(Context*)>;

  /// Adds a method; each path may be added only once.
  void Add(const std::string& path, BeginCall begin);

  /// Returns the reactor that serves the call, even if there is no such method.
  Reactor* Begin(Context* context) const;

  /// Adds another name by which probes ask for the health of a service.
  void AddServiceName(const std::string& service) { names_.insert(service); }

  /// Returns whether any method belongs to this service ("package.Service"), or
  /// it was added by AddServiceName.
  bool HasService(const std::string& service) const;

 private:
  std::map<std::string, BeginCall, std::less<>> methods_;
  std::set<std::string> names_;  // Of services, besides those of the methods.
};

/// Returns a call that ends with `status` before its message is read.
GrpcMethods::Reactor* Refuse(const absl::Status& status);

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_GRPC_METHODS_H_
