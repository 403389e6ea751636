#include "cluster/containers/machine_limits.h"

#include <charconv>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"

namespace vernier {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;

struct Size {
  std::string_view name;
  double processors;
  double gib;  ///< Of the whole machine, or of each processor.
};

constexpr Size kLegacy[] = {
    {"standard", 4, 15},
    {"large_model", 8, 52},
    {"complex_model_s", 8, 7.2},
    {"complex_model_m", 16, 14.4},
    {"complex_model_l", 32, 28.8},
    {"standard_gpu", 8, 30},
    {"complex_model_m_gpu", 16, 60},
    {"complex_model_l_gpu", 32, 120},
    {"standard_p100", 8, 30},
    {"complex_model_m_p100", 16, 60},
    {"standard_v100", 8, 30},
    {"large_model_v100", 16, 104},
    {"complex_model_m_v100", 32, 120},
    {"complex_model_l_v100", 64, 240},
};

// Memory per processor of Compute Engine's machine families; the last part of a
// type's name is the number of processors.
constexpr Size kFamilies[] = {
    {"n1-standard", 0, 3.75}, {"n1-highmem", 0, 6.5}, {"n1-highcpu", 0, 0.9},
    {"n2-standard", 0, 4},    {"n2-highmem", 0, 8},   {"n2-highcpu", 0, 1},
    {"e2-standard", 0, 4},    {"e2-highmem", 0, 8},   {"e2-highcpu", 0, 1},
    {"c2-standard", 0, 4},    {"g2-standard", 0, 4},
};

double Number(const std::string& text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

ContainerLimits Limits(double processors, double gib) {
  return {static_cast<std::int64_t>(gib * kGiB), processors};
}

}  // namespace

ContainerLimits LimitsOfMachine(std::string_view machine_type) {
  for (const Size& size : kLegacy) {
    if (size.name == machine_type) return Limits(size.processors, size.gib);
  }
  const std::vector<std::string> parts =
      absl::StrSplit(std::string(machine_type), '-');
  if (parts.size() == 4 && parts[1] == "custom") {  // n1-custom-8-32768
    return Limits(Number(parts[2]), Number(parts[3]) / 1024);
  }
  if (parts.size() != 3) return {};
  const std::string family = parts[0] + "-" + parts[1];
  for (const Size& size : kFamilies) {
    if (size.name != family) continue;
    const double processors = Number(parts[2]);
    return Limits(processors, processors * size.gib);
  }
  return {};
}

}  // namespace vernier
