#include "daemon/http_frontend.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "access/bucket_caller.h"
#include "base/status_macros.h"
#include "cluster/process/client_presence.h"
#include "daemon/open_api.h"
#include "edge/http_port.h"
#include "faces/dashboard/page_files.h"
#include "faces/ml/ml_absent_api.h"
#include "faces/storage/storage_route.h"

namespace vernier {
namespace {

// Calls wait for the disk. This many of one caller are enough to fill its group
// commits, and several callers who read much leave threads for others.
constexpr int kThreads = 24;
constexpr int kThreadsOfOne = 8;
constexpr char kDefaultHost[] = "127.0.0.1:0";

absl::Status CheckEndpoint(const Endpoint& endpoint, bool has_tls) {
  if (!endpoint.socket_path.empty()) {
    return absl::InvalidArgumentError(
        "http: must be HOST:PORT or off, not a unix socket");
  }
  if (has_tls || CheckLoopback(endpoint).ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "http: refused, because tokens would cross the network in the clear: ",
      endpoint.ToString(),
      "; give --tls-cert and --tls-key, or use 127.0.0.1:PORT or [::1]:PORT "
      "and an ssh tunnel"));
}

HttpGateway::Options FrontOptions(const HttpFrontend::Options& options) {
  HttpGateway::Options front;
  front.host_names = options.host_names;
  front.scheme = options.tls.certificate.empty() ? "http" : "https";
  front.session_cookie = options.session_cookie;
  return front;
}

}  // namespace

HttpFrontend::HttpFrontend(const Dependencies& dependencies, Options options)
    : options_(std::move(options)),
      front_(HttpGateway::Dependencies{dependencies.authenticator,
                                       dependencies.attempts,
                                       dependencies.activity,
                                       dependencies.limiter, dependencies.load},
             FrontOptions(options_)),
      ml_jobs_(MlJobsApi::Dependencies{dependencies.jobs, dependencies.store,
                                       dependencies.hindrances,
                                       dependencies.clock}),
      ml_studies_(MlStudiesApi::Dependencies{
          dependencies.studies, dependencies.store, dependencies.clock}),
      logging_(dependencies.store, dependencies.clock),
      reports_(dependencies.store, dependencies.clock),
      storage_(dependencies.buckets),
      sign_in_({dependencies.authenticator, dependencies.tokens,
                dependencies.sign_in_codes, dependencies.clock},
               {options_.session_cookie, !options_.tls.certificate.empty()}),
      dashboard_({dependencies.jobs, dependencies.store, dependencies.buckets,
                  dependencies.hindrances, dependencies.methods,
                  dependencies.clock, dependencies.data_dir,
                  &PresenceOnThisMachine}),
      metrics_({dependencies.store, dependencies.activity, dependencies.devices,
                dependencies.device_troubles, dependencies.data_dir,
                dependencies.observers}),
      pool_(ThreadShares{kThreads, kThreadsOfOne}) {
  ml_jobs_.AddRoutes(&front_.router());
  ml_studies_.AddRoutes(&front_.router());
  AddAbsentMlRoutes(&front_.router());
  logging_.AddRoutes(&front_.router());
  reports_.AddRoutes(&front_.router());
  AddDescriptionRoute(&front_.router());
  front_.AddMount(
      &IsStoragePath, v1::READ_OBJECTS, v1::WRITE_OBJECTS,
      [this](const HttpRequest& request, const Principal& caller,
             const std::string& base_url) {
        return storage_.Begin(request, BucketUserOf(caller), base_url);
      },
      "storage");
  front_.AddOpenMount(&IsPagePath, &ServePage);
  front_.AddOpenMount(&SignIn::Takes, [this](const HttpRequest& request) {
    return sign_in_.Begin(request);
  });
  // Calls that change something need more than READ; they check that
  // themselves.
  front_.AddMount(
      &DashboardApi::Takes, v1::READ, v1::READ,
      [this](const HttpRequest& request, const Principal& caller,
             const std::string& /*base_url*/) {
        return dashboard_.Begin(request, caller);
      },
      "dashboard");
  front_.AddMount(
      &MetricsPage::Takes, v1::READ, v1::READ,
      [this](const HttpRequest& request, const Principal& caller,
             const std::string& /*base_url*/) {
        return metrics_.Begin(request, caller);
      },
      "/metrics");
}

HttpFrontend::~HttpFrontend() { Stop(); }

absl::StatusOr<std::unique_ptr<HttpServer>> HttpFrontend::Start(
    const Endpoint& endpoint) {
  HttpServerOptions options;
  options.host = endpoint.host;
  options.port = endpoint.port;
  if (!options_.tls.certificate.empty()) {
    options.tls = std::make_unique<const TlsFiles>(options_.tls);
  }
  return HttpServer::Start(
      std::move(options), front_,
      [this](const std::string& caller, std::function<void()> call) {
        pool_.Run(caller, std::move(call));
      });
}

absl::Status HttpFrontend::Listen() {
  const bool is_default = options_.listen.empty();
  VERNIER_ASSIGN_OR_RETURN(
      Endpoint endpoint,
      ParseEndpoint(is_default ? kDefaultHost : options_.listen));
  const bool has_tls = !options_.tls.certificate.empty();
  VERNIER_RETURN_IF_ERROR(CheckEndpoint(endpoint, has_tls));
  const std::vector<int> ports =
      PortsToTry(is_default ? std::nullopt : std::optional<int>(endpoint.port),
                 options_.last_port);
  absl::StatusOr<std::unique_ptr<HttpServer>> server;
  for (const int port : ports) {
    endpoint.port = port;
    server = Start(endpoint);
    // Another service has the port.
    if (!absl::IsUnavailable(server.status())) break;
  }
  VERNIER_ASSIGN_OR_RETURN(server_, std::move(server));
  endpoint.port = server_->port();
  if (ports.size() > 1) moved_ = MovedNote(options_.last_port, endpoint.port);
  port_ = endpoint.port;
  url_ = absl::StrCat(has_tls ? "https://" : "http://", endpoint.ToString());
  return absl::OkStatus();
}

void HttpFrontend::Stop() {
  if (server_ != nullptr) server_->Stop();
}

}  // namespace vernier
