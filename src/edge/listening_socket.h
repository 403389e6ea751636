#ifndef VERNIER_EDGE_LISTENING_SOCKET_H_
#define VERNIER_EDGE_LISTENING_SOCKET_H_

#include <vector>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "edge/endpoint.h"

namespace vernier {

/// Returns non-blocking sockets that listen at `endpoint`: one, or one for each
/// address of a host name. If the kernel chooses the port, it is stored in
/// `endpoint`. A socket file at which no process answers is replaced; only this
/// user may open the new one, and it is not removed when the sockets are
/// closed.
///
/// Changes the process's umask for an instant, so call it before other threads
/// make files. Errors: UNAVAILABLE; ALREADY_EXISTS if a process answers at the
/// socket file.
absl::StatusOr<std::vector<UniqueFd>> ListenAt(Endpoint* endpoint);

}  // namespace vernier

#endif  // VERNIER_EDGE_LISTENING_SOCKET_H_
