#include "access/vizier_access.h"

namespace vernier {

absl::Status CheckVizierCaller(std::string_view peer, VizierOverTcp over_tcp) {
  if (peer.substr(0, 5) == "unix:" || over_tcp == VizierOverTcp::kInsecure) {
    return absl::OkStatus();
  }
  return absl::UnauthenticatedError(
      "vizier.VizierService has no authentication, so that it is offered on "
      "the unix socket only; an administrator can offer it on loopback TCP "
      "with vernier serve --insecure-vizier-tcp");
}

}  // namespace vernier
