#ifndef VERNIER_CLI_VERBS_KUBERNETES_FLAGS_H_
#define VERNIER_CLI_VERBS_KUBERNETES_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "daemon/service.h"

namespace CLI {
class App;
}  // namespace CLI

namespace vernier {

/// The flags of `vernier serve` about its Kubernetes cluster, as words.
struct KubernetesFlags {
  std::vector<std::string> gpu_nodes;
};

/// Declares the flags about Kubernetes. Both structures must outlive the
/// parsing.
void DeclareKubernetesFlags(CLI::App* verb, KubernetesFlags* flags,
                            ServeOptions* options);

/// Completes the options by the flags. INVALID_ARGUMENT says which flag is
/// wrong.
absl::Status ApplyKubernetesFlags(const KubernetesFlags& flags,
                                  ServeOptions* options);

}  // namespace vernier

#endif  // VERNIER_CLI_VERBS_KUBERNETES_FLAGS_H_
