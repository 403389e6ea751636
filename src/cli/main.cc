#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cluster/supervisor.h"
#include "server/version.h"

int main(int argc, char** argv) {
  // These two start once per trial, or in every script: nothing heavy before.
  if (argc == 2 && std::strcmp(argv[1], "version") == 0) {
    std::printf("vernier %s\n", vernier::kVersion);
    return 0;
  }
  if (argc == 3 && std::strcmp(argv[1], "supervise") == 0) {
    return vernier::RunSupervisor(argv[2]);
  }
  return vernier::RunCommandLine(
      std::vector<std::string>(argv + 1, argv + argc));
}
