#include "faces/optuna/optuna_methods.h"

#include <string_view>
#include <utility>

#include "edge/grpc/transfer_limits.h"
#include "edge/grpc/unnamed_methods.h"

namespace vernier {

void AddOptunaMethods(OptunaHandlers& handlers, const OptunaCalls& calls,
                      GrpcMethods* methods) {
  using H = OptunaHandlers;
  // The address that it listens at decides who may call.
  UnnamedCalls unnamed{calls.parts, calls.load,
                       [](std::string_view) { return absl::OkStatus(); },
                       "Optuna's clients"};
  // A client that looks for trials lists all that it saw unfinished.
  unnamed.limits = {kMaxReceivedBytes, 4'000'000};
  UnnamedService<H>("optuna.StorageService", handlers, std::move(unnamed),
                    methods)
      .Unary("CreateNewStudy", &H::CreateNewStudy)
      .Unary("DeleteStudy", &H::DeleteStudy)
      .Unary("SetStudyUserAttribute", &H::SetStudyUserAttribute)
      .Unary("SetStudySystemAttribute", &H::SetStudySystemAttribute)
      .Unary("GetStudyIdFromName", &H::GetStudyIdFromName)
      .Unary("GetStudyNameFromId", &H::GetStudyNameFromId)
      .Unary("GetStudyDirections", &H::GetStudyDirections)
      .Unary("GetStudyUserAttributes", &H::GetStudyUserAttributes)
      .Unary("GetStudySystemAttributes", &H::GetStudySystemAttributes)
      .Unary("GetAllStudies", &H::GetAllStudies)
      .Unary("CreateNewTrial", &H::CreateNewTrial)
      .Unary("SetTrialParameter", &H::SetTrialParameter)
      .Unary("GetTrialIdFromStudyIdTrialNumber",
             &H::GetTrialIdFromStudyIdTrialNumber)
      .Unary("SetTrialStateValues", &H::SetTrialStateValues)
      .Unary("SetTrialIntermediateValue", &H::SetTrialIntermediateValue)
      .Unary("SetTrialUserAttribute", &H::SetTrialUserAttribute)
      .Unary("SetTrialSystemAttribute", &H::SetTrialSystemAttribute)
      .Unary("GetTrial", &H::GetTrial)
      .Unary("GetTrials", &H::GetTrials);
}

}  // namespace vernier
