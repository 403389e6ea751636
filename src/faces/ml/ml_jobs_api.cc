#include "faces/ml/ml_jobs_api.h"

#include <vernier/v1/job_service.pb.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "base/whole_number.h"
#include "edge/http/request_json.h"
#include "edge/http/rest_error.h"
#include "edge/http/rest_json.h"
#include "faces/messages/job_list.h"
#include "faces/messages/job_message.h"
#include "study/job_file/job_parser.h"
#include "study/job_id.h"
#include "study/job_name_rule.h"

namespace vernier {
namespace {

constexpr std::size_t kMostPrinted = 64;
constexpr std::size_t kMostPrintedBytes = std::size_t{32} << 20;

// `gcloud` follows logs until a job has ended and two polls in a row brought no
// lines. It polls every 5 s for entries that are 5 s old. So if a job was quiet
// and then failed, `gcloud` would stop before its last lines; the end is hidden
// this long.
constexpr std::chrono::seconds kEndOfLogs{15};

// Fields that the service sets. A client that sends a job back as it got it
// sends these, too.
constexpr const char* kOutputOnly[] = {
    "createTime",   "startTime",   "endTime",        "state",
    "errorMessage", "jobPosition", "trainingOutput", "etag"};
constexpr const char* kOutputOnlyVernier[] = {
    "wanted",        "waitingFor",        "maxTrials", "ignoredFields",
    "trialCounts",   "queuedPoints",      "versions",  "secretNames",
    "secretsFile",   "pythonInterpreter", "codeNotes", "outputDir",
    "runningTrials", "pausedTrials"};
constexpr const char* kOutputOnlyStopping[] = {"stoppedTrials", "savedSteps",
                                               "trainedSteps", "text"};

/// Reads the job in a request's body, without the fields that only the service
/// sets.
absl::StatusOr<JobDocument> ReadJob(const std::string& body) {
  std::optional<JobDocument> document =
      JobDocument::FromJson(body.empty() ? "{}" : body);
  // Only ParseJson knows why the text is no JSON.
  if (!document.has_value()) {
    VERNIER_RETURN_IF_ERROR(ParseJson(body).status());
    return absl::InvalidArgumentError("the body must be a JSON object");
  }
  std::vector<std::vector<std::string>> output;
  for (const char* field : kOutputOnly) output.push_back({field});
  for (const char* field : kOutputOnlyVernier) {
    output.push_back({"vernier", field});
  }
  for (const char* field : kOutputOnlyStopping) {
    output.push_back({"vernier", "earlyStopping", field});
  }
  document->Remove(output);
  return *std::move(document);
}

absl::StatusOr<int> ReadPageSize(const RestCall& call) {
  const auto text = call.http.Query("pageSize");
  if (!text.has_value() || text->empty()) return 0;
  const auto size = ParseWholeNumber(*text);
  if (!size.has_value() || *size < 0 || *size > INT32_MAX) {
    return absl::InvalidArgumentError(absl::StrCat(
        "pageSize must be a number >= 0: \"", std::string(*text), "\""));
  }
  return static_cast<int>(*size);
}

/// Returns the id of the job that the path names: "projects/P/.../jobs/NAME".
std::string JobIdOf(const RestCall& call) {
  return JobIdIn(call.variables.at("project"), call.variables.at("job"));
}

// In an answer about a project, jobs have their plain names.
void UsePlainName(v1::Job* job) {
  job->set_job_id(SplitJobId(job->job_id()).name);
}

v1::Job PlainlyNamed(JobRef job, const Hindrance& hindrance) {
  v1::Job named = ToProto(job, TrialsInJob::kWith, hindrance);
  UsePlainName(&named);
  return named;
}

/// The fields that a PATCH may change, as in Google's API: labels and etag.
struct JobUpdate {
  std::map<std::string, std::string> labels;
  std::optional<std::int64_t> version;
};

absl::StatusOr<std::int64_t> ReadEtag(const Json& job) {
  const auto found = job.find("etag");
  std::string etag;
  if (found != job.end() && found->is_string() &&
      absl::Base64Unescape(found->get<std::string>(), &etag)) {
    if (const auto version = ParseWholeNumber(etag)) return *version;
  }
  // The client's etag cannot be parsed, so it is not the present version.
  return absl::AbortedError(
      "etag is not the job's present one: get the job and try again");
}

absl::StatusOr<std::map<std::string, std::string>> ReadLabels(const Json& job) {
  std::map<std::string, std::string> labels;
  const auto found = job.find("labels");
  if (found == job.end() || found->is_null()) return labels;
  if (!found->is_object()) {
    return absl::InvalidArgumentError("labels must be an object");
  }
  for (const auto& [key, value] : found->items()) {
    if (!value.is_string()) {
      return absl::InvalidArgumentError(
          absl::StrCat("labels.", key, " must be a text"));
    }
    labels[key] = value.get<std::string>();
  }
  return labels;
}

absl::StatusOr<JobUpdate> ReadUpdate(const RestCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const Json job, ReadJsonObject(call.body));
  const std::string mask = call.http.QueryText("updateMask");
  if (mask.empty()) {
    return absl::InvalidArgumentError(
        "updateMask is required: labels, or labels,etag");
  }
  JobUpdate update;
  bool has_labels = false;
  for (const std::string& field :
       std::vector<std::string>(absl::StrSplit(mask, ','))) {
    if (field == "labels") {
      VERNIER_ASSIGN_OR_RETURN(update.labels, ReadLabels(job));
      has_labels = true;
    } else if (field == "etag") {
      VERNIER_ASSIGN_OR_RETURN(update.version, ReadEtag(job));
    } else {
      return absl::InvalidArgumentError(absl::StrCat(
          "updateMask may name labels and etag only: \"", field, "\""));
    }
  }
  if (has_labels) return update;
  return absl::InvalidArgumentError("updateMask must name labels");
}

// The answer is the same for every project of a self-hosted service. No service
// account is needed; clients print the field, so it is there.
absl::StatusOr<RestAnswer> GetConfig(const RestCall&) {
  return ShareText(
      R"({"serviceAccount":"","serviceAccountProject":"0","config":{}})");
}

Json LocationJson(const std::string& project, const std::string& location) {
  return {{"name", "projects/" + project + "/locations/" + location},
          {"capabilities", Json::array({Json{{"type", "TRAIN"}}})}};
}

absl::StatusOr<RestAnswer> ListLocations(const RestCall& call) {
  return ShareText(DumpJson(Json{
      {"locations",
       Json::array({LocationJson(call.variables.at("project"), "local")})}}));
}

// One machine serves every location, so clients may keep their region.
absl::StatusOr<RestAnswer> GetLocation(const RestCall& call) {
  return ShareText(DumpJson(LocationJson(call.variables.at("project"),
                                         call.variables.at("location"))));
}

absl::StatusOr<RestAnswer> GetIamPolicy(const RestCall&) {
  return ShareText(R"({"version":1,"etag":"ACAB"})");
}

absl::StatusOr<RestAnswer> SetIamPolicy(const RestCall&) {
  return absl::FailedPreconditionError(
      "access is given by tokens here: vernier tokens create");
}

absl::StatusOr<RestAnswer> TestIamPermissions(const RestCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const Json body, ReadJsonObject(call.body));
  Json held = Json::array();
  const auto asked = body.find("permissions");
  if (asked != body.end() && asked->is_array()) {
    for (const Json& permission : *asked) {
      if (!permission.is_string()) continue;
      const auto name = permission.get<std::string>();
      const bool reads = name == "ml.jobs.get" || name == "ml.jobs.list" ||
                         name == "ml.jobs.getIamPolicy";
      if (HasPermission(call.principal, reads ? v1::READ : v1::WRITE)) {
        held.push_back(permission);
      }
    }
  }
  return ShareText(DumpJson(Json{{"permissions", std::move(held)}}));
}

}  // namespace

MlJobsApi::Answer MlJobsApi::Print(
    const std::shared_ptr<const StudySnapshot>& study) {
  const Hindrance hindrance = dependencies_.hindrances.Of(study->id);
  {
    MutexLock lock(mu_);
    for (auto it = printed_.begin(); it != printed_.end(); ++it) {
      if (it->study != study || it->hindrance != hindrance) continue;
      printed_.splice(printed_.begin(), printed_, it);
      return it->text;
    }
  }
  VERNIER_ASSIGN_OR_RETURN(RestAnswer text,
                           PrintJson(PlainlyNamed(JobOf(*study), hindrance)));
  MutexLock lock(mu_);
  // The new text replaces those of older states of the same study.
  printed_.remove_if(
      [&study](const auto& each) { return each.study->id == study->id; });
  printed_.push_front({study, hindrance, text});
  Forget();
  return text;
}

void MlJobsApi::Forget() {
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (auto it = printed_.begin(); it != printed_.end(); ++it) {
    bytes += it->text->size();
    if (++count <= kMostPrinted && bytes <= kMostPrintedBytes) continue;
    printed_.erase(it, printed_.end());
    return;
  }
}

MlJobsApi::Answer MlJobsApi::Create(const RestCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const JobDocument document, ReadJob(call.body));
  std::vector<SpecError> errors;
  const auto job = document.ToJob(JobCompleteness::kRequired, &errors);
  if (job.ok() && !IsAiPlatformJobName(job->spec.job_id)) {
    errors.push_back({"", 0, 0, "jobId", std::string(kAiPlatformJobNameRule)});
  }
  if (!job.ok() || !errors.empty()) return FieldViolations(errors);
  VERNIER_ASSIGN_OR_RETURN(
      const auto study,
      dependencies_.jobs.CreateJob(*job, call.http.QueryText("requestId"),
                                   call.variables.at("project")));
  return Print(study);
}

bool MlJobsApi::HidesEnd(const RestCall& call, JobRef job) const {
  return job.run().ended_at.has_value() &&
         dependencies_.clock.Now() - *job.run().ended_at < kEndOfLogs &&
         call.http.Header("user-agent").find("gcloud/") != std::string::npos;
}

MlJobsApi::Answer MlJobsApi::Get(const RestCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const auto study,
                           dependencies_.jobs.GetJob(JobIdOf(call)));
  VERNIER_RETURN_IF_ERROR(UseTrialsInCall(*study));
  if (!HidesEnd(call, JobOf(*study))) return Print(study);
  v1::Job job = PlainlyNamed(JobOf(*study), {});
  job.clear_end_time();
  return PrintJson(job);
}

MlJobsApi::Answer MlJobsApi::List(const RestCall& call) {
  v1::ListJobsRequest request;
  request.set_project(call.variables.at("project"));
  VERNIER_ASSIGN_OR_RETURN(const int page_size, ReadPageSize(call));
  request.set_page_size(page_size);
  request.set_filter(call.http.QueryText("filter"));
  request.set_page_token(call.http.QueryText("pageToken"));
  v1::ListJobsResponse response;
  VERNIER_RETURN_IF_ERROR(ListJobs(*dependencies_.store.Snapshot(),
                                   dependencies_.hindrances, std::nullopt,
                                   request, &response));
  for (v1::Job& job : *response.mutable_jobs()) UsePlainName(&job);
  return PrintJson(response);
}

MlJobsApi::Answer MlJobsApi::Cancel(const RestCall& call) {
  VERNIER_RETURN_IF_ERROR(dependencies_.jobs.CancelJob(JobIdOf(call)).status());
  return ShareText("{}");
}

MlJobsApi::Answer MlJobsApi::Patch(const RestCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const JobUpdate update, ReadUpdate(call));
  VERNIER_ASSIGN_OR_RETURN(const auto study,
                           dependencies_.jobs.UpdateLabels(
                               JobIdOf(call), update.labels, update.version));
  return Print(study);
}

void MlJobsApi::AddRoutes(RestRouter* router) {
  AddJobRoutes("ml.projects.jobs.", "/v1/projects/{project}", router);
  AddJobRoutes("ml.projects.locations.jobs.",
               "/v1/projects/{project}/locations/{location}", router);
  AddProjectRoutes(router);
}

void MlJobsApi::AddJobRoutes(const std::string& id, const std::string& path,
                             RestRouter* router) {
  const auto* job = v1::Job::descriptor();
  const std::vector<RestParameter> request_id = {{"requestId"}};
  const std::vector<RestParameter> list = {
      {"filter"}, {"pageSize", "integer"}, {"pageToken"}};
  const std::vector<RestParameter> mask = {{"updateMask", "string", true}};
  const std::vector<RestParameter> version = {
      {"options.requestedPolicyVersion", "integer"}};
  router->AddRows(
      id, path,
      {
          {"create", "POST /jobs", v1::RUN,
           "Submits a job. It is queued and starts by itself.", job, job,
           Bind(this, &MlJobsApi::Create), request_id},
          {"list", "GET /jobs", v1::READ,
           "Lists jobs, the newest first, without their trials.", nullptr,
           v1::ListJobsResponse::descriptor(), Bind(this, &MlJobsApi::List),
           list},
          {"get", "GET /jobs/{job}", v1::READ,
           "Describes a job with its trials, the best first.", nullptr, job,
           Bind(this, &MlJobsApi::Get)},
          {"cancel", "POST /jobs/{job}:cancel", v1::WRITE, "Asks a job to end.",
           nullptr, nullptr, Bind(this, &MlJobsApi::Cancel)},
          {"patch", "PATCH /jobs/{job}", v1::WRITE,
           "Replaces the labels of a job.", job, job,
           Bind(this, &MlJobsApi::Patch), mask},
          {"getIamPolicy", "GET /jobs/{job}:getIamPolicy", v1::READ,
           "An empty policy: access is given by tokens here.", nullptr, nullptr,
           &GetIamPolicy, version},
          {"setIamPolicy", "POST /jobs/{job}:setIamPolicy", v1::WRITE,
           "Refused: access is given by tokens here.", nullptr, nullptr,
           &SetIamPolicy},
          {"testIamPermissions", "POST /jobs/{job}:testIamPermissions",
           v1::READ, "Says which permissions the token has.", nullptr, nullptr,
           &TestIamPermissions},
      });
}

void MlJobsApi::AddProjectRoutes(RestRouter* router) {
  const std::vector<RestParameter> pages = {{"pageSize", "integer"},
                                            {"pageToken"}};
  router->AddRows("ml.projects.", "/v1/projects/{project}",
                  {
                      {"getConfig", "GET :getConfig", v1::READ,
                       "Describes the service to old clients.", nullptr,
                       nullptr, &GetConfig},
                      {"locations.list", "GET /locations", v1::READ,
                       "Lists the one location there is.", nullptr, nullptr,
                       &ListLocations, pages},
                      {"locations.get", "GET /locations/{location}", v1::READ,
                       "Describes a location; every name is this machine.",
                       nullptr, nullptr, &GetLocation},
                  });
}

}  // namespace vernier
