#ifndef VERNIER_FACES_NATIVE_STUDY_GRPC_SERVICE_H_
#define VERNIER_FACES_NATIVE_STUDY_GRPC_SERVICE_H_

#include <vernier/v1/study_service.grpc.pb.h>

#include "absl/status/status.h"
#include "edge/call_activity.h"
#include "edge/call_pool.h"
#include "edge/grpc/call_gate.h"
#include "faces/native/study_handlers.h"

namespace vernier {

/// vernier.v1.StudyService on gRPC's callback API, through the pool.
/// Thread-safe.
class StudyGrpcService final : public v1::StudyService::CallbackService {
 public:
  struct Dependencies {
    StudyHandlers& handlers;
    const CallGate& gate;
    CallPool& pool;
    CallActivity& activity;
  };

  /// Borrows what `dependencies` refers to; it must outlive this object and
  /// every call.
  explicit StudyGrpcService(const Dependencies& dependencies)
      : dependencies_(dependencies) {}

  using Context = grpc::CallbackServerContext;
  using Unary = grpc::ServerUnaryReactor;

  Unary* ListStudies(Context* context, const v1::ListStudiesRequest* request,
                     v1::ListStudiesResponse* response) override;
  Unary* GetStudy(Context* context, const v1::GetStudyRequest* request,
                  v1::Study* response) override;
  Unary* DeleteStudy(Context* context, const v1::DeleteStudyRequest* request,
                     v1::DeleteStudyResponse* response) override;

 private:
  const Dependencies dependencies_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_NATIVE_STUDY_GRPC_SERVICE_H_
