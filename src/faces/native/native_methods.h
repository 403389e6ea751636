#ifndef VERNIER_FACES_NATIVE_NATIVE_METHODS_H_
#define VERNIER_FACES_NATIVE_NATIVE_METHODS_H_

#include "edge/grpc/gated_methods.h"
#include "edge/http/json_methods.h"
#include "faces/native/access_handlers.h"
#include "faces/native/bucket_handlers.h"
#include "faces/native/job_handlers.h"
#include "faces/native/project_handlers.h"
#include "faces/native/study_handlers.h"
#include "store/store.h"

namespace vernier {

/// The services of vernier.v1 as methods of a gRPC server, one function for
/// each. All arguments must outlive every call.

void AddJobMethods(JobHandlers& handlers, const Store& store,
                   const GatedCalls& calls, GrpcMethods* methods);
void AddStudyMethods(StudyHandlers& handlers, const GatedCalls& calls,
                     GrpcMethods* methods);
void AddAccessMethods(AccessHandlers& handlers, const GatedCalls& calls,
                      GrpcMethods* methods);
void AddProjectMethods(ProjectHandlers& handlers, const GatedCalls& calls,
                       GrpcMethods* methods);
void AddBucketMethods(BucketHandlers& handlers, const GatedCalls& calls,
                      GrpcMethods* methods);

/// Handlers whose unary methods are also called in JSON.
struct NativeHandlers {
  JobHandlers& jobs;
  StudyHandlers& studies;
  ProjectHandlers& projects;
};

void AddNativeJsonMethods(const NativeHandlers& handlers, JsonMethods* methods);

}  // namespace vernier

#endif  // VERNIER_FACES_NATIVE_NATIVE_METHODS_H_
