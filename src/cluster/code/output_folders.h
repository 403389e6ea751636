#ifndef VERNIER_CLUSTER_CODE_OUTPUT_FOLDERS_H_
#define VERNIER_CLUSTER_CODE_OUTPUT_FOLDERS_H_

#include <algorithm>
#include <array>
#include <string_view>

namespace vernier {

/// Folders in which libraries leave what a run has done, and which are no code:
/// those of earlier runs are left out.
inline constexpr std::array<std::string_view, 4> kOutputNames = {
    "runs", "lightning_logs", "mlruns", "wandb"};

/// Whether a folder right below the code is one of them, by its name.
constexpr bool IsOutputName(std::string_view name) {
  return std::find(kOutputNames.begin(), kOutputNames.end(), name) !=
         kOutputNames.end();
}

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_OUTPUT_FOLDERS_H_
