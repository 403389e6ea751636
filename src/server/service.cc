#include "server/service.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "buckets/bucket_store.h"
#include "cluster/hypertune_metric_source.h"
#include "cluster/local_job_files.h"
#include "cluster/local_launcher.h"
#include "cluster/trial_resources.h"
#include "server/call_activity.h"
#include "server/call_pool.h"
#include "server/data_dir.h"
#include "server/endpoint.h"
#include "server/grpc_listener.h"
#include "server/job_grpc_service.h"
#include "server/job_handlers.h"
#include "server/orchestrator_loop.h"
#include "server/random_bits.h"
#include "server/stop_signal.h"
#include "server/stream_pump.h"
#include "server/version.h"
#include "store/exit_code.h"
#include "store/sqlite_store.h"
#include "study/clock.h"
#include "study/status_macros.h"
#include "trials/job_service.h"
#include "trials/orchestrator.h"

namespace vernier {
namespace {

// Models are fitted beside everything else, not instead of it.
Orchestrator::Options OrchestratorOptions() {
  Orchestrator::Options options;
  options.suggestion_threads = std::clamp(
      static_cast<int>(std::thread::hardware_concurrency()) - 1, 1, 8);
  return options;
}

constexpr int kCallThreads = 8;
constexpr std::chrono::milliseconds kPumpPeriod{200};
constexpr std::chrono::milliseconds kCheckPeriod{30000};
constexpr int kExitUsage = 2;
constexpr int kExitStart = 74;

/// A failure to start, and how the process then ends.
struct StartFailure {
  absl::Status status;
  int exit_code = 0;
};

void Tell(int fd, const std::string& text) {
  if (fd < 0) return;
  // Whoever waits for it may have gone away.
  [[maybe_unused]] const ssize_t written = write(fd, text.data(), text.size());
  close(fd);
}

/// All parts of one service, in the order in which they are made; they are
/// unmade in reverse. Not thread-safe: the main thread's.
class Service {
 public:
  explicit Service(const ServeOptions& options)
      : options_(options), data_dir_(DataDirAt(options.data_dir)) {}

  StartFailure Start();
  int RunUntilStopped();

 private:
  StartFailure OpenFiles();
  absl::Status OpenLauncher();
  void MakeParts();
  StartFailure Listen();
  bool HasOpenJobs() const;
  void Stop();
  void Log(LogLevel level, const std::string& message,
           const std::vector<LogField>& fields = {}) {
    log_->Write(level, message, fields);
  }

  const ServeOptions options_;
  const DataDir data_dir_;
  const SystemClock clock_;
  Endpoint endpoint_;
  StopSignal stop_;
  std::unique_ptr<ServerLog> log_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<HypertuneMetricSource> metrics_;
  std::unique_ptr<BucketStore> buckets_;
  std::unique_ptr<TrialResourceFinder> resources_;
  std::unique_ptr<LocalLauncher> launcher_;
  std::unique_ptr<LocalJobFiles> files_;
  std::unique_ptr<JobService> jobs_;
  std::unique_ptr<Orchestrator> orchestrator_;
  std::unique_ptr<OrchestratorLoop> loop_;
  std::unique_ptr<CallActivity> activity_;
  std::unique_ptr<CallPool> pool_;
  std::unique_ptr<StreamPump> pump_;
  std::unique_ptr<JobHandlers> handlers_;
  std::unique_ptr<JobGrpcService> grpc_service_;
  std::unique_ptr<GrpcListener> listener_;
};

StartFailure Service::OpenFiles() {
  const std::string listen = options_.listen.empty()
                                 ? "unix:" + data_dir_.SocketPath()
                                 : options_.listen;
  const auto endpoint = ParseEndpoint(listen);
  absl::Status status = endpoint.status();
  if (status.ok()) status = CheckLoopback(*endpoint);
  if (!status.ok()) return {status, kExitUsage};
  endpoint_ = *endpoint;

  status = PrepareDataDir(data_dir_);
  if (absl::IsFailedPrecondition(status)) return {status, kExitUsage};
  if (absl::IsPermissionDenied(status)) return {status, ExitCodeFor(status)};
  if (!status.ok()) return {status, kExitStart};

  const std::string file =
      options_.in_background ? data_dir_.LogDir() + "/vernier.log" : "";
  auto log = ServerLog::Open({options_.log_level, file});
  if (!log.ok()) return {log.status(), kExitStart};
  log_ = std::move(log).value();

  auto store = SqliteStore::Open(data_dir_.DatabasePath());
  if (!store.ok()) return {store.status(), ExitCodeFor(store.status())};
  store_ = std::move(store).value();
  return {};
}

absl::Status Service::OpenLauncher() {
  VERNIER_ASSIGN_OR_RETURN(
      buckets_,
      BucketStore::Open({data_dir_.BucketRoot(), options_.buckets, &RandomHex},
                        clock_));
  resources_ = std::make_unique<TrialResourceFinder>(
      *buckets_, TrialResourceFinder::Options{options_.interpreters, nullptr});
  LocalLauncherOptions options;
  options.resolve = [this](const LaunchRequest& request) {
    return resources_->Find(request);
  };
  options.gpus = options_.gpus;
  options.max_concurrent_replicas = options_.max_concurrent_replicas;
  VERNIER_ASSIGN_OR_RETURN(launcher_,
                           LocalLauncher::Create(std::move(options), clock_));
  metrics_ = std::make_unique<HypertuneMetricSource>(
      HypertuneMetricSource::Options{}, clock_);
  if (metrics_->wake_fd() < 0) return absl::OkStatus();
  return launcher_->AddWakeFd(metrics_->wake_fd());
}

void Service::MakeParts() {
  files_ = std::make_unique<LocalJobFiles>(LocalJobFiles::Options{
      data_dir_.CodeRoot(), data_dir_.RunRoot(),
      CodeSnapshotOptions{.excluded_dir = data_dir_.root}, &RandomHex});
  jobs_ = std::make_unique<JobService>(
      JobService::Dependencies{*store_, *files_, clock_,
                               [this] { launcher_->Wake(); }, &RandomSeed},
      JobService::Options{data_dir_.RunRoot()});
  orchestrator_ = std::make_unique<Orchestrator>(
      Orchestrator::Dependencies{
          *store_, *launcher_, *metrics_, clock_, &RandomHex,
          [this](const std::string& line) { Log(LogLevel::kInfo, line); }},
      OrchestratorOptions());
  loop_ = std::make_unique<OrchestratorLoop>(*orchestrator_, *launcher_,
                                             [this] { stop_.Trigger(); });
  activity_ = std::make_unique<CallActivity>(clock_);
  pool_ = std::make_unique<CallPool>(kCallThreads);
  pump_ = std::make_unique<StreamPump>(kPumpPeriod);
  handlers_ = std::make_unique<JobHandlers>(
      JobHandlers::Dependencies{*jobs_, *store_},
      JobHandlers::Options{data_dir_.root, launcher_->Devices(),
                           options_.interpreters});
  grpc_service_ = std::make_unique<JobGrpcService>(JobGrpcService::Dependencies{
      *handlers_, *store_, *pool_, *pump_, *activity_});
}

StartFailure Service::Listen() {
  auto listener = GrpcListener::Listen(&endpoint_, *grpc_service_);
  if (!listener.ok()) return {listener.status(), kExitStart};
  listener_ = std::move(listener).value();
  return {};
}

StartFailure Service::Start() {
  StartFailure failure = OpenFiles();
  if (!failure.status.ok()) return failure;
  absl::Status status = OpenLauncher();
  if (absl::IsInvalidArgument(status)) return {status, kExitUsage};
  if (!status.ok()) return {status, kExitStart};
  MakeParts();
  // Nobody is served before what ran under the last service was taken up.
  status = loop_->FirstStep();
  if (!status.ok()) return {status, ExitCodeFor(status)};
  failure = Listen();
  if (!failure.status.ok()) return failure;
  loop_->Start();
  Log(LogLevel::kInfo, "serving",
      {{"version", kVersion},
       {"endpoint", endpoint_.ToString()},
       {"data_dir", data_dir_.root},
       {"pid", absl::StrCat(getpid())},
       {"gpus", absl::StrCat(launcher_->Devices().size())}});
  return {};
}

bool Service::HasOpenJobs() const {
  const auto snapshot = store_->Snapshot();
  return std::any_of(snapshot->begin(), snapshot->end(), [](const auto& each) {
    return !IsTerminal(each.second->job.state);
  });
}

int Service::RunUntilStopped() {
  std::chrono::milliseconds period = kCheckPeriod;
  if (options_.idle_exit) {
    period = std::clamp<std::chrono::milliseconds>(
        *options_.idle_exit / 4, std::chrono::milliseconds(50), kCheckPeriod);
  }
  while (!stop_.WaitFor(period)) {
    if (!options_.idle_exit) continue;
    // The idle time begins when the last job has ended.
    if (HasOpenJobs()) activity_->Touch();
    if (activity_->IdleFor() >= *options_.idle_exit) break;
  }
  Stop();
  const absl::Status failure = loop_->status();
  if (failure.ok()) {
    Log(LogLevel::kInfo, "stopped; what runs goes on");
    return 0;
  }
  Log(LogLevel::kError, "the store failed",
      {{"error", std::string(failure.message())}});
  return ExitCodeFor(failure);
}

void Service::Stop() {
  Log(LogLevel::kInfo, "stopping");
  listener_->StopServing();
  // Streams end with UNAVAILABLE, so that clients know where to go on.
  pump_->Stop();
  listener_->Shutdown();
  loop_->Stop();
}

}  // namespace

int Serve(const ServeOptions& options) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  Service service(options);
  const StartFailure failure = service.Start();
  if (!failure.status.ok()) {
    const std::string message = std::string(failure.status.message());
    Tell(options.ready_fd, absl::StrCat(failure.exit_code, " ", message, "\n"));
    if (options.ready_fd < 0) {
      const std::string line = absl::StrCat("vernier: ", message, "\n");
      Tell(dup(STDERR_FILENO), line);
    }
    return failure.exit_code;
  }
  Tell(options.ready_fd, "ready\n");
  return service.RunUntilStopped();
}

}  // namespace vernier
