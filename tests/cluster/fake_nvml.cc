// Stands in for libnvidia-ml.so.1: three devices, the second of which fails.

#include <cstdint>
#include <cstdio>

extern "C" {

struct FakeMemory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 3;
  return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = reinterpret_cast<void*>(static_cast<std::uintptr_t>(index + 1));
  constexpr int kGpuIsLost = 15;
  return index == 1 ? kGpuIsLost : 0;
}

int nvmlDeviceGetUUID(void* device, char* text, unsigned size) {
  std::snprintf(text, size, "GPU-nvml-%d",
                static_cast<int>(reinterpret_cast<std::uintptr_t>(device)) - 1);
  return 0;
}

int nvmlDeviceGetName(void*, char* text, unsigned size) {
  std::snprintf(text, size, "Fake GPU");
  return 0;
}

int nvmlDeviceGetMemoryInfo(void*, FakeMemory* memory) {
  memory->total = 1ull << 30;
  return 0;
}

}  // extern "C"
