#include "client/job_client.h"

#include <google/protobuf/util/json_util.h>

#include <chrono>
#include <cstdlib>
#include <future>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "client/client_connection.h"

namespace vernier {
namespace {

constexpr std::chrono::seconds kWaitPeriod{1};

absl::StatusOr<v1::Job> ReadJob(const std::string& json) {
  v1::Job job;
  google::protobuf::util::JsonParseOptions options;
  // Fields that the parser knows and the API does not are listed as ignored.
  options.ignore_unknown_fields = true;
  const auto status =
      google::protobuf::util::JsonStringToMessage(json, &job, options);
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("job: ", std::string(status.message())));
  }
  return job;
}

v1::ListTrialsRequest RequestOf(const TrialListQuery& query) {
  v1::ListTrialsRequest request;
  request.set_job_id(query.job_id);
  request.set_filter(query.filter);
  request.set_sort(query.sort);
  request.set_limit(query.limit);
  return request;
}

// Calls `on_message` with the JSON of each message of a stream, until the
// stream ends or it returns false.
template <typename Message>
absl::Status ReadAll(
    const ClientConnection& connection, grpc::ClientContext& context,
    grpc::ClientReader<Message>& reader,
    const std::function<bool(const std::string&)>& on_message) {
  Message message;
  while (reader.Read(&message)) {
    absl::StatusOr<std::string> json = JsonOf(message);
    if (!json.ok() || !on_message(*json)) {
      context.TryCancel();
      reader.Finish();
      return json.status();
    }
  }
  return connection.Explain(reader.Finish());
}

}  // namespace

using Service = v1::JobService::Stub;

JobClient::Credentials JobClient::CredentialsOfEnvironment() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  return {variable("VERNIER_TOKEN"), variable("VERNIER_TLS_CA"),
          variable("VERNIER_TLS_CERT"), variable("VERNIER_TLS_KEY"),
          variable("VERNIER_PROJECT")};
}

JobClient::JobClient(const Endpoint& endpoint, const Credentials& credentials)
    : connection_(std::make_unique<ClientConnection>(endpoint, credentials)) {}
JobClient::~JobClient() = default;

JobClient::Json JobClient::CreateJob(
    const std::string& job_json, const std::string& request_id,
    const std::map<std::string, std::string>& secrets,
    const std::function<void()>& on_wait) {
  v1::CreateJobRequest request;
  VERNIER_ASSIGN_OR_RETURN(*request.mutable_job(), ReadJob(job_json));
  request.set_request_id(request_id);
  request.mutable_secrets()->insert(secrets.begin(), secrets.end());
  const auto call = [&] {
    return connection_->CallForJson(&Service::CreateJob, request);
  };
  if (on_wait == nullptr) return call();
  std::future<Json> answer = std::async(std::launch::async, call);
  while (answer.wait_for(kWaitPeriod) != std::future_status::ready) on_wait();
  return answer.get();
}

JobClient::Json JobClient::NormalizeJob(const std::string& job_json) {
  VERNIER_ASSIGN_OR_RETURN(const v1::Job job, ReadJob(job_json));
  return JsonOf(job);
}

JobClient::Json JobClient::ValidateJob(const std::string& job_json) {
  v1::CreateJobRequest request;
  VERNIER_ASSIGN_OR_RETURN(*request.mutable_job(), ReadJob(job_json));
  request.set_validate_only(true);
  return connection_->CallForJson(&Service::CreateJob, request);
}

JobClient::Json JobClient::GetJob(const std::string& job_id) {
  return connection_->CallForJob(&Service::GetJob, job_id);
}

JobClient::Json JobClient::GetJobWithoutTrials(const std::string& job_id) {
  v1::GetJobRequest request;
  request.set_job_id(job_id);
  request.set_without_trials(true);
  return connection_->CallForJson(&Service::GetJob, request);
}

JobClient::Json JobClient::ListJobs(const std::string& filter, int page_size,
                                    const std::string& page_token) {
  v1::ListJobsRequest request;
  request.set_filter(filter);
  request.set_page_size(page_size);
  request.set_page_token(page_token);
  return connection_->CallForJson(&Service::ListJobs, request);
}

JobClient::Json JobClient::CancelJob(const std::string& job_id) {
  return connection_->CallForJob(&Service::CancelJob, job_id);
}

JobClient::Json JobClient::PauseJob(const std::string& job_id) {
  return connection_->CallForJob(&Service::PauseJob, job_id);
}

JobClient::Json JobClient::ResumeJob(const std::string& job_id) {
  return connection_->CallForJob(&Service::ResumeJob, job_id);
}

JobClient::Json JobClient::ExtendJob(const std::string& job_id,
                                     int max_trials) {
  v1::ExtendJobRequest request;
  request.set_job_id(job_id);
  request.set_max_trials(max_trials);
  return connection_->CallForJson(&Service::ExtendJob, request);
}

JobClient::Json JobClient::AddTrials(const std::string& job_id,
                                     const std::string& points_json,
                                     const std::string& request_id) {
  v1::AddTrialsRequest request;
  const auto status = google::protobuf::util::JsonStringToMessage(
      absl::StrCat("{\"points\":", points_json, "}"), &request);
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("points: ", std::string(status.message())));
  }
  request.set_job_id(job_id);
  request.set_request_id(request_id);
  return connection_->CallForJson(&Service::AddTrials, request);
}

JobClient::Json JobClient::ReviseJob(const RevisionOrder& order) {
  v1::ReviseJobRequest request;
  request.set_job_id(order.job_id);
  if (!order.job_json.empty()) {
    VERNIER_ASSIGN_OR_RETURN(*request.mutable_job(), ReadJob(order.job_json));
  }
  request.mutable_secrets()->insert(order.secrets.begin(), order.secrets.end());
  request.set_code_dir(order.code_dir);
  request.set_goes_on(order.goes_on);
  request.set_restart(order.restart);
  request.set_validate_only(order.validate_only);
  request.set_request_id(order.request_id);
  return connection_->CallForJson(&Service::ReviseJob, request);
}

JobClient::Json JobClient::UpdateJob(
    const std::string& job_id, const std::map<std::string, std::string>& labels,
    const std::string& etag_base64) {
  v1::UpdateJobRequest request;
  request.set_job_id(job_id);
  for (const auto& [key, value] : labels) {
    (*request.mutable_labels())[key] = value;
  }
  std::string etag;
  if (!absl::Base64Unescape(etag_base64, &etag)) {
    return absl::InvalidArgumentError(
        absl::StrCat("etag is not base64: ", etag_base64));
  }
  request.set_etag(etag);
  return connection_->CallForJson(&Service::UpdateJob, request);
}

absl::Status JobClient::DeleteJob(const std::string& job_id) {
  return connection_->CallForJob(&Service::DeleteJob, job_id).status();
}

JobClient::Json JobClient::GetTrial(const std::string& job_id,
                                    std::int64_t trial) {
  v1::GetTrialRequest request;
  request.set_job_id(job_id);
  request.set_trial_id(trial);
  return connection_->CallForJson(&Service::GetTrial, request);
}

JobClient::Json JobClient::ListTrials(const TrialListQuery& query) {
  return connection_->CallForJson(&Service::ListTrials, RequestOf(query));
}

absl::Status JobClient::StreamTrials(
    const TrialListQuery& query,
    const std::function<bool(const std::string&)>& on_trial) {
  grpc::ClientContext context;
  connection_->Prepare(&context);
  return ReadAll(*connection_, context,
                 *connection_->Stub<Service>().StreamTrials(
                     &context, connection_->Named(RequestOf(query))),
                 on_trial);
}

JobClient::Json JobClient::ListMeasurements(const std::string& job_id,
                                            std::int64_t trial,
                                            const std::string& metric,
                                            int limit) {
  v1::ListMeasurementsRequest request;
  request.set_job_id(job_id);
  request.set_trial_id(trial);
  request.set_metric(metric);
  request.set_limit(limit);
  return connection_->CallForJson(&Service::ListMeasurements, request);
}

absl::StatusOr<std::string> JobClient::Explain(const std::string& job_id,
                                               std::int64_t trial) {
  v1::ExplainRequest request;
  request.set_job_id(job_id);
  request.set_trial_id(trial);
  VERNIER_ASSIGN_OR_RETURN(const v1::ExplainResponse response,
                           connection_->Call(&Service::Explain, request));
  return response.text();
}

JobClient::Json JobClient::GetTrialCommand(const std::string& job_id,
                                           std::int64_t trial) {
  v1::GetTrialCommandRequest request;
  request.set_job_id(job_id);
  request.set_trial_id(trial);
  return connection_->CallForJson(&Service::GetTrialCommand, request);
}

JobClient::Json JobClient::RecommendTrial(const std::string& job_id,
                                          bool only_if_ready) {
  v1::RecommendTrialRequest request;
  request.set_job_id(job_id);
  request.set_only_if_ready(only_if_ready);
  return connection_->CallForJson(&Service::RecommendTrial, request);
}

JobClient::Json JobClient::CreateToken(const TokenOrder& order) {
  v1::CreateTokenRequest request;
  request.set_scope(order.scope);
  request.set_project(order.project);
  request.set_may_run(order.may_run);
  request.set_label(order.label);
  if (order.lifetime.has_value()) {
    request.mutable_lifetime()->set_seconds(order.lifetime->count());
  }
  VERNIER_ASSIGN_OR_RETURN(
      const v1::CreateTokenResponse response,
      connection_->Call(&v1::AccessService::Stub::CreateToken, request));
  return JsonOf(response);
}

JobClient::Json JobClient::ListTokens() {
  VERNIER_ASSIGN_OR_RETURN(
      const v1::ListTokensResponse response,
      connection_->Call(&v1::AccessService::Stub::ListTokens,
                        v1::ListTokensRequest()));
  return JsonOf(response);
}

absl::Status JobClient::RevokeToken(const std::string& id) {
  v1::RevokeTokenRequest request;
  request.set_id(id);
  return connection_->Call(&v1::AccessService::Stub::RevokeToken, request)
      .status();
}

JobClient::Json JobClient::ListProjects() {
  return connection_->CallForJson(&v1::ProjectService::Stub::ListProjects,
                                  v1::ListProjectsRequest());
}

JobClient::Json JobClient::GetProject(const std::string& project) {
  v1::GetProjectRequest request;
  request.set_project(project);
  return connection_->CallForJson(&v1::ProjectService::Stub::GetProject,
                                  request);
}

JobClient::Json JobClient::SetQuota(const QuotaOrder& order) {
  v1::SetQuotaRequest request;
  request.set_project(order.project);
  v1::Quota& quota = *request.mutable_quota();
  if (order.max_parallel_trials) {
    quota.set_max_parallel_trials(*order.max_parallel_trials);
  }
  if (order.max_gpus) quota.set_max_gpus(*order.max_gpus);
  if (order.max_studies) quota.set_max_studies(*order.max_studies);
  if (order.max_bucket_bytes) {
    quota.set_max_bucket_bytes(*order.max_bucket_bytes);
  }
  if (order.max_bucket_objects) {
    quota.set_max_bucket_objects(*order.max_bucket_objects);
  }
  return connection_->CallForJson(&v1::ProjectService::Stub::SetQuota, request);
}

JobClient::Json JobClient::ListBuckets() {
  return connection_->CallForJson(&v1::BucketService::Stub::ListBuckets,
                                  v1::ListBucketsRequest());
}

JobClient::Json JobClient::GetBucket(const std::string& bucket) {
  v1::GetBucketRequest request;
  request.set_bucket(bucket);
  return connection_->CallForJson(&v1::BucketService::Stub::GetBucket, request);
}

JobClient::Json JobClient::CreateBucket(const std::string& bucket) {
  v1::CreateBucketRequest request;
  request.set_bucket(bucket);
  return connection_->CallForJson(&v1::BucketService::Stub::CreateBucket,
                                  request);
}

JobClient::Json JobClient::ShareBucket(const std::string& bucket,
                                       const std::string& with,
                                       const std::string& right) {
  v1::ShareBucketRequest request;
  request.set_bucket(bucket);
  request.set_with(with);
  v1::Bucket::Right value = v1::Bucket::NONE;
  if (!v1::Bucket::Right_Parse(right, &value)) {
    return absl::InvalidArgumentError(
        absl::StrCat("right must be NONE, READ or WRITE: ", right));
  }
  request.set_right(value);
  return connection_->CallForJson(&v1::BucketService::Stub::ShareBucket,
                                  request);
}

JobClient::Json JobClient::MoveBucket(const std::string& bucket,
                                      const std::string& project) {
  v1::MoveBucketRequest request;
  request.set_bucket(bucket);
  request.set_to_project(project);
  return connection_->CallForJson(&v1::BucketService::Stub::MoveBucket,
                                  request);
}

JobClient::Json JobClient::GetServiceInfo() {
  return connection_->CallForJson(&Service::GetServiceInfo,
                                  v1::GetServiceInfoRequest());
}

JobClient::Json JobClient::ListStudies(const std::string& parent) {
  v1::ListStudiesRequest request;
  request.set_parent(parent);
  return connection_->CallForJson(&v1::StudyService::Stub::ListStudies,
                                  request);
}

JobClient::Json JobClient::GetStudy(const std::string& study) {
  v1::GetStudyRequest request;
  request.set_study(study);
  return connection_->CallForJson(&v1::StudyService::Stub::GetStudy, request);
}

absl::Status JobClient::DeleteStudy(const std::string& study) {
  v1::DeleteStudyRequest request;
  request.set_study(study);
  return connection_->Call(&v1::StudyService::Stub::DeleteStudy, request)
      .status();
}

absl::Status JobClient::ReadLog(
    const LogQuery& query,
    const std::function<bool(const LogPiece&)>& on_piece) {
  v1::ReadLogRequest request;
  request.set_job_id(query.job_id);
  request.set_trial_id(query.trial);
  request.set_attempt(query.attempt);
  request.set_replica(query.replica);
  request.set_follow(query.follow);
  request.set_tail_lines(query.tail_lines);
  grpc::ClientContext context;
  connection_->Prepare(&context);
  const auto reader = connection_->Stub<Service>().ReadLog(
      &context, connection_->Named(request));
  v1::LogChunk chunk;
  while (reader->Read(&chunk)) {
    if (!on_piece({chunk.trial_id(), chunk.attempt(), chunk.replica(),
                   std::move(*chunk.mutable_data())})) {
      context.TryCancel();
      reader->Finish();
      return absl::OkStatus();
    }
  }
  return connection_->Explain(reader->Finish());
}

absl::Status JobClient::WatchEvents(
    const EventQuery& query,
    const std::function<bool(const std::string&)>& on_event) {
  v1::WatchEventsRequest request;
  request.set_job_id(query.job_id);
  request.set_after_sequence(query.after_sequence);
  request.set_stop_at_end(query.stop_at_end);
  request.set_until_now(query.until_now);
  grpc::ClientContext context;
  connection_->Prepare(&context);
  return ReadAll(*connection_, context,
                 *connection_->Stub<Service>().WatchEvents(
                     &context, connection_->Named(request)),
                 on_event);
}

}  // namespace vernier
