#include "daemon/katib_cluster.h"

#include <unistd.h>

#include <chrono>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/process_environment.h"
#include "base/status_macros.h"
#include "cluster/kubernetes/curl_api.h"
#include "cluster/kubernetes/katib_trial_status.h"
#include "cluster/kubernetes/kubernetes_access.h"
#include "edge/endpoint.h"
#include "edge/grpc/remote_method.h"

namespace vernier {
namespace {

// Katib's controller waits for an answer for a minute, and its own service as
// long for a trial's reports.
constexpr std::chrono::seconds kReadLimit{10};
constexpr std::chrono::seconds kMarkLimit{10};

absl::Status MarkByPod(const std::string& trial, const Clock& clock) {
  absl::StatusOr<KubernetesAccess> access =
      AccessOfPod(ParseEnvironment(environ));
  if (!access.ok()) {
    return absl::FailedPreconditionError(
        absl::StrCat("trial ", trial, " cannot be marked as stopped: ",
                     std::string(access.status().message())));
  }
  const std::string name_space = access->name_space;
  // A connection of its own, since trials are rarely stopped.
  VERNIER_ASSIGN_OR_RETURN(const std::unique_ptr<CurlApi> api,
                           CurlApi::Create(*std::move(access), kMarkLimit));
  return MarkKatibTrialStopped(*api, name_space, trial, clock.Now());
}

}  // namespace

absl::StatusOr<KatibCluster> MakeKatibCluster(const std::string& db_manager,
                                              const Clock& clock) {
  if (db_manager.empty()) return KatibCluster{};
  const auto endpoint = ParseEndpoint(db_manager);
  if (!endpoint.ok() || !endpoint->socket_path.empty() || endpoint->port == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("--katib-db-manager must be HOST:PORT: ", db_manager));
  }
  // Shared, because a std::function can be copied.
  auto method = std::make_shared<RemoteMethod>(
      endpoint->ToString(), "/api.v1.beta1.DBManager/GetObservationLog",
      kReadLimit);
  KatibCluster cluster;
  cluster.read_log = [method](const katib::GetObservationLogRequest& request,
                              katib::GetObservationLogReply* reply,
                              std::function<void(absl::Status)> done) {
    method->Call(request, reply, std::move(done));
  };
  cluster.mark_stopped = [&clock](const std::string& trial) {
    return MarkByPod(trial, clock);
  };
  return cluster;
}

}  // namespace vernier
