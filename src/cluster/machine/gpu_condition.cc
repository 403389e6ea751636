#include "cluster/machine/gpu_condition.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace vernier {
namespace {

using Kind = GpuVerdict::Kind;

// A program's context takes some hundred megabytes; what a driver uses for
// itself is less.
constexpr std::int64_t kUnownedBytes = std::int64_t{300} << 20;
constexpr std::size_t kMostNamed = 3;

// NVIDIA's MPS, which lets several programs share a GPU, runs one server per
// GPU.
bool IsShareServer(const GpuCondition::Process& process) {
  return process.name.starts_with("nvidia-cuda-mps");
}

GpuVerdict Sick(std::string reason) { return {Kind::kSick, std::move(reason)}; }

std::string Gigabytes(std::int64_t bytes) {
  constexpr double kGigabyte = 1 << 30;
  return absl::StrFormat("%.1f GB", static_cast<double>(bytes) / kGigabyte);
}

std::string Name(const GpuCondition::Process& process) {
  if (process.name.empty()) return absl::StrCat(process.pid);
  return absl::StrCat(process.pid, " (", process.name, ")");
}

}  // namespace

GpuVerdict JudgeLeasedGpu(const GpuCondition& condition) {
  if (!condition.failure.empty()) {
    return Sick(
        absl::StrCat("does not answer, as one that has fallen off the "
                     "bus or needs a reset (NVML: ",
                     condition.failure, ")"));
  }
  if (condition.needs_service) {
    return Sick("has bad memory that cannot be taken out of use");
  }
  if (condition.needs_reset) {
    return Sick("needs a reset, to take bad memory out of use");
  }
  if (condition.uncorrected_errors > 0) {
    return Sick(absl::StrCat("has had ", condition.uncorrected_errors,
                             " uncorrectable memory error",
                             condition.uncorrected_errors == 1 ? "" : "s",
                             " since its driver was loaded"));
  }
  return {};
}

GpuVerdict JudgeFreeGpu(const GpuCondition& condition, const GpuPolicy& policy,
                        std::chrono::milliseconds busy_for) {
  const GpuVerdict health = JudgeLeasedGpu(condition);
  if (health.kind != Kind::kUsable || policy.ignores_others) return health;
  std::string names;
  std::size_t count = 0;
  for (const GpuCondition::Process& process : condition.compute) {
    if (IsShareServer(process)) continue;
    if (++count > kMostNamed) continue;
    absl::StrAppend(&names, names.empty() ? "" : ", ", Name(process));
  }
  if (count > 0) {
    return {Kind::kBusy,
            absl::StrCat("is used by ", count == 1 ? "process " : "processes ",
                         names, count > kMostNamed ? " and others" : "",
                         ", which no trial started")};
  }
  // Memory without a compute process may belong to a graphics process.
  if (condition.has_graphics || !condition.used_bytes.has_value() ||
      !condition.compute.empty()) {
    return {};
  }
  const std::int64_t allowed =
      std::max(kUnownedBytes, condition.total_bytes / 100);
  if (*condition.used_bytes <= allowed) return {};
  const std::string held = absl::StrCat(
      "has ", Gigabytes(*condition.used_bytes), " in use that no process owns");
  if (busy_for < policy.memory_patience) return {Kind::kBusy, held};
  return Sick(absl::StrCat(held, ", and may need a reset"));
}

}  // namespace vernier
