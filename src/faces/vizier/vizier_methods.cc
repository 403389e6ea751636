#include "faces/vizier/vizier_methods.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <string>
#include <string_view>
#include <utility>

namespace vernier {
namespace {

// Callers by TCP have shown no token, and studies of projects are for those who
// have one. Only the unix socket, whose callers own the service, gets both.
absl::Status CheckNames(std::string_view peer,
                        const google::protobuf::Message& request) {
  if (peer.rfind("unix:", 0) == 0) return absl::OkStatus();
  const google::protobuf::Descriptor& type = *request.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    const google::protobuf::FieldDescriptor& field = *type.field(i);
    if (field.is_repeated() ||
        field.type() != google::protobuf::FieldDescriptor::TYPE_STRING) {
      continue;
    }
    std::string scratch;
    const std::string& text =
        request.GetReflection()->GetStringReference(request, &field, &scratch);
    if (text.rfind("projects/", 0) != 0) continue;
    return absl::PermissionDeniedError(
        "studies of projects are served on the unix socket only; by TCP a "
        "name is owners/OWNER/studies/STUDY");
  }
  return absl::OkStatus();
}

}  // namespace

void AddVizierMethods(VizierHandlers& handlers, const VizierCalls& calls,
                      VizierOverTcp over_tcp, GrpcMethods* methods) {
  using H = VizierHandlers;
  UnnamedCalls unnamed{calls.parts, calls.load,
                       [over_tcp](std::string_view peer) {
                         return CheckVizierCaller(peer, over_tcp);
                       },
                       "Vizier's clients"};
  unnamed.permit = &CheckNames;
  UnnamedService<H>("vizier.VizierService", handlers, std::move(unnamed),
                    methods)
      .Unary("CreateStudy", &H::CreateStudy)
      .Unary("GetStudy", &H::GetStudy)
      .Unary("ListStudies", &H::ListStudies)
      .Unary("DeleteStudy", &H::DeleteStudy)
      .Unary("SetStudyState", &H::SetStudyState)
      .Unary("SuggestTrials", &H::SuggestTrials)
      .Unary("GetOperation", &H::GetOperation)
      .Unary("CreateTrial", &H::CreateTrial)
      .Unary("GetTrial", &H::GetTrial)
      .Unary("ListTrials", &H::ListTrials)
      .Unary("AddTrialMeasurement", &H::AddTrialMeasurement)
      .Unary("CompleteTrial", &H::CompleteTrial)
      .Unary("DeleteTrial", &H::DeleteTrial)
      .Unary("CheckTrialEarlyStoppingState", &H::CheckTrialEarlyStoppingState)
      .Unary("StopTrial", &H::StopTrial)
      .Unary("ListOptimalTrials", &H::ListOptimalTrials)
      .Unary("UpdateMetadata", &H::UpdateMetadata);
}

}  // namespace vernier
