#include "study/machine_type.h"

#include <algorithm>

namespace vernier {
namespace {

constexpr std::string_view kLegacy[] = {
    "standard",
    "large_model",
    "complex_model_s",
    "complex_model_m",
    "complex_model_l",
    "standard_gpu",
    "complex_model_m_gpu",
    "complex_model_l_gpu",
    "standard_p100",
    "complex_model_m_p100",
    "standard_v100",
    "large_model_v100",
    "complex_model_m_v100",
    "complex_model_l_v100",
    kCloudTpu,
};

struct MachineGpus {
  std::string_view name;
  int gpus;
};

constexpr MachineGpus kMachineGpus[] = {
    {"standard_gpu", 1},         {"complex_model_m_gpu", 4},
    {"complex_model_l_gpu", 8},  {"standard_p100", 1},
    {"complex_model_m_p100", 4}, {"standard_v100", 1},
    {"large_model_v100", 1},     {"complex_model_m_v100", 4},
    {"complex_model_l_v100", 8}, {"a2-highgpu-1g", 1},
    {"a2-highgpu-2g", 2},        {"a2-highgpu-4g", 4},
    {"a2-highgpu-8g", 8},        {"a2-megagpu-16g", 16},
};

}  // namespace

std::span<const std::string_view> LegacyMachineTypes() { return kLegacy; }

bool IsLegacyMachineType(std::string_view name) {
  return std::find(std::begin(kLegacy), std::end(kLegacy), name) !=
         std::end(kLegacy);
}

bool IsComputeEngineType(std::string_view name) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789-";
  return !name.empty() && name.size() <= 63 && name[0] >= 'a' &&
         name[0] <= 'z' && name.find('-') != std::string_view::npos &&
         name.back() != '-' &&
         name.find_first_not_of(kAllowed) == std::string_view::npos;
}

int GpusOfMachineType(std::string_view name) {
  for (const MachineGpus& machine : kMachineGpus) {
    if (machine.name == name) return machine.gpus;
  }
  return 0;
}

}  // namespace vernier
