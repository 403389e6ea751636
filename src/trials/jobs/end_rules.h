#ifndef VERNIER_TRIALS_JOBS_END_RULES_H_
#define VERNIER_TRIALS_JOBS_END_RULES_H_

#include <optional>
#include <string>
#include <vector>

#include "study/ends/end_rule.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Returns the signal that ended a program, also if a shell or a launcher
/// reports it as the exit code 128 + signal; nullopt if none did. Pure.
std::optional<int> SignalOf(std::optional<int> exit_code,
                            std::optional<int> signal);

/// Returns the rules that are asked after the job's own. They are about the
/// exit codes of sysexits.h, signals from outside, and messages that CUDA,
/// NCCL, the C++ and the Python runtime print when memory, a disk, a GPU or the
/// network fails. The last rule is AI Platform's: a trial is tried again after
/// SIGABRT and SIGSEGV.
///
/// `has_gpus` adds the rules about GPUs. Without GPUs such ends are the
/// program's fault.
std::vector<EndRule> BuiltInEndRules(bool has_gpus);

/// A rule that holds for an end, and why.
struct EndMatch {
  EndRule rule;
  std::string line;  ///< The log's line that matched; empty without a pattern.
  /// "endRules[2]" for a rule of the job; empty for a built-in one.
  std::string name;

  friend bool operator==(const EndMatch&, const EndMatch&) = default;
};

/// Returns the first rule that holds for `end`, among the job's and then among
/// the built-in ones; nullopt if none does. Pure.
std::optional<EndMatch> MatchEnd(const std::vector<EndRule>& job_rules,
                                 bool has_gpus, const AttemptObservation& end);

/// Returns a sentence on why the rule holds: its reason, or its name, and the
/// line of the log. Empty for a built-in rule without a reason. Pure.
std::string DescribeMatch(const EndMatch& match);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_END_RULES_H_
