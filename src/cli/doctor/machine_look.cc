#include "cli/doctor/machine_look.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/counted_noun.h"
#include "base/process_environment.h"
#include "base/small_file.h"
#include "base/unique_fd.h"
#include "base/whole_number.h"
#include "cluster/machine/gpu_condition.h"
#include "cluster/machine/gpu_inventory.h"
#include "cluster/machine/nvml_library.h"
#include "cluster/process/command_run.h"
#include "cluster/program_search.h"
#include "daemon/data_dir.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;
using Grade = Finding::Grade;

constexpr std::uint16_t kHttpPort = 8477;
constexpr std::chrono::seconds kCommandLimit{5};

// Returns the folder itself, or the nearest one above it that exists.
std::string ExistingFolder(const std::string& folder) {
  fs::path path = folder;
  std::error_code error;
  while (!fs::exists(path, error) && path.has_parent_path() &&
         path != path.parent_path()) {
    path = path.parent_path();
  }
  return path.string();
}

bool IsOnNetwork(const std::string& folder) {
  constexpr std::int64_t kNetworks[] = {
      0x6969 /* NFS */,        0xFF534D42 /* CIFS */, 0xFE534D42 /* SMB2 */,
      0x0BD00BD0 /* Lustre */, 0x47504653 /* GPFS */, 0x00C36400 /* Ceph */};
  struct statfs info;
  if (::statfs(folder.c_str(), &info) != 0) return false;
  const auto type =
      static_cast<std::int64_t>(static_cast<std::uint32_t>(info.f_type));
  return std::find(std::begin(kNetworks), std::end(kNetworks), type) !=
         std::end(kNetworks);
}

Finding LookAtDisk(const std::string& data_dir) {
  const std::string folder = ExistingFolder(data_dir);
  struct statvfs info;
  if (::statvfs(folder.c_str(), &info) != 0) {
    return {Grade::kFault, "disk", absl::StrCat("cannot look at ", folder), ""};
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    return {Grade::kFault, "disk",
            absl::StrCat("you may not write to ", folder),
            "name another data directory: VERNIER_HOME"};
  }
  return JudgeDisk(folder,
                   static_cast<std::int64_t>(info.f_bavail) *
                       static_cast<std::int64_t>(info.f_frsize),
                   static_cast<std::int64_t>(info.f_favail),
                   IsOnNetwork(folder));
}

Finding LookAtDescriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return JudgeDescriptors(static_cast<std::int64_t>(limit.rlim_cur),
                          static_cast<std::int64_t>(limit.rlim_max));
}

std::optional<std::int64_t> NumberInFile(const std::string& path) {
  std::string text = ReadSmallFile(path, 64).value_or("");
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return ParseWholeNumber(text);
}

Finding LookAtInotify() {
  return JudgeInotify(NumberInFile("/proc/sys/fs/inotify/max_user_watches"),
                      NumberInFile("/proc/sys/fs/inotify/max_user_instances"));
}

Finding LookAtClock() {
  timex state{};
  const int result = ::adjtimex(&state);
  return JudgeClock(result != TIME_ERROR && (state.status & STA_UNSYNC) == 0,
                    state.maxerror);
}

Finding LookAtPort() {
  const UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(kHttpPort);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address),
             sizeof(address)) == 0) {
    return {Grade::kGood, "HTTP port",
            absl::StrCat("127.0.0.1:", kHttpPort, " is free"), ""};
  }
  return {Grade::kNote, "HTTP port",
          absl::StrCat("127.0.0.1:", kHttpPort,
                       errno == EADDRINUSE ? " is in use" : " cannot be had"),
          "nothing if a service has it; else one takes another port: vernier "
          "info"};
}

Finding LookAtLibrary(const std::string& name, const std::string& purpose,
                      const std::string& package, Grade if_missing) {
  const std::unique_ptr<void, int (*)(void*)> library(
      ::dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL), &::dlclose);
  if (library != nullptr) {
    return {Grade::kGood, name, absl::StrCat("is here, ", purpose), ""};
  }
  return {if_missing, name, absl::StrCat("is missing, ", purpose),
          absl::StrCat("apt-get install ", package)};
}

Finding LookAtGpus() {
  const GpuSources sources = DefaultGpuSources();
  const auto devices = FindGpus("", sources);
  std::error_code error;
  if (!devices.ok() || devices->empty()) {
    if (fs::exists("/dev/nvidiactl", error)) {
      return {Grade::kFault, "GPUs",
              "there is NVIDIA's driver, and its library shows no GPU",
              "run nvidia-smi: the library and the driver must be of one "
              "version; and see CUDA_VISIBLE_DEVICES"};
    }
    return {Grade::kNote, "GPUs", "none", ""};
  }
  const auto nvml = NvmlLibrary::Load(sources.nvml_library);
  std::string sick;
  for (const Device& device : *devices) {
    if (!nvml.ok()) break;
    const GpuVerdict verdict = JudgeLeasedGpu((*nvml)->Examine(device.id));
    if (verdict.kind == GpuVerdict::Kind::kUsable) continue;
    absl::StrAppend(&sick, "; ", device.id, " ", verdict.reason);
  }
  const std::string found =
      absl::StrCat(Counted(static_cast<int>(devices->size()), "GPU"),
                   devices->front().model.empty() ? "" : ", such as ",
                   devices->front().model, sick);
  if (!sick.empty()) {
    return {Grade::kWarning, "GPUs", found, "vernier devices; nvidia-smi -q"};
  }
  if (!nvml.ok()) {
    return {Grade::kWarning, "GPUs", found,
            "make libnvidia-ml.so.1 be found (VERNIER_NVML_LIBRARY): without "
            "it no GPU can be looked at before it is handed over"};
  }
  return {Grade::kGood, "GPUs", found, ""};
}

std::optional<std::string> PathOf(const std::string& program) {
  const auto path = FindProgram(program, EnvironmentVariable("PATH"), "/");
  return path.ok() ? std::optional<std::string>(*path) : std::nullopt;
}

Finding LookAtContainers() {
  for (const std::string engine : {"podman", "docker"}) {
    if (const auto path = PathOf(engine)) {
      return {Grade::kGood, "containers", *path, ""};
    }
  }
  return {Grade::kNote, "containers", "neither podman nor docker",
          "only for jobs with an image: apt-get install podman"};
}

Finding LookAtSlurm() {
  std::vector<std::string> missing;
  for (const char* program : {"sbatch", "squeue", "scancel", "scontrol"}) {
    if (!PathOf(program).has_value()) missing.emplace_back(program);
  }
  if (missing.size() == 4) {
    return {Grade::kNote, "Slurm", "its commands are not here", ""};
  }
  if (!missing.empty()) {
    return {Grade::kWarning, "Slurm",
            absl::StrCat(absl::StrJoin(missing, ", "), " not found"),
            "apt-get install slurm-client"};
  }
  Command command;
  command.path = *PathOf("scontrol");
  command.argv = {"scontrol", "ping"};
  command.environment = ParseEnvironment(environ);
  command.time_limit = kCommandLimit;
  const absl::StatusOr<CommandEnd> end = RunCommand(command);
  if (end.ok() && end->is_success()) {
    return {Grade::kGood, "Slurm", LastLineOf(end->output), ""};
  }
  return {Grade::kWarning, "Slurm",
          end.ok() ? absl::StrCat("its controller does not answer: ",
                                  LastLineOf(end->output))
                   : std::string(end.status().message()),
          "only for serve --launcher slurm: see scontrol ping"};
}

Finding LookAtKubernetes() {
  if (!EnvironmentVariable("KUBERNETES_SERVICE_HOST").empty()) {
    return {Grade::kGood, "Kubernetes", "this is a pod of a cluster", ""};
  }
  std::string path = EnvironmentVariable("KUBECONFIG");
  if (path.empty()) path = EnvironmentVariable("HOME") + "/.kube/config";
  path = path.substr(0, path.find(':'));
  std::error_code error;
  if (fs::exists(path, error)) {
    return {Grade::kGood, "Kubernetes", path, ""};
  }
  return {Grade::kNote, "Kubernetes", "no configuration of a cluster", ""};
}

Finding LookAtPython() {
  if (const auto path = PathOf("python3")) {
    return {Grade::kGood, "Python", *path, ""};
  }
  return {Grade::kNote, "Python", "no python3 in PATH",
          "only for jobs with pythonModule: apt-get install python3"};
}

}  // namespace

std::vector<Finding> LookAtMachine(const std::string& data_dir) {
  std::vector<Finding> findings = {
      LookAtDisk(data_dir),
      JudgeSocketPath(DataDirAt(data_dir).SocketPath()),
      LookAtDescriptors(),
      LookAtInotify(),
      LookAtClock(),
      LookAtPort(),
      LookAtLibrary("libnlopt.so.0", "for the default algorithm", "libnlopt0",
                    Grade::kFault),
      LookAtLibrary("libcurl.so.4", "for Kubernetes, traces and webhooks",
                    "libcurl4", Grade::kNote),
      LookAtGpus(),
      LookAtContainers(),
      LookAtSlurm(),
      LookAtKubernetes(),
      LookAtPython(),
  };
  return findings;
}

}  // namespace vernier
