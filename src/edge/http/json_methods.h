#ifndef VERNIER_EDGE_HTTP_JSON_METHODS_H_
#define VERNIER_EDGE_HTTP_JSON_METHODS_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "access/principal.h"
#include "base/status_macros.h"

namespace google::protobuf {
class Descriptor;
class Message;
}  // namespace google::protobuf

namespace vernier {

/// Methods of gRPC services that are also called with their messages in
/// proto3's JSON form, by "package.Service/Method". Thread-safe once it is
/// filled.
class JsonMethods {
 public:
  using Call = std::function<absl::StatusOr<std::string>(
      const Principal& caller, std::string_view request)>;

  void Add(const std::string& path, Call call) {
    calls_[path] = std::move(call);
  }

  /// Checks that the caller may make the call, completes the names in the
  /// request as NameInFull does, and calls. The JSON's bounds must have been
  /// checked.
  ///
  /// Errors: NOT_FOUND for an unknown method; INVALID_ARGUMENT for JSON that
  /// does not fit the request; PERMISSION_DENIED; the method's own.
  absl::StatusOr<std::string> Run(const Principal& caller,
                                  const std::string& path,
                                  std::string_view request) const;

 private:
  std::map<std::string, Call> calls_;
};

/// The steps before a method: the permission, the parsing and the names.
absl::Status AdmitJsonCall(const Principal& caller, std::string_view json,
                           google::protobuf::Message* request);

/// Returns the answer of a method in JSON.
absl::StatusOr<std::string> PrintJsonAnswer(
    const google::protobuf::Message& response);

/// Adds the unary methods of a service, as GatedService does for gRPC.
template <typename Handlers>
class JsonService {
 public:
  /// Borrows both; `handlers` must outlive every call.
  JsonService(const std::string& service, Handlers& handlers,
              JsonMethods* methods)
      : prefix_(service + "/"), handlers_(handlers), methods_(*methods) {}

  // `Limits` are those of gRPC messages; the gateway bounds a JSON body.
  template <typename Request, typename Response, typename... Limits>
  JsonService& Unary(const std::string& method,
                     absl::Status (Handlers::*handler)(const Request&,
                                                       Response*),
                     const Limits&...) {
    methods_.Add(
        prefix_ + method,
        [&handlers = handlers_, handler](
            const Principal& caller,
            std::string_view json) -> absl::StatusOr<std::string> {
          Request request;
          VERNIER_RETURN_IF_ERROR(AdmitJsonCall(caller, json, &request));
          Response response;
          VERNIER_RETURN_IF_ERROR((handlers.*handler)(request, &response));
          return PrintJsonAnswer(response);
        });
    return *this;
  }

 private:
  const std::string prefix_;
  Handlers& handlers_;
  JsonMethods& methods_;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_JSON_METHODS_H_
