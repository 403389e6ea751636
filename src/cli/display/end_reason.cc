#include "cli/display/end_reason.h"

#include <optional>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "study/words/end_words.h"

namespace vernier {
namespace {

/// Returns the printed line that best explains the end: the exception at the
/// end of the last Python traceback, or else the last line.
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

std::string EndReason(const std::string& end_cause,
                      const std::string& message) {
  if (end_cause.empty() || end_cause == "success") return "";
  const std::string cause = CauseWords(end_cause);
  const std::vector<std::string> lines = absl::StrSplit(message, '\n');
  const std::string& first = lines.front();
  if (first.empty()) return cause;
  const std::optional<ReplicaEndText> end = ReadReplicaEnd(first);
  if (!end.has_value()) return absl::StrCat(cause, ": ", first);
  if (end->kind == ReplicaEndText::Kind::kStopped) {
    return absl::StrCat(cause, ": ", PlainEndClause(first));
  }
  // If it was not the primary, the text must name the replica.
  const std::string who =
      end->replica.empty() ? "" : absl::StrCat(end->replica, ": ");
  if (end->kind == ReplicaEndText::Kind::kNotStarted) {
    return absl::StrCat(cause, ": ", who, end->rest);
  }
  const std::string words = LastWords(lines);
  return absl::StrCat(cause, ": ", who, end->status, words.empty() ? "" : ": ",
                      words);
}

}  // namespace vernier
