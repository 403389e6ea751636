#ifndef VERNIER_CLUSTER_CODE_OUTPUT_FOLDERS_H_
#define VERNIER_CLUSTER_CODE_OUTPUT_FOLDERS_H_

#include <algorithm>
#include <array>
#include <string_view>

namespace vernier {

/// Names of folders in which libraries leave the results of runs. They are not
/// code, so those of earlier runs are left out.
inline constexpr std::array<std::string_view, 4> kOutputNames = {
    "runs", "lightning_logs", "mlruns", "wandb"};

/// Returns whether a folder directly below the code is such a folder, by its
/// name.
constexpr bool IsOutputName(std::string_view name) {
  return std::find(kOutputNames.begin(), kOutputNames.end(), name) !=
         kOutputNames.end();
}

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_OUTPUT_FOLDERS_H_
