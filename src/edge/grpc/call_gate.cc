#include "edge/grpc/call_gate.h"

#include <google/protobuf/descriptor.h>
#include <vernier/v1/access_service.pb.h>
#include <vernier/v1/bucket_service.pb.h>
#include <vernier/v1/job_service.pb.h>
#include <vernier/v1/project_service.pb.h>
#include <vernier/v1/report_service.pb.h>
#include <vernier/v1/study_service.pb.h>

#include <map>
#include <string>
#include <string_view>

#include "access/token_text.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

using google::protobuf::Descriptor;
using PermissionTable = std::map<const Descriptor*, v1::Permission>;

PermissionTable MakeTable() {
  PermissionTable table;
  for (const google::protobuf::FileDescriptor* file :
       {v1::CreateJobRequest::descriptor()->file(),
        v1::CreateTokenRequest::descriptor()->file(),
        v1::GetBucketRequest::descriptor()->file(),
        v1::SetQuotaRequest::descriptor()->file(),
        v1::ReportRequest::descriptor()->file(),
        v1::GetStudyRequest::descriptor()->file()}) {
    for (int i = 0; i < file->service_count(); ++i) {
      const google::protobuf::ServiceDescriptor* service = file->service(i);
      for (int j = 0; j < service->method_count(); ++j) {
        const google::protobuf::MethodDescriptor* method = service->method(j);
        table[method->input_type()] =
            method->options().GetExtension(v1::permission);
      }
    }
  }
  return table;
}

std::string_view MetadataText(const grpc::ServerContextBase& context,
                              const char* key) {
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find(key);
  if (found == metadata.end()) return "";
  return {found->second.data(), found->second.size()};
}

// Whether the call came by the unix socket, which only its owner can open.
bool IsOwner(const grpc::ServerContextBase& context) {
  return context.peer().rfind("unix:", 0) == 0;
}

}  // namespace

v1::Permission PermissionOfRequest(const Descriptor* request) {
  static const PermissionTable* const kTable = new PermissionTable(MakeTable());
  const auto found = kTable->find(request);
  return found == kTable->end() ? v1::PERMISSION_UNSPECIFIED : found->second;
}

absl::StatusOr<Principal> CallGate::Authenticate(std::string_view token) const {
  return AttemptTokens::IsOne(token) ? attempts_.Authenticate(token)
                                     : authenticator_.Authenticate(token);
}

absl::StatusOr<Principal> CallGate::Admit(
    const grpc::ServerContextBase& context, const Descriptor* request) const {
  Principal principal = SocketPrincipal();
  const std::string_view token =
      BearerToken(MetadataText(context, "authorization"));
  if (AttemptTokens::IsOne(token) || !IsOwner(context)) {
    VERNIER_ASSIGN_OR_RETURN(principal, Authenticate(token));
    VERNIER_RETURN_IF_ERROR(limiter_.Admit(principal.name));
  }
  VERNIER_RETURN_IF_ERROR(
      CheckPermission(principal, PermissionOfRequest(request)));
  return principal;
}

std::function<absl::Status()> CallGate::Watch(
    const grpc::ServerContextBase& context) const {
  if (IsOwner(context)) return [] { return absl::OkStatus(); };
  return [this, token = std::string(
                    BearerToken(MetadataText(context, "authorization")))] {
    return Authenticate(token).status();
  };
}

}  // namespace vernier
