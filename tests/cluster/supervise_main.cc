// The commands of an attempt's processes alone: starts faster than the whole
// binary, and does not need the command line to be built.

#include <cstdio>
#include <cstring>

#include "cluster/local/supervisor.h"
#include "cluster/slurm/node/gang_coordinator.h"
#include "cluster/slurm/node/gang_member.h"
#include "cluster/slurm/node/node_probe.h"

int main(int argc, char** argv) {
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
  std::fprintf(stderr, "usage: %s supervise ATTEMPT_DIR\n", argv[0]);
  return 2;
}
