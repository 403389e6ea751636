#include "cluster/attempt/trial_command.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"
#include "buckets/bucket_name.h"
#include "cluster/cluster_spec.h"
#include "cluster/trial_environment.h"
#include "study/parameter_value.h"
#include "study/search_space.h"

namespace vernier {
namespace {

void Append(const std::vector<std::string>& more,
            std::vector<std::string>& arguments) {
  arguments.insert(arguments.end(), more.begin(), more.end());
}

// Returns whether a replica of the role runs the same program as the master's
// image. Commands and arguments that were written for that image may be wrong
// for another one.
bool SharesMastersProgram(const TrainingInput& input, ReplicaRole role) {
  const ReplicaConfig& own = RoleOf(input, role).config;
  return own.image_uri.empty() ||
         own.image_uri == input.master.config.image_uri;
}

// Returns the program of a role in an image; empty for the image's entry point.
absl::StatusOr<std::vector<std::string>> ImageProgramOf(const JobSpec& spec,
                                                        ReplicaRole role) {
  const TrainingInput& input = spec.training_input;
  if (!spec.vernier.command.empty()) return spec.vernier.command;
  const std::vector<std::string>& own =
      RoleOf(input, role).config.container_command;
  if (!own.empty()) return own;
  if (SharesMastersProgram(input, role) &&
      !input.master.config.container_command.empty()) {
    return input.master.config.container_command;
  }
  if (!input.python_module.empty()) {
    return absl::InvalidArgumentError(
        "trainingInput.pythonModule runs in no image: give the command as "
        "masterConfig.containerCommand, or leave pythonModule out to run the "
        "entry point of " +
        ImageOf(input, role));
  }
  return std::vector<std::string>();
}

absl::StatusOr<std::vector<std::string>> ProgramOf(const JobSpec& spec,
                                                   ReplicaRole role,
                                                   const std::string& python) {
  const TrainingInput& input = spec.training_input;
  if (!ImageOf(input, role).empty()) return ImageProgramOf(spec, role);
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

// `spec` is null if an edit of the search has dropped the parameter since the
// trial was made.
void AppendParameter(ArgStyle style, const std::string& name,
                     const ParameterSpec* spec, const std::string& value,
                     std::vector<std::string>& arguments) {
  const std::string flag = "--" + name;
  if (style == ArgStyle::kEquals) {
    arguments.push_back(flag + "=" + value);
  } else if (style == ArgStyle::kFlags && spec != nullptr && IsSwitch(*spec)) {
    if (BooleanOf(value).value_or(false)) arguments.push_back(flag);
  } else {
    Append({flag, value}, arguments);
  }
}

using Place = std::pair<std::string, std::string>;  // And the value for it.

// Replaces the placeholders of parameters in the words in one pass, since a
// value may look like a placeholder. Returns which of them were found. The
// program itself has none.
std::vector<bool> FillPlaces(const std::vector<Place>& places,
                             ReplicaCommand& command) {
  std::vector<bool> are_filled(places.size(), false);
  for (std::vector<std::string>* words :
       {&command.program, &command.arguments}) {
    const std::size_t first = words == &command.program ? 1 : 0;
    for (std::size_t i = first; i < words->size(); ++i) {
      std::string& word = (*words)[i];
      for (std::size_t k = 0; k < places.size(); ++k) {
        if (absl::StrContains(word, places[k].first)) are_filled[k] = true;
      }
      absl::StrReplaceAll(places, &word);
    }
  }
  return are_filled;
}

void AppendParameters(const JobSpec& spec, const Parameters& parameters,
                      ReplicaCommand& command) {
  if (spec.vernier.arg_style == ArgStyle::kNone) return;
  const std::vector<ParameterSpec>& space = SearchSpaceOf(spec);
  const std::vector<const ParameterSpec*> specs =
      SpecsByValue(space, parameters);
  std::vector<std::string> values = FormatValues(space, parameters);
  std::vector<Place> places;
  for (std::size_t i = 0; i < values.size(); ++i) {
    places.emplace_back(PlaceOf(parameters[i].name), std::move(values[i]));
  }
  const ArgStyle style = spec.vernier.arg_style;
  std::vector<bool> are_filled(places.size(), false);
  if (style == ArgStyle::kPlaceholders) {
    are_filled = FillPlaces(places, command);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (are_filled[i]) continue;
    AppendParameter(style, parameters[i].name, specs[i], places[i].second,
                    command.arguments);
  }
}

// Returns where a gs:// URI begins in `word`: at its start, or after the '=' of
// a flag.
std::size_t UriBegin(const std::string& word) {
  if (IsBucketUri(word)) return 0;
  const std::size_t equals = word.find('=');
  const bool is_flag = word.rfind('-', 0) == 0 && equals != std::string::npos &&
                       IsBucketUri(std::string_view(word).substr(equals + 1));
  return is_flag ? equals + 1 : std::string::npos;
}

// Returns the command without --job-dir.
absl::StatusOr<ReplicaCommand> OwnWords(const JobSpec& spec,
                                        const Parameters& parameters,
                                        ReplicaRole role,
                                        const std::string& python) {
  const TrainingInput& input = spec.training_input;
  ReplicaCommand command;
  VERNIER_ASSIGN_OR_RETURN(command.program, ProgramOf(spec, role, python));
  const std::vector<std::string>& own_args =
      RoleOf(input, role).config.container_args;
  if (!own_args.empty() || !SharesMastersProgram(input, role)) {
    Append(own_args, command.arguments);
  } else {
    Append(input.master.config.container_args, command.arguments);
  }
  Append(input.args, command.arguments);
  AppendParameters(spec, parameters, command);
  return command;
}

// Calls `visit` with each word that may name an object of a bucket, and with
// the position of its URI.
template <typename Visit>
void VisitUris(ReplicaCommand& command, const Visit& visit) {
  for (std::vector<std::string>* words :
       {&command.program, &command.arguments}) {
    // The program itself is not replaced.
    const std::size_t first = words == &command.program ? 1 : 0;
    for (std::size_t i = first; i < words->size(); ++i) {
      const std::size_t begin = UriBegin((*words)[i]);
      if (begin != std::string::npos) visit((*words)[i], begin);
    }
  }
}

}  // namespace

absl::StatusOr<ReplicaCommand> CommandOfReplica(
    const JobSpec& spec, const Parameters& parameters, TrialId trial,
    ReplicaRole role, const std::string& python,
    const std::map<std::string, std::string>& local_paths) {
  VERNIER_ASSIGN_OR_RETURN(ReplicaCommand command,
                           OwnWords(spec, parameters, role, python));
  VisitUris(command, [&](std::string& word, std::size_t begin) {
    const auto local = local_paths.find(word.substr(begin));
    if (local == local_paths.end()) return;
    word.replace(begin, std::string::npos, local->second);
  });
  const std::string job_dir = TrialJobDir(spec, trial);
  if (!job_dir.empty()) Append({"--job-dir", job_dir}, command.arguments);
  return command;
}

absl::StatusOr<std::vector<std::string>> ReplicaArguments(
    const JobSpec& spec, const Parameters& parameters, TrialId trial,
    ReplicaRole role, const std::string& python,
    const std::map<std::string, std::string>& local_paths) {
  // A command that was written for an image must never run on the host instead.
  const std::string& image = ImageOf(spec.training_input, role);
  if (!image.empty()) {
    return absl::InvalidArgumentError(
        "the replica runs in the container image " + image +
        ", never as a process of this machine");
  }
  VERNIER_ASSIGN_OR_RETURN(
      ReplicaCommand command,
      CommandOfReplica(spec, parameters, trial, role, python, local_paths));
  Append(command.arguments, command.program);
  return std::move(command.program);
}

std::set<std::string> BucketArguments(const JobSpec& spec,
                                      const Parameters& parameters) {
  std::set<std::string> uris;
  for (const ReplicaId& replica : GangReplicas(spec.training_input)) {
    if (replica.index > 0) continue;  // A role's replicas have the same words.
    auto words = OwnWords(spec, parameters, replica.role, "python3");
    if (!words.ok()) continue;
    VisitUris(*words, [&](const std::string& word, std::size_t begin) {
      uris.insert(word.substr(begin));
    });
  }
  return uris;
}

}  // namespace vernier
