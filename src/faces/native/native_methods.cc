#include "faces/native/native_methods.h"

#include "faces/native/event_source.h"
#include "faces/native/log_source.h"
#include "faces/native/trial_source.h"

namespace vernier {
namespace {

// The limit of a job file or of a list of points.
constexpr MessageLimits kDocument{std::size_t{16} << 20};

// The lists of unary methods, for gRPC and for JSON.

template <typename Service>
Service& AddUnaryJobMethods(Service& service) {
  using H = JobHandlers;
  return service.Unary("CreateJob", &H::CreateJob, kDocument)
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
      .Unary("StopTrial", &H::StopTrial)
      .Unary("ListTrials", &H::ListTrials)
      .Unary("ListMeasurements", &H::ListMeasurements)
      .Unary("GetTrialCommand", &H::GetTrialCommand)
      .Unary("RecommendTrial", &H::RecommendTrial)
      .Unary("Explain", &H::Explain)
      .Unary("GetServiceInfo", &H::GetServiceInfo);
}

template <typename Service>
Service& AddUnaryStudyMethods(Service& service) {
  using H = StudyHandlers;
  return service.Unary("ListStudies", &H::ListStudies)
      .Unary("GetStudy", &H::GetStudy)
      .Unary("DeleteStudy", &H::DeleteStudy)
      .Unary("WriteNote", &H::WriteNote)
      .Unary("ListClientTrials", &H::ListClientTrials)
      .Unary("SetAttributes", &H::SetAttributes)
      .Unary("SetStudyState", &H::SetStudyState)
      .Unary("EditStudy", &H::EditStudy, kDocument)
      .Unary("ProposePoints", &H::ProposePoints, kDocument)
      .Unary("GetInsights", &H::GetInsights);
}

template <typename Service>
Service& AddUnaryProjectMethods(Service& service) {
  using H = ProjectHandlers;
  return service.Unary("ListProjects", &H::ListProjects)
      .Unary("GetProject", &H::GetProject)
      .Unary("SetQuota", &H::SetQuota);
}

constexpr char kJobService[] = "vernier.v1.JobService";
constexpr char kStudyService[] = "vernier.v1.StudyService";
constexpr char kProjectService[] = "vernier.v1.ProjectService";

}  // namespace

void AddJobMethods(JobHandlers& handlers, const Store& store,
                   const GatedCalls& calls, GrpcMethods* methods) {
  GatedService<JobHandlers> service(kJobService, handlers, calls, methods);
  AddUnaryJobMethods(service)
      .Stream<LogSource, v1::ReadLogRequest>("ReadLog", store)
      .Stream<TrialSource, v1::ListTrialsRequest>("StreamTrials", store)
      .Stream<EventSource, v1::WatchEventsRequest>("WatchEvents", store);
}

void AddStudyMethods(StudyHandlers& handlers, const GatedCalls& calls,
                     GrpcMethods* methods) {
  GatedService<StudyHandlers> service(kStudyService, handlers, calls, methods);
  AddUnaryStudyMethods(service);
}

void AddNativeJsonMethods(const NativeHandlers& handlers,
                          JsonMethods* methods) {
  JsonService<JobHandlers> jobs(kJobService, handlers.jobs, methods);
  AddUnaryJobMethods(jobs);
  JsonService<StudyHandlers> studies(kStudyService, handlers.studies, methods);
  AddUnaryStudyMethods(studies);
  JsonService<ProjectHandlers> projects(kProjectService, handlers.projects,
                                        methods);
  AddUnaryProjectMethods(projects);
}

void AddAccessMethods(AccessHandlers& handlers, const GatedCalls& calls,
                      GrpcMethods* methods) {
  using H = AccessHandlers;
  GatedService<H>("vernier.v1.AccessService", handlers, calls, methods)
      .Unary("CreateToken", &H::CreateToken)
      .Unary("ListTokens", &H::ListTokens)
      .Unary("RevokeToken", &H::RevokeToken)
      .Unary("CreateSignInCode", &H::CreateSignInCode);
}

void AddProjectMethods(ProjectHandlers& handlers, const GatedCalls& calls,
                       GrpcMethods* methods) {
  GatedService<ProjectHandlers> service(kProjectService, handlers, calls,
                                        methods);
  AddUnaryProjectMethods(service);
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
