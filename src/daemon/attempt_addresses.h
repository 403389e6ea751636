#ifndef VERNIER_DAEMON_ATTEMPT_ADDRESSES_H_
#define VERNIER_DAEMON_ATTEMPT_ADDRESSES_H_

#include <string>

#include "cluster/attempt/trial_resources.h"
#include "edge/endpoint.h"
#include "study/job_spec.h"

namespace vernier {

/// The addresses at which one service is reached.
struct ServiceReach {
  Endpoint grpc;              ///< As it listens.
  std::string http_url;       ///< From this machine; empty: not at all.
  std::string advertise_url;  ///< From others; empty: not at all.
};

/// Returns the addresses at which the programs of an attempt with this token
/// reach the service. Pure.
ServiceAddresses AddressesFor(const JobSpec& spec, const ServiceReach& reach,
                              const std::string& attempt_token);

}  // namespace vernier

#endif  // VERNIER_DAEMON_ATTEMPT_ADDRESSES_H_
