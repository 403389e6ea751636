#include "cluster/trial_parameters.h"

#include <sys/stat.h>

#include <cerrno>

#include "base/small_file.h"
#include "base/status_macros.h"
#include "study/parameter_object.h"

namespace vernier {

std::string TrialParametersJson(const JobSpec& spec,
                                const Parameters& parameters) {
  if (!spec.training_input.hyperparameters.has_value()) return "";
  return ParametersToObject(SearchSpaceOf(spec), parameters);
}

std::string TrialParametersFile(const std::string& metric_dir) {
  return metric_dir + "/parameters.json";
}

absl::Status WriteForPrograms(const std::string& path,
                              const std::string& contents) {
  VERNIER_RETURN_IF_ERROR(ReplaceFile(path, contents, Durability::kVolatile));
  if (::chmod(path.c_str(), 0644) != 0) {
    return absl::ErrnoToStatus(errno, path);
  }
  return absl::OkStatus();
}

absl::Status WriteLongParameters(const std::string& metric_dir,
                                 const JobSpec& spec,
                                 const Parameters& parameters) {
  const std::string json = TrialParametersJson(spec, parameters);
  if (json.size() <= kLongestVariable) return absl::OkStatus();
  return WriteForPrograms(TrialParametersFile(metric_dir), json);
}

}  // namespace vernier
