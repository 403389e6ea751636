#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cluster/supervisor.h"
#include "server/version.h"

namespace {

bool IsVersion(int argc, char** argv) {
  return argc == 2 && (std::strcmp(argv[1], "version") == 0 ||
                       std::strcmp(argv[1], "--version") == 0);
}

int PrintVersion() {
  constexpr char kPrefix[] = "vernier ";
  char line[sizeof(kPrefix) + sizeof(vernier::kVersion)];
  std::strcpy(line, kPrefix);
  std::strcat(line, vernier::kVersion);
  std::strcat(line, "\n");
  const std::size_t size = std::strlen(line);
  return write(STDOUT_FILENO, line, size) == static_cast<ssize_t>(size) ? 0 : 1;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// The libraries below have hundreds of initialisers, which take longer than all
// the rest of a process. A program's .preinit_array runs before them; nothing
// but the C library may be used there.
void AnswerEarly(int argc, char** argv, char** /*environment*/) {
  if (IsVersion(argc, argv)) _exit(PrintVersion());
}

__attribute__((section(".preinit_array"),
               used)) void (*const kAnswerEarly)(int, char**,
                                                 char**) = &AnswerEarly;
#endif

}  // namespace

int main(int argc, char** argv) {
  if (IsVersion(argc, argv)) return PrintVersion();
  // Once per attempt: nothing heavy before.
  if (argc == 3 && std::strcmp(argv[1], "supervise") == 0) {
    return vernier::RunSupervisor(argv[2]);
  }
  return vernier::RunCommandLine(
      std::vector<std::string>(argv + 1, argv + argc));
}
