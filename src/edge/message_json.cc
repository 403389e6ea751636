#include "edge/message_json.h"

#include <google/protobuf/util/json_util.h>

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "base/json_bounds.h"
#include "base/shown_text.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

// The message repeats the wrong name, which may have megabytes.
constexpr std::size_t kMaxError = 300;

}  // namespace

absl::StatusOr<std::string> JsonOf(const google::protobuf::Message& message) {
  std::string json;
  const auto status =
      google::protobuf::util::MessageToJsonString(message, &json);
  if (!status.ok()) {
    return absl::InternalError(absl::StrCat("cannot print the answer: ",
                                            std::string(status.message())));
  }
  return json;
}

absl::Status ReadJsonOf(const std::string& json, UnknownMembers unknown,
                        google::protobuf::Message* message) {
  VERNIER_RETURN_IF_ERROR(CheckJsonBounds(json, kMaxRequestValues));
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = unknown == UnknownMembers::kIgnore;
  const auto status =
      google::protobuf::util::JsonStringToMessage(json, message, options);
  if (status.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      ShowText(std::string(status.message()), kMaxError));
}

}  // namespace vernier
