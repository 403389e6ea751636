#include "cli/verbs/known_metrics.h"

#include <vernier/v1/job_service.grpc.pb.h>
#include <vernier/v1/study_service.grpc.pb.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/nearest_name.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "cli/display/job_facts.h"
#include "cli/display/job_lookup.h"

namespace vernier {

absl::Status CheckIsMetric(const std::string& metric,
                           const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), metric) != known.end()) {
    return absl::OkStatus();
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  std::vector<std::string> shown;  // A program may have named them.
  shown.reserve(known.size());
  for (const std::string& name : known) shown.push_back(ShowText(name));
  return absl::InvalidArgumentError(absl::StrCat(
      "--metric: the trial has no metric \"", ShowText(metric), "\"",
      DidYouMean(metric, names), "; there ", known.size() == 1 ? "is " : "are ",
      known.empty() ? "none" : absl::StrJoin(shown, ", ")));
}

absl::Status CheckHasMetric(const ClientConnection& client,
                            const v1::ListMeasurementsRequest& request) {
  v1::GetTrialRequest of_trial;
  of_trial.set_job_id(request.job_id());
  of_trial.set_trial_id(request.trial_id());
  VERNIER_ASSIGN_OR_RETURN(
      const v1::Trial trial,
      client.Call(&v1::JobService::Stub::GetTrial, of_trial));
  v1::GetStudyRequest of_study;
  of_study.set_study(request.job_id());
  VERNIER_ASSIGN_OR_RETURN(
      const v1::Study study,
      client.Call(&v1::StudyService::Stub::GetStudy, of_study));
  std::set<std::string> known(trial.metrics().begin(), trial.metrics().end());
  for (const auto& [metric, value] : trial.final_metrics()) {
    known.insert(metric);
  }
  for (const v1::Study::Metric& metric : study.metrics()) {
    known.insert(metric.name());
  }
  // A study that clients run tells no constraints, as it is no job.
  const auto job = GetJobWithoutTrials(client, request.job_id());
  for (const OutcomeConstraint& one :
       JobFactsIn(job.value_or("")).constraints) {
    known.insert(one.metric);
  }
  return CheckIsMetric(request.metric(), {known.begin(), known.end()});
}

}  // namespace vernier
