#include <sys/types.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "buckets/bucket_store.h"
#include "cli/background/background_service.h"
#include "cli/background/own_program.h"
#include "cli/background/service_guard.h"
#include "cli/background/service_unit.h"
#include "cli/command/exit_code.h"
#include "cli/command/verb.h"
#include "cli/display/duration_text.h"
#include "cli/text/console.h"
#include "cli/verbs/kubernetes_flags.h"
#include "cli/verbs/slurm_flags.h"
#include "cli/verbs/verbs.h"
#include "cluster/attempt/trial_resources.h"
#include "cluster/containers/container_engine.h"
#include "daemon/data_dir.h"
#include "daemon/service.h"

namespace vernier {
namespace {

struct ServeFlags {
  ServeOptions options;
  std::string idle_exit;
  std::string gang_patience;
  std::vector<std::string> buckets;
  std::vector<std::string> runtimes;
  std::vector<std::string> pythons;
  std::vector<std::string> machine_types;
  ClusterFlags cluster;
  KubernetesFlags kubernetes;
  std::string log_level = "info";
  std::string log_format = "logfmt";
  std::string log_calls = "failed";
  ObserverFlags observers;
  std::string on_exit = "detach";
  bool detach = false;
  bool print_unit = false;
  bool guard = false;
};

std::string WorkingDirectory() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::current_path(error);
  return error ? "/" : path.string();
}

absl::StatusOr<int> PrintUnit() {
  const std::string text =
      ServiceUnit(OwnProgram(), WithoutFlag(OwnWords(), "--print-unit", false),
                  WorkingDirectory());
  WriteData(stdout, text);
  return kExitDone;
}

absl::StatusOr<int> Detach(const std::string& data_dir) {
  // The folder must exist before the first line of the log.
  const DataDir found = DataDirAt(data_dir);
  VERNIER_RETURN_IF_ERROR(PrepareDataDir(found));
  const std::vector<std::string> words =
      WithoutFlag(OwnWords(), "--detach", false);
  VERNIER_ASSIGN_OR_RETURN(
      const pid_t process,
      StartInBackground({WithoutFlag(words, "--background", false),
                         WorkingDirectory(), found.LogDir() + "/stderr.log"}));
  PrintTo(stderr,
          "vernier: serving in the background (process %d, data in %s); "
          "to end it: kill %d\n",
          static_cast<int>(process), found.root.c_str(),
          static_cast<int>(process));
  return kExitDone;
}

int Guard(const ServeOptions& options) {
  std::vector<std::string> words =
      WithoutFlag(OwnWords(), "--ready-fd", /*has_value=*/true);
  return GuardService({WithoutFlag(words, "--guard", false),
                       DataDirAt(options.data_dir).root, options.ready_fd});
}

absl::StatusOr<int> RunService(Invocation&, const ServeFlags& flags) {
  ServeOptions options = flags.options;
  if (options.data_dir.empty()) {
    VERNIER_ASSIGN_OR_RETURN(options.data_dir, DefaultDataDir());
  }
  if (flags.print_unit) return PrintUnit();
  if (flags.detach) return Detach(options.data_dir);
  if (flags.guard) return Guard(options);
  if (!flags.gang_patience.empty()) {
    VERNIER_ASSIGN_OR_RETURN(options.gang_patience,
                             ParseDuration(flags.gang_patience));
  }
  if (!flags.idle_exit.empty()) {
    VERNIER_ASSIGN_OR_RETURN(options.idle_exit, ParseDuration(flags.idle_exit));
  }
  for (const std::string& text : flags.buckets) {
    VERNIER_ASSIGN_OR_RETURN(auto mapping, ParseBucketMapping(text));
    options.buckets.insert(std::move(mapping));
  }
  for (const std::string& text : flags.runtimes) {
    VERNIER_ASSIGN_OR_RETURN(auto entry, ParseInterpreter(text));
    options.interpreters.by_runtime.insert(std::move(entry));
  }
  for (const std::string& text : flags.pythons) {
    VERNIER_ASSIGN_OR_RETURN(auto entry, ParseInterpreter(text));
    options.interpreters.by_python.insert(std::move(entry));
  }
  for (const std::string& text : flags.machine_types) {
    VERNIER_ASSIGN_OR_RETURN(auto entry, ParseMachineType(text));
    options.machine_types.insert(std::move(entry));
  }
  VERNIER_RETURN_IF_ERROR(ApplyClusterFlags(flags.cluster, &options));
  VERNIER_RETURN_IF_ERROR(ApplyKubernetesFlags(flags.kubernetes, &options));
  options.preempts_on_exit = flags.on_exit == "preempt";
  VERNIER_ASSIGN_OR_RETURN(options.log_level, ParseLogLevel(flags.log_level));
  VERNIER_ASSIGN_OR_RETURN(options.log_format,
                           ParseLogFormat(flags.log_format));
  VERNIER_ASSIGN_OR_RETURN(options.logged_calls,
                           ParseLoggedCalls(flags.log_calls));
  VERNIER_ASSIGN_OR_RETURN(options.observers,
                           ReadObserverSettings(flags.observers));
  return Serve(options);
}

// Declares the flags about the addresses at which the service listens, and
// about access.
void DeclareAccess(CLI::App* verb, ServeFlags* flags) {
  verb->add_option("--listen", flags->options.listen,
                   "unix:PATH or HOST:PORT of this machine (default: a socket "
                   "in the data directory)");
  verb->add_option(
      "--http", flags->options.http,
      "HOST:PORT of the HTTP interface, or off (default: 127.0.0.1 "
      "and the port that it had last, at first 8477 or the next "
      "free one)");
  verb->add_option("--http-host-name", flags->options.http_host_names,
                   "A further name that clients call this machine by");
  verb->add_option("--tls-cert", flags->options.tls.certificate,
                   "PEM file of the certificate and its chain, for HTTP and "
                   "for gRPC on TCP");
  verb->add_option("--tls-key", flags->options.tls.key,
                   "PEM file of its private key");
  verb->add_option("--tls-client-ca", flags->options.tls.client_ca,
                   "PEM file: clients must show a certificate of it");
  verb->add_option("--optuna", flags->options.optuna,
                   "HOST:PORT[,engine][,open]: serve Optuna's GrpcStorageProxy "
                   "there, whoever connects; engine: its trials get points "
                   "of the default algorithm; open: other machines may connect")
      ->type_name("ADDRESS");
  verb->add_flag("--insecure-vizier-tcp", flags->options.insecure_vizier_tcp,
                 "With --listen HOST:PORT: let OSS Vizier's clients in by TCP, "
                 "whoever they are");
  verb->add_option("--katib", flags->options.katib,
                   "HOST:PORT where Katib's controller asks for points, "
                   "without TLS and tokens");
  verb->add_flag("--katib-from-anywhere", flags->options.katib_from_anywhere,
                 "Let other machines reach that address, too");
  verb->add_option("--katib-db-manager", flags->options.katib_db_manager,
                   "HOST:PORT of Katib's DB manager, for early stopping: "
                   "katib-db-manager.kubeflow:6789");
}

// Declares the flags about the resources that the service may use.
void DeclareMeans(CLI::App* verb, ServeFlags* flags) {
  verb->add_option("--gpus", flags->options.gpus,
                   "none, fake:N, fake:NxMG (M gigabytes each) or a list of "
                   "UUIDs (default: all there are)");
  verb->add_flag("--ignore-foreign-gpu-use",
                 flags->options.ignore_foreign_gpu_use,
                 "Lease a GPU also while programs that no trial started use "
                 "it");
  verb->add_option(
          "--gang-patience", flags->gang_patience,
          "How long a trial may wait for several GPUs while others take those "
          "that become free (default: 60s); then they are kept for it")
      ->type_name("DURATION");
  verb->add_option("--max-concurrent-replicas",
                   flags->options.max_concurrent_replicas,
                   "Replicas of all jobs that may run at once; 0: no limit "
                   "(default: 4 for each processor, and 16 at least; a larger "
                   "gang runs alone)")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--max-requests-per-second",
                   flags->options.max_requests_per_second,
                   "Calls that each token may make, twice as many after a "
                   "rest; 0: no limit (default 5000)")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--bucket", flags->buckets,
                   "NAME=PATH: serve the folder PATH as gs://NAME (may be "
                   "repeated)");
  verb->add_option("--runtime", flags->runtimes,
                   "VERSION=PATH: the Python for this runtimeVersion (may be "
                   "repeated)");
  verb->add_option("--python", flags->pythons,
                   "VERSION=PATH: the Python for this pythonVersion (may be "
                   "repeated; default: python3)");
  ContainerSettings& containers = flags->options.containers;
  verb->add_option("--container-engine", containers.engine,
                   "podman, docker or none: what runs replicas with an "
                   "imageUri (default: the first that works)")
      ->check(CLI::IsMember({"podman", "docker", "none"}));
  verb->add_option("--container-mount", containers.mounts,
                   "PATH, PATH:PATH or PATH:ro: a folder of this machine that "
                   "all containers see (may be repeated)");
  verb->add_flag("--container-limits", containers.limits_machines,
                 "Limit each container to the memory and the processors of its "
                 "machine type");
  verb->add_option("--machine-type", flags->machine_types,
                   "NAME=GPUS: a machine type of your own that jobs may name "
                   "(may be repeated)");
}

// Declares the flags about reports to other programs.
void DeclareObservers(CLI::App* verb, ServeFlags* flags) {
  ObserverFlags& observers = flags->observers;
  verb->add_option("--otlp-endpoint", observers.otlp_endpoint,
                   "URL of an OpenTelemetry collector, which gets traces of "
                   "calls and trials, e.g. http://127.0.0.1:4318")
      ->type_name("URL");
  verb->add_option("--webhook", observers.webhooks,
                   "URL, or @FILE that holds one: gets a POST when a job ends "
                   "(may be repeated)")
      ->type_name("URL");
  verb->add_option("--webhook-secret-file", observers.webhook_secret_file,
                   "FILE with the secret that signs these, whsec_ and base64")
      ->type_name("FILE");
  verb->add_option("--on-job-end", observers.on_job_end,
                   "Absolute path of a program that is run when a job ends")
      ->type_name("PROGRAM");
}

// Declares the flags about how long the service runs, and where.
void DeclareLife(CLI::App* verb, ServeFlags* flags) {
  verb->add_option("--idle-exit", flags->idle_exit,
                   "End after so long without work, e.g. 30m");
  verb->add_option("--on-exit", flags->on_exit,
                   "What becomes of running trials when the service ends: "
                   "detach (they go on; default) or preempt (they are ended, "
                   "and the next service starts them again)")
      ->check(CLI::IsMember({"detach", "preempt"}));
  verb->add_option("--log-level", flags->log_level,
                   "debug, info, warning or error");
  verb->add_option("--log-format", flags->log_format,
                   "logfmt (default), or json: one object for each line");
  verb->add_option("--log-calls", flags->log_calls,
                   "Which calls get a line in the log: none, failed (default) "
                   "or all");
  verb->add_flag("--background", flags->options.in_background,
                 "Log to DATA_DIR/logs/vernier.log");
  verb->add_flag("--detach", flags->detach,
                 "Serve in the background, start again if killed, and return "
                 "once it serves");
  verb->add_flag("--print-unit", flags->print_unit,
                 "Print a systemd user unit that serves with the other flags");
  verb->add_flag("--guard", flags->guard)->group("");
  verb->add_option("--ready-fd", flags->options.ready_fd)->group("");
}

}  // namespace

void DeclareServeVerb(CLI::App& app, Invocation& invocation) {
  const Verb<ServeFlags> verb(app, invocation, "serve", "Run the service");
  ServeFlags& flags = verb.words();
  verb->add_option("--data-dir", flags.options.data_dir,
                   "Where everything lies (default $VERNIER_HOME, else "
                   "~/.local/share/vernier)");
  DeclareAccess(&verb.app(), &flags);
  DeclareMeans(&verb.app(), &flags);
  DeclareClusterFlags(&verb.app(), &flags.cluster, &flags.options);
  DeclareKubernetesFlags(&verb.app(), &flags.kubernetes, &flags.options);
  DeclareObservers(&verb.app(), &flags);
  DeclareLife(&verb.app(), &flags);
  verb.Does(Flags::kNone, &RunService);
}

}  // namespace vernier
