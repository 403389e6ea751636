#include "edge/grpc/unnamed_methods.h"

#include "base/status_macros.h"

namespace vernier {

absl::Status AddUnnamedShare(const std::string& peer, const UnnamedCalls& calls,
                             BegunCall* call) {
  if (peer.rfind("unix:", 0) == 0) return absl::OkStatus();
  const std::string address = peer.substr(0, peer.rfind(':'));
  VERNIER_ASSIGN_OR_RETURN(
      call->share,
      calls.load.Admit(absl::StrCat("of ", calls.callers, " at ", address),
                       LoadLimiter::Counts::kNo));
  return absl::OkStatus();
}

std::string RepeatIdOf(const GrpcMethods::Context& context) {
  return std::string(MetadataText(context, "x-request-id"));
}

}  // namespace vernier
