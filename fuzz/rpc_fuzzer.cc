// Makes calls of our own gRPC services and of Vizier's through the handlers,
// over a store in memory: lines such as "job.CreateJob REQUEST" (FuzzedCalls).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "fuzz/fuzzed_calls.h"
#include "fuzz/fuzzed_service.h"

namespace vernier {
namespace {

class Caller {
 public:
  explicit Caller(FuzzedService& service) : service_(service) {
    JobHandlers& jobs = service.job_handlers();
    Add("job.CreateJob", jobs, &JobHandlers::CreateJob);
    Add("job.GetJob", jobs, &JobHandlers::GetJob);
    Add("job.ListJobs", jobs, &JobHandlers::ListJobs);
    Add("job.CancelJob", jobs, &JobHandlers::CancelJob);
    Add("job.PauseJob", jobs, &JobHandlers::PauseJob);
    Add("job.ResumeJob", jobs, &JobHandlers::ResumeJob);
    Add("job.ExtendJob", jobs, &JobHandlers::ExtendJob);
    Add("job.AddTrials", jobs, &JobHandlers::AddTrials);
    Add("job.DeleteJob", jobs, &JobHandlers::DeleteJob);
    Add("job.UpdateJob", jobs, &JobHandlers::UpdateJob);
    Add("job.StopTrial", jobs, &JobHandlers::StopTrial);
    Add("job.GetTrial", jobs, &JobHandlers::GetTrial);
    Add("job.ListTrials", jobs, &JobHandlers::ListTrials);
    Add("job.ListMeasurements", jobs, &JobHandlers::ListMeasurements);
    Add("job.RecommendTrial", jobs, &JobHandlers::RecommendTrial);
    Add("job.Explain", jobs, &JobHandlers::Explain);
    Add("job.GetServiceInfo", jobs, &JobHandlers::GetServiceInfo);
    AccessHandlers& access = service.access();
    Add("access.CreateToken", access, &AccessHandlers::CreateToken);
    Add("access.ListTokens", access, &AccessHandlers::ListTokens);
    Add("access.RevokeToken", access, &AccessHandlers::RevokeToken);
    Add("access.CreateSignInCode", access, &AccessHandlers::CreateSignInCode);
    ProjectHandlers& projects = service.project_handlers();
    Add("project.ListProjects", projects, &ProjectHandlers::ListProjects);
    Add("project.GetProject", projects, &ProjectHandlers::GetProject);
    Add("project.SetQuota", projects, &ProjectHandlers::SetQuota);
    StudyHandlers& studies = service.study_handlers();
    Add("study.ListStudies", studies, &StudyHandlers::ListStudies);
    Add("study.GetStudy", studies, &StudyHandlers::GetStudy);
    Add("study.DeleteStudy", studies, &StudyHandlers::DeleteStudy);
    Add("study.WriteNote", studies, &StudyHandlers::WriteNote);
    Add("study.ListClientTrials", studies, &StudyHandlers::ListClientTrials);
    Add("study.SetAttributes", studies, &StudyHandlers::SetAttributes);
    Add("study.SetStudyState", studies, &StudyHandlers::SetStudyState);
    Add("study.EditStudy", studies, &StudyHandlers::EditStudy);
    Add("study.ProposePoints", studies, &StudyHandlers::ProposePoints);
    Add("study.GetInsights", studies, &StudyHandlers::GetInsights);
    AddVizier();
  }

  const FuzzedCalls& calls() const { return calls_; }

 private:
  template <typename Handlers, typename Request, typename Response>
  void Add(const std::string& name, Handlers& handlers,
           absl::Status (Handlers::*handler)(const Request&, Response*)) {
    calls_.Add(name, handlers, handler);
  }

  // Each has an id, so that inputs find repeated ones.
  template <typename Request>
  void AddRepeatable(const std::string& name, VizierHandlers& handlers,
                     absl::Status (VizierHandlers::*handler)(const Request&,
                                                             const std::string&,
                                                             vizier::Trial*)) {
    calls_.Add<Request>(name, [&handlers, handler](const Request& request) {
      vizier::Trial response;
      CheckStatus((handlers.*handler)(request, "an id", &response));
    });
  }

  void AddVizier() {
    using Vizier = VizierHandlers;
    Vizier& vizier = service_.vizier_handlers();
    Add("vizier.CreateStudy", vizier, &Vizier::CreateStudy);
    Add("vizier.GetStudy", vizier, &Vizier::GetStudy);
    Add("vizier.ListStudies", vizier, &Vizier::ListStudies);
    Add("vizier.DeleteStudy", vizier, &Vizier::DeleteStudy);
    Add("vizier.SetStudyState", vizier, &Vizier::SetStudyState);
    Add("vizier.GetOperation", vizier, &Vizier::GetOperation);
    AddRepeatable("vizier.CreateTrial", vizier, &Vizier::CreateTrial);
    Add("vizier.GetTrial", vizier, &Vizier::GetTrial);
    Add("vizier.ListTrials", vizier, &Vizier::ListTrials);
    AddRepeatable("vizier.AddTrialMeasurement", vizier,
                  &Vizier::AddTrialMeasurement);
    AddRepeatable("vizier.CompleteTrial", vizier, &Vizier::CompleteTrial);
    Add("vizier.DeleteTrial", vizier, &Vizier::DeleteTrial);
    Add("vizier.CheckTrialEarlyStoppingState", vizier,
        &Vizier::CheckTrialEarlyStoppingState);
    Add("vizier.StopTrial", vizier, &Vizier::StopTrial);
    Add("vizier.ListOptimalTrials", vizier, &Vizier::ListOptimalTrials);
    Add("vizier.UpdateMetadata", vizier, &Vizier::UpdateMetadata);
    calls_.Add<vizier::SuggestTrialsRequest>(
        "vizier.SuggestTrials",
        [&vizier](const vizier::SuggestTrialsRequest& request) {
          auto response = std::make_shared<vizier::Operation>();
          vizier.SuggestTrials(
              request, response.get(),
              [response](const absl::Status& status) { CheckStatus(status); });
        });
  }

  FuzzedService& service_;
  FuzzedCalls calls_;
};

}  // namespace
}  // namespace vernier

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static std::unique_ptr<vernier::FuzzedTokens> tokens;
  static int inputs = 0;
  // Otherwise the tokens that were made would add up.
  if (inputs++ % 256 == 0) tokens = std::make_unique<vernier::FuzzedTokens>();
  vernier::FuzzedService service(*tokens);
  const vernier::Caller caller(service);
  caller.calls().Make({reinterpret_cast<const char*>(data), size});
  return 0;
}
