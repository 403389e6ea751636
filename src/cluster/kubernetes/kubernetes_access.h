#ifndef VERNIER_CLUSTER_KUBERNETES_KUBERNETES_ACCESS_H_
#define VERNIER_CLUSTER_KUBERNETES_KUBERNETES_ACCESS_H_

#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vernier {

/// The address of an API server and the credentials for it.
struct KubernetesAccess {
  std::string server;  ///< "https://10.0.0.1:6443", without a slash at its end.
  std::string name_space;  ///< Of the context or the service account; or empty.
  std::string tls_server_name;     ///< If the certificate has another name.
  std::string authority;           ///< PEM; empty: those of the machine.
  std::string client_certificate;  ///< PEM; empty: none.
  std::string client_key;          ///< PEM.
  std::string token;               ///< Empty: none.
  std::string token_file;  ///< Read again for each call, since it is renewed.
};

/// Finds the access in the kubeconfig `config`. If that is empty, it is looked
/// for in the files that $KUBECONFIG names, else it is the service account of
/// this pod, else in ~/.kube/config. `context` names one of a kubeconfig's
/// contexts; empty for its current one. `environment` is this process's.
///
/// Errors: NOT_FOUND if there is none; INVALID_ARGUMENT, with the file and
/// entry, for one that cannot be used.
absl::StatusOr<KubernetesAccess> FindKubernetesAccess(
    const std::string& config, const std::string& context,
    const std::map<std::string, std::string>& environment);

/// Returns the access that the service account of this pod has. Errors:
/// NOT_FOUND if this process runs in no pod.
absl::StatusOr<KubernetesAccess> AccessOfPod(
    const std::map<std::string, std::string>& environment);

/// Parses a kubeconfig. `path` is used in messages, and paths within the file
/// are relative to its folder. Bounded in time and memory for any text. Errors:
/// as FindKubernetesAccess; NOT_FOUND if it lacks the context.
absl::StatusOr<KubernetesAccess> ReadKubeconfig(std::string_view text,
                                                const std::string& path,
                                                const std::string& context);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_KUBERNETES_ACCESS_H_
