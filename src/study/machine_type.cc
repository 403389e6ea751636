#include "study/machine_type.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/blank_separated.h"
#include "base/nearest_name.h"

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
    {"a2-ultragpu-1g", 1},       {"a2-ultragpu-2g", 2},
    {"a2-ultragpu-4g", 4},       {"a2-ultragpu-8g", 8},
    {"a3-highgpu-1g", 1},        {"a3-highgpu-2g", 2},
    {"a3-highgpu-4g", 4},        {"a3-highgpu-8g", 8},
    {"a3-edgegpu-8g", 8},        {"a3-megagpu-8g", 8},
    {"a3-ultragpu-8g", 8},       {"g2-standard-4", 1},
    {"g2-standard-8", 1},        {"g2-standard-12", 1},
    {"g2-standard-16", 1},       {"g2-standard-24", 2},
    {"g2-standard-32", 1},       {"g2-standard-48", 4},
    {"g2-standard-96", 8},
};

struct Series {
  std::string_view name;
  std::string_view sizes;  // Separated by blanks.
};

// Compute Engine's types without built-in GPUs: NAME-SIZE.
constexpr Series kSeries[] = {
    {"e2", "micro small medium"},
    {"e2-standard", "2 4 8 16 32"},
    {"e2-highmem", "2 4 8 16"},
    {"e2-highcpu", "2 4 8 16 32"},
    {"f1", "micro"},
    {"g1", "small"},
    {"n1-standard", "1 2 4 8 16 32 64 96"},
    {"n1-highmem", "2 4 8 16 32 64 96"},
    {"n1-highcpu", "2 4 8 16 32 64 96"},
    {"n1-megamem", "96"},
    {"n1-ultramem", "40 80 160"},
    {"n2-standard", "2 4 8 16 32 48 64 80 96 128"},
    {"n2-highmem", "2 4 8 16 32 48 64 80 96 128"},
    {"n2-highcpu", "2 4 8 16 32 48 64 80 96"},
    {"n2d-standard", "2 4 8 16 32 48 64 80 96 128 224"},
    {"n2d-highmem", "2 4 8 16 32 48 64 80 96"},
    {"n2d-highcpu", "2 4 8 16 32 48 64 80 96 128 224"},
    {"n4-standard", "2 4 8 16 32 48 64 80"},
    {"n4-highmem", "2 4 8 16 32 48 64 80"},
    {"n4-highcpu", "2 4 8 16 32 48 64 80"},
    {"c2-standard", "4 8 16 30 60"},
    {"c2d-standard", "2 4 8 16 32 56 112"},
    {"c2d-highmem", "2 4 8 16 32 56 112"},
    {"c2d-highcpu", "2 4 8 16 32 56 112"},
    {"c3-standard", "4 8 22 44 88 176"},
    {"c3-highmem", "4 8 22 44 88 176"},
    {"c3-highcpu", "4 8 22 44 88 176"},
    {"c3d-standard", "4 8 16 30 60 90 180 360"},
    {"c3d-highmem", "4 8 16 30 60 90 180 360"},
    {"c3d-highcpu", "4 8 16 30 60 90 180 360"},
    {"c4-standard", "2 4 8 16 24 32 48 96 192"},
    {"c4-highmem", "2 4 8 16 24 32 48 96 192"},
    {"c4-highcpu", "2 4 8 16 24 32 48 96 192"},
    {"c4a-standard", "1 2 4 8 16 32 48 64 72"},
    {"c4a-highmem", "1 2 4 8 16 32 48 64 72"},
    {"c4a-highcpu", "1 2 4 8 16 32 48 64 72"},
    {"t2d-standard", "1 2 4 8 16 32 48 60"},
    {"t2a-standard", "1 2 4 8 16 32 48"},
    {"h3-standard", "88"},
    {"m1-megamem", "96"},
    {"m1-ultramem", "40 80 160"},
    {"m2-megamem", "416"},
    {"m2-hypermem", "416"},
    {"m2-ultramem", "208 416"},
    {"m3-megamem", "64 128"},
    {"m3-ultramem", "32 64 128"},
    {"z3-highmem", "88 176"},
};

std::vector<std::string> ListKnownTypes() {
  std::vector<std::string> names(std::begin(kLegacy), std::end(kLegacy));
  for (const MachineGpus& machine : kMachineGpus) {
    if (!IsLegacyMachineType(machine.name)) names.emplace_back(machine.name);
  }
  for (const Series& series : kSeries) {
    for (const std::string_view size : BlankSeparated(series.sizes)) {
      names.push_back(std::string(series.name) + "-" + std::string(size));
    }
  }
  return names;
}

const std::vector<std::string>& KnownTypes() {
  static const std::vector<std::string> kNames = ListKnownTypes();
  return kNames;
}

bool TakeNumber(std::string_view* text) {
  const std::size_t end =
      std::min(text->find_first_not_of("0123456789"), text->size());
  text->remove_prefix(end);
  return end > 0;
}

bool TakePrefix(std::string_view prefix, std::string_view* text) {
  if (!text->starts_with(prefix)) return false;
  text->remove_prefix(prefix.size());
  return true;
}

// True for "custom-4-8192", "n2-custom-8-65536-ext": processors, then MiB.
bool IsCustomType(std::string_view name) {
  constexpr std::string_view kFamilies[] = {"n1-", "n2-", "n2d-",
                                            "n4-", "e2-", "g2-"};
  for (const std::string_view family : kFamilies) {
    if (TakePrefix(family, &name)) break;
  }
  return TakePrefix("custom-", &name) && TakeNumber(&name) &&
         TakePrefix("-", &name) && TakeNumber(&name) &&
         (name.empty() || name == "-ext");
}

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

bool IsKnownMachineType(std::string_view name) {
  if (IsCustomType(name)) return true;
  constexpr std::string_view kLocalDisk = "-lssd";
  if (name.ends_with(kLocalDisk)) name.remove_suffix(kLocalDisk.size());
  return std::find(KnownTypes().begin(), KnownTypes().end(), name) !=
         KnownTypes().end();
}

std::string DidYouMeanMachineType(std::string_view name) {
  const std::vector<std::string_view> names(KnownTypes().begin(),
                                            KnownTypes().end());
  return DidYouMean(name, names);
}

int GpusOfMachineType(std::string_view name) {
  for (const MachineGpus& machine : kMachineGpus) {
    if (machine.name == name) return machine.gpus;
  }
  return 0;
}

}  // namespace vernier
