#include "client/message_reader.h"

#include <google/protobuf/util/json_util.h>

#include "absl/strings/str_cat.h"

namespace vernier {

absl::Status ReadMessage(const std::string& what, const std::string& json,
                         google::protobuf::Message* message) {
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  const auto status =
      google::protobuf::util::JsonStringToMessage(json, message, options);
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, ": ", std::string(status.message())));
  }
  return absl::OkStatus();
}

}  // namespace vernier
