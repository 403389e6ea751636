#ifndef VERNIER_TRIALS_JOBS_END_RULES_H_
#define VERNIER_TRIALS_JOBS_END_RULES_H_

#include <optional>
#include <string>
#include <vector>

#include "study/ends/end_rule.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// The signal that ended a program, also if a shell or a launcher says it as
/// the exit code 128 + signal. Pure.
std::optional<int> SignalOf(std::optional<int> exit_code,
                            std::optional<int> signal);

/// The rules that hold where none of the job's own does: what the exit codes of
/// sysexits.h say, signals from outside, and what CUDA, NCCL, the C++ and the
/// Python runtime print when memory, a disk, a GPU or the network fails. The
/// last ones are AI Platform's: SIGABRT and SIGSEGV are tried again.
///
/// `has_gpus`: with those about GPUs, which elsewhere are the program's fault.
std::vector<EndRule> BuiltInEndRules(bool has_gpus);

/// A rule that holds for an end, and why.
struct EndMatch {
  EndRule rule;
  std::string line;  ///< Of the log, as it matched; empty without a pattern.
  /// "endRules[2]" for a rule of the job; empty for a built-in one.
  std::string name;

  friend bool operator==(const EndMatch&, const EndMatch&) = default;
};

/// The first rule that holds for `end`, of the job's and then of the built-in
/// ones; nullopt if none does. Pure.
std::optional<EndMatch> MatchEnd(const std::vector<EndRule>& job_rules,
                                 bool has_gpus, const AttemptObservation& end);

/// A sentence on why the rule holds: its reason, or its name, and the line of
/// the log. Pure.
std::string DescribeMatch(const EndMatch& match);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_END_RULES_H_
