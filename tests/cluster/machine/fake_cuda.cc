// Stands in for libcuda.so.1: one GPU whose memory is the process's own, and
// whose only kernel adds vectors. For tests/gpu without a GPU.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

constexpr std::size_t kTotal = std::size_t{1} << 33;
std::size_t used = 0;

}  // namespace

extern "C" {

int cuInit(unsigned) { return 0; }
int cuDeviceGet(int* device, int) {
  *device = 0;
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = nullptr;
  return 0;
}
int cuCtxSetCurrent(void*) { return 0; }
int cuCtxSynchronize() { return 0; }
int cuGetErrorName(int, const char** text) {
  *text = "some error";
  return 0;
}
int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  *total = kTotal;
  *free = kTotal - used;
  return 0;
}
int cuMemAlloc_v2(std::uint64_t* pointer, std::size_t size) {
  *pointer = reinterpret_cast<std::uintptr_t>(std::malloc(size));
  used += size;
  return 0;
}
int cuMemFree_v2(std::uint64_t pointer) {
  std::free(reinterpret_cast<void*>(static_cast<std::uintptr_t>(pointer)));
  return 0;
}
int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t size) {
  std::memcpy(reinterpret_cast<void*>(static_cast<std::uintptr_t>(to)), from,
              size);
  return 0;
}
int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t size) {
  std::memcpy(to, reinterpret_cast<void*>(static_cast<std::uintptr_t>(from)),
              size);
  return 0;
}
int cuModuleLoadData(void** module, const void*) {
  *module = nullptr;
  return 0;
}
int cuModuleGetFunction(void** function, void*, const char*) {
  *function = nullptr;
  return 0;
}
int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned, unsigned, void*, void** parameters, void**) {
  const auto vector = [&](int i) {
    return reinterpret_cast<float*>(static_cast<std::uintptr_t>(
        *static_cast<std::uint64_t*>(parameters[i])));
  };
  const std::uint32_t count = *static_cast<std::uint32_t*>(parameters[3]);
  for (std::uint32_t i = 0; i < count; ++i) {
    vector(2)[i] = vector(0)[i] + vector(1)[i];
  }
  return 0;
}

}  // extern "C"
