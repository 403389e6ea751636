#include "faces/katib/katib_methods.h"

#include <string_view>

#include "edge/grpc/unnamed_methods.h"

namespace vernier {

void AddKatibMethods(KatibHandlers& handlers, const UnaryCall::Parts& parts,
                     LoadLimiter& load, GrpcMethods* methods) {
  using H = KatibHandlers;
  const UnnamedCalls calls{parts, load,
                           [](std::string_view) { return absl::OkStatus(); },
                           "Katib's clients"};
  UnnamedService<H>("api.v1.beta1.Suggestion", handlers, calls, methods)
      .Unary("GetSuggestions", &H::GetSuggestions)
      .Unary("ValidateAlgorithmSettings", &H::ValidateAlgorithmSettings);
  UnnamedService<H>("api.v1.beta1.EarlyStopping", handlers, calls, methods)
      .Unary("GetEarlyStoppingRules", &H::GetEarlyStoppingRules)
      .Unary("SetTrialStatus", &H::SetTrialStatus)
      .Unary("ValidateEarlyStoppingSettings",
             &H::ValidateEarlyStoppingSettings);
  methods->AddServiceName("manager.v1beta1.Suggestion");
}

}  // namespace vernier
