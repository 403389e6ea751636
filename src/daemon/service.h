#ifndef VERNIER_DAEMON_SERVICE_H_
#define VERNIER_DAEMON_SERVICE_H_

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "access/rate_limiter.h"
#include "cluster/attempt/trial_resources.h"
#include "cluster/containers/container_engine.h"
#include "cluster/kubernetes/kubernetes_settings.h"
#include "cluster/slurm/slurm_settings.h"
#include "daemon/call_log.h"
#include "daemon/observer_settings.h"
#include "daemon/server_log.h"
#include "http/http_server.h"
#include "study/engines/launcher_name.h"
#include "trials/submission/job_machines.h"

namespace vernier {

struct ServeOptions {
  std::string data_dir;  ///< Not empty.
  std::string listen;    ///< "unix:PATH" or "HOST:PORT"; empty: in data_dir.
  /// "HOST:PORT" for HTTP, or "off". If empty, 127.0.0.1:8477, or another port
  /// if that one is taken.
  std::string http;
  /// More names by which clients may call the HTTP interface.
  std::vector<std::string> http_host_names;
  /// The files for HTTP, and for gRPC on TCP. Empty if there is no TLS.
  TlsFiles tls;
  std::string gpus;  ///< As LocalLauncherOptions::gpus.
  /// See GpuPolicy::ignores_others.
  bool ignore_foreign_gpu_use = false;
  /// See Orchestrator::Options::gang_patience.
  std::chrono::milliseconds gang_patience{60000};
  /// The number of replicas of all jobs that may run at once; 0: no limit; >=
  /// 0. Unset: DefaultMaxConcurrentReplicas.
  std::optional<int> max_concurrent_replicas;
  /// The limit for each token; > 0, or 0: no limit.
  double max_requests_per_second = RateLimiter::Options().requests_per_second;
  /// Folders that serve as buckets, by bucket name; see
  /// BucketStoreOptions::mapped.
  std::map<std::string, std::string> buckets;
  InterpreterTable interpreters;
  /// The settings for replicas with an image; the service sets its state_dir.
  ContainerSettings containers;
  /// The launcher of jobs that name none.
  LauncherName launcher = LauncherName::kLocal;
  /// If `program` is empty, this process's own program is used.
  SlurmSettings slurm;
  KubernetesSettings kubernetes;  ///< Its data_dir is set by the service.
  /// The address by which programs on other machines reach the HTTP interface:
  /// "http://..." without a slash at its end. Empty if they do not reach it.
  std::string advertise_url;
  MachineTypeTable machine_types;  ///< That jobs may name, too.
  /// The service ends after this time without a call and without an open job.
  std::optional<std::chrono::seconds> idle_exit;
  /// If true, running trials are ended when the service ends, and started again
  /// by the next one. Otherwise they continue.
  bool preempts_on_exit = false;
  LogLevel log_level = LogLevel::kInfo;
  LogFormat log_format = LogFormat::kLogfmt;
  LoggedCalls logged_calls = LoggedCalls::kFailed;
  ObserverSettings observers;
  /// Where Optuna's clients are served: as ReadOptunaAddress reads it; empty if
  /// nowhere.
  std::string optuna;
  /// Also serve vizier.VizierService, which has no authentication, by TCP.
  bool insecure_vizier_tcp = false;
  /// "HOST:PORT" for Katib's controller; empty: it is not served.
  std::string katib;
  bool katib_from_anywhere = false;  ///< Other machines may call it.
  /// "HOST:PORT" of Katib's DB manager; empty: no early stopping for Katib.
  std::string katib_db_manager;
  bool in_background = false;  ///< Log to a file; no terminal.
  /// A pipe on which "ready\n" or the error is written; -1 if there is none.
  int ready_fd = -1;
};

/// Runs the service until SIGTERM, SIGINT, idleness or a failure of the store.
/// Attempts continue, and the next service adopts them. Returns the exit code
/// of the process: 0, 2 for invalid options, or one of store/exit_code.h. Call
/// once, from the main thread.
int Serve(const ServeOptions& options);

}  // namespace vernier

#endif  // VERNIER_DAEMON_SERVICE_H_
