#include "study/words/end_words.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace vernier {
namespace {

using Kind = ReplicaEndText::Kind;

constexpr std::string_view kReplica = "The replica ";
constexpr std::string_view kPrimary = "master 0";
constexpr std::string_view kTermination = "Termination reason: Error.";

struct Form {
  Kind kind;
  std::string_view words;  // Between the replica and the status.
};

constexpr Form kForms[] = {
    {Kind::kExited, " exited with a non-zero status of "},
    {Kind::kOutOfMemory,
     " ran out-of-memory and exited with a non-zero status of "},
    {Kind::kStopped, " was stopped on request and ended with status "},
    {Kind::kNotStarted, " could not be started: "},
};

std::string Text(std::string_view text) { return std::string(text); }

bool Skip(std::string_view prefix, std::string_view* text) {
  if (text->substr(0, prefix.size()) != prefix) return false;
  text->remove_prefix(prefix.size());
  return true;
}

// "3" -> "exit status 3"; "9(SIGKILL)" -> "SIGKILL".
std::string ShortStatus(std::string_view status) {
  const std::size_t open = status.find('(');
  if (open == std::string_view::npos) {
    return absl::StrCat("exit status ", Text(status));
  }
  return Text(status.substr(open + 1, status.find(')') - open - 1));
}

std::string ClauseOf(const ReplicaEndText& end) {
  const std::string who =
      end.replica.empty() ? "its program" : absl::StrCat("its ", end.replica);
  switch (end.kind) {
    case Kind::kExited:
      return absl::StrCat(who, " ended with ", end.status);
    case Kind::kOutOfMemory:
      return absl::StrCat(who,
                          " needed more memory than there is and was "
                          "killed (",
                          end.status, ")");
    case Kind::kStopped:
      return absl::StrCat(who, " was stopped on request");
    case Kind::kNotStarted:
      return absl::StrCat(who, " could not be started: ", end.rest);
  }
  return "";
}

struct Parts {
  std::string_view before;  // The text before the replica's words.
  std::optional<ReplicaEndText> end;
  std::string_view line;  // The first line.
  std::string_view below;
};

Parts Split(std::string_view message) {
  Parts parts;
  const std::size_t size = std::min(message.find('\n'), message.size());
  parts.line = message.substr(0, size);
  parts.below = message.substr(std::min(size + 1, message.size()));
  const std::size_t at = parts.line.find(kReplica);
  // Within a sentence the words follow a colon: "the last one, trial 3: ".
  if (at == 0 || (at != std::string_view::npos && at >= 2 &&
                  parts.line.substr(at - 2, 2) == ": ")) {
    parts.end = ReadReplicaEnd(parts.line.substr(at));
    if (parts.end.has_value()) parts.before = parts.line.substr(0, at);
  }
  return parts;
}

std::string WithRest(const ReplicaEndText& end) {
  std::string clause = ClauseOf(end);
  if (end.kind == Kind::kNotStarted) return clause;
  absl::StrAppend(&clause, ".");
  if (!end.rest.empty()) absl::StrAppend(&clause, " ", end.rest);
  return clause;
}

// True if the message only repeats the attempt's exit status, in front of the
// program's output.
bool GoesWithoutSaying(const Parts& parts) {
  return parts.before.empty() && parts.end->kind == Kind::kExited &&
         parts.end->replica.empty() && parts.end->rest.empty() &&
         !absl::StripAsciiWhitespace(Text(parts.below)).empty();
}

}  // namespace

std::string CauseWords(std::string_view cause) {
  return absl::StrReplaceAll(Text(cause), {{"_", " "}});
}

std::optional<ReplicaEndText> ReadReplicaEnd(std::string_view line) {
  if (!Skip(kReplica, &line)) return std::nullopt;
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const std::size_t size = std::min(line.find(' ', blank + 1), line.size());
  ReplicaEndText end;
  if (line.substr(0, size) != kPrimary)
    end.replica = Text(line.substr(0, size));
  line.remove_prefix(size);
  for (const Form& form : kForms) {
    if (!Skip(form.words, &line)) continue;
    end.kind = form.kind;
    if (form.kind == Kind::kNotStarted) {
      end.rest = Text(line);
      return end;
    }
    const std::size_t stop = std::min(line.find('.'), line.size());
    end.status = ShortStatus(line.substr(0, stop));
    line.remove_prefix(std::min(stop + 1, line.size()));
    Skip(" ", &line);
    if (Skip(kTermination, &line)) Skip(" ", &line);
    end.rest = Text(line);
    return end;
  }
  return std::nullopt;
}

std::string PlainEnd(std::string_view message) {
  const Parts parts = Split(message);
  if (!parts.end.has_value()) return Text(message);
  if (GoesWithoutSaying(parts)) return Text(parts.below);
  std::string text = absl::StrCat(Text(parts.before), WithRest(*parts.end));
  if (parts.before.empty()) text.front() = 'I';  // Of "its".
  if (parts.line.size() < message.size()) {
    absl::StrAppend(&text, "\n", Text(parts.below));
  }
  return text;
}

std::string PlainEndClause(std::string_view message) {
  const Parts parts = Split(message);
  std::string text = parts.end.has_value() ? absl::StrCat(Text(parts.before),
                                                          WithRest(*parts.end))
                                           : Text(parts.line);
  if (!text.empty() && text.back() == '.') text.pop_back();
  return text;
}

}  // namespace vernier
