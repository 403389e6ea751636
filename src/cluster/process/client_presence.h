#ifndef VERNIER_CLUSTER_PROCESS_CLIENT_PRESENCE_H_
#define VERNIER_CLUSTER_PROCESS_CLIENT_PRESENCE_H_

#include "trials/clients/client_process.h"

namespace vernier {

/// Whether a client's process runs on this machine; kNotKnown for one of
/// another machine or container. Looks at /proc; any thread.
ClientPresence PresenceOnThisMachine(const ClientProcess& client);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_PROCESS_CLIENT_PRESENCE_H_
