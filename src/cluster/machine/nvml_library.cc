#include "cluster/machine/nvml_library.h"

#include <dlfcn.h>

#include <memory>
#include <utility>

namespace vernier {
namespace {

// The necessary declarations of nvml.h, whose ABI is stable.
using NvmlDevice = void*;
struct NvmlMemory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};
constexpr int kNvmlSuccess = 0;
// Sizes of buffers in nvml.h (NVML_DEVICE_UUID_V2_BUFFER_SIZE and
// NVML_DEVICE_NAME_V2_BUFFER_SIZE).
constexpr unsigned kUuidBytes = 96;
constexpr unsigned kNameBytes = 96;

using NoArguments = int (*)();
using GetCount = int (*)(unsigned*);
using GetHandle = int (*)(unsigned, NvmlDevice*);
using GetText = int (*)(NvmlDevice, char*, unsigned);
using GetMemory = int (*)(NvmlDevice, NvmlMemory*);

class Nvml {
 public:
  explicit Nvml(void* library)
      : init_(Symbol<NoArguments>(library, "nvmlInit_v2")),
        shutdown_(Symbol<NoArguments>(library, "nvmlShutdown")),
        count_(Symbol<GetCount>(library, "nvmlDeviceGetCount_v2")),
        handle_(Symbol<GetHandle>(library, "nvmlDeviceGetHandleByIndex_v2")),
        uuid_(Symbol<GetText>(library, "nvmlDeviceGetUUID")),
        name_(Symbol<GetText>(library, "nvmlDeviceGetName")),
        memory_(Symbol<GetMemory>(library, "nvmlDeviceGetMemoryInfo")) {}

  absl::StatusOr<std::vector<Device>> List() const {
    if (init_ == nullptr || shutdown_ == nullptr || count_ == nullptr ||
        handle_ == nullptr || uuid_ == nullptr) {
      return absl::UnavailableError("NVML lacks a function");
    }
    if (const int error = init_(); error != kNvmlSuccess) {
      return absl::UnavailableError("nvmlInit: " + std::to_string(error));
    }
    std::vector<Device> devices;
    unsigned count = 0;
    if (count_(&count) != kNvmlSuccess) count = 0;
    for (unsigned i = 0; i < count; ++i) {
      // A GPU that failed on the bus is still counted, but has no handle.
      NvmlDevice handle = nullptr;
      char uuid[kUuidBytes] = "";
      if (handle_(i, &handle) != kNvmlSuccess ||
          uuid_(handle, uuid, kUuidBytes) != kNvmlSuccess) {
        continue;
      }
      devices.push_back(Describe(handle, uuid));
    }
    shutdown_();
    return devices;
  }

 private:
  template <typename Function>
  static Function Symbol(void* library, const char* name) {
    return reinterpret_cast<Function>(::dlsym(library, name));
  }

  Device Describe(NvmlDevice handle, const char* uuid) const {
    Device device;
    device.id = uuid;
    char name[kNameBytes] = "";
    if (name_ != nullptr && name_(handle, name, kNameBytes) == kNvmlSuccess) {
      device.model = name;
    }
    NvmlMemory memory{};
    if (memory_ != nullptr && memory_(handle, &memory) == kNvmlSuccess) {
      device.memory_bytes = static_cast<std::int64_t>(memory.total);
    }
    return device;
  }

  NoArguments init_;
  NoArguments shutdown_;
  GetCount count_;
  GetHandle handle_;
  GetText uuid_;
  GetText name_;
  GetMemory memory_;
};

}  // namespace

absl::StatusOr<std::vector<Device>> QueryNvml(const std::string& library) {
  const std::unique_ptr<void, int (*)(void*)> handle(
      ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL), &::dlclose);
  if (handle == nullptr) {
    return absl::NotFoundError("cannot open " + library);
  }
  return Nvml(handle.get()).List();
}

}  // namespace vernier
