#include "faces/native/native_methods.h"

#include "faces/native/event_source.h"
#include "faces/native/log_source.h"
#include "faces/native/trial_source.h"

namespace vernier {
namespace {

// The limit of a job file or of a list of points.
constexpr MessageLimits kDocument{std::size_t{16} << 20};

}  // namespace

void AddJobMethods(JobHandlers& handlers, const Store& store,
                   const GatedCalls& calls, GrpcMethods* methods) {
  using H = JobHandlers;
  GatedService<H>("vernier.v1.JobService", handlers, calls, methods)
      .Unary("CreateJob", &H::CreateJob, kDocument)
      .Unary("GetJob", &H::GetJob)
      .Unary("ListJobs", &H::ListJobs)
      .Unary("CancelJob", &H::CancelJob)
      .Unary("PauseJob", &H::PauseJob)
      .Unary("ResumeJob", &H::ResumeJob)
      .Unary("ExtendJob", &H::ExtendJob)
      .Unary("AddTrials", &H::AddTrials, kDocument)
      .Unary("ReviseJob", &H::ReviseJob, kDocument)
      .Unary("DeleteJob", &H::DeleteJob)
      .Unary("UpdateJob", &H::UpdateJob)
      .Unary("GetTrial", &H::GetTrial)
      .Unary("ListTrials", &H::ListTrials)
      .Unary("ListMeasurements", &H::ListMeasurements)
      .Unary("GetTrialCommand", &H::GetTrialCommand)
      .Unary("RecommendTrial", &H::RecommendTrial)
      .Unary("Explain", &H::Explain)
      .Unary("GetServiceInfo", &H::GetServiceInfo)
      .Stream<LogSource, v1::ReadLogRequest>("ReadLog", store)
      .Stream<TrialSource, v1::ListTrialsRequest>("StreamTrials", store)
      .Stream<EventSource, v1::WatchEventsRequest>("WatchEvents", store);
}

void AddStudyMethods(StudyHandlers& handlers, const GatedCalls& calls,
                     GrpcMethods* methods) {
  using H = StudyHandlers;
  GatedService<H>("vernier.v1.StudyService", handlers, calls, methods)
      .Unary("ListStudies", &H::ListStudies)
      .Unary("GetStudy", &H::GetStudy)
      .Unary("DeleteStudy", &H::DeleteStudy);
}

void AddAccessMethods(AccessHandlers& handlers, const GatedCalls& calls,
                      GrpcMethods* methods) {
  using H = AccessHandlers;
  GatedService<H>("vernier.v1.AccessService", handlers, calls, methods)
      .Unary("CreateToken", &H::CreateToken)
      .Unary("ListTokens", &H::ListTokens)
      .Unary("RevokeToken", &H::RevokeToken);
}

void AddProjectMethods(ProjectHandlers& handlers, const GatedCalls& calls,
                       GrpcMethods* methods) {
  using H = ProjectHandlers;
  GatedService<H>("vernier.v1.ProjectService", handlers, calls, methods)
      .Unary("ListProjects", &H::ListProjects)
      .Unary("GetProject", &H::GetProject)
      .Unary("SetQuota", &H::SetQuota);
}

void AddBucketMethods(BucketHandlers& handlers, const GatedCalls& calls,
                      GrpcMethods* methods) {
  using H = BucketHandlers;
  GatedService<H>("vernier.v1.BucketService", handlers, calls, methods)
      .Unary("ListBuckets", &H::ListBuckets)
      .Unary("GetBucket", &H::GetBucket)
      .Unary("CreateBucket", &H::CreateBucket)
      .Unary("ShareBucket", &H::ShareBucket)
      .Unary("MoveBucket", &H::MoveBucket);
}

}  // namespace vernier
