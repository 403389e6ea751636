#ifndef VERNIER_CLUSTER_PROCESS_CLIENT_PRESENCE_H_
#define VERNIER_CLUSTER_PROCESS_CLIENT_PRESENCE_H_

#include "trials/clients/client_process.h"

namespace vernier {

/// Returns whether a client's process runs on this machine; kNotKnown if it is
/// on another machine or in another container. Reads /proc. Thread-safe.
ClientPresence PresenceOnThisMachine(const ClientProcess& client);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_PROCESS_CLIENT_PRESENCE_H_
