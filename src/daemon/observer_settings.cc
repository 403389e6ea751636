#include "daemon/observer_settings.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/process_environment.h"
#include "base/status_macros.h"
#include "notifications/webhook.h"

namespace vernier {
namespace {

constexpr std::size_t kMostWebhooks = 8;

}  // namespace

absl::StatusOr<ObserverSettings> ReadObserverSettings(
    const ObserverFlags& flags) {
  ObserverSettings settings;
  VERNIER_ASSIGN_OR_RETURN(
      settings.traces,
      ReadOtlpSettings(flags.otlp_endpoint, &EnvironmentVariable));
  if (flags.webhooks.size() > kMostWebhooks) {
    return absl::InvalidArgumentError(
        absl::StrCat("--webhook may be given ", kMostWebhooks,
                     " times: ", flags.webhooks.size()));
  }
  for (const std::string& flag : flags.webhooks) {
    VERNIER_ASSIGN_OR_RETURN(std::string url, ReadWebhookUrl(flag));
    if (std::find(settings.webhooks.begin(), settings.webhooks.end(), url) !=
        settings.webhooks.end()) {
      return absl::InvalidArgumentError("--webhook names one URL twice");
    }
    settings.webhooks.push_back(std::move(url));
  }
  settings.webhook_secret_file = flags.webhook_secret_file;
  if (!settings.webhook_secret_file.empty()) {
    if (settings.webhooks.empty()) {
      return absl::InvalidArgumentError(
          "--webhook-secret-file needs a --webhook");
    }
    VERNIER_RETURN_IF_ERROR(CheckSecretFile(settings.webhook_secret_file));
  }
  settings.on_job_end = flags.on_job_end;
  return settings;
}

}  // namespace vernier
