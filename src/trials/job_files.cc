#include "trials/job_files.h"

namespace vernier {

std::set<std::string> CodeInUse(const StoreSnapshot& snapshot) {
  std::set<std::string> used;
  for (const auto& [id, study] : snapshot) {
    used.insert(study->job.code_dir);
    for (const auto& version : study->job.earlier_versions) {
      if (IsVersionAlive(*study, version->number)) {
        used.insert(version->code_dir);
      }
    }
  }
  used.erase("");
  return used;
}

}  // namespace vernier
