#include "cli/live/top_look.h"

#include <vernier/v1/job_service.grpc.pb.h>
#include <vernier/v1/study_service.grpc.pb.h>

#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "client/client_connection.h"

namespace vernier {
namespace {

using Jobs = v1::JobService::Stub;

constexpr int kMostOpenJobs = 50;
constexpr int kEndedJobs = 5;
constexpr int kMostOpenTrials = 16;
// As many as the estimate of the time left remembers, and enough for a chart.
constexpr int kEndedTrials = 64;
constexpr char kOpenJobs[] =
    "NOT state=SUCCEEDED AND NOT state=FAILED AND NOT state=CANCELLED";
constexpr char kFinalJobs[] =
    "state=SUCCEEDED OR state=FAILED OR state=CANCELLED";

absl::StatusOr<std::vector<TopJob>> ListJobs(const ClientConnection& client,
                                             const char* filter, int most) {
  v1::ListJobsRequest request;
  request.set_filter(filter);
  request.set_page_size(most);
  VERNIER_ASSIGN_OR_RETURN(const std::string answer,
                           client.CallForJson(&Jobs::ListJobs, request));
  return ReadTopJobs(answer);
}

absl::StatusOr<std::vector<TopJob>> ListWorkedOn(
    const ClientConnection& client) {
  v1::ListStudiesRequest request;
  request.set_only_worked_on(true);
  VERNIER_ASSIGN_OR_RETURN(
      const std::string answer,
      client.CallForJson(&v1::StudyService::Stub::ListStudies, request));
  VERNIER_ASSIGN_OR_RETURN(std::vector<TopJob> studies, ReadTopStudies(answer));
  if (studies.size() > kMostOpenJobs) studies.resize(kMostOpenJobs);
  return studies;
}

absl::StatusOr<std::string> ListTrials(const ClientConnection& client,
                                       const std::string& job,
                                       const char* filter, const char* sort,
                                       int most) {
  v1::ListTrialsRequest request;
  request.set_job_id(job);
  request.set_filter(filter);
  request.set_sort(sort);
  request.set_limit(most);
  return client.CallForJson(&Jobs::ListTrials, request);
}

}  // namespace

absl::Status TopLook::Complete(const ClientConnection& client, TopJob* job) {
  if (!job->is_final) {
    VERNIER_ASSIGN_OR_RETURN(
        const std::string open,
        ListTrials(client, job->id, "NOT cause:*", "", kMostOpenTrials));
    VERNIER_ASSIGN_OR_RETURN(job->trials, ReadLiveTrials(open));
  }
  Known& known = known_[job->id];
  if (known.ended != job->ended) {
    VERNIER_ASSIGN_OR_RETURN(
        const std::string ended,
        ListTrials(client, job->id, "cause:*", "-trial", kEndedTrials));
    VERNIER_ASSIGN_OR_RETURN(
        const std::string best,
        ListTrials(client, job->id, "objective:* AND state=completed", "best",
                   1));
    VERNIER_ASSIGN_OR_RETURN(known.results, ReadTopResults(*job, ended, best));
    known.ended = job->ended;
  }
  job->results = known.results;
  return absl::OkStatus();
}

absl::StatusOr<TopData> TopLook::Take(const ClientConnection& client) {
  VERNIER_ASSIGN_OR_RETURN(const std::string info,
                           client.CallForJson(&Jobs::GetServiceInfo, {}));
  VERNIER_ASSIGN_OR_RETURN(TopData data, ReadTopService(info));
  VERNIER_ASSIGN_OR_RETURN(std::vector<TopJob> jobs,
                           ListJobs(client, kOpenJobs, kMostOpenJobs));
  VERNIER_ASSIGN_OR_RETURN(std::vector<TopJob> studies, ListWorkedOn(client));
  for (TopJob& study : studies) jobs.push_back(std::move(study));
  VERNIER_ASSIGN_OR_RETURN(std::vector<TopJob> ended,
                           ListJobs(client, kFinalJobs, kEndedJobs));
  for (TopJob& job : ended) jobs.push_back(std::move(job));
  for (TopJob& job : jobs) {
    const absl::Status status = Complete(client, &job);
    // The job was deleted a moment ago.
    if (absl::IsNotFound(status)) continue;
    VERNIER_RETURN_IF_ERROR(status);
    data.jobs.push_back(std::move(job));
  }
  return data;
}

}  // namespace vernier
