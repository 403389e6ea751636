#include "edge/http/rest_json.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "edge/message_json.h"

namespace vernier {

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
  const absl::Status read = ReadJsonOf(body, UnknownMembers::kRefuse, message);
  if (read.ok()) return read;
  return absl::Status(read.code(), absl::StrCat("body: ", read.message()));
}

}  // namespace vernier
