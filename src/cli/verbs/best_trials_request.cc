#include "cli/verbs/best_trials_request.h"

#include <vernier/v1/study_service.grpc.pb.h>

#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/service_call.h"

namespace vernier {

absl::StatusOr<v1::ListTrialsRequest> BestTrialsRequest(
    const ClientConnection& client, const std::string& study, int at_most) {
  v1::GetStudyRequest of_study;
  of_study.set_study(study);
  VERNIER_ASSIGN_OR_RETURN(
      const Json answer,
      Ask(client, &v1::StudyService::Stub::GetStudy, of_study));
  const bool has_front = answer.value("metrics", Json::array()).size() > 1;
  v1::ListTrialsRequest request;
  request.set_job_id(study);
  request.set_filter("objective:* AND state=completed");
  request.set_sort("best");
  request.set_limit(has_front ? 0 : at_most);
  return request;
}

}  // namespace vernier
