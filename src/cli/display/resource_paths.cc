#include "cli/display/resource_paths.h"

#include <vernier/v1/job_service.grpc.pb.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/add_once.h"
#include "base/json.h"
#include "base/nearest_name.h"
#include "base/status_macros.h"
#include "cli/display/job_lookup.h"
#include "client/client_connection.h"

namespace vernier {
namespace {

absl::Status CheckIsParameter(const std::string& key,
                              const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), key) != names.end()) {
    return absl::OkStatus();
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  return absl::InvalidArgumentError(absl::StrCat(
      "the search space has no parameter \"", key, "\"", DidYouMean(key, known),
      "; it has ", names.empty() ? "none" : absl::StrJoin(names, ", ")));
}

void AddNames(const Json& params, std::vector<std::string>* names) {
  if (!params.is_array()) return;
  for (const Json& parameter : params) {
    if (!parameter.is_object()) continue;
    AddOnce(parameter.value("parameterName", ""), names);
    AddNames(parameter.value("childParameterSpecs", Json()), names);
  }
}

absl::StatusOr<std::vector<std::string>> NamesInTrials(
    const std::string& answer) {
  VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(answer));
  std::vector<std::string> names;
  for (const Json& trial : document.value("trials", Json::array())) {
    for (const Json& parameter : trial.value("parameters", Json::array())) {
      AddOnce(parameter.value("name", ""), &names);
    }
  }
  return names;
}

}  // namespace

PathCheck PathsOf(Resource resource, ParameterNames names) {
  return [resource, names = std::move(names)](
             const std::vector<std::string>& keys) -> absl::Status {
    VERNIER_ASSIGN_OR_RETURN(const FieldKind kind, FindField(resource, keys));
    if (kind != FieldKind::kParameter || names == nullptr) {
      return absl::OkStatus();
    }
    VERNIER_ASSIGN_OR_RETURN(const std::vector<std::string> known, names());
    return CheckIsParameter(keys.back(), known);
  };
}

ParameterNames ParameterNamesOf(const ClientConnection& client,
                                const std::string& study) {
  return [&client, study]() -> absl::StatusOr<std::vector<std::string>> {
    const auto job = GetJobWithoutTrials(client, study);
    if (!absl::IsNotFound(job.status())) {
      VERNIER_RETURN_IF_ERROR(job.status());
      return ParameterNamesIn(*job);
    }
    // A study that clients run shows its parameters in its trials.
    v1::ListTrialsRequest request;
    request.set_job_id(study);
    VERNIER_ASSIGN_OR_RETURN(
        const std::string answer,
        client.CallForJson(&v1::JobService::Stub::ListTrials, request));
    return NamesInTrials(answer);
  };
}

absl::StatusOr<std::vector<std::string>> ParameterNamesIn(
    std::string_view job_json) {
  VERNIER_ASSIGN_OR_RETURN(const Json job, ParseJson(job_json));
  std::vector<std::string> names;
  if (!job.is_object()) return names;
  AddNames(job.value("trainingInput", Json::object())
               .value("hyperparameters", Json::object())
               .value("params", Json()),
           &names);
  return names;
}

absl::StatusOr<std::vector<std::string>> MetricNamesIn(
    std::string_view study_json) {
  VERNIER_ASSIGN_OR_RETURN(const Json study, ParseJson(study_json));
  std::vector<std::string> names;
  if (!study.is_object()) return names;
  for (const Json& metric : study.value("metrics", Json::array())) {
    AddOnce(metric.value("name", ""), &names);
  }
  for (const Json& one : study.value("metricConstraints", Json::array())) {
    AddOnce(one.value("metric", ""), &names);
  }
  return names;
}

PathCheck PathsOfJob(const std::string& job_json) {
  return PathsOf(Resource::kJob,
                 [job_json] { return ParameterNamesIn(job_json); });
}

}  // namespace vernier
