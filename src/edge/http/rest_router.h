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

/// One call of the REST API, taken apart.
struct RestCall {
  const HttpRequest& http;
  /// What stood for the names in the pattern, decoded; never empty texts.
  std::map<std::string, std::string> variables;
  std::string body;  ///< JSON, or empty.
  Principal principal;
};

/// A JSON text, perhaps one that many calls share.
using RestAnswer = std::shared_ptr<const std::string>;
using RestHandler = std::function<absl::StatusOr<RestAnswer>(const RestCall&)>;

/// A method of an object as a handler; the object must outlive it.
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

/// One method of the REST API: how to call it, what it needs, what it does.
/// Everything that is told about the API (routing, authorisation, OpenAPI)
/// comes from here.
struct RestRoute {
  std::string id;      ///< "ml.projects.jobs.get"
  std::string method;  ///< "GET"
  /// "/v1/projects/{project}/jobs/{job}:cancel": a name in braces stands for
  /// one segment of the path.
  std::string pattern;
  v1::Permission permission = v1::PERMISSION_UNSPECIFIED;
  std::string summary;
  /// Messages whose JSON forms body and answer are; null: none, or any object.
  const google::protobuf::Descriptor* request = nullptr;
  const google::protobuf::Descriptor* response = nullptr;
  std::vector<RestParameter> parameters;
  RestHandler handle;
  /// Off for what is refused in any case: no part of the description.
  bool is_offered = true;
  /// The longest body that is taken, in bytes.
  std::uint64_t max_body = std::uint64_t{16} << 20;
};

/// Finds the route of a request. Immutable after the last Add; thread-safe.
class RestRouter {
 public:
  struct Match {
    const RestRoute* route = nullptr;  ///< Null: there is none.
    std::map<std::string, std::string> variables;
    /// The methods that this path would have; empty if it is unknown.
    std::vector<std::string> allowed;
  };

  void Add(RestRoute route);
  /// `path` is still percent-encoded; a segment is decoded once, by itself, so
  /// that an encoded slash is part of a name.
  Match Find(std::string_view method, std::string_view path) const;

  const std::vector<std::unique_ptr<const RestRoute>>& routes() const {
    return routes_;
  }

 private:
  std::vector<std::unique_ptr<const RestRoute>> routes_;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_REST_ROUTER_H_
