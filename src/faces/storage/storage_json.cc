#include "faces/storage/storage_json.h"

#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/json_bounds.h"
#include "base/status_macros.h"
#include "base/whole_number.h"
#include "buckets/attributes_json.h"
#include "buckets/http_status_payload.h"
#include "faces/storage/storage_route.h"
#include "http/url.h"

namespace vernier {
namespace {

struct ErrorForm {
  absl::StatusCode code;
  int http;
  const char* reason;
  const char* status;
};

constexpr ErrorForm kErrors[] = {
    {absl::StatusCode::kInvalidArgument, 400, "invalid", "INVALID_ARGUMENT"},
    {absl::StatusCode::kPermissionDenied, 403, "forbidden",
     "PERMISSION_DENIED"},
    {absl::StatusCode::kNotFound, 404, "notFound", "NOT_FOUND"},
    {absl::StatusCode::kAlreadyExists, 409, "conflict", "ALREADY_EXISTS"},
    {absl::StatusCode::kFailedPrecondition, 409, "conflict",
     "FAILED_PRECONDITION"},
    {absl::StatusCode::kAborted, 412, "conditionNotMet", "FAILED_PRECONDITION"},
    // 507 is not among the 5xx codes that clients retry at once.
    {absl::StatusCode::kResourceExhausted, 507, "insufficientStorage",
     "RESOURCE_EXHAUSTED"},
    {absl::StatusCode::kUnimplemented, 501, "notImplemented", "UNIMPLEMENTED"},
    {absl::StatusCode::kUnavailable, 503, "backendError", "UNAVAILABLE"},
};
constexpr ErrorForm kInternal = {absl::StatusCode::kInternal, 500,
                                 "internalError", "INTERNAL"};

HttpResponse ErrorJson(int status, const std::string& reason,
                       const std::string& message, const char* name) {
  Json item = Json::object();
  item["message"] = message;
  item["domain"] = "global";
  item["reason"] = reason;
  Json error = Json::object();
  error["code"] = status;
  error["message"] = message;
  error["errors"] = Json::array({std::move(item)});
  error["status"] = name;
  Json body = Json::object();
  body["error"] = std::move(error);
  return JsonResponse(status, body);
}

std::string BucketLink(const std::string& base, const std::string& bucket) {
  return absl::StrCat(base, "/storage/v1/b/", bucket);
}

}  // namespace

std::string ObjectTag(const ObjectMetadata& metadata) {
  return absl::StrCat("\"", metadata.generation, "/", metadata.metageneration,
                      "\"");
}

Json ObjectToJson(const std::string& bucket, const ObjectMetadata& metadata,
                  const std::string& base_url) {
  const std::string path = absl::StrCat("/storage/v1/b/", bucket, "/o/",
                                        PercentEncode(metadata.name));
  Json json = Json::object();
  json["kind"] = "storage#object";
  json["id"] =
      absl::StrCat(bucket, "/", metadata.name, "/", metadata.generation);
  json["selfLink"] = base_url + path;
  json["mediaLink"] =
      absl::StrCat(base_url, "/download", path,
                   "?generation=", metadata.generation, "&alt=media");
  json["name"] = metadata.name;
  json["bucket"] = bucket;
  json["generation"] = absl::StrCat(metadata.generation);
  json["metageneration"] = absl::StrCat(metadata.metageneration);
  json["storageClass"] = "STANDARD";
  json["size"] = absl::StrCat(metadata.size);
  if (metadata.hashes) {
    json["md5Hash"] = metadata.hashes->md5;
    json["crc32c"] = metadata.hashes->crc32c;
  }
  json["etag"] =
      absl::StrCat(metadata.generation, "/", metadata.metageneration);
  json["timeCreated"] = FormatTimestamp(metadata.created);
  json["updated"] = FormatTimestamp(metadata.updated);
  json["timeStorageClassUpdated"] = FormatTimestamp(metadata.created);
  json.update(AttributesToJson(metadata.attributes));
  return json;
}

Json BucketToJson(const Bucket& bucket, const std::string& base_url) {
  Json json = Json::object();
  json["kind"] = "storage#bucket";
  json["id"] = bucket.name();
  json["selfLink"] = BucketLink(base_url, bucket.name());
  json["name"] = bucket.name();
  json["projectNumber"] = "0";
  json["metageneration"] = "1";
  json["location"] = "LOCAL";
  json["locationType"] = "region";
  json["storageClass"] = "STANDARD";
  json["etag"] = "1";
  json["timeCreated"] = FormatTimestamp(bucket.created());
  json["updated"] = FormatTimestamp(bucket.created());
  // Objects have no access lists of their own: the service's tokens decide.
  json["iamConfiguration"]["uniformBucketLevelAccess"]["enabled"] = true;
  return json;
}

HttpResponse JsonResponse(int status, const Json& json) {
  return TextResponse(status, "application/json; charset=UTF-8",
                      DumpJson(json) + "\n");
}

HttpResponse ErrorResponse(const absl::Status& error) {
  if (const auto allowed = error.GetPayload(kAllowedMethods)) {
    HttpResponse response = ErrorJson(
        405, "methodNotAllowed", std::string(error.message()), "UNIMPLEMENTED");
    response.headers.emplace_back("Allow", std::string(*allowed));
    return response;
  }
  if (const auto status = GivenHttpStatus(error)) {
    return ErrorJson(*status,
                     *status == 429 ? "rateLimitExceeded" : "quotaExceeded",
                     std::string(error.message()), "RESOURCE_EXHAUSTED");
  }
  const ErrorForm* form = &kInternal;
  for (const ErrorForm& each : kErrors) {
    if (each.code == error.code()) form = &each;
  }
  return ErrorJson(form->http, form->reason, std::string(error.message()),
                   form->status);
}

HttpResponse ErrorResponse(int status, const std::string& reason,
                           const std::string& message) {
  return ErrorJson(status, reason, message, "OUT_OF_RANGE");
}

absl::StatusOr<std::optional<std::int64_t>> NumberFrom(
    const HttpRequest& request, const std::string& parameter) {
  const auto text = request.Query(parameter);
  if (!text) return std::nullopt;
  const auto number = ParseWholeNumber(*text);
  if (!number.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "must be a whole number: ", parameter, "=", std::string(*text)));
  }
  return number;
}

absl::StatusOr<Preconditions> PreconditionsFrom(const HttpRequest& request,
                                                bool of_source) {
  const std::string prefix = of_source ? "ifSource" : "if";
  Preconditions conditions;
  VERNIER_ASSIGN_OR_RETURN(conditions.generation_match,
                           NumberFrom(request, prefix + "GenerationMatch"));
  VERNIER_ASSIGN_OR_RETURN(conditions.generation_not_match,
                           NumberFrom(request, prefix + "GenerationNotMatch"));
  VERNIER_ASSIGN_OR_RETURN(conditions.metageneration_match,
                           NumberFrom(request, prefix + "MetagenerationMatch"));
  VERNIER_ASSIGN_OR_RETURN(
      conditions.metageneration_not_match,
      NumberFrom(request, prefix + "MetagenerationNotMatch"));
  return conditions;
}

absl::StatusOr<Json> ParseObject(const std::string& text) {
  if (text.find_first_not_of(" \r\n\t") == std::string::npos) {
    return Json::object();
  }
  VERNIER_RETURN_IF_ERROR(CheckJsonBounds(text, kMaxStorageValues));
  VERNIER_ASSIGN_OR_RETURN(Json json, ParseJson(text));
  if (json.is_object()) return json;
  return absl::InvalidArgumentError("the body must be a JSON object");
}

absl::StatusOr<ObjectWrite> WriteFromJson(const std::string& text) {
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseObject(text));
  try {
    ObjectWrite write;
    write.name = json.value("name", "");
    write.attributes = AttributesFromJson(json);
    write.expected.crc32c = json.value("crc32c", "");
    write.expected.md5 = json.value("md5Hash", "");
    return write;
  } catch (const Json::exception& error) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a field of the object has the wrong type: ", error.what()));
  }
}

}  // namespace vernier
