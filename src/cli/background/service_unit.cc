#include "cli/background/service_unit.h"

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

// Quotes a word: % begins a specifier and $ a variable (systemd.service(5),
// "Command lines").
std::string Quote(const std::string& word) {
  std::string quoted = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '%' || c == '$') quoted += c;
    quoted += c;
  }
  return quoted + "\"";
}

// A path extends to the end of its line; only specifiers are special.
std::string EscapePath(const std::string& path) {
  std::string escaped;
  for (const char c : path) {
    if (c == '%') escaped += c;
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::string ServiceUnit(const std::string& program,
                        const std::vector<std::string>& words,
                        const std::string& work_dir) {
  std::string command = Quote(program);
  for (const std::string& word : words) {
    absl::StrAppend(&command, " ", Quote(word));
  }
  return absl::StrCat(
      "# vernier serve --print-unit > ~/.config/systemd/user/vernier.service\n"
      "# systemctl --user daemon-reload\n"
      "# systemctl --user enable --now vernier\n"
      "# loginctl enable-linger    (to run while you are logged out)\n"
      "[Unit]\n"
      "Description=Vernier tunes hyperparameters\n"
      "\n"
      "[Service]\n"
      "ExecStart=",
      command, "\nWorkingDirectory=", EscapePath(work_dir),
      "\n"
      "Restart=on-failure\n"
      "RestartSec=1\n"
      "# Trials outlive the service, and one that runs out of memory does not\n"
      "# end it.\n"
      "KillMode=process\n"
      "OOMPolicy=continue\n"
      "\n"
      "[Install]\n"
      "WantedBy=default.target\n");
}

}  // namespace vernier
