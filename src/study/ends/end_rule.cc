#include "study/ends/end_rule.h"

#include <re2/re2.h>

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "base/process/signal_name.h"

namespace vernier {
namespace {

constexpr std::size_t kShownLine = 300;
constexpr std::int64_t kMaxMemory = 1 << 20;
constexpr int kMostSignals = 64;

re2::RE2::Options Options() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxMemory);
  return options;
}

}  // namespace

int SignalNumber(std::string_view name) {
  if (name.substr(0, 3) == "SIG") name.remove_prefix(3);
  for (int number = 1; number <= kMostSignals; ++number) {
    if (!name.empty() && name == SignalName(number)) return number;
  }
  return 0;
}

absl::Status CheckLogPattern(std::string_view pattern) {
  if (pattern.size() > kMaxLogPattern) {
    return absl::InvalidArgumentError(
        absl::StrCat("must have at most ", kMaxLogPattern, " bytes"));
  }
  const re2::RE2 expression(re2::StringPiece(pattern.data(), pattern.size()),
                            Options());
  if (!expression.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("is no regular expression (RE2): ", expression.error()));
  }
  if (re2::RE2::FullMatch("", expression)) {
    return absl::InvalidArgumentError(
        "matches an empty line, so it would hold for every end");
  }
  return absl::OkStatus();
}

std::string LastLineWith(std::string_view pattern, std::string_view log) {
  const re2::RE2 expression(re2::StringPiece(pattern.data(), pattern.size()),
                            Options());
  if (!expression.ok()) return "";
  while (!log.empty()) {
    const std::size_t before = log.find_last_of("\r\n");
    const std::size_t from = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view line = log.substr(from);
    if (!line.empty() &&
        re2::RE2::PartialMatch(re2::StringPiece(line.data(), line.size()),
                               expression)) {
      return std::string(line.substr(0, kShownLine));
    }
    log = log.substr(0, from == 0 ? 0 : from - 1);
  }
  return "";
}

}  // namespace vernier
