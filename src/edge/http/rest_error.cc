#include "edge/http/rest_error.h"

#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "access/rate_limiter.h"
#include "base/json.h"

namespace vernier {
namespace {

constexpr char kViolations[] = "type.googleapis.com/google.rpc.BadRequest";

struct CodeNames {
  absl::StatusCode code;
  int http;
  const char* name;
};

constexpr CodeNames kCodes[] = {
    {absl::StatusCode::kCancelled, 499, "CANCELLED"},
    {absl::StatusCode::kUnknown, 500, "UNKNOWN"},
    {absl::StatusCode::kInvalidArgument, 400, "INVALID_ARGUMENT"},
    {absl::StatusCode::kDeadlineExceeded, 504, "DEADLINE_EXCEEDED"},
    {absl::StatusCode::kNotFound, 404, "NOT_FOUND"},
    {absl::StatusCode::kAlreadyExists, 409, "ALREADY_EXISTS"},
    {absl::StatusCode::kPermissionDenied, 403, "PERMISSION_DENIED"},
    {absl::StatusCode::kResourceExhausted, 429, "RESOURCE_EXHAUSTED"},
    {absl::StatusCode::kFailedPrecondition, 400, "FAILED_PRECONDITION"},
    {absl::StatusCode::kAborted, 409, "ABORTED"},
    {absl::StatusCode::kOutOfRange, 400, "OUT_OF_RANGE"},
    {absl::StatusCode::kUnimplemented, 501, "UNIMPLEMENTED"},
    {absl::StatusCode::kInternal, 500, "INTERNAL"},
    {absl::StatusCode::kUnavailable, 503, "UNAVAILABLE"},
    {absl::StatusCode::kDataLoss, 500, "DATA_LOSS"},
    {absl::StatusCode::kUnauthenticated, 401, "UNAUTHENTICATED"},
};

const CodeNames& NamesOf(absl::StatusCode code) {
  for (const CodeNames& names : kCodes) {
    if (names.code == code) return names;
  }
  return kCodes[1];
}

}  // namespace

absl::Status FieldViolations(const std::vector<SpecError>& errors) {
  Json violations = Json::array();
  std::string message;
  for (const SpecError& error : errors) {
    violations.push_back(
        {{"field", error.field_path}, {"description", error.message}});
    // Positions are left out, because the text that was parsed is not the one
    // that was sent.
    absl::StrAppend(&message, message.empty() ? "" : "\n", error.field_path,
                    error.field_path.empty() ? "" : ": ", error.message);
  }
  absl::Status status = absl::InvalidArgumentError(message);
  status.SetPayload(kViolations, absl::Cord(DumpJson(violations)));
  return status;
}

HttpResponse ErrorResponse(const absl::Status& status, int http_status) {
  const CodeNames& names = NamesOf(status.code());
  const int code = http_status == 0 ? names.http : http_status;
  Json error = {{"code", code},
                {"message", std::string(status.message())},
                {"status", names.name}};
  if (const auto payload = status.GetPayload(kViolations);
      payload.has_value()) {
    auto violations = ParseJson(std::string(*payload));
    if (violations.ok()) {
      error["details"] = Json::array(
          {{{"@type", kViolations}, {"fieldViolations", *violations}}});
    }
  }
  const int retry_after = RetryAfter(status);
  if (retry_after > 0) {
    error["details"] =
        Json::array({{{"@type", kRetryInfo},
                      {"retryDelay", absl::StrCat(retry_after, "s")}}});
  }
  HttpResponse response =
      TextResponse(code, "application/json; charset=UTF-8",
                   DumpJson(Json{{"error", std::move(error)}}) + "\n");
  if (retry_after > 0) {
    response.headers.emplace_back("Retry-After", absl::StrCat(retry_after));
  }
  if (code == 401) {
    response.headers.emplace_back("WWW-Authenticate",
                                  "Bearer realm=\"vernier\"");
  }
  return response;
}

}  // namespace vernier
