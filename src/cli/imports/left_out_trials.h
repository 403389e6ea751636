#ifndef VERNIER_CLI_IMPORTS_LEFT_OUT_TRIALS_H_
#define VERNIER_CLI_IMPORTS_LEFT_OUT_TRIALS_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace vernier {

/// Gathers what cannot be brought along, so that a thousand trials with one
/// fault make one line. Not thread-safe.
class LeftOutTrials {
 public:
  /// `reason` is a whole clause about trials, such as "running: it has no
  /// result yet"; `trial` is the tool's own id.
  void Add(const std::string& reason, const std::string& trial);

  /// Returns a line for each reason, in the order in which they came up, with
  /// the number of trials and the first few of them.
  std::vector<std::string> Lines() const;

 private:
  struct Found {
    std::size_t count = 0;
    std::vector<std::string> first;
  };
  std::vector<std::string> order_;
  std::map<std::string, Found> found_;
};

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_LEFT_OUT_TRIALS_H_
