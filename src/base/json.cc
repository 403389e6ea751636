#include "base/json.h"

#include <cstddef>

#include "base/json_bounds.h"
#include "base/shown_text.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

// The text comes from outside, so a message shows only part of it.
constexpr std::size_t kMaxError = 300;

}  // namespace

absl::StatusOr<Json> ParseJson(std::string_view text) {
  VERNIER_RETURN_IF_ERROR(CheckJsonBounds(text));
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    // The message repeats what was read last, which may be the whole text.
    return absl::InvalidArgumentError(ShowText(error.what(), kMaxError));
  }
}

std::string DumpJson(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vernier
