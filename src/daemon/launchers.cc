#include "daemon/launchers.h"

#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/process_environment.h"
#include "base/random_bits.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "cluster/kubernetes/curl_api.h"
#include "cluster/kubernetes/kubernetes_access.h"
#include "cluster/kubernetes/kubernetes_launcher.h"
#include "cluster/slurm/slurm_client.h"
#include "cluster/slurm/slurm_environment.h"
#include "cluster/slurm/slurm_launcher.h"

namespace vernier {
namespace {

constexpr std::size_t kInstanceDigits = 8;

// Returns this service's part of its jobs' names in an engine. It is the same
// forever: a copy of the data directory must not be used beside the original.
absl::StatusOr<std::string> InstanceIn(LauncherName engine,
                                       const DataDir& data_dir) {
  const std::string path = absl::StrCat(
      data_dir.root, "/", std::string(ToString(engine)), "-instance");
  const absl::StatusOr<std::string> text = ReadSmallFile(path, 64);
  if (text.ok() && text->size() == kInstanceDigits + 1) {
    return text->substr(0, kInstanceDigits);
  }
  if (!text.ok() && !absl::IsNotFound(text.status())) return text.status();
  const std::string instance = RandomHex().substr(0, kInstanceDigits);
  VERNIER_RETURN_IF_ERROR(
      ReplaceFile(path, instance + "\n", Durability::kSynced));
  return instance;
}

}  // namespace

Launchers::Launchers(Options options, const DataDir& data_dir,
                     const Clock& clock)
    : options_(std::move(options)), data_dir_(data_dir), clock_(clock) {}

absl::StatusOr<std::unique_ptr<Launchers>> Launchers::Open(
    Options options, const DataDir& data_dir, const Clock& clock) {
  std::unique_ptr<Launchers> launchers(
      new Launchers(std::move(options), data_dir, clock));
  Launchers* const self = launchers.get();
  VERNIER_ASSIGN_OR_RETURN(
      launchers->local_,
      LocalLauncher::Create(launchers->options_.local, clock));
  launchers->all_ = std::make_unique<DispatchingLauncher>(
      *launchers->local_,
      std::map<LauncherName, DispatchingLauncher::Factory>{
          {LauncherName::kSlurm, [self] { return self->MakeSlurm(); }},
          {LauncherName::kKubernetes,
           [self] { return self->MakeKubernetes(); }}});
  VERNIER_RETURN_IF_ERROR(
      launchers->all_->Prepare(launchers->options_.launcher));
  return launchers;
}

absl::StatusOr<std::unique_ptr<Launcher>> Launchers::MakeSlurm() {
  SlurmLauncherOptions options;
  options.settings = options_.slurm;
  if (options.settings.program.empty()) {
    std::error_code error;
    options.settings.program =
        std::filesystem::read_symlink("/proc/self/exe", error).string();
  }
  VERNIER_ASSIGN_OR_RETURN(options.instance,
                           InstanceIn(LauncherName::kSlurm, data_dir_));
  options.resolve = options_.local.resolve;
  options.log_cap_bytes = options_.local.log_cap_bytes;
  options.on_change = [this] { local_->Wake(); };
  options.log = options_.log;
  const auto make_client = [limit = options.settings.command_limit] {
    return std::make_unique<SlurmCommands>(SlurmEnvironment(environ), limit);
  };
  auto client = make_client();
  const absl::Status installed = client->CheckInstalled();
  if (!installed.ok()) {
    return absl::Status(installed.code(),
                        absl::StrCat("Slurm cannot be used: ",
                                     std::string(installed.message())));
  }
  options.probe = {data_dir_.root, options_.advertise_url, make_client()};
  return MakeSlurmLauncher(std::move(options), std::move(client), clock_);
}

absl::StatusOr<std::unique_ptr<Launcher>> Launchers::MakeKubernetes() {
  KubernetesLauncherOptions options;
  options.settings = options_.kubernetes;
  options.settings.data_dir = data_dir_.root;
  VERNIER_ASSIGN_OR_RETURN(options.instance,
                           InstanceIn(LauncherName::kKubernetes, data_dir_));
  options.resolve = options_.local.resolve;
  options.log_cap_bytes = options_.local.log_cap_bytes;
  options.on_change = [this] { local_->Wake(); };
  options.log = options_.log;
  const auto unusable = [](const absl::Status& status) {
    return absl::Status(status.code(),
                        absl::StrCat("Kubernetes cannot be used: ",
                                     std::string(status.message())));
  };
  absl::StatusOr<KubernetesAccess> access =
      FindKubernetesAccess(options.settings.config, options.settings.context,
                           ParseEnvironment(environ));
  if (!access.ok()) return unusable(access.status());
  options.name_space = options.settings.defaults.name_space;
  if (options.name_space.empty()) options.name_space = access->name_space;
  if (options.name_space.empty()) options.name_space = "default";
  auto api =
      CurlApi::Create(*std::move(access), options.settings.request_limit);
  if (!api.ok()) return unusable(api.status());
  return MakeKubernetesLauncher(std::move(options), *std::move(api), clock_);
}

}  // namespace vernier
