#ifndef VERNIER_FACES_NATIVE_JOB_HANDLERS_H_
#define VERNIER_FACES_NATIVE_JOB_HANDLERS_H_

#include <vernier/v1/job_service.pb.h>

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/clock.h"
#include "cluster/attempt/trial_resources.h"
#include "cluster/code/local_job_files.h"
#include "store/store.h"
#include "store/study_names.h"
#include "trials/clients/study_activity.h"
#include "trials/engine/result_models.h"
#include "trials/jobs/hindrances.h"
#include "trials/jobs/launcher.h"
#include "trials/submission/job_service.h"

namespace vernier {

/// The calls of vernier.v1.JobService, without the transport. Each method fills
/// its response on OK; proto/vernier/v1/job_service.proto is the contract.
/// Thread-safe.
class JobHandlers {
 public:
  struct Dependencies {
    JobService& jobs;
    Store& store;
    const Hindrances& hindrances;
    ResultModels& models;
    const Clock& clock;
    /// Reports which clients' processes run; null: unknown.
    PresenceOf presence_of = nullptr;
  };
  struct Options {
    std::string data_dir;
    std::vector<Device> devices;
    InterpreterTable interpreters = {};
    std::string http_url = "";  ///< Empty: off.
    /// Findings from the service's start that users should know.
    std::vector<std::string> notes = {};
    int max_concurrent_replicas = 0;  ///< 0: no limit.
    /// Returns the copies of code under way; null: unknown.
    std::function<std::vector<CodeCopy>()> code_copies = nullptr;
    /// Returns the devices that are not usable now, or sick; null: none.
    std::function<std::vector<UnusableDevice>()> device_troubles = nullptr;
  };

  /// Borrows the objects in `dependencies`, which must outlive this one.
  JobHandlers(const Dependencies& dependencies, Options options);

  absl::Status CreateJob(const v1::CreateJobRequest& request,
                         v1::Job* response);
  absl::Status GetJob(const v1::GetJobRequest& request, v1::Job* response);
  absl::Status ListJobs(const v1::ListJobsRequest& request,
                        v1::ListJobsResponse* response);
  absl::Status CancelJob(const v1::CancelJobRequest& request,
                         v1::Job* response);
  absl::Status PauseJob(const v1::PauseJobRequest& request, v1::Job* response);
  absl::Status ResumeJob(const v1::ResumeJobRequest& request,
                         v1::Job* response);
  absl::Status ExtendJob(const v1::ExtendJobRequest& request,
                         v1::Job* response);
  absl::Status AddTrials(const v1::AddTrialsRequest& request,
                         v1::Job* response);
  absl::Status ReviseJob(const v1::ReviseJobRequest& request,
                         v1::ReviseJobResponse* response);
  absl::Status DeleteJob(const v1::DeleteJobRequest& request,
                         v1::DeleteJobResponse* response);
  absl::Status UpdateJob(const v1::UpdateJobRequest& request,
                         v1::Job* response);
  absl::Status StopTrial(const v1::StopTrialRequest& request,
                         v1::Trial* response);
  absl::Status GetTrial(const v1::GetTrialRequest& request,
                        v1::Trial* response);
  absl::Status ListTrials(const v1::ListTrialsRequest& request,
                          v1::ListTrialsResponse* response);
  absl::Status ListMeasurements(const v1::ListMeasurementsRequest& request,
                                v1::ListMeasurementsResponse* response);
  absl::Status GetTrialCommand(const v1::GetTrialCommandRequest& request,
                               v1::GetTrialCommandResponse* response);
  absl::Status RecommendTrial(const v1::RecommendTrialRequest& request,
                              v1::RecommendTrialResponse* response);
  absl::Status Explain(const v1::ExplainRequest& request,
                       v1::ExplainResponse* response);
  absl::Status GetServiceInfo(const v1::GetServiceInfoRequest& request,
                              v1::ServiceInfo* response);

 private:
  auto Find(const std::string& study) const {
    return FindStudy(*dependencies_.store.Snapshot(), study);
  }

  const Dependencies dependencies_;
  const Options options_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_NATIVE_JOB_HANDLERS_H_
