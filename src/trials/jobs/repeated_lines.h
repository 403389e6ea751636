#ifndef VERNIER_TRIALS_JOBS_REPEATED_LINES_H_
#define VERNIER_TRIALS_JOBS_REPEATED_LINES_H_

#include <map>
#include <optional>
#include <string>

#include "base/clock.h"

namespace vernier {

/// Limits a log to which a loop writes the same line again and again while a
/// problem lasts, such as a full disk. Not thread-safe: its loop owns it.
class RepeatedLines {
 public:
  /// Returns the text to write now for `line`: the line itself, with the number
  /// of times that it was left out. nullopt if it was written within the last
  /// minute, so that nothing is to be written. Remembers at most 1000 lines.
  std::optional<std::string> Pass(const std::string& line, SteadyTime now);

 private:
  struct Written {
    SteadyTime at{};
    int left_out = 0;
  };
  std::map<std::string, Written> written_;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_REPEATED_LINES_H_
