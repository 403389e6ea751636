#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "base/clock.h"
#include "cli/command/verb.h"
#include "cli/text/console.h"
#include "cli/verbs/verbs.h"
#include "faces/suggest/suggest_session.h"

namespace vernier {
namespace {

// If the caller is quiet for this long, it is training, and there is time to
// compute ahead. A caller that reports several outcomes in a row must not wait
// after each.
constexpr int kQuietMilliseconds = 5;

// Returns whether standard input stays empty for that long.
bool IsQuiet(int milliseconds) {
  if (std::cin.rdbuf()->in_avail() > 0) return false;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, milliseconds) == 0;
}

// Computes ahead while the caller is quiet. A new line waits for one point at
// most.
void WorkAhead(SuggestSession& session) {
  bool may_work = IsQuiet(kQuietMilliseconds);
  while (may_work) may_work = session.Prepare() && IsQuiet(0);
}

absl::Status AnswerLines(Invocation&, const NoWords&) {
  std::ios::sync_with_stdio(false);
  const SystemClock clock;
  SuggestSession session(clock);
  std::string line;
  while (true) {
    WorkAhead(session);
    if (!std::getline(std::cin, line)) break;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (!WriteData(stdout, session.Answer(line) + "\n") ||
        std::fflush(stdout) != 0) {
      return absl::UnavailableError("cannot write to standard output");
    }
  }
  return absl::OkStatus();
}

}  // namespace

void DeclareSuggestVerb(CLI::App& app, Invocation& invocation) {
  Verb<NoWords>(app, invocation, "suggest",
                "Suggest parameters to a loop of your own: JSON lines on "
                "standard input and output")
      .Does(Flags::kNone, &AnswerLines);
}

}  // namespace vernier
