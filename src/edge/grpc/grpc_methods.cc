#include "edge/grpc/grpc_methods.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "edge/grpc/grpc_status.h"

namespace vernier {
namespace {

class RefusedCall final : public GrpcMethods::Reactor {
 public:
  explicit RefusedCall(const absl::Status& status) { Finish(ToGrpc(status)); }
  void OnDone() override { delete this; }
};

}  // namespace

GrpcMethods::Reactor* Refuse(const absl::Status& status) {
  return new RefusedCall(status);
}

void GrpcMethods::Add(const std::string& path, BeginCall begin) {
  VERNIER_CHECK(methods_.emplace(path, std::move(begin)).second);
}

GrpcMethods::Reactor* GrpcMethods::Begin(Context* context) const {
  const auto found = methods_.find(context->method());
  if (found != methods_.end()) return found->second(context);
  // The path comes from the caller and may have 8 KiB, so it is shortened.
  return Refuse(absl::UnimplementedError(
      "the service has no such method; is the client of another version?"));
}

bool GrpcMethods::HasService(const std::string& service) const {
  if (names_.count(service) > 0) return true;
  const std::string prefix = absl::StrCat("/", service, "/");
  const auto found = methods_.lower_bound(prefix);
  return found != methods_.end() &&
         found->first.compare(0, prefix.size(), prefix) == 0;
}

}  // namespace vernier
