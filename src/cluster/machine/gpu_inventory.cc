#include "cluster/machine/gpu_inventory.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/process_environment.h"
#include "base/unique_fd.h"
#include "cluster/machine/nvml_library.h"

namespace vernier {
namespace {

constexpr int kMaxFakeGpus = 1024;
constexpr int kMaxFakeGigabytes = 4096;

std::string Trim(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<std::string> SplitList(const std::string& text) {
  std::vector<std::string> items;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) {
    items.push_back(Trim(item));
  }
  return items;
}

// Reads `fd` to its end. Returns false if that takes longer than `timeout` or
// fails.
bool ReadUntil(int fd, std::chrono::milliseconds timeout, std::string& text) {
  const SystemClock clock;
  const SteadyTime deadline = clock.Steady() + timeout;
  char buffer[4096];
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - clock.Steady());
    if (left.count() <= 0) return false;
    pollfd poll_fd{fd, POLLIN, 0};
    if (::poll(&poll_fd, 1, static_cast<int>(left.count())) <= 0) continue;
    const ssize_t n = ::read(fd, buffer, sizeof(buffer));
    if (n == 0) return true;
    if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
    if (n < 0 && errno != EINTR) return false;
  }
}

// The timeout is needed because nvidia-smi hangs if a driver does.
std::vector<Device> QuerySmi(const GpuSources& sources) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, write_end.get(), 1);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::string query = "--query-gpu=uuid,name,memory.total";
  std::string format = "--format=csv,noheader,nounits";
  std::string program = sources.smi_program;
  char* argv[] = {program.data(), query.data(), format.data(), nullptr};
  pid_t pid = 0;
  const int error =
      ::posix_spawnp(&pid, program.c_str(), &actions, nullptr, argv, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {};
  write_end.Reset();
  std::string output;
  const bool finished = ReadUntil(read_end.get(), sources.smi_timeout, output);
  if (!finished) ::kill(pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!finished || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return {};
  return ParseSmiOutput(output);
}

std::vector<Device> AskLibrary(const GpuSources& sources) {
  if (sources.nvml_library.empty()) return {};
  const absl::StatusOr<std::unique_ptr<NvmlLibrary>> nvml =
      NvmlLibrary::Load(sources.nvml_library);
  return nvml.ok() ? (*nvml)->List() : std::vector<Device>();
}

std::vector<Device> LookForGpus(const GpuSources& sources) {
  std::vector<Device> devices = AskLibrary(sources);
  if (devices.empty() && !sources.smi_program.empty()) {
    devices = QuerySmi(sources);
  }
  if (!sources.visible_devices) return devices;
  return VisibleDevices(devices, *sources.visible_devices);
}

absl::StatusOr<std::vector<Device>> FakeGpus(const std::string& text) {
  const std::size_t by = text.find('x');
  int count = 0;
  int gigabytes = 0;
  const bool has_memory =
      by != std::string::npos && text.back() == 'G' &&
      absl::SimpleAtoi(text.substr(by + 1, text.size() - by - 2), &gigabytes) &&
      gigabytes > 0 && gigabytes <= kMaxFakeGigabytes;
  if (!absl::SimpleAtoi(text.substr(0, by), &count) || count < 0 ||
      count > kMaxFakeGpus || (by != std::string::npos && !has_memory)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--gpus=fake:N, or fake:NxMG with M gigabytes of memory "
        "each, needs 0 <= N <= ",
        kMaxFakeGpus, " and 1 <= M <= ", kMaxFakeGigabytes, ": fake:", text));
  }
  std::vector<Device> devices;
  devices.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    devices.push_back(
        {absl::StrCat("GPU-fake-", i), "fake", std::int64_t{gigabytes} << 30});
  }
  return devices;
}

}  // namespace

GpuSources DefaultGpuSources() {
  GpuSources sources;
  const std::string library = EnvironmentVariable("VERNIER_NVML_LIBRARY");
  if (!library.empty()) sources.nvml_library = library;
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
    sources.visible_devices = visible;
  }
  return sources;
}

absl::StatusOr<std::vector<Device>> FindGpus(const std::string& setting,
                                             const GpuSources& sources) {
  constexpr char kFake[] = "fake:";
  if (setting.empty()) return LookForGpus(sources);
  if (setting == "none") return std::vector<Device>();
  if (setting.rfind(kFake, 0) == 0) {
    return FakeGpus(setting.substr(sizeof(kFake) - 1));
  }
  std::vector<Device> devices;
  for (const std::string& id : SplitList(setting)) {
    const bool is_known =
        std::any_of(devices.begin(), devices.end(),
                    [&](const Device& device) { return device.id == id; });
    if ((id.rfind("GPU-", 0) != 0 && id.rfind("MIG-", 0) != 0) || is_known) {
      return absl::InvalidArgumentError(
          "--gpus must be \"none\", \"fake:N\" or distinct UUIDs such as "
          "GPU-0a1b2c3d...: " +
          setting);
    }
    devices.push_back({id, "", 0});
  }
  // Whatever the library knows of them, such as their memory, is added.
  for (const Device& found : AskLibrary(sources)) {
    for (Device& device : devices) {
      if (device.id == found.id) device = found;
    }
  }
  return devices;
}

std::vector<Device> ParseSmiOutput(const std::string& output) {
  constexpr std::int64_t kMebibyte = 1 << 20;
  std::vector<Device> devices;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> fields = SplitList(line);
    if (fields.size() < 3 || fields[0].rfind("GPU-", 0) != 0) continue;
    std::int64_t mebibytes = 0;  // "[N/A]" on some machines.
    if (!absl::SimpleAtoi(fields[2], &mebibytes)) mebibytes = 0;
    devices.push_back({fields[0], fields[1], mebibytes * kMebibyte});
  }
  return devices;
}

std::vector<Device> VisibleDevices(const std::vector<Device>& devices,
                                   const std::string& visible) {
  std::vector<Device> kept;
  for (const std::string& item : SplitList(visible)) {
    int index = -1;
    if (!absl::SimpleAtoi(item, &index)) {
      const auto found = std::find_if(
          devices.begin(), devices.end(), [&](const Device& device) {
            return !item.empty() && device.id.rfind(item, 0) == 0;
          });
      index = found != devices.end() ? static_cast<int>(found - devices.begin())
                                     : -1;
    }
    if (index < 0 || index >= static_cast<int>(devices.size())) break;
    kept.push_back(devices[static_cast<std::size_t>(index)]);
  }
  return kept;
}

}  // namespace vernier
