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

}  // namespace vernier
