#include "edge/http/request_json.h"

#include "base/json_bounds.h"
#include "base/status_macros.h"

namespace vernier {

absl::Status AdmitJson(std::string_view body, LoadLimiter::Share& share) {
  // This one check suffices for almost every request.
  if (CheckJsonBounds(body, kManyValues).ok()) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(CheckJsonBounds(body, kMaxValuesOfRequest));
  return share.Hold(body.size() + kBytesOfManyValues);
}

absl::StatusOr<Json> ReadJsonObject(const std::string& body) {
  if (body.empty()) return Json::object();
  VERNIER_RETURN_IF_ERROR(CheckJsonBounds(body, kMaxRequestValues));
  VERNIER_ASSIGN_OR_RETURN(Json json, ParseJson(body));
  if (json.is_object()) return json;
  return absl::InvalidArgumentError("the body must be a JSON object");
}

}  // namespace vernier
