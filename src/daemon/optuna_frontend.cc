#include "daemon/optuna_frontend.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "faces/optuna/optuna_methods.h"

namespace vernier {

absl::StatusOr<OptunaAddress> ReadOptunaAddress(const std::string& text) {
  const std::vector<std::string> parts = absl::StrSplit(text, ',');
  OptunaAddress address;
  VERNIER_ASSIGN_OR_RETURN(address.endpoint, ParseEndpoint(parts.front()));
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i] == "engine") {
      address.has_engine = true;
    } else if (parts[i] == "open") {
      address.is_open = true;
    } else {
      return absl::InvalidArgumentError(
          absl::StrCat("--optuna must be HOST:PORT[,engine][,open]: ", text));
    }
  }
  if (address.is_open) return address;
  const absl::Status loopback = CheckLoopback(address.endpoint);
  if (loopback.ok()) return address;
  return absl::InvalidArgumentError(absl::StrCat(
      "--optuna ", text, ": other machines could reach it, and Optuna's ",
      "protocol has no credentials; name a loopback address, or, if all who ",
      "reach it may read and change these studies, add \",open\""));
}

OptunaFrontend::OptunaFrontend(const Dependencies& dependencies,
                               OptunaAddress address)
    : dependencies_(dependencies),
      address_(std::move(address)),
      points_(dependencies.engines, dependencies.log),
      handlers_({dependencies.store, dependencies.studies, dependencies.clock,
                 dependencies.random_seed, &dependencies.quotas,
                 address_.has_engine ? &points_ : nullptr}) {}

absl::Status OptunaFrontend::Listen(
    const std::function<void(const absl::Status&)>& on_offence) {
  GrpcMethods methods;
  AddOptunaMethods(
      handlers_,
      {{dependencies_.pool, dependencies_.activity}, dependencies_.load},
      &methods);
  VERNIER_ASSIGN_OR_RETURN(
      listener_, GrpcListener::Listen({&address_.endpoint}, std::move(methods),
                                      {TlsFiles{}, on_offence}));
  return absl::OkStatus();
}

void OptunaFrontend::StopServing() {
  if (listener_ != nullptr) listener_->StopServing();
}

void OptunaFrontend::Shutdown() {
  if (listener_ != nullptr) listener_->Shutdown();
}

}  // namespace vernier
