#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/version.h"
#include "cli/command_line.h"
#include "cluster/local/supervisor.h"
#include "cluster/slurm/node/gang_coordinator.h"
#include "cluster/slurm/node/gang_member.h"
#include "cluster/slurm/node/node_probe.h"

namespace {

bool IsVersion(int argc, char** argv) {
  return argc == 2 && (std::strcmp(argv[1], "version") == 0 ||
                       std::strcmp(argv[1], "--version") == 0);
}

int AnswerVersion() {
  constexpr char kPrefix[] = "vernier ";
  char line[sizeof(kPrefix) + sizeof(vernier::kVersion)];
  std::strcpy(line, kPrefix);
  std::strcat(line, vernier::kVersion);
  std::strcat(line, "\n");
  const std::size_t size = std::strlen(line);
  return write(STDOUT_FILENO, line, size) == static_cast<ssize_t>(size) ? 0 : 1;
}

// Opens /dev/null for standard streams that are closed. Otherwise a file or
// socket that is opened later would get the stream's number, and output would
// go there. Reading from it and printing to it still fail, because of the
// modes.
void FillStandardStreams() {
  constexpr int kModes[] = {O_WRONLY, O_RDONLY, O_RDWR};
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) < 0) {
      // open returns the lowest free number, which is this one.
      [[maybe_unused]] const int opened = open("/dev/null", kModes[fd]);
    }
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Runs before the initialisers of the libraries, of which there are hundreds
// and which take longer than all the rest of a short process. Functions in the
// program's .preinit_array may use only the C library.
void AnswerEarly(int argc, char** argv, char** /*environment*/) {
  if (IsVersion(argc, argv)) _exit(AnswerVersion());
  // gRPC's initialisers open files, which must not get these numbers.
  FillStandardStreams();
}

__attribute__((section(".preinit_array"),
               used)) void (*const kAnswerEarly)(int, char**,
                                                 char**) = &AnswerEarly;
#endif

}  // namespace

int main(int argc, char** argv) {
  if (IsVersion(argc, argv)) return AnswerVersion();
  FillStandardStreams();
  // This runs once per attempt, so nothing slow may come before it.
  if (argc == 3 && std::strcmp(argv[1], "supervise") == 0) {
    return vernier::RunSupervisor(argv[2]);
  }
  if (argc == 3 && std::strcmp(argv[1], "slurm-gang") == 0) {
    return vernier::RunGangCoordinator(argv[2]);
  }
  if (argc == 4 && std::strcmp(argv[1], "slurm-replica") == 0) {
    return vernier::RunGangMember(argv[2], argv[3]);
  }
  if (argc == 4 && std::strcmp(argv[1], "slurm-probe") == 0) {
    return vernier::RunNodeProbe(argv[2], argv[3]);
  }
  return vernier::RunCommandLine(
      std::vector<std::string>(argv + 1, argv + argc));
}
