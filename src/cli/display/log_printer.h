#ifndef VERNIER_CLI_DISPLAY_LOG_PRINTER_H_
#define VERNIER_CLI_DISPLAY_LOG_PRINTER_H_

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace vernier {

namespace v1 {
class LogChunk;
}

/// Lays out pieces of logs of several replicas. Not thread-safe.
class LogPrinter {
 public:
  enum class Style {
    kColumns,  ///< "master-replica-0  3  LINE", as gcloud's stream-logs.
    kHeaders,  ///< The bytes as they are, a "==> ... <==" line at each switch.
    kJson,     ///< An object a line: trialId, attempt, replica and line.
  };
  explicit LogPrinter(Style style) : style_(style) {}

  /// Returns the text to print for `piece`. Incomplete lines are held back, so
  /// that lines of different replicas do not mix; except in kHeaders.
  std::string Add(const v1::LogChunk& piece);

  /// Returns the incomplete lines at the end.
  std::string Finish();

 private:
  using Key = std::tuple<std::int64_t, int, std::string>;

  std::string Lines(const v1::LogChunk& piece);
  /// Returns the output for one line; `line` is without its line end.
  std::string LineOf(const Key& key, const std::string& line) const;
  std::string Headers(const v1::LogChunk& piece);

  const Style style_;
  std::map<Key, std::string> partial_;  // Lines without their end, by replica.
  Key last_{};                          // Whose bytes came last.
  bool ends_with_newline_ = true;
};

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_LOG_PRINTER_H_
