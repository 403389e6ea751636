#ifndef VERNIER_STUDY_MACHINE_TYPE_H_
#define VERNIER_STUDY_MACHINE_TYPE_H_

#include <span>
#include <string>
#include <string_view>

namespace vernier {

/// AI Platform's own machine names, such as "complex_model_m_gpu".
std::span<const std::string_view> LegacyMachineTypes();
bool IsLegacyMachineType(std::string_view name);

/// True for names in the form of Compute Engine's, such as "n1-standard-4".
/// IsKnownMachineType checks that the type exists.
bool IsComputeEngineType(std::string_view name);

/// True for AI Platform's own types, for Compute Engine's types that AI
/// Platform's trainings run on, and for its custom types ("n1-custom-8-32768").
bool IsKnownMachineType(std::string_view name);

/// Returns "; did you mean n1-standard-4?" for the nearest known type, or "".
std::string DidYouMeanMachineType(std::string_view name);

/// Returns the number of GPUs that machines of this type have without an
/// acceleratorConfig; else 0.
int GpusOfMachineType(std::string_view name);

/// A worker of this type is a Cloud TPU, which no local process replaces.
inline constexpr std::string_view kCloudTpu = "cloud_tpu";

}  // namespace vernier

#endif  // VERNIER_STUDY_MACHINE_TYPE_H_
