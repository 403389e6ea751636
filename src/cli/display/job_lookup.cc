#include "cli/display/job_lookup.h"

#include <vernier/v1/job_service.grpc.pb.h>

#include "client/client_connection.h"

namespace vernier {

absl::StatusOr<std::string> GetJobWithoutTrials(const ClientConnection& client,
                                                const std::string& job_id) {
  v1::GetJobRequest request;
  request.set_job_id(job_id);
  request.set_without_trials(true);
  return client.CallForJson(&v1::JobService::Stub::GetJob, request);
}

}  // namespace vernier
