#ifndef VERNIER_CLUSTER_KUBERNETES_LINE_SPLITTER_H_
#define VERNIER_CLUSTER_KUBERNETES_LINE_SPLITTER_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace vernier {

/// Cuts a stream of bytes into lines. The stored part of an unfinished line is
/// bounded. Not thread-safe: a stream owns it.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t max_line) : max_line_(max_line) {}

  /// Calls `take(line)` for each line that `data` completes, without its
  /// newline. Returns false, now and in all later calls, if a line is longer
  /// than `max_line`.
  template <typename Take>
  bool Add(std::string_view data, const Take& take) {
    while (!is_broken_ && !data.empty()) {
      const std::size_t end = data.find('\n');
      const std::string_view part = data.substr(0, end);
      if (rest_.size() + part.size() > max_line_) {
        is_broken_ = true;
        rest_.clear();
        break;
      }
      rest_.append(part);
      if (end == std::string_view::npos) break;
      take(std::string_view(rest_));
      rest_.clear();
      data.remove_prefix(end + 1);
    }
    return !is_broken_;
  }

  /// Returns the line that has not ended.
  const std::string& rest() const { return rest_; }
  void Clear() { rest_.clear(); }

 private:
  const std::size_t max_line_;
  std::string rest_;
  bool is_broken_ = false;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_LINE_SPLITTER_H_
