#include "daemon/attempt_addresses.h"

#include "edge/http/http_gateway.h"

namespace vernier {
namespace {

// Programs that use google-cloud-storage cannot send a header, so the token is
// part of the address.
std::string WithToken(const std::string& url, const std::string& token) {
  return url.empty() ? "" : url + AttemptPrefix(token);
}

}  // namespace

ServiceAddresses AddressesFor(const JobSpec& spec, const ServiceReach& reach,
                              const std::string& attempt_token) {
  ServiceAddresses addresses;
  addresses.attempt_token = attempt_token;
  if (!RunsOnThisMachine(spec)) {
    // Other machines reach neither a socket nor a loopback address.
    addresses.storage_emulator_host =
        WithToken(reach.advertise_url, attempt_token);
    return addresses;
  }
  // Trials that start before the kernel has chosen a port get no address.
  if (!reach.grpc.socket_path.empty() || reach.grpc.port != 0) {
    addresses.grpc_endpoint = reach.grpc.ToString();
  }
  addresses.storage_emulator_host = WithToken(reach.http_url, attempt_token);
  return addresses;
}

}  // namespace vernier
