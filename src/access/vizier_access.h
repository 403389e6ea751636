#ifndef VERNIER_ACCESS_VIZIER_ACCESS_H_
#define VERNIER_ACCESS_VIZIER_ACCESS_H_

#include <string_view>

#include "absl/status/status.h"

namespace vernier {

/// Says whether clients of OSS Vizier, which carry no token, may connect by
/// TCP.
enum class VizierOverTcp { kRefused, kInsecure };

/// Returns OK for a caller by the unix socket, whose file permissions are the
/// check, and for one by TCP if that is allowed; otherwise UNAUTHENTICATED with
/// a hint. `peer` is gRPC's name of the caller, e.g. "unix:" or
/// "ipv4:127.0.0.1:5".
absl::Status CheckVizierCaller(std::string_view peer, VizierOverTcp over_tcp);

}  // namespace vernier

#endif  // VERNIER_ACCESS_VIZIER_ACCESS_H_
