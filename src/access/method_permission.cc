#include "access/method_permission.h"

#include <google/protobuf/descriptor.h>
#include <vernier/v1/access_service.pb.h>
#include <vernier/v1/bucket_service.pb.h>
#include <vernier/v1/job_service.pb.h>
#include <vernier/v1/project_service.pb.h>
#include <vernier/v1/report_service.pb.h>
#include <vernier/v1/study_service.pb.h>

#include <map>

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

}  // namespace

v1::Permission PermissionOfRequest(const Descriptor* request) {
  static const PermissionTable* const kTable = new PermissionTable(MakeTable());
  const auto found = kTable->find(request);
  return found == kTable->end() ? v1::PERMISSION_UNSPECIFIED : found->second;
}

}  // namespace vernier
