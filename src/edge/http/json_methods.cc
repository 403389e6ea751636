#include "edge/http/json_methods.h"

#include <google/protobuf/message.h>

#include "absl/strings/str_cat.h"
#include "access/method_permission.h"
#include "access/request_names.h"
#include "edge/message_json.h"

namespace vernier {

absl::StatusOr<std::string> JsonMethods::Run(const Principal& caller,
                                             const std::string& path,
                                             std::string_view request) const {
  const auto found = calls_.find(path);
  if (found == calls_.end()) {
    return absl::NotFoundError(absl::StrCat("there is no such method: ", path));
  }
  return found->second(caller, request);
}

absl::Status AdmitJsonCall(const Principal& caller, std::string_view json,
                           google::protobuf::Message* request) {
  VERNIER_RETURN_IF_ERROR(
      CheckPermission(caller, PermissionOfRequest(request->GetDescriptor())));
  const absl::Status read = ReadJsonOf(json.empty() ? "{}" : std::string(json),
                                       UnknownMembers::kRefuse, request);
  if (!read.ok()) {
    return absl::Status(
        read.code(),
        absl::StrCat("the body does not fit ", request->GetDescriptor()->name(),
                     ": ", read.message()));
  }
  return NameInFull(caller, request);
}

absl::StatusOr<std::string> PrintJsonAnswer(
    const google::protobuf::Message& response) {
  return JsonOf(response);
}

}  // namespace vernier
