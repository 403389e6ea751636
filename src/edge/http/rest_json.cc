#include "edge/http/rest_json.h"

#include <google/protobuf/util/json_util.h>

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json_bounds.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "edge/message_json.h"

namespace vernier {
namespace {

// The message repeats the wrong name, which may have megabytes.
constexpr std::size_t kMaxError = 300;

}  // namespace

RestAnswer ShareText(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

absl::StatusOr<RestAnswer> PrintJson(const google::protobuf::Message& message) {
  VERNIER_ASSIGN_OR_RETURN(std::string json, JsonOf(message));
  return ShareText(std::move(json));
}

absl::Status ReadJson(const std::string& body,
                      google::protobuf::Message* message) {
  if (body.empty()) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(CheckJsonBounds(body, kMaxRequestValues));
  const auto status =
      google::protobuf::util::JsonStringToMessage(body, message);
  if (status.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "body: ", ShowText(std::string(status.message()), kMaxError)));
}

}  // namespace vernier
