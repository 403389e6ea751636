#include "cluster/containers/container_environment.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace vernier {
namespace {

constexpr std::array kKept = {
    "OMP_NUM_THREADS", "MKL_NUM_THREADS", "PYTHONUNBUFFERED",   "TZ",
    "http_proxy",      "https_proxy",     "no_proxy",           "HTTP_PROXY",
    "HTTPS_PROXY",     "NO_PROXY",        "CLOUD_ML_PROJECT_ID"};
constexpr std::array kKeptPrefixes = {"NCCL_", "GLOO_"};

bool IsKept(const std::string& name) {
  return std::find(kKept.begin(), kKept.end(), name) != kKept.end() ||
         std::any_of(kKeptPrefixes.begin(), kKeptPrefixes.end(),
                     [&](std::string_view prefix) {
                       return name.rfind(prefix, 0) == 0;
                     });
}

}  // namespace

Environment ContainerEnvironment(const GangContext& context,
                                 std::size_t position) {
  GangContext own = context;
  std::erase_if(own.inherited,
                [](const auto& entry) { return !IsKept(entry.first); });
  own.package_environment.clear();  // The image does not have it.
  // The service's socket is not reachable either; HTTP is, since the container
  // uses the machine's network.
  if (own.grpc_endpoint.rfind("unix:", 0) == 0) own.grpc_endpoint.clear();
  Environment environment = ReplicaEnvironment(own, position);
  const bool is_given = context.spec->vernier.environment.count("PATH") > 0 ||
                        context.secrets.count("PATH") > 0;
  if (!is_given) environment.erase("PATH");
  return environment;
}

}  // namespace vernier
