#include "faces/ml/ml_absent_api.h"

#include <string>

namespace vernier {
namespace {

struct AbsentMethod {
  const char* id;
  const char* method;
  const char* path;  // Below /v1/projects/{project}.
};

constexpr AbsentMethod kAbsent[] = {
    {"explain", "POST", ":explain"},
    {"predict", "POST", ":predict"},
    {"models.create", "POST", "/models"},
    {"models.list", "GET", "/models"},
    {"models.get", "GET", "/models/{model}"},
    {"models.patch", "PATCH", "/models/{model}"},
    {"models.delete", "DELETE", "/models/{model}"},
    {"models.getIamPolicy", "GET", "/models/{model}:getIamPolicy"},
    {"models.setIamPolicy", "POST", "/models/{model}:setIamPolicy"},
    {"models.testIamPermissions", "POST", "/models/{model}:testIamPermissions"},
    {"models.versions.create", "POST", "/models/{model}/versions"},
    {"models.versions.list", "GET", "/models/{model}/versions"},
    {"models.versions.get", "GET", "/models/{model}/versions/{version}"},
    {"models.versions.patch", "PATCH", "/models/{model}/versions/{version}"},
    {"models.versions.delete", "DELETE", "/models/{model}/versions/{version}"},
    {"models.versions.setDefault", "POST",
     "/models/{model}/versions/{version}:setDefault"},
    // These are operations of models: those of studies have a location in their
    // path.
    {"operations.list", "GET", "/operations"},
    {"operations.get", "GET", "/operations/{operation}"},
    {"operations.cancel", "POST", "/operations/{operation}:cancel"},
};

}  // namespace

void AddAbsentMlRoutes(RestRouter* router) {
  for (const AbsentMethod& absent : kAbsent) {
    RestRoute route;
    route.id = std::string("ml.projects.") + absent.id;
    route.method = absent.method;
    route.pattern = std::string("/v1/projects/{project}") + absent.path;
    route.permission =
        std::string(absent.method) == "GET" ? v1::READ : v1::WRITE;
    route.is_offered = false;
    route.handle = [id = route.id](const RestCall&) {
      return absl::StatusOr<RestAnswer>(absl::UnimplementedError(
          id +
          " is not offered: this service trains and tunes, it keeps and "
          "serves no models"));
    };
    router->Add(std::move(route));
  }
}

}  // namespace vernier
