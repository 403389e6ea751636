#ifndef VERNIER_CLI_VERBS_SLURM_FLAGS_H_
#define VERNIER_CLI_VERBS_SLURM_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "daemon/service.h"

namespace CLI {
class App;
}  // namespace CLI

namespace vernier {

/// The flags of `vernier serve` about where jobs run, as words.
struct ClusterFlags {
  std::string launcher = "local";
  std::vector<std::string> slurm_gpu_types;
};

/// Declares the flags about launchers and the Slurm cluster. Both structures
/// must outlive the parsing.
void DeclareClusterFlags(CLI::App* verb, ClusterFlags* flags,
                         ServeOptions* options);

/// Completes the options by the flags. INVALID_ARGUMENT says which flag is
/// wrong.
absl::Status ApplyClusterFlags(const ClusterFlags& flags,
                               ServeOptions* options);

}  // namespace vernier

#endif  // VERNIER_CLI_VERBS_SLURM_FLAGS_H_
