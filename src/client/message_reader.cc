#include "client/message_reader.h"

#include "absl/strings/str_cat.h"
#include "edge/message_json.h"

namespace vernier {

absl::Status ReadMessage(const std::string& what, const std::string& json,
                         google::protobuf::Message* message) {
  const absl::Status read = ReadJsonOf(json, UnknownMembers::kIgnore, message);
  if (read.ok()) return read;
  return absl::Status(read.code(), absl::StrCat(what, ": ", read.message()));
}

}  // namespace vernier
