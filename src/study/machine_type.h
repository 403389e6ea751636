#ifndef VERNIER_STUDY_MACHINE_TYPE_H_
#define VERNIER_STUDY_MACHINE_TYPE_H_

#include <span>
#include <string>
#include <string_view>

namespace vernier {

/// AI Platform's own machine names, such as "complex_model_m_gpu".
std::span<const std::string_view> LegacyMachineTypes();
bool IsLegacyMachineType(std::string_view name);

/// True for names of the shape of Compute Engine's: "n1-standard-4". Whether it
/// exists is IsKnownMachineType's to say, and that of the service that runs it.
bool IsComputeEngineType(std::string_view name);

/// True for AI Platform's own types, for Compute Engine's that trainings run
/// on, and for its custom ones ("n1-custom-8-32768").
bool IsKnownMachineType(std::string_view name);

/// "; did you mean n1-standard-4?" for the known type that is nearest, or "".
std::string DidYouMeanMachineType(std::string_view name);

/// GPUs that machines of this type have without an acceleratorConfig; else 0.
int GpusOfMachineType(std::string_view name);

/// A worker of this type is a Cloud TPU, which no process of ours replaces.
inline constexpr std::string_view kCloudTpu = "cloud_tpu";

}  // namespace vernier

#endif  // VERNIER_STUDY_MACHINE_TYPE_H_
