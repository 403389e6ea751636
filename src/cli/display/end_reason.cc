#include "cli/display/end_reason.h"

#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace vernier {
namespace {

constexpr std::string_view kReplica = "The replica ";
constexpr std::string_view kPrimary = "master 0 ";
constexpr std::string_view kStatus = " status of ";
constexpr std::string_view kNotStarted = "could not be started: ";

/// "3. Termination reason: Error." -> "exit status 3"; "9(SIGKILL)." ->
/// "SIGKILL".
std::string ShortStatus(const std::string& text) {
  const std::string status = text.substr(0, text.find('.'));
  const std::size_t open = status.find('(');
  if (open == std::string::npos) return absl::StrCat("exit status ", status);
  return status.substr(open + 1, status.find(')') - open - 1);
}

/// The printed line that best explains the end: the exception at the end of the
/// last Python traceback, or else the last line.
std::string LastWords(const std::vector<std::string>& lines) {
  std::string last;
  bool is_in_traceback = false;
  bool has_exception = false;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const std::string text(absl::StripAsciiWhitespace(line));
    if (text.rfind("Traceback (most recent call last)", 0) == 0) {
      is_in_traceback = true;
      has_exception = false;
    } else if (is_in_traceback && !text.empty() && line.front() != ' ') {
      last = text;
      is_in_traceback = false;
      has_exception = true;
    } else if (!text.empty() && !has_exception) {
      last = text;
    }
  }
  return last;
}

}  // namespace

std::string EndReason(const std::string& cause, const std::string& message) {
  if (cause.empty() || cause == "success") return "";
  const std::vector<std::string> lines = absl::StrSplit(message, '\n');
  std::string first = lines.front();
  if (first.empty()) return cause;
  if (first.rfind(kReplica, 0) != 0) return absl::StrCat(cause, ": ", first);
  first.erase(0, kReplica.size());
  // If it was not the primary, the text must name the replica.
  const bool is_primary = first.rfind(kPrimary, 0) == 0;
  const std::size_t number = first.find(' ') + 1;
  const std::string who =
      is_primary ? "" : first.substr(0, first.find(' ', number)) + ": ";
  const std::size_t refused = first.find(kNotStarted);
  if (refused != std::string::npos) {
    return absl::StrCat(cause, ": ", who,
                        first.substr(refused + kNotStarted.size()));
  }
  const std::size_t status = first.find(kStatus);
  if (status == std::string::npos) {
    return absl::StrCat(cause, ": ", lines.front());
  }
  const std::string words = LastWords(lines);
  return absl::StrCat(cause, ": ", who,
                      ShortStatus(first.substr(status + kStatus.size())),
                      words.empty() ? "" : ": ", words);
}

}  // namespace vernier
