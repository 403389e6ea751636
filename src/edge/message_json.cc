#include "edge/message_json.h"

#include <google/protobuf/util/json_util.h>

#include "absl/strings/str_cat.h"

namespace vernier {

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

}  // namespace vernier
