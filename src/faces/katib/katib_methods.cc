#include "faces/katib/katib_methods.h"

#include <string_view>

#include "edge/grpc/unnamed_methods.h"

namespace vernier {

void AddKatibMethods(KatibHandlers& handlers, const UnaryCall::Parts& parts,
                     LoadLimiter& load, GrpcMethods* methods) {
  using H = KatibHandlers;
  UnnamedService<H>(
      "api.v1.beta1.Suggestion", handlers,
      {parts, load, [](std::string_view) { return absl::OkStatus(); },
       "Katib's clients"},
      methods)
      .Unary("GetSuggestions", &H::GetSuggestions)
      .Unary("ValidateAlgorithmSettings", &H::ValidateAlgorithmSettings);
  methods->AddServiceName("manager.v1beta1.Suggestion");
}

}  // namespace vernier
