#ifndef VERNIER_TELEMETRY_OTLP_SETTINGS_H_
#define VERNIER_TELEMETRY_OTLP_SETTINGS_H_

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "telemetry/span.h"

namespace vernier {

/// The destination of traces and how to reach it.
struct OtlpSettings {
  enum class Encoding { kProtobuf, kJson };

  std::string url;  ///< Of the traces, "https://h:4318/v1/traces".
  std::vector<std::string> headers;  ///< "Name: value"; may be secrets.
  Encoding encoding = Encoding::kProtobuf;
  std::chrono::milliseconds time_limit{10000};  ///< Of one request.
  std::string ca_file;                          ///< Empty: the system's.
  SpanAttributes resource;                      ///< service.name among them.
};

/// Reads the settings from the service's flag and from the variables that
/// OpenTelemetry's specification names (OTEL_EXPORTER_OTLP_ENDPOINT and so on;
/// docs/monitoring.md lists those that count). A flag that is not empty
/// replaces the endpoint of the variables. Null if no traces are wanted.
///
/// INVALID_ARGUMENT names the flag or the variable, but never a header's value.
absl::StatusOr<std::optional<OtlpSettings>> ReadOtlpSettings(
    const std::string& flag,
    const std::function<std::string(const std::string& name)>& variable);

}  // namespace vernier

#endif  // VERNIER_TELEMETRY_OTLP_SETTINGS_H_
