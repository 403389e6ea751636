#include "daemon/service.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <vernier/v1/job_service.grpc.pb.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "access/attempt_tokens.h"
#include "access/authenticator.h"
#include "access/principal.h"
#include "access/rate_limiter.h"
#include "access/sign_in_codes.h"
#include "access/token_text.h"
#include "base/clock.h"
#include "base/random_bits.h"
#include "base/status_macros.h"
#include "base/thread_pool.h"
#include "base/version.h"
#include "buckets/bucket_name.h"
#include "buckets/bucket_store.h"
#include "client/client_connection.h"
#include "cluster/attempt/trial_resources.h"
#include "cluster/code/local_job_files.h"
#include "cluster/metrics/trial_metric_source.h"
#include "cluster/trial_environment.h"
#include "daemon/attempt_addresses.h"
#include "daemon/data_dir.h"
#include "daemon/databases.h"
#include "daemon/disk_space.h"
#include "daemon/grpc_addresses.h"
#include "daemon/grpc_frontend.h"
#include "daemon/http_frontend.h"
#include "daemon/katib_cluster.h"
#include "daemon/katib_frontend.h"
#include "daemon/launchers.h"
#include "daemon/observers.h"
#include "daemon/open_work.h"
#include "daemon/optuna_frontend.h"
#include "daemon/orchestrator_loop.h"
#include "daemon/spare_memory.h"
#include "daemon/stop_signal.h"
#include "edge/call_activity.h"
#include "edge/endpoint.h"
#include "edge/http/json_methods.h"
#include "edge/load_limiter.h"
#include "store/access/quota_store.h"
#include "store/access/token_store.h"
#include "store/exit_code.h"
#include "study/job_spec.h"
#include "suggest/gp/nlopt_library.h"
#include "trials/budgets/replica_budget.h"
#include "trials/engine/study_engines.h"
#include "trials/jobs/hindrances.h"
#include "trials/jobs/job_versions.h"
#include "trials/jobs/orchestrator.h"
#include "trials/study_service.h"
#include "trials/submission/job_service.h"
#include "trials/submission/submitted_secrets.h"
#include "trials/suggestion_service.h"

namespace vernier {
namespace {

// The order of the start (Service::Start) avoids that a call meets a half-made
// service. The data directory's lock and databases come first. HTTP listens
// early, because attempts that start need its address, but answers 503 until
// the attempts of the last service have been adopted by the orchestrator's
// first step. The end is the reverse: calls end before the parts that answer
// them.

// Returns the number of threads that fit models; it leaves some cores to
// everything else.
int FitterThreads() {
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(processors - 1, 1, 8);
}

Orchestrator::Options OrchestratorOptions(const ServeOptions& serve) {
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  Orchestrator::Options options;
  options.max_concurrent_replicas = serve.max_concurrent_replicas.value_or(
      DefaultMaxConcurrentReplicas(processors));
  options.gang_patience = serve.gang_patience;
  return options;
}

// Most gRPC calls wait for the disk, and those that wait together are synced
// together. The owner, who calls by the socket, may have a half.
constexpr int kCallThreads = 128;
constexpr int kCallThreadsOfOne = 16;
// The limit on bodies and answers in memory, over HTTP and gRPC. Half of it is
// enough for a list of some 80,000 trials, which one call may request.
constexpr std::uint64_t kMostBytesOfCalls = std::uint64_t{512} << 20;
constexpr int kPatternThreads = 4;
constexpr std::chrono::milliseconds kCheckPeriod{30000};
constexpr std::chrono::hours kSweepPeriod{1};
// docs/operations.md lists the exit codes; scripts rely on them.
constexpr int kExitUsage = 2;
constexpr int kExitStart = 74;

/// A failure to start, and the exit code of the process.
struct StartFailure {
  absl::Status status;
  int exit_code = 0;
};

// Of a part that is made from the options, which may be at fault themselves.
StartFailure FailureOf(absl::Status status) {
  const int exit_code =
      absl::IsInvalidArgument(status) ? kExitUsage : kExitStart;
  return {std::move(status), exit_code};
}

void Tell(int fd, const std::string& text) {
  if (fd < 0) return;
  // The process that waits for the message may have ended.
  [[maybe_unused]] const ssize_t written = write(fd, text.data(), text.size());
  close(fd);
}

ObserverCounts CountsOf(const Observers& observers) {
  ObserverCounts counts;
  if (const auto spans = observers.spans()) {
    counts.spans = ObserverCounts::Spans{spans->exported, spans->dropped};
  }
  for (const Observers::NoticeCounts& one : observers.notices()) {
    counts.notices.push_back({one.kind, one.pending, one.counts.delivered,
                              one.counts.failed, one.counts.given_up});
  }
  return counts;
}

/// All parts of one service, in the order in which they are made; they are
/// destroyed in reverse. Not thread-safe: the main thread owns it.
class Service {
 public:
  explicit Service(const ServeOptions& options)
      : options_(options), data_dir_(DataDirAt(options.data_dir)) {}

  StartFailure Start();
  int RunUntilStopped();

 private:
  StartFailure OpenFiles();
  StartFailure OpenStores();
  void TellOf(const LogNote& note);
  void CheckModelLibrary();
  void CallEnded(const CallRecord& call);
  absl::Status OpenObservers();
  absl::Status OpenLaunchers();
  std::string OutputFolderOf(const LiveAttempt& attempt,
                             const JobSpec& spec) const;
  ServiceAddresses AddressesOf(const LaunchRequest& request) const;
  void MakeParts();
  absl::Status ListenHttp();
  void MakeGrpc();
  void MakeStudyParts();
  StartFailure Listen();
  absl::Status ListenForKatib();
  void TellOfOffence(const absl::Status& why);
  void TellThatItServes();
  void SweepBuckets();
  void Stop();
  void Log(LogLevel level, const std::string& message,
           const std::vector<LogField>& fields = {}) {
    log_->Write(level, message, fields);
  }
  // Takes the lines of a part.
  std::function<void(const std::string&)> LineLog() {
    return [this](const std::string& line) { Log(LogLevel::kInfo, line); };
  }

  const ServeOptions options_;
  const DataDir data_dir_;
  const SystemClock clock_;
  GrpcAddresses addresses_;
  Endpoint katib_address_;  // If options_.katib is given.
  KatibCluster katib_cluster_;
  StopSignal stop_;
  std::unique_ptr<ServerLog> log_;
  std::unique_ptr<CallLog> call_log_;
  std::vector<std::string> notes_;  // What the start found, for users.
  bool has_lost_records_ = false;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Observers> observers_;
  std::unique_ptr<QuotaStore> quotas_;
  Hindrances hindrances_{[this] { return DiskTrouble(data_dir_.root); }};
  std::unique_ptr<TrialMetricSource> metrics_;
  std::unique_ptr<BucketStore> buckets_;
  std::optional<SteadyTime> swept_at_;
  std::unique_ptr<TrialResourceFinder> resources_;
  std::unique_ptr<Launchers> launchers_;
  std::unique_ptr<LocalJobFiles> files_;
  std::unique_ptr<JobService> jobs_;
  // These serve jobs and studies that clients run.
  std::unique_ptr<StudyEngines> engines_;
  std::unique_ptr<ThreadPool> fitters_;
  std::unique_ptr<Orchestrator> orchestrator_;
  std::unique_ptr<OrchestratorLoop> loop_;
  std::unique_ptr<CallActivity> activity_;
  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<TokenStore> tokens_;
  std::unique_ptr<RateLimiter> limiter_;
  std::unique_ptr<LoadLimiter> load_;
  std::unique_ptr<Authenticator> authenticator_;
  std::unique_ptr<AttemptTokens> attempts_;
  SignInCodes sign_in_codes_{clock_, [] { return RandomHex() + RandomHex(); }};
  std::string session_cookie_;
  JsonMethods json_methods_;
  std::unique_ptr<HttpFrontend> http_;
  std::string http_url_;
  std::unique_ptr<SuggestionService> suggestions_;
  std::unique_ptr<StudyService> studies_;
  std::unique_ptr<GrpcFrontend> grpc_;
  std::unique_ptr<KatibFrontend> katib_;  // Null: it is not served.
  std::optional<OptunaAddress> optuna_address_;
  std::unique_ptr<OptunaFrontend> optuna_;  // Null: it is not wanted.
};

StartFailure Service::OpenFiles() {
  auto addresses = FindGrpcAddresses(options_.listen, options_.tls, data_dir_);
  if (!addresses.ok()) return {addresses.status(), kExitUsage};
  addresses_ = *std::move(addresses);
  if (options_.katib.empty() && !options_.katib_db_manager.empty()) {
    return {absl::InvalidArgumentError(
                "--katib-db-manager needs --katib HOST:PORT"),
            kExitUsage};
  }
  if (!options_.katib.empty()) {
    auto katib =
        FindKatibAddress(options_.katib, options_.katib_from_anywhere
                                             ? KatibCallers::kAnywhere
                                             : KatibCallers::kThisMachine);
    if (!katib.ok()) return {katib.status(), kExitUsage};
    katib_address_ = *std::move(katib);
    auto cluster = MakeKatibCluster(options_.katib_db_manager, clock_);
    if (!cluster.ok()) return {cluster.status(), kExitUsage};
    katib_cluster_ = *std::move(cluster);
  }
  if (!options_.optuna.empty()) {
    auto optuna = ReadOptunaAddress(options_.optuna);
    if (!optuna.ok()) return {optuna.status(), kExitUsage};
    optuna_address_ = *std::move(optuna);
  }

  const absl::Status status = PrepareDataDir(data_dir_);
  if (absl::IsFailedPrecondition(status)) return {status, kExitUsage};
  if (absl::IsPermissionDenied(status)) return {status, ExitCodeFor(status)};
  if (!status.ok()) return {status, kExitStart};

  const std::string file =
      options_.in_background ? data_dir_.LogDir() + "/vernier.log" : "";
  auto log = ServerLog::Open({options_.log_level, options_.log_format, file});
  if (!log.ok()) return {log.status(), kExitStart};
  log_ = std::move(log).value();
  call_log_ = std::make_unique<CallLog>(*log_, clock_, options_.logged_calls);

  return OpenStores();
}

// Reports a loss. A log that a power failure cut short is normal; the loss of
// acknowledged records is not.
void Service::TellOf(const LogNote& note) {
  Log(note.is_loss ? LogLevel::kError : LogLevel::kWarning, note.text);
  if (!note.is_loss) return;
  notes_.push_back(note.text);
  has_lost_records_ = true;
}

// Warns if the library for models is missing. Otherwise a user would learn it
// from a search that finds nothing.
void Service::CheckModelLibrary() {
  const absl::Status missing = NloptLibrary::Open().status();
  if (missing.ok()) return;
  notes_.push_back(absl::StrCat(
      "the default algorithm had no models, so that its points are random: ",
      std::string(missing.message())));
  Log(LogLevel::kWarning, notes_.back());
}

// Records a call. This runs on the call's thread, so nothing here may wait.
void Service::CallEnded(const CallRecord& call) {
  call_log_->Ended(call);
  observers_->CallEnded(call);
}

// The command at the end of a job is a program that may call the service.
absl::Status Service::OpenObservers() {
  ObserverSettings settings = options_.observers;
  settings.program_environment["VERNIER_ENDPOINT"] =
      addresses_.endpoint.ToString();
  VERNIER_ASSIGN_OR_RETURN(
      observers_,
      Observers::Open(settings, data_dir_.NoticeDir(), *store_, clock_, *log_));
  return absl::OkStatus();
}

StartFailure Service::OpenStores() {
  auto opened =
      OpenDatabases(data_dir_, [this](const LogNote& note) { TellOf(note); });
  if (!opened.ok()) return {opened.status(), ExitCodeFor(opened.status())};
  store_ = std::move(opened->store);
  tokens_ = std::move(opened->tokens);
  quotas_ = std::move(opened->quotas);
  // Services on one host share its cookies, whatever their ports, so each uses
  // a cookie name of its own.
  constexpr std::size_t kCookieDigits = 8;
  session_cookie_ =
      "vernier_" +
      KeyedHash(opened->secret, "session cookie").substr(0, kCookieDigits);
  attempts_ = std::make_unique<AttemptTokens>(*store_, opened->secret);
  return {};
}

absl::Status Service::OpenLaunchers() {
  VERNIER_ASSIGN_OR_RETURN(
      buckets_,
      BucketStore::Open({data_dir_.BucketRoot(), options_.buckets, &RandomHex,
                         [this](const std::string& project) {
                           const ProjectQuota quota = quotas_->Of(project);
                           return BucketQuota{quota.max_bucket_bytes,
                                              quota.max_bucket_objects};
                         }},
                        clock_));
  resources_ = std::make_unique<TrialResourceFinder>(
      *buckets_,
      TrialResourceFinder::Options{options_.interpreters,
                                   [this](const LaunchRequest& request) {
                                     return AddressesOf(request);
                                   }});
  Launchers::Options options;
  options.local.resolve = [this](const LaunchRequest& request) {
    return resources_->Find(request);
  };
  options.local.gpus = options_.gpus;
  options.local.gpu_policy.ignores_others = options_.ignore_foreign_gpu_use;
  options.local.containers = options_.containers;
  options.local.containers.state_dir = data_dir_.ContainerRoot();
  options.slurm = options_.slurm;
  options.kubernetes = options_.kubernetes;
  options.advertise_url = options_.advertise_url;
  options.launcher = options_.launcher;
  options.log = LineLog();
  VERNIER_ASSIGN_OR_RETURN(
      launchers_, Launchers::Open(std::move(options), data_dir_, clock_));
  TrialMetricSource::Options metrics;
  metrics.output_folder = [this](const LiveAttempt& attempt,
                                 const JobSpec& spec) {
    return OutputFolderOf(attempt, spec);
  };
  metrics.pattern_threads = kPatternThreads;
  metrics_ = std::make_unique<TrialMetricSource>(std::move(metrics), clock_);
  for (const int fd : metrics_->wake_fds()) {
    VERNIER_RETURN_IF_ERROR(launchers_->local().AddWakeFd(fd));
  }
  return absl::OkStatus();
}

// Returns where an attempt's programs write on this machine; empty if nowhere.
std::string Service::OutputFolderOf(const LiveAttempt& attempt,
                                    const JobSpec& spec) const {
  const std::string folder = TrialJobDir(spec, attempt.attempt.trial);
  if (!IsBucketUri(folder)) return folder;
  const absl::StatusOr<std::string> path = buckets_->LocalPath(
      folder, BucketUser::Of(attempt.project), BucketRight::kRead);
  return path.ok() ? *path : "";
}

ServiceAddresses Service::AddressesOf(const LaunchRequest& request) const {
  ServiceAddresses addresses = AddressesFor(
      *request.spec, {addresses_.endpoint, http_url_, options_.advertise_url},
      attempts_->For(request.attempt, request.nonce));
  addresses.trace_parent = observers_->TraceParentFor(request);
  return addresses;
}

void Service::MakeParts() {
  files_ = std::make_unique<LocalJobFiles>(
      *buckets_,
      LocalJobFiles::Options{
          data_dir_.CodeRoot(), data_dir_.RunRoot(), data_dir_.SecretRoot(),
          CodeSnapshotOptions{.excluded_dir = data_dir_.root}, &RandomHex,
          // The packages have been checked to belong to the job's project.
          [this](const std::string& uri) {
            return buckets_->LocalPath(uri, BucketUser::Administrator(),
                                       BucketRight::kRead);
          }});
  // A database that has lost records does not know any more which files are in
  // use.
  if (!has_lost_records_) {
    files_->SweepCode(CodeInUse(*store_->Snapshot()));
    files_->SweepSecrets(SecretsInUse(*store_->Snapshot()));
  }
  jobs_ = std::make_unique<JobService>(
      JobService::Dependencies{*store_, *files_, clock_,
                               [this] { launchers_->all().Wake(); },
                               &RandomSeed, quotas_.get()},
      JobService::Options{data_dir_.RunRoot(), options_.machine_types,
                          options_.launcher});
  engines_ = std::make_unique<StudyEngines>(*store_, LineLog());
  fitters_ = std::make_unique<ThreadPool>(FitterThreads());
  Orchestrator::Options orchestration = OrchestratorOptions(options_);
  orchestration.fitters = fitters_.get();
  orchestrator_ = std::make_unique<Orchestrator>(
      Orchestrator::Dependencies{*store_, launchers_->all(), *metrics_,
                                 *engines_, clock_, &RandomHex, LineLog(),
                                 quotas_.get(), &hindrances_},
      orchestration);
  loop_ = std::make_unique<OrchestratorLoop>(*orchestrator_, launchers_->all(),
                                             [this] { stop_.Trigger(); });
  activity_ = std::make_unique<CallActivity>(
      clock_, [this](const CallRecord& call) { CallEnded(call); });
  pool_ = std::make_unique<ThreadPool>(
      ThreadShares{kCallThreads, kCallThreadsOfOne, SocketPrincipal().name});
  LoadLimiter::Options load;
  load.max_bytes = kMostBytesOfCalls;
  load.on_relief = [this] { pool_->Run(&ReturnSpareMemory); };
  load_ = std::make_unique<LoadLimiter>(std::move(load));
  authenticator_ = std::make_unique<Authenticator>(*tokens_, clock_);
  RateLimiter::Options limits;
  limits.requests_per_second = options_.max_requests_per_second;
  limiter_ = std::make_unique<RateLimiter>(limits, clock_);
  MakeStudyParts();
}

absl::Status Service::ListenHttp() {
  if (options_.http == "off") return absl::OkStatus();
  http_ = std::make_unique<HttpFrontend>(
      HttpFrontend::Dependencies{
          *jobs_, *studies_, *store_, clock_, *authenticator_, *attempts_,
          *buckets_, *activity_, *limiter_, *load_, hindrances_, *tokens_,
          sign_in_codes_, json_methods_, data_dir_.root,
          launchers_->all().Devices(),
          [this] { return launchers_->local().GpuTroubles(); },
          [this] { return CountsOf(*observers_); }},
      HttpFrontend::Options{options_.http, ReadHttpPort(data_dir_),
                            options_.http_host_names, options_.tls,
                            session_cookie_});
  VERNIER_RETURN_IF_ERROR(http_->Listen());
  http_url_ = http_->url();
  if (!http_->moved().empty()) {
    notes_.push_back(http_->moved());
    Log(LogLevel::kWarning, http_->moved());
  }
  const absl::Status kept = WriteHttpPort(data_dir_, http_->port());
  if (!kept.ok()) {
    Log(LogLevel::kWarning, "the next start may be at another port",
        {{"why", std::string(kept.message())}});
  }
  return absl::OkStatus();
}

void Service::MakeGrpc() {
  GrpcFrontend::Options options;
  options.jobs = {data_dir_.root,
                  launchers_->all().Devices(),
                  options_.interpreters,
                  http_url_,
                  notes_,
                  OrchestratorOptions(options_).max_concurrent_replicas,
                  [this] { return files_->CopiesUnderWay(); },
                  [this] { return launchers_->local().GpuTroubles(); }};
  if (options_.insecure_vizier_tcp) {
    options.vizier_over_tcp = VizierOverTcp::kInsecure;
  }
  options.tls = options_.tls;
  grpc_ = std::make_unique<GrpcFrontend>(
      GrpcFrontend::Dependencies{
          *jobs_, *studies_, *store_, *authenticator_, *attempts_, *tokens_,
          clock_, *quotas_, *buckets_, hindrances_, *engines_, *limiter_,
          *load_, *pool_, *activity_, sign_in_codes_,
          [this] { launchers_->all().Wake(); }, LineLog()},
      std::move(options));
  if (!optuna_address_.has_value()) return;
  optuna_ = std::make_unique<OptunaFrontend>(
      OptunaFrontend::Dependencies{*store_, *studies_, *engines_, clock_,
                                   *quotas_, *load_, *pool_, *activity_,
                                   &RandomSeed, LineLog()},
      *optuna_address_);
}

void Service::MakeStudyParts() {
  suggestions_ =
      std::make_unique<SuggestionService>(SuggestionService::Dependencies{
          *store_, *engines_, clock_,
          [this](std::function<void()> work) { pool_->Run(std::move(work)); },
          LineLog(), fitters_.get()});
  studies_ = std::make_unique<StudyService>(StudyService::Dependencies{
      *store_, clock_, *engines_, *suggestions_, &RandomSeed, quotas_.get()});
}

void Service::TellOfOffence(const absl::Status& why) {
  Log(LogLevel::kWarning, "a connection was cut off",
      {{"why", std::string(why.message())}});
}

absl::Status Service::ListenForKatib() {
  if (options_.katib.empty()) return absl::OkStatus();
  katib_ = std::make_unique<KatibFrontend>(KatibFrontend::Dependencies{
      *pool_, *fitters_, *activity_, *load_, katib_cluster_});
  VERNIER_RETURN_IF_ERROR(katib_->Listen(
      katib_address_, [this](const absl::Status& why) { TellOfOffence(why); }));
  Log(LogLevel::kInfo, "serving Katib's controller",
      {{"katib", katib_->address()}});
  return absl::OkStatus();
}

StartFailure Service::Listen() {
  absl::Status listening =
      grpc_->Listen(addresses_.All(),
                    [this](const absl::Status& why) { TellOfOffence(why); });
  if (listening.ok()) listening = ListenForKatib();
  if (listening.ok() && optuna_ != nullptr) {
    listening = optuna_->Listen(
        [this](const absl::Status& why) { TellOfOffence(why); });
  }
  if (!listening.ok()) return FailureOf(listening);
  if (!addresses_.endpoint.socket_path.empty()) return {};
  // This asks the actual listener, so that its faults are found, too.
  const ClientConnection anonymous(addresses_.endpoint, ClientCredentials{});
  if (anonymous.Call(&v1::JobService::Stub::GetServiceInfo, {}).ok()) {
    return {absl::InternalError("a call without a token was answered at " +
                                addresses_.endpoint.ToString()),
            kExitStart};
  }
  return {};
}

// This runs beside everything else, because there may be many buckets.
void Service::SweepBuckets() {
  const SteadyTime now = clock_.Steady();
  if (swept_at_ && now - *swept_at_ < kSweepPeriod) return;
  swept_at_ = now;
  pool_->Run([this] { buckets_->Sweep(); });
}

StartFailure Service::Start() {
  StartFailure failure = OpenFiles();
  if (!failure.status.ok()) return failure;
  absl::Status status = OpenObservers();
  if (status.ok()) status = OpenLaunchers();
  if (!status.ok()) return FailureOf(status);
  CheckModelLibrary();
  MakeParts();
  // Attempts that start now need the address; calls are answered once all is
  // ready.
  status = ListenHttp();
  if (!status.ok()) return FailureOf(status);
  // No call is served before the attempts of the last service were adopted.
  status = loop_->FirstStep();
  if (!status.ok()) return {status, ExitCodeFor(status)};
  MakeGrpc();
  grpc_->AddJsonMethods(&json_methods_);
  if (http_ != nullptr) http_->Open();
  failure = Listen();
  if (!failure.status.ok()) return failure;
  observers_->Start();
  loop_->Start();
  SweepBuckets();
  TellThatItServes();
  return {};
}

void Service::TellThatItServes() {
  if (options_.insecure_vizier_tcp && addresses_.endpoint.socket_path.empty()) {
    Log(LogLevel::kWarning,
        "INSECURE: whoever connects by TCP may read and change all studies");
  }
  if (optuna_ != nullptr) {
    const OptunaAddress& optuna = optuna_->address();
    if (optuna.is_open) {
      Log(LogLevel::kWarning,
          "INSECURE: whoever reaches the address for Optuna may read and "
          "change its studies");
    }
    Log(LogLevel::kInfo, "serving Optuna's clients",
        {{"endpoint", optuna.endpoint.ToString()},
         {"points", optuna.has_engine ? "of the engine" : "of the clients"}});
  }
  Log(LogLevel::kInfo, "serving",
      {{"version", kVersion},
       {"endpoint", addresses_.endpoint.ToString()},
       {"http", http_url_.empty() ? "off" : http_url_},
       {"data_dir", data_dir_.root},
       {"pid", absl::StrCat(getpid())},
       {"gpus", absl::StrCat(launchers_->all().Devices().size())}});
  if (!http_url_.empty()) {
    Log(LogLevel::kInfo, "the dashboard is at /ui",
        {{"open", absl::StrCat("vernier ui --data-dir ", data_dir_.root)}});
  }
}

int Service::RunUntilStopped() {
  std::chrono::milliseconds period = kCheckPeriod;
  if (options_.idle_exit) {
    period = std::clamp<std::chrono::milliseconds>(
        *options_.idle_exit / 4, std::chrono::milliseconds(50), kCheckPeriod);
  }
  while (!stop_.WaitFor(period)) {
    SweepBuckets();
    if (!options_.idle_exit) continue;
    // The idle time begins when the last job has ended.
    if (HasOpenJobs(*store_->Snapshot())) activity_->Touch();
    if (activity_->IdleFor() >= *options_.idle_exit) break;
  }
  Stop();
  const absl::Status failure = loop_->status();
  if (failure.ok()) {
    Log(LogLevel::kInfo, HasLiveAttempts(*store_->Snapshot())
                             ? "stopped; what runs goes on"
                             : "stopped; no trial runs");
    return 0;
  }
  Log(LogLevel::kError, "the store failed",
      {{"error", std::string(failure.message())}});
  return ExitCodeFor(failure);
}

void Service::Stop() {
  Log(LogLevel::kInfo, "stopping");
  // Programs that save a checkpoint may need the buckets, and report.
  if (options_.preempts_on_exit) {
    loop_->DrainAndStop(LongestGrace(*store_->Snapshot()));
  }
  // Calls end before the parts that answer them: the loop and the observers are
  // stopped last.
  grpc_->StopServing();
  if (katib_ != nullptr) katib_->StopServing();
  if (optuna_ != nullptr) optuna_->StopServing();
  if (http_ != nullptr) http_->Stop();
  // This answers the calls that wait for points, for which Shutdown would wait.
  suggestions_->Stop();
  if (katib_ != nullptr) katib_->Shutdown();
  grpc_->Shutdown();
  if (optuna_ != nullptr) optuna_->Shutdown();
  loop_->Stop();
  observers_->Stop();
}

}  // namespace

int Serve(const ServeOptions& options) {
  // Neither a client that goes away while it is answered nor the end of the
  // terminal may end the service.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  // Programs of trials run as the same user, and must not read the keys, tokens
  // and variables in this process. This also prevents core files.
  prctl(PR_SET_DUMPABLE, 0);
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
