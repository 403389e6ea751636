#ifndef VERNIER_DAEMON_OBSERVER_SETTINGS_H_
#define VERNIER_DAEMON_OBSERVER_SETTINGS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/trial_environment.h"
#include "telemetry/otlp_settings.h"

namespace vernier {

/// The settings for reports to other programs about events of the service.
struct ObserverSettings {
  std::optional<OtlpSettings> traces;
  std::vector<std::string> webhooks;  ///< URLs, as CheckOutboundUrl wants them.
  std::string webhook_secret_file;    ///< Empty: notices are not signed.
  std::string on_job_end;             ///< A program; empty: none.
  /// The program's environment, in addition to what ProgramsMayInherit.
  Environment program_environment;
};

/// The flags of `vernier serve` about these reports.
struct ObserverFlags {
  std::string otlp_endpoint;
  std::vector<std::string> webhooks;
  std::string webhook_secret_file;
  std::string on_job_end;
};

/// Reads the settings from flags, and from the environment where
/// OpenTelemetry's specification says so. INVALID_ARGUMENT names the flag or
/// the variable.
absl::StatusOr<ObserverSettings> ReadObserverSettings(
    const ObserverFlags& flags);

}  // namespace vernier

#endif  // VERNIER_DAEMON_OBSERVER_SETTINGS_H_
