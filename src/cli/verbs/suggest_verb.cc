#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "base/clock.h"
#include "cli/command/exit_code.h"
#include "cli/verbs/suggest_session.h"
#include "cli/verbs/verbs.h"

namespace vernier {
namespace {

// A caller that says nothing for so long is training: time to work ahead. One
// that tells several outcomes in a row is not kept waiting after each.
constexpr int kQuietMilliseconds = 5;

// Whether standard input has nothing to read for that long.
bool IsQuiet(int milliseconds) {
  if (std::cin.rdbuf()->in_avail() > 0) return false;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, milliseconds) == 0;
}

// A line that comes waits for one point at most.
void WorkAhead(SuggestSession& session) {
  bool may_work = IsQuiet(kQuietMilliseconds);
  while (may_work) may_work = session.Prepare() && IsQuiet(0);
}

absl::StatusOr<int> AnswerLines() {
  std::ios::sync_with_stdio(false);
  const SystemClock clock;
  SuggestSession session(clock);
  std::string line;
  while (true) {
    WorkAhead(session);
    if (!std::getline(std::cin, line)) break;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::cout << session.Answer(line) << '\n' << std::flush;
    if (!std::cout) {
      return absl::UnavailableError("cannot write to standard output");
    }
  }
  return kExitDone;
}

}  // namespace

void DeclareSuggestVerb(CLI::App& app, Invocation& invocation) {
  CLI::App* suggest = app.add_subcommand(
      "suggest",
      "Suggest parameters to a loop of your own: JSON lines on standard input "
      "and output");
  suggest->callback(
      [&invocation] { invocation.set_action([] { return AnswerLines(); }); });
}

}  // namespace vernier
