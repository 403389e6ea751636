#include "cluster/local/trial_command.h"

#include <string_view>

#include "base/status_macros.h"
#include "buckets/bucket_name.h"
#include "cluster/cluster_spec.h"
#include "cluster/trial_environment.h"
#include "study/search_space.h"

namespace vernier {
namespace {

void Append(const std::vector<std::string>& more,
            std::vector<std::string>& arguments) {
  arguments.insert(arguments.end(), more.begin(), more.end());
}

absl::StatusOr<std::vector<std::string>> ProgramOf(const JobSpec& spec,
                                                   ReplicaRole role,
                                                   const std::string& python) {
  const TrainingInput& input = spec.training_input;
  // What an image is given for must never run on the host instead.
  if (const std::string& image = ImageOf(input, role); !image.empty()) {
    return absl::InvalidArgumentError(
        "the replica runs in the container image " + image +
        ", and this service runs no containers");
  }
  if (!spec.vernier.command.empty()) return spec.vernier.command;
  for (const RoleSpec* config : {&RoleOf(input, role), &input.master}) {
    if (!config->config.container_command.empty()) {
      return config->config.container_command;
    }
  }
  if (!input.python_module.empty()) {
    return std::vector<std::string>{python, "-m", input.python_module};
  }
  return absl::InvalidArgumentError(
      "the job names no program: give vernier.command, "
      "masterConfig.containerCommand or pythonModule");
}

absl::Status AppendParameters(const JobSpec& spec, const Parameters& parameters,
                              std::vector<std::string>& arguments) {
  const std::vector<const ParameterSpec*> specs =
      SpecsByValue(SearchSpaceOf(spec), parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const NamedValue& parameter = parameters[i];
    if (specs[i] == nullptr) {
      return absl::InvalidArgumentError(
          "the search space has no parameter of this name: " + parameter.name);
    }
    const std::string value = FormatValue(*specs[i], parameter.value);
    if (spec.vernier.arg_style == ArgStyle::kEquals) {
      arguments.push_back("--" + parameter.name + "=" + value);
    } else {
      arguments.push_back("--" + parameter.name);
      arguments.push_back(value);
    }
  }
  return absl::OkStatus();
}

// Where a gs:// URI begins in `word`: at its start, or after the '=' of a flag.
std::size_t UriBegin(const std::string& word) {
  if (IsBucketUri(word)) return 0;
  const std::size_t equals = word.find('=');
  const bool is_flag = word.rfind('-', 0) == 0 && equals != std::string::npos &&
                       IsBucketUri(std::string_view(word).substr(equals + 1));
  return is_flag ? equals + 1 : std::string::npos;
}

// All words of the command except --job-dir's.
absl::StatusOr<std::vector<std::string>> OwnWords(const JobSpec& spec,
                                                  const Parameters& parameters,
                                                  ReplicaRole role,
                                                  const std::string& python) {
  const TrainingInput& input = spec.training_input;
  VERNIER_ASSIGN_OR_RETURN(std::vector<std::string> arguments,
                           ProgramOf(spec, role, python));
  const std::vector<std::string>& own_args =
      RoleOf(input, role).config.container_args;
  Append(own_args.empty() ? input.master.config.container_args : own_args,
         arguments);
  Append(input.args, arguments);
  VERNIER_RETURN_IF_ERROR(AppendParameters(spec, parameters, arguments));
  return arguments;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ReplicaArguments(
    const JobSpec& spec, const Parameters& parameters, TrialId trial,
    ReplicaRole role, const std::string& python,
    const std::map<std::string, std::string>& local_paths) {
  VERNIER_ASSIGN_OR_RETURN(std::vector<std::string> arguments,
                           OwnWords(spec, parameters, role, python));
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::size_t begin = UriBegin(arguments[i]);
    if (begin == std::string::npos) continue;
    const auto local = local_paths.find(arguments[i].substr(begin));
    if (local == local_paths.end()) continue;
    arguments[i].replace(begin, std::string::npos, local->second);
  }
  const std::string job_dir = TrialJobDir(spec, trial);
  if (!job_dir.empty()) {
    arguments.push_back("--job-dir");
    arguments.push_back(job_dir);
  }
  return arguments;
}

std::set<std::string> BucketArguments(const JobSpec& spec,
                                      const Parameters& parameters) {
  std::set<std::string> uris;
  for (const ReplicaId& replica : GangReplicas(spec.training_input)) {
    if (replica.index > 0) continue;  // A role's replicas have the same words.
    const auto words = OwnWords(spec, parameters, replica.role, "python3");
    if (!words.ok()) continue;
    for (std::size_t i = 1; i < words->size(); ++i) {
      const std::size_t begin = UriBegin((*words)[i]);
      if (begin != std::string::npos) uris.insert((*words)[i].substr(begin));
    }
  }
  return uris;
}

}  // namespace vernier
