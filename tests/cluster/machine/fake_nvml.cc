// Stands in for libnvidia-ml.so.1. Without FAKE_NVML_STATE: three devices, the
// second of which fails. Otherwise that file is read at each call; a line is
// "ID KEY=VALUE...", with these keys: total_mb, used_mb, lost, uncorrected,
// pending, failed, process (a pid; repeated), graphics, link (an id; repeated),
// parent (an id: a MIG instance of that one), hang (milliseconds).

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kNotFound = 6;
constexpr int kNotSupported = 3;
constexpr int kGpuIsLost = 15;

struct Gpu {
  std::string id;
  std::multimap<std::string, std::string> values;

  unsigned long long Number(const char* key) const {
    const auto found = values.find(key);
    return found == values.end() ? 0 : std::stoull(found->second);
  }
  std::string Text(const char* key) const {
    const auto found = values.find(key);
    return found == values.end() ? "" : found->second;
  }
};

std::vector<Gpu> ReadGpus() {
  std::vector<Gpu> gpus;
  const char* path = std::getenv("FAKE_NVML_STATE");
  if (path == nullptr) {
    for (const char* id : {"GPU-nvml-0", "GPU-nvml-1", "GPU-nvml-2"}) {
      gpus.push_back({id, {{"total_mb", "1024"}}});
    }
    gpus[1].values.emplace("lost", "1");
    return gpus;
  }
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Gpu gpu;
    words >> gpu.id;
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      gpu.values.emplace(word.substr(0, equals), word.substr(equals + 1));
    }
    if (!gpu.id.empty()) gpus.push_back(gpu);
  }
  return gpus;
}

// A handle is the position in the file, from 1.
void* HandleOf(std::size_t index) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(index + 1));
}

Gpu Of(void* device) {
  const std::vector<Gpu> gpus = ReadGpus();
  const auto index = reinterpret_cast<std::uintptr_t>(device) - 1;
  return index < gpus.size() ? gpus[index] : Gpu{};
}

std::vector<std::size_t> Whole(const std::vector<Gpu>& gpus) {
  std::vector<std::size_t> whole;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (gpus[i].Text("parent").empty()) whole.push_back(i);
  }
  return whole;
}

std::vector<std::size_t> PartsOf(const std::string& parent) {
  const std::vector<Gpu> gpus = ReadGpus();
  std::vector<std::size_t> parts;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (gpus[i].Text("parent") == parent) parts.push_back(i);
  }
  return parts;
}

}  // namespace

extern "C" {

struct FakeMemory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};
struct FakeMemoryV2 {
  unsigned version;
  unsigned long long total;
  unsigned long long reserved;
  unsigned long long free;
  unsigned long long used;
};
struct FakeProcess {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance;
  unsigned compute_instance;
};

int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int error) {
  return error == kGpuIsLost ? "GPU is lost" : "some error";
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(Whole(ReadGpus()).size());
  return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  const std::vector<Gpu> gpus = ReadGpus();
  const std::size_t position = Whole(gpus).at(index);
  *device = HandleOf(position);
  return gpus[position].Number("lost") != 0 ? kGpuIsLost : 0;
}

int nvmlDeviceGetHandleByUUID(const char* id, void** device) {
  const std::vector<Gpu> gpus = ReadGpus();
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (gpus[i].id != id) continue;
    std::this_thread::sleep_for(
        std::chrono::milliseconds(gpus[i].Number("hang")));
    *device = HandleOf(i);
    return gpus[i].Number("lost") != 0 ? kGpuIsLost : 0;
  }
  return kNotFound;
}

int nvmlDeviceGetUUID(void* device, char* text, unsigned size) {
  std::snprintf(text, size, "%s", Of(device).id.c_str());
  return 0;
}

int nvmlDeviceGetName(void*, char* text, unsigned size) {
  std::snprintf(text, size, "Fake GPU");
  return 0;
}

int nvmlDeviceGetMemoryInfo(void* device, FakeMemory* memory) {
  memory->total = Of(device).Number("total_mb") << 20;
  return 0;
}

int nvmlDeviceGetMemoryInfo_v2(void* device, FakeMemoryV2* memory) {
  if (memory->version != (sizeof(FakeMemoryV2) | (2u << 24))) {
    return kNotSupported;
  }
  memory->total = Of(device).Number("total_mb") << 20;
  memory->used = Of(device).Number("used_mb") << 20;
  return 0;
}

int nvmlDeviceGetMigMode(void* device, unsigned* current, unsigned* pending) {
  *current = PartsOf(Of(device).id).empty() ? 0 : 1;
  *pending = *current;
  return 0;
}

int nvmlDeviceGetMaxMigDeviceCount(void*, unsigned* count) {
  *count = 7;
  return 0;
}

int nvmlDeviceGetMigDeviceHandleByIndex(void* device, unsigned index,
                                        void** part) {
  const std::vector<std::size_t> parts = PartsOf(Of(device).id);
  if (index >= parts.size()) return kNotFound;
  *part = HandleOf(parts[index]);
  return 0;
}

int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(void* part, void** device) {
  const std::string parent = Of(part).Text("parent");
  if (parent.empty()) return kNotSupported;
  return nvmlDeviceGetHandleByUUID(parent.c_str(), device);
}

int nvmlDeviceGetP2PStatus(void* a, void* b, int kind, int* status) {
  constexpr int kNvlink = 2;
  constexpr int kNotConnected = 1;
  const Gpu one = Of(a);
  const std::string other = Of(b).id;
  *status = kNotConnected;
  const auto [begin, end] = one.values.equal_range("link");
  for (auto each = begin; each != end; ++each) {
    if (kind == kNvlink && each->second == other) *status = 0;
  }
  return 0;
}

int nvmlDeviceGetTotalEccErrors(void* device, int kind, int counter,
                                unsigned long long* count) {
  *count = kind == 1 && counter == 0 ? Of(device).Number("uncorrected") : 0;
  return 0;
}

int nvmlDeviceGetRemappedRows(void* device, unsigned* corrected,
                              unsigned* uncorrected, unsigned* pending,
                              unsigned* failed) {
  *corrected = *uncorrected = 0;
  *pending = static_cast<unsigned>(Of(device).Number("pending"));
  *failed = static_cast<unsigned>(Of(device).Number("failed"));
  return 0;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count,
                                            FakeProcess* list) {
  const Gpu gpu = Of(device);
  const auto [begin, end] = gpu.values.equal_range("process");
  unsigned found = 0;
  for (auto each = begin; each != end; ++each) {
    if (found < *count) {
      list[found] = {static_cast<unsigned>(std::stoul(each->second)), 0, 0, 0};
    }
    ++found;
  }
  *count = found;
  return 0;
}

int nvmlDeviceGetGraphicsRunningProcesses_v3(void* device, unsigned* count,
                                             FakeProcess*) {
  *count = static_cast<unsigned>(Of(device).values.count("graphics"));
  return 0;
}

}  // extern "C"
