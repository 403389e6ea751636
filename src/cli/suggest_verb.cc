#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <string>

#include "cli/exit_code.h"
#include "cli/suggest_session.h"
#include "cli/verbs.h"

namespace vernier {
namespace {

absl::StatusOr<int> AnswerLines() {
  std::ios::sync_with_stdio(false);
  SuggestSession session;
  std::string line;
  while (std::getline(std::cin, line)) {
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
