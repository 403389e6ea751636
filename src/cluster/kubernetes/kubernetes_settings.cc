#include "cluster/kubernetes/kubernetes_settings.h"

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;

void Default(std::string* value, const std::string& otherwise) {
  if (value->empty()) *value = otherwise;
}

}  // namespace

absl::Status Validate(const KubernetesSettings& settings) {
  const std::pair<const char*, milliseconds> periods[] = {
      {"request_limit", settings.request_limit},
      {"retry_period", settings.retry_period},
      {"settle_time", settings.settle_time},
      {"tombstone_life", settings.tombstone_life},
      {"watch_time", settings.watch_time - milliseconds(999)},
      {"image_patience", settings.image_patience + milliseconds(1)},
      {"log_patience", settings.log_patience + milliseconds(1)},
      {"node_patience", settings.node_patience + milliseconds(1)},
      {"stranger_patience", settings.stranger_patience + milliseconds(1)},
      {"time_to_live", settings.time_to_live - std::chrono::seconds(59)}};
  for (const auto& [name, value] : periods) {
    if (value > milliseconds(0)) continue;
    return absl::InvalidArgumentError(absl::StrCat(name, " is too short"));
  }
  if (settings.objects != "auto" && settings.objects != "jobset" &&
      settings.objects != "jobs") {
    return absl::InvalidArgumentError(absl::StrCat(
        "objects must be auto, jobset or jobs: ", settings.objects));
  }
  if (!settings.data_claim.empty() && !settings.data_dir.starts_with('/')) {
    return absl::InvalidArgumentError(
        absl::StrCat("data_dir must be absolute: ", settings.data_dir));
  }
  return absl::OkStatus();
}

KubernetesOptions WithDefaults(const KubernetesOptions& options,
                               const KubernetesOptions& defaults) {
  KubernetesOptions full = options;
  Default(&full.name_space, defaults.name_space);
  Default(&full.queue, defaults.queue);
  Default(&full.scheduler, defaults.scheduler);
  Default(&full.service_account, defaults.service_account);
  Default(&full.priority_class, defaults.priority_class);
  Default(&full.gpu_resource, defaults.gpu_resource);
  Default(&full.gpu_resource, "nvidia.com/gpu");
  if (full.image_pull_secrets.empty()) {
    full.image_pull_secrets = defaults.image_pull_secrets;
  }
  return full;
}

}  // namespace vernier
