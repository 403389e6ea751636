#include "study/json.h"

#include "study/json_bounds.h"
#include "study/status_macros.h"

namespace vernier {

absl::StatusOr<Json> ParseJson(std::string_view text) {
  VERNIER_RETURN_IF_ERROR(CheckJsonBounds(text));
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    return absl::InvalidArgumentError(error.what());
  }
}

std::string DumpJson(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vernier
