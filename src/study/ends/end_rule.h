#ifndef VERNIER_STUDY_ENDS_END_RULE_H_
#define VERNIER_STUDY_ENDS_END_RULE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "base/enum_name.h"

namespace vernier {

/// The consequence of an attempt's end.
enum class EndAction {
  kFail,            ///< The program's fault: retry.maxUserErrorRetries.
  kRetry,           ///< A transient fault: retry.maxTransientRetries.
  kInfrastructure,  ///< The machine's fault: tried again after a while, on
                    ///< other GPUs; no failed trial.
  kInfeasible,      ///< The parameters cannot be evaluated.
  kOutOfMemory,     ///< Likewise, for lack of memory.
  kSucceed,         ///< As if the program had ended with status 0.
  kPause,           ///< The job pauses, and then tries the trial again.
};

inline constexpr EnumName<EndAction> kEndActionNames[] = {
    {"FAIL", EndAction::kFail},
    {"RETRY", EndAction::kRetry},
    {"INFRASTRUCTURE", EndAction::kInfrastructure},
    {"INFEASIBLE", EndAction::kInfeasible},
    {"OUT_OF_MEMORY", EndAction::kOutOfMemory},
    {"SUCCEED", EndAction::kSucceed},
    {"PAUSE", EndAction::kPause},
};

inline constexpr std::size_t kMaxEndRules = 100;
inline constexpr std::size_t kMaxLogPattern = 1000;  ///< Bytes.

/// A rule for the consequence of an end: vernier.endRules. It applies to an end
/// with one of the exit codes or signals, if any are given, whose log has a
/// line with the pattern, if one is given. Without exit codes it applies to
/// failures only.
struct EndRule {
  std::vector<int> exit_codes;  ///< 0 .. 255.
  std::vector<int> signals;     ///< 1 .. 64.
  std::string log_pattern;      ///< RE2; empty: any log.
  EndAction action = EndAction::kFail;
  std::string reason;  ///< A sentence for people; may be empty.

  friend bool operator==(const EndRule&, const EndRule&) = default;
};

/// Returns the number of "SIGTERM" or "TERM"; 0: there is no such signal.
int SignalNumber(std::string_view name);

/// INVALID_ARGUMENT names the fault of a rule's pattern.
absl::Status CheckLogPattern(std::string_view pattern);

/// Returns the last line of `log` with a match of `pattern`, at most 300 bytes
/// of it; empty if there is none, or if the pattern is not valid. The time is
/// linear in the log, whatever the pattern.
std::string LastLineWith(std::string_view pattern, std::string_view log);

}  // namespace vernier

#endif  // VERNIER_STUDY_ENDS_END_RULE_H_
