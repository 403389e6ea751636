#ifndef VERNIER_EDGE_HTTP_REST_ROUTER_H_
#define VERNIER_EDGE_HTTP_REST_ROUTER_H_

#include <vernier/v1/permission.pb.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "access/principal.h"
#include "http/http_message.h"

namespace google::protobuf {
class Descriptor;
}

namespace vernier {

/// One call of the REST API, split into its parts.
struct RestCall {
  const HttpRequest& http;
  /// The values of the names in the pattern, decoded; never empty.
  std::map<std::string, std::string> variables;
  std::string body;  ///< JSON, or empty.
  Principal principal;
};

/// A JSON text, which many calls may share.
using RestAnswer = std::shared_ptr<const std::string>;
using RestHandler = std::function<absl::StatusOr<RestAnswer>(const RestCall&)>;

/// Makes a handler of a method of an object; the object must outlive it.
template <typename Api>
RestHandler Bind(Api* api,
                 absl::StatusOr<RestAnswer> (Api::*method)(const RestCall&)) {
  return [api, method](const RestCall& call) { return (api->*method)(call); };
}

/// A query parameter, for the description of the API.
struct RestParameter {
  std::string name;
  std::string type = "string";  ///< "string", "integer" or "boolean".
  bool is_required = false;
};

/// One method of the REST API: its path, its permission and its handler.
/// Routing, authorisation and the OpenAPI description are all made from it.
struct RestRoute {
  std::string id;      ///< "ml.projects.jobs.get"
  std::string method;  ///< "GET"
  /// "/v1/projects/{project}/jobs/{job}:cancel": a name in braces stands for
  /// one segment of the path.
  std::string pattern;
  v1::Permission permission = v1::PERMISSION_UNSPECIFIED;
  std::string summary;
  /// Types of the messages whose JSON forms are the body and the answer; null:
  /// none, or any object.
  const google::protobuf::Descriptor* request = nullptr;
  const google::protobuf::Descriptor* response = nullptr;
  std::vector<RestParameter> parameters;
  RestHandler handle;
  /// False for a method that is always refused, which the description leaves
  /// out.
  bool is_offered = true;
  /// The longest body that is accepted, in bytes.
  std::uint64_t max_body = std::uint64_t{16} << 20;
};

/// A route in a table of those that begin alike.
struct RestRow {
  std::string id;    ///< "get": the end of the route's id.
  std::string call;  ///< "GET /jobs/{job}": the method and the pattern's end.
  v1::Permission permission;
  std::string summary;
  const google::protobuf::Descriptor* request;
  const google::protobuf::Descriptor* response;
  RestHandler handle;
  std::vector<RestParameter> parameters = {};
};

/// Finds the route of a request. Immutable after the last Add; thread-safe.
class RestRouter {
 public:
  struct Match {
    const RestRoute* route = nullptr;  ///< Null: there is none.
    std::map<std::string, std::string> variables;
    /// The methods that this path has; empty if the path is unknown.
    std::vector<std::string> allowed;
  };

  void Add(RestRoute route);
  /// Adds a route for each row, whose id and pattern begin with `id` and
  /// `path`.
  void AddRows(const std::string& id, const std::string& path,
               const std::vector<RestRow>& rows);
  /// `path` is still percent-encoded. Each segment is decoded by itself, once,
  /// so that an encoded slash is part of a name.
  Match Find(std::string_view method, std::string_view path) const;

  const std::vector<std::unique_ptr<const RestRoute>>& routes() const {
    return routes_;
  }

 private:
  std::vector<std::unique_ptr<const RestRoute>> routes_;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_REST_ROUTER_H_
