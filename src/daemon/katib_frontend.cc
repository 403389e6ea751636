#include "daemon/katib_frontend.h"

#include <utility>

#include "base/status_macros.h"
#include "faces/katib/katib_methods.h"

namespace vernier {

absl::Status KatibFrontend::Listen(
    Endpoint endpoint,
    const std::function<void(const absl::Status&)>& on_offence) {
  endpoint_ = std::move(endpoint);
  GrpcMethods methods;
  AddKatibMethods(handlers_, {dependencies_.pool, dependencies_.activity},
                  dependencies_.load, &methods);
  VERNIER_ASSIGN_OR_RETURN(
      listener_,
      GrpcListener::Listen({&endpoint_}, std::move(methods), {{}, on_offence}));
  return absl::OkStatus();
}

}  // namespace vernier
