#ifndef VERNIER_CLI_BACKGROUND_SERVICE_FINDER_H_
#define VERNIER_CLI_BACKGROUND_SERVICE_FINDER_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "edge/endpoint.h"

namespace vernier {

/// Returns the endpoint that the user named: `endpoint` if not empty, else
/// $VERNIER_ENDPOINT unless `data_dir` is given; empty if there is none.
std::string NamedEndpoint(const std::string& endpoint,
                          const std::string& data_dir);

/// Returns the socket of the service of `data_dir` (empty: the default one).
/// FAILED_PRECONDITION if there is no default; INVALID_ARGUMENT if its path is
/// too long for a socket.
absl::StatusOr<Endpoint> OwnSocket(const std::string& data_dir);

/// Finds the service to talk to: `endpoint` if not empty, else
/// $VERNIER_ENDPOINT, else the socket in `data_dir` (empty: the default one).
/// If nobody answers at that socket, starts a service in the background, waits
/// until it is ready, and says so on standard error; with an endpoint given,
/// never.
///
/// Errors: INVALID_ARGUMENT; PERMISSION_DENIED for the socket of another user;
/// UNAVAILABLE, with the service's own words, if it does not start.
absl::StatusOr<Endpoint> FindService(const std::string& endpoint,
                                     const std::string& data_dir);

/// Returns the service that FindService would find, if it answers at a unix
/// socket now; never starts one. For callers that must not wait, such as
/// completion.
std::optional<Endpoint> RunningService(const std::string& endpoint,
                                       const std::string& data_dir);

}  // namespace vernier

#endif  // VERNIER_CLI_BACKGROUND_SERVICE_FINDER_H_
