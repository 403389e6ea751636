#include "edge/grpc/health_methods.h"

#include <grpc/health/v1/health.pb.h>

#include <utility>

#include "edge/grpc/grpc_status.h"
#include "edge/grpc/message_bytes.h"

namespace vernier {
namespace {

namespace health = grpc::health::v1;

constexpr MessageLimits kCheckLimits{1 << 10, 100};

}  // namespace

/// This uses no thread of the pool, so it answers even when the pool is busy.
class HealthMethods::CheckCall final : public GrpcMethods::Reactor {
 public:
  explicit CheckCall(HealthMethods& methods) : methods_(methods) {
    methods_.Enter(this);
    StartRead(&received_);
  }

  void OnReadDone(bool ok) override {
    if (!methods_.Leave(this)) return;
    if (!ok) return End(absl::InvalidArgumentError("the call has no message"));
    absl::StatusOr<grpc::ByteBuffer> answer = methods_.Answer(received_);
    if (!answer.ok()) return End(answer.status());
    sent_ = *std::move(answer);
    StartWriteAndFinish(&sent_, grpc::WriteOptions(), grpc::Status::OK);
  }

  void OnDone() override { delete this; }

  void End(const absl::Status& status) { Finish(ToGrpc(status)); }

 private:
  HealthMethods& methods_;
  grpc::ByteBuffer received_;
  grpc::ByteBuffer sent_;
};

void HealthMethods::AddTo(GrpcMethods* methods) {
  methods_ = methods;
  methods->Add("/grpc.health.v1.Health/Check",
               [this](GrpcMethods::Context*) { return new CheckCall(*this); });
  methods->Add("/grpc.health.v1.Health/Watch", [](GrpcMethods::Context*) {
    return Refuse(
        absl::UnimplementedError("health is not watched here; call Check"));
  });
}

void HealthMethods::StopServing() {
  MutexLock lock(mu_);
  is_serving_ = false;
}

void HealthMethods::Enter(CheckCall* call) {
  CheckCall* first = nullptr;
  {
    MutexLock lock(mu_);
    waiting_.push_back(call);
    if (waiting_.size() > max_waiting_) {
      first = waiting_.front();
      waiting_.pop_front();
    }
  }
  if (first != nullptr) {
    first->End(absl::ResourceExhaustedError(
        "too many calls wait for the rest of their messages"));
  }
}

bool HealthMethods::Leave(CheckCall* call) {
  MutexLock lock(mu_);
  return waiting_.remove(call) > 0;
}

absl::StatusOr<grpc::ByteBuffer> HealthMethods::Answer(
    const grpc::ByteBuffer& request) const {
  health::HealthCheckRequest named;
  if (absl::Status status = ParseMessage(request, kCheckLimits, &named);
      !status.ok()) {
    return status;
  }
  if (!named.service().empty() && !methods_->HasService(named.service())) {
    return absl::NotFoundError("unknown service");
  }
  health::HealthCheckResponse response;
  {
    MutexLock lock(mu_);
    response.set_status(is_serving_ ? health::HealthCheckResponse::SERVING
                                    : health::HealthCheckResponse::NOT_SERVING);
  }
  return SerializeMessage(response);
}

}  // namespace vernier
