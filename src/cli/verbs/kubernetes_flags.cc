#include "cli/verbs/kubernetes_flags.h"

#include <CLI/CLI.hpp>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "cluster/kubernetes/kubernetes_settings.h"
#include "study/job_file/kubernetes_section.h"

namespace vernier {
namespace {

absl::Status Wrong(const char* flag, const std::string& wrong) {
  return absl::InvalidArgumentError(absl::StrCat(flag, " ", wrong));
}

}  // namespace

void DeclareKubernetesFlags(CLI::App* verb, KubernetesFlags* flags,
                            ServeOptions* options) {
  KubernetesSettings& kubernetes = options->kubernetes;
  verb->add_option("--kubernetes-config", kubernetes.config,
                   "Path of a kubeconfig (default: $KUBECONFIG, else the "
                   "service account of this pod, else ~/.kube/config)");
  verb->add_option("--kubernetes-context", kubernetes.context,
                   "Context of the kubeconfig (default: its current one)");
  verb->add_option("--kubernetes-namespace", kubernetes.defaults.name_space,
                   "Namespace of jobs that name none (default: the context's "
                   "or the service account's)");
  verb->add_option("--kubernetes-queue", kubernetes.defaults.queue,
                   "Kueue's queue, for jobs that name none");
  verb->add_option("--kubernetes-service-account",
                   kubernetes.defaults.service_account,
                   "Service account of the pods of jobs that name none "
                   "(default: none of any rights)");
  verb->add_option("--kubernetes-image", kubernetes.image,
                   "Image of jobs that name none (default: they are refused)");
  verb->add_option("--kubernetes-data-claim", kubernetes.data_claim,
                   "PersistentVolumeClaim that holds the data directory; all "
                   "pods then mount it at the same path (default: they report "
                   "over HTTP and by what they print)");
  verb->add_option("--kubernetes-gpu-node", flags->gpu_nodes,
                   "ACCELERATOR=LABEL=VALUE: the label of the nodes that have "
                   "an acceleratorType (may be repeated)");
  verb->add_option("--kubernetes-objects", kubernetes.objects,
                   "auto, jobset or jobs: what an attempt becomes (default "
                   "auto: a JobSet where the cluster has them)")
      ->check(CLI::IsMember({"auto", "jobset", "jobs"}));
}

absl::Status ApplyKubernetesFlags(const KubernetesFlags& flags,
                                  ServeOptions* options) {
  KubernetesSettings& kubernetes = options->kubernetes;
  const KubernetesOptions& defaults = kubernetes.defaults;
  const struct {
    const char* flag;
    const std::string& name;
    std::string (*check)(const std::string&);
  } names[] = {
      {"--kubernetes-namespace", defaults.name_space, CheckKubernetesNamespace},
      {"--kubernetes-queue", defaults.queue, CheckKubernetesNamespace},
      {"--kubernetes-service-account", defaults.service_account,
       CheckKubernetesName},
      {"--kubernetes-data-claim", kubernetes.data_claim, CheckKubernetesName}};
  for (const auto& each : names) {
    const std::string wrong = each.name.empty() ? "" : each.check(each.name);
    if (!wrong.empty()) return Wrong(each.flag, wrong);
  }
  for (const std::string& text : flags.gpu_nodes) {
    const std::size_t first = text.find('=');
    const std::size_t second =
        first == std::string::npos ? first : text.find('=', first + 1);
    if (second == std::string::npos || first == 0) {
      return Wrong("--kubernetes-gpu-node",
                   absl::StrCat("must be ACCELERATOR=LABEL=VALUE: ", text));
    }
    const std::string key = text.substr(first + 1, second - first - 1);
    const std::string value = text.substr(second + 1);
    for (const std::string& wrong :
         {CheckKubernetesKey(key), CheckKubernetesLabelValue(value)}) {
      if (!wrong.empty()) return Wrong("--kubernetes-gpu-node", wrong);
    }
    kubernetes.gpu_nodes[text.substr(0, first)] = {key, value};
  }
  return absl::OkStatus();
}

}  // namespace vernier
