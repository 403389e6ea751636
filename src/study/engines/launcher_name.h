#ifndef VERNIER_STUDY_ENGINES_LAUNCHER_NAME_H_
#define VERNIER_STUDY_ENGINES_LAUNCHER_NAME_H_

#include <string_view>

#include "base/enum_name.h"

namespace vernier {

/// The place where the replicas of a job run.
enum class LauncherName {
  kLocal = 1,       ///< As processes or containers of the service's machine.
  kSlurm = 2,       ///< As jobs of a Slurm cluster.
  kKubernetes = 3,  ///< As pods of a Kubernetes cluster.
};

inline constexpr EnumName<LauncherName> kLauncherNames[] = {
    {"local", LauncherName::kLocal},
    {"slurm", LauncherName::kSlurm},
    {"kubernetes", LauncherName::kKubernetes},
};

/// "local", "slurm" or "kubernetes".
constexpr std::string_view ToString(LauncherName name) {
  return NameIn(kLauncherNames, name);
}

}  // namespace vernier

#endif  // VERNIER_STUDY_ENGINES_LAUNCHER_NAME_H_
