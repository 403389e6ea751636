#include "trials/jobs/end_rules.h"

#include <sysexits.h>

#include <algorithm>
#include <csignal>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

// Shells and some launchers turn a signal into 128 + its number.
constexpr int kSignalExit = 128;
constexpr std::size_t kShownLine = 300;

bool Contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool HoldsForStatus(const EndRule& rule, const AttemptObservation& end) {
  if (rule.exit_codes.empty() && rule.signals.empty()) {
    return end.exit_code != 0;
  }
  const std::optional<int> signal = SignalOf(end.exit_code, end.signal);
  if (signal.has_value() && Contains(rule.signals, *signal)) return true;
  return !end.signal.has_value() && end.exit_code.has_value() &&
         Contains(rule.exit_codes, *end.exit_code);
}

// Returns whether the rule holds, and sets the line of the log that matched its
// pattern.
bool Holds(const EndRule& rule, const AttemptObservation& end,
           std::string* line) {
  if (!HoldsForStatus(rule, end)) return false;
  if (rule.log_pattern.empty()) return true;
  *line = LastLineWith(rule.log_pattern,
                       end.log_tail.empty() ? end.message : end.log_tail);
  return !line->empty();
}

EndRule OnExit(int code, EndAction action, std::string reason) {
  return {{code}, {}, "", action, std::move(reason)};
}
EndRule OnSignals(std::vector<int> signals, EndAction action,
                  std::string reason) {
  return {{}, std::move(signals), "", action, std::move(reason)};
}
EndRule OnLog(std::string pattern, EndAction action, std::string reason) {
  return {{}, {}, std::move(pattern), action, std::move(reason)};
}

// PyTorch, TensorFlow, JAX and CuPy print these when a GPU's memory is used up.
constexpr char kGpuMemory[] =
    R"(CUDA out of memory|CUDA_ERROR_OUT_OF_MEMORY)"
    R"(|CUDNN_STATUS_ALLOC_FAILED|CUBLAS_STATUS_ALLOC_FAILED)"
    R"(|cudaErrorMemoryAllocation|OOM when allocating tensor)"
    R"(|RESOURCE_EXHAUSTED: Out of memory)";
// These are faults of the driver or of the GPU itself, and never consequences
// of a wrong index in a program.
constexpr char kGpuFault[] =
    R"(uncorrectable ECC error|CUDA_ERROR_ECC_UNCORRECTABLE)"
    R"(|cudaErrorECCUncorrectable|GPU is lost|fallen off the bus)"
    R"(|all CUDA-capable devices are busy or unavailable)"
    R"(|CUDA driver initialization failed|no CUDA-capable device is detected)"
    R"(|CUDA_ERROR_(?:NO_DEVICE|DEVICE_UNAVAILABLE|SYSTEM_NOT_READY)"
    R"(|SYSTEM_DRIVER_MISMATCH)|CUDA error: unknown error)"
    R"(|Failed to initialize NVML|NVRM: Xid)";
constexpr char kNetworkFault[] =
    R"(ncclSystemError|ncclRemoteError|ncclInternalError)"
    R"(|NCCL.*(?:unhandled system error|remote process exited))"
    R"(|NCCL.*(?:Connection (?:reset|closed|refused)|timed out))";
// An exception that ended a Python or a C++ program prints such a line. The
// pattern includes the line's form, because a program may mention such an error
// without having failed by it.
constexpr char kMemory[] = R"(^(?:[\w.]*\.)?_?(?:Array)?MemoryError(?:: |$))"
                           R"(|what\(\): +std::bad_alloc)";
constexpr char kDiskFull[] =
    R"(No space left on device|\[Errno 28\]|Disk quota exceeded)";

}  // namespace

std::optional<int> SignalOf(std::optional<int> exit_code,
                            std::optional<int> signal) {
  if (signal.has_value()) return signal;
  if (exit_code.value_or(0) <= kSignalExit) return std::nullopt;
  return *exit_code - kSignalExit;
}

std::vector<EndRule> BuiltInEndRules(bool has_gpus) {
  std::vector<EndRule> rules = {
      OnExit(EX_CONFIG, EndAction::kInfeasible,
             "It said that these parameters cannot be evaluated (EX_CONFIG)"),
      OnExit(EX_TEMPFAIL, EndAction::kInfrastructure,
             "It asked for another try (EX_TEMPFAIL)"),
      OnSignals({SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGTERM, SIGPWR},
                EndAction::kInfrastructure,
                "The signal came from outside of the program"),
      OnLog(kDiskFull, EndAction::kInfrastructure, "A disk is full"),
  };
  if (has_gpus) {
    rules.push_back(OnLog(kGpuMemory, EndAction::kOutOfMemory,
                          "The GPU's memory does not suffice"));
    rules.push_back(OnLog(kGpuFault, EndAction::kInfrastructure,
                          "A GPU or its driver failed"));
    rules.push_back(OnLog(kNetworkFault, EndAction::kInfrastructure,
                          "The network between the replicas failed"));
  }
  rules.push_back(
      OnLog(kMemory, EndAction::kOutOfMemory, "The memory does not suffice"));
  rules.push_back(OnSignals({SIGABRT, SIGSEGV}, EndAction::kRetry, ""));
  return rules;
}

std::optional<EndMatch> MatchEnd(const std::vector<EndRule>& job_rules,
                                 bool has_gpus, const AttemptObservation& end) {
  EndMatch match;
  for (std::size_t i = 0; i < job_rules.size(); ++i) {
    if (!Holds(job_rules[i], end, &match.line)) continue;
    match.rule = job_rules[i];
    match.name = absl::StrCat("endRules[", i, "]");
    return match;
  }
  for (EndRule& rule : BuiltInEndRules(has_gpus)) {
    if (!Holds(rule, end, &match.line)) continue;
    match.rule = std::move(rule);
    return match;
  }
  return std::nullopt;
}

std::string DescribeMatch(const EndMatch& match) {
  std::string text = match.rule.reason;
  if (text.empty() && match.name.empty()) return "";
  if (text.empty()) text = "It is one of vernier." + match.name;
  if (!text.empty() && text.back() == '.') text.pop_back();
  if (!match.line.empty()) {
    absl::StrAppend(&text,
                    "; its log says: ", ShowText(match.line, kShownLine));
  }
  return text + ".";
}

}  // namespace vernier
