// `vernier supervise` alone: starts faster than the whole binary, and does not
// need the command line to be built.

#include <cstdio>
#include <cstring>

#include "cluster/local/supervisor.h"

int main(int argc, char** argv) {
  if (argc != 3 || std::strcmp(argv[1], "supervise") != 0) {
    std::fprintf(stderr, "usage: %s supervise ATTEMPT_DIR\n", argv[0]);
    return 2;
  }
  return vernier::RunSupervisor(argv[2]);
}
