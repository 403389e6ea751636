#include "cluster/machine/nvml_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <utility>

#include "absl/strings/str_cat.h"

namespace vernier {

// Declares the part of nvml.h that is needed; its ABI is stable. The types are
// not in the unnamed namespace, because gcc 14 crashes when a class that has
// members of such types (as the one below) is compiled in a unity build.
using NvmlDevice = void*;
struct NvmlMemory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};
struct NvmlMemoryV2 {
  unsigned version;
  unsigned long long total;
  unsigned long long reserved;
  unsigned long long free;
  unsigned long long used;  // Without `reserved`.
};
struct NvmlProcess {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance;
  unsigned compute_instance;
};

namespace {

constexpr int kNvmlSuccess = 0;
constexpr int kNvmlInsufficientSize = 7;
constexpr unsigned kMigEnabled = 1;
constexpr int kUncorrectedErrors = 1;
constexpr int kSinceDriverLoad = 0;
constexpr int kByNvlink = 2;
constexpr unsigned kMemoryV2 = sizeof(NvmlMemoryV2) | (2u << 24);
// Sizes of buffers in nvml.h (NVML_DEVICE_UUID_V2_BUFFER_SIZE and
// NVML_DEVICE_NAME_V2_BUFFER_SIZE).
constexpr unsigned kTextBytes = 96;
constexpr unsigned kMostProcesses = 128;

using NoArguments = int (*)();
using ErrorText = const char* (*)(int);
using GetNumber = int (*)(unsigned*);
using GetByIndex = int (*)(unsigned, NvmlDevice*);
using GetById = int (*)(const char*, NvmlDevice*);
using GetText = int (*)(NvmlDevice, char*, unsigned);
using GetMemory = int (*)(NvmlDevice, NvmlMemory*);
using GetMemoryV2 = int (*)(NvmlDevice, NvmlMemoryV2*);
using GetMigMode = int (*)(NvmlDevice, unsigned*, unsigned*);
using GetDeviceNumber = int (*)(NvmlDevice, unsigned*);
using GetPart = int (*)(NvmlDevice, unsigned, NvmlDevice*);
using GetWhole = int (*)(NvmlDevice, NvmlDevice*);
using GetPairStatus = int (*)(NvmlDevice, NvmlDevice, int, int*);
using GetErrors = int (*)(NvmlDevice, int, int, unsigned long long*);
using GetRemapped = int (*)(NvmlDevice, unsigned*, unsigned*, unsigned*,
                            unsigned*);
using GetProcesses = int (*)(NvmlDevice, unsigned*, NvmlProcess*);

// Returns the name of a process in this pid namespace; empty if it is in
// another one.
std::string NameOf(unsigned pid) {
  std::ifstream file(absl::StrCat("/proc/", pid, "/comm"));
  std::string name;
  std::getline(file, name);
  return name;
}

}  // namespace

struct NvmlLibrary::Functions {
  using Handle = std::unique_ptr<void, int (*)(void*)>;

  explicit Functions(Handle library) : handle(std::move(library)) {}

  template <typename Function>
  void Find(Function& function, const char* symbol) {
    function = reinterpret_cast<Function>(::dlsym(handle.get(), symbol));
  }
  /// Finds the newer of two versions of a function, else the older one.
  template <typename Function>
  void Find(Function& function, const char* newer, const char* older) {
    Find(function, newer);
    if (function == nullptr) Find(function, older);
  }
  void FindAll();

  std::string Text(GetText get, NvmlDevice device) const {
    char text[kTextBytes] = "";
    if (get == nullptr || get(device, text, kTextBytes) != kNvmlSuccess) {
      return "";
    }
    return text;
  }
  std::string Words(int error) const {
    const char* const text =
        error_text == nullptr ? nullptr : error_text(error);
    return text == nullptr ? absl::StrCat("error ", error) : std::string(text);
  }
  Device Describe(NvmlDevice device) const;
  std::vector<NvmlDevice> Parts(NvmlDevice device) const;
  bool IsLinked(NvmlDevice a, NvmlDevice b) const;
  void TakeHealth(NvmlDevice device, GpuCondition& condition) const;
  void TakeMemory(NvmlDevice device, GpuCondition& condition) const;
  void TakeProcesses(NvmlDevice device, GpuCondition& condition) const;

  const Handle handle;
  NoArguments init = nullptr;
  NoArguments shutdown = nullptr;
  ErrorText error_text = nullptr;
  GetNumber count = nullptr;
  GetByIndex by_index = nullptr;
  GetById by_id = nullptr;
  GetText uuid = nullptr;
  GetText name = nullptr;
  GetMemory memory = nullptr;
  GetMemoryV2 memory_v2 = nullptr;
  GetMigMode mig_mode = nullptr;
  GetDeviceNumber most_parts = nullptr;
  GetPart part = nullptr;
  GetWhole whole_of = nullptr;
  GetPairStatus pair_status = nullptr;
  GetErrors errors = nullptr;
  GetRemapped remapped_rows = nullptr;
  GetDeviceNumber retirement_pending = nullptr;
  GetProcesses compute = nullptr;
  GetProcesses graphics = nullptr;
};

void NvmlLibrary::Functions::FindAll() {
  Find(init, "nvmlInit_v2");
  Find(shutdown, "nvmlShutdown");
  Find(error_text, "nvmlErrorString");
  Find(count, "nvmlDeviceGetCount_v2");
  Find(by_index, "nvmlDeviceGetHandleByIndex_v2");
  Find(by_id, "nvmlDeviceGetHandleByUUID");
  Find(uuid, "nvmlDeviceGetUUID");
  Find(name, "nvmlDeviceGetName");
  Find(memory, "nvmlDeviceGetMemoryInfo");
  Find(memory_v2, "nvmlDeviceGetMemoryInfo_v2");
  Find(mig_mode, "nvmlDeviceGetMigMode");
  Find(most_parts, "nvmlDeviceGetMaxMigDeviceCount");
  Find(part, "nvmlDeviceGetMigDeviceHandleByIndex");
  Find(whole_of, "nvmlDeviceGetDeviceHandleFromMigDeviceHandle");
  Find(pair_status, "nvmlDeviceGetP2PStatus");
  Find(errors, "nvmlDeviceGetTotalEccErrors");
  Find(remapped_rows, "nvmlDeviceGetRemappedRows");
  Find(retirement_pending, "nvmlDeviceGetRetiredPagesPendingStatus");
  Find(compute, "nvmlDeviceGetComputeRunningProcesses_v3",
       "nvmlDeviceGetComputeRunningProcesses_v2");
  Find(graphics, "nvmlDeviceGetGraphicsRunningProcesses_v3",
       "nvmlDeviceGetGraphicsRunningProcesses_v2");
}

Device NvmlLibrary::Functions::Describe(NvmlDevice handle_of) const {
  Device device;
  device.id = Text(uuid, handle_of);
  device.model = Text(name, handle_of);
  NvmlMemory info{};
  if (memory != nullptr && memory(handle_of, &info) == kNvmlSuccess) {
    device.memory_bytes = static_cast<std::int64_t>(info.total);
  }
  return device;
}

// Returns the MIG instances of a GPU, or the GPU itself if it is not divided.
std::vector<NvmlDevice> NvmlLibrary::Functions::Parts(NvmlDevice device) const {
  unsigned mode = 0;
  unsigned pending = 0;
  if (mig_mode == nullptr || most_parts == nullptr || part == nullptr ||
      mig_mode(device, &mode, &pending) != kNvmlSuccess ||
      mode != kMigEnabled) {
    return {device};
  }
  std::vector<NvmlDevice> parts;
  unsigned most = 0;
  if (most_parts(device, &most) != kNvmlSuccess) return parts;
  for (unsigned i = 0; i < most; ++i) {
    NvmlDevice instance = nullptr;
    if (part(device, i, &instance) == kNvmlSuccess) parts.push_back(instance);
  }
  return parts;
}

bool NvmlLibrary::Functions::IsLinked(NvmlDevice a, NvmlDevice b) const {
  int status = -1;
  constexpr int kOk = 0;
  return pair_status != nullptr &&
         pair_status(a, b, kByNvlink, &status) == kNvmlSuccess && status == kOk;
}

// Asks the whole GPU, because a MIG instance does not report its health.
void NvmlLibrary::Functions::TakeHealth(NvmlDevice device,
                                        GpuCondition& condition) const {
  if (NvmlDevice whole = nullptr;
      whole_of != nullptr && whole_of(device, &whole) == kNvmlSuccess) {
    device = whole;
  }
  unsigned long long uncorrected = 0;
  if (errors != nullptr && errors(device, kUncorrectedErrors, kSinceDriverLoad,
                                  &uncorrected) == kNvmlSuccess) {
    condition.uncorrected_errors = static_cast<std::int64_t>(uncorrected);
  }
  unsigned corrected_rows = 0;
  unsigned uncorrected_rows = 0;
  unsigned pending = 0;
  unsigned failed = 0;
  if (remapped_rows != nullptr &&
      remapped_rows(device, &corrected_rows, &uncorrected_rows, &pending,
                    &failed) == kNvmlSuccess) {
    condition.needs_reset = pending != 0;
    condition.needs_service = failed != 0;
  }
  if (retirement_pending != nullptr &&
      retirement_pending(device, &pending) == kNvmlSuccess) {
    condition.needs_reset |= pending != 0;
  }
}

void NvmlLibrary::Functions::TakeMemory(NvmlDevice device,
                                        GpuCondition& condition) const {
  NvmlMemoryV2 info{};
  info.version = kMemoryV2;
  if (memory_v2 != nullptr && memory_v2(device, &info) == kNvmlSuccess) {
    condition.total_bytes = static_cast<std::int64_t>(info.total);
    condition.used_bytes = static_cast<std::int64_t>(info.used);
    return;
  }
  NvmlMemory older{};
  if (memory != nullptr && memory(device, &older) == kNvmlSuccess) {
    // Here `used` includes what the driver reserves, which is up to a gigabyte.
    constexpr std::int64_t kReserved = std::int64_t{1} << 30;
    condition.total_bytes = static_cast<std::int64_t>(older.total);
    condition.used_bytes = std::max<std::int64_t>(
        0, static_cast<std::int64_t>(older.used) - kReserved);
  }
}

void NvmlLibrary::Functions::TakeProcesses(NvmlDevice device,
                                           GpuCondition& condition) const {
  std::array<NvmlProcess, kMostProcesses> list{};
  unsigned found = kMostProcesses;
  if (compute != nullptr) {
    const int status = compute(device, &found, list.data());
    if (status == kNvmlInsufficientSize) found = kMostProcesses;
    if (status == kNvmlSuccess || status == kNvmlInsufficientSize) {
      for (unsigned i = 0; i < std::min(found, kMostProcesses); ++i) {
        condition.compute.push_back(
            {static_cast<int>(list[i].pid), NameOf(list[i].pid)});
      }
    }
  }
  found = kMostProcesses;
  if (graphics != nullptr) {
    const int status = graphics(device, &found, list.data());
    condition.has_graphics = status == kNvmlInsufficientSize ||
                             (status == kNvmlSuccess && found > 0);
  }
}

NvmlLibrary::NvmlLibrary(std::unique_ptr<Functions> functions)
    : functions_(std::move(functions)) {}

NvmlLibrary::~NvmlLibrary() { functions_->shutdown(); }

absl::StatusOr<std::unique_ptr<NvmlLibrary>> NvmlLibrary::Load(
    const std::string& library) {
  Functions::Handle handle(::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL),
                           &::dlclose);
  if (handle == nullptr) {
    return absl::NotFoundError("cannot open " + library);
  }
  auto functions = std::make_unique<Functions>(std::move(handle));
  functions->FindAll();
  if (functions->init == nullptr || functions->shutdown == nullptr ||
      functions->count == nullptr || functions->by_index == nullptr ||
      functions->uuid == nullptr) {
    return absl::UnavailableError("NVML lacks a function");
  }
  if (const int error = functions->init(); error != kNvmlSuccess) {
    return absl::UnavailableError("nvmlInit: " + functions->Words(error));
  }
  return std::unique_ptr<NvmlLibrary>(new NvmlLibrary(std::move(functions)));
}

std::vector<Device> NvmlLibrary::List() const {
  const Functions& nvml = *functions_;
  unsigned count = 0;
  if (nvml.count(&count) != kNvmlSuccess) count = 0;
  std::vector<Device> devices;
  std::vector<std::pair<NvmlDevice, std::size_t>> whole;  // In `devices`.
  for (unsigned i = 0; i < count; ++i) {
    // A GPU that failed on the bus is still counted, but has no handle.
    NvmlDevice handle = nullptr;
    if (nvml.by_index(i, &handle) != kNvmlSuccess) continue;
    const std::string id = nvml.Text(nvml.uuid, handle);
    if (id.empty()) continue;
    for (const NvmlDevice part : nvml.Parts(handle)) {
      Device device = nvml.Describe(part);
      if (device.id.empty()) continue;
      if (part == handle) {
        whole.emplace_back(handle, devices.size());
      } else {
        device.parent = id;
      }
      devices.push_back(std::move(device));
    }
  }
  for (const auto& [a, first] : whole) {
    for (const auto& [b, second] : whole) {
      if (first == second || !nvml.IsLinked(a, b)) continue;
      devices[first].links.push_back(devices[second].id);
    }
  }
  return devices;
}

GpuCondition NvmlLibrary::Examine(const std::string& id) const {
  const Functions& nvml = *functions_;
  GpuCondition condition;
  if (nvml.by_id == nullptr) return condition;  // Nothing can be told.
  NvmlDevice device = nullptr;
  int error = nvml.by_id(id.c_str(), &device);
  // A handle may outlive its GPU. The memory query shows whether the GPU
  // answers.
  if (NvmlMemory info{}; error == kNvmlSuccess && nvml.memory != nullptr) {
    error = nvml.memory(device, &info);
    constexpr int kNotSupported = 3;
    constexpr int kNoPermission = 4;
    if (error == kNotSupported || error == kNoPermission) error = kNvmlSuccess;
  }
  if (error != kNvmlSuccess) {
    condition.failure = nvml.Words(error);
    return condition;
  }
  nvml.TakeHealth(device, condition);
  nvml.TakeMemory(device, condition);
  nvml.TakeProcesses(device, condition);
  return condition;
}

}  // namespace vernier
