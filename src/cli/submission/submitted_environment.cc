#include "cli/submission/submitted_environment.h"

#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/json.h"
#include "base/process_environment.h"
#include "base/status_macros.h"
#include "cli/submission/job_submission.h"
#include "cli/text/console.h"
#include "cluster/trial_environment.h"
#include "study/config/environment_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

constexpr char kGpus[] = "CUDA_VISIBLE_DEVICES";
constexpr std::array kSearchPaths = {"PATH", "PYTHONPATH", "LD_LIBRARY_PATH"};

// Makes the folders of a list absolute. An empty entry means the working
// directory, which is different for each trial.
std::string WithAbsoluteFolders(const std::string& list,
                                const std::string& folder) {
  std::vector<std::string> entries = absl::StrSplit(list, ':');
  for (std::string& entry : entries) {
    if (entry.empty() || entry.front() == '/') continue;
    entry = (fs::path(folder) / entry).lexically_normal().string();
    if (entry.size() > 1 && entry.back() == '/') entry.pop_back();
  }
  return absl::StrJoin(entries, ":");
}

// Returns whether the value is like "http://user:password@host", a usual form
// of proxies.
bool HoldsPassword(std::string_view value) {
  const std::size_t scheme = value.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::string_view authority =
      value.substr(scheme + 3, value.find('/', scheme + 3) - scheme - 3);
  const std::size_t at = authority.rfind('@');
  return at != std::string_view::npos &&
         authority.substr(0, at).find(':') != std::string_view::npos;
}

bool SoundsSecret(const std::string& name) {
  const std::string upper = absl::AsciiStrToUpper(name);
  constexpr std::array kWords = {"SECRET",     "TOKEN",   "PASSWORD",
                                 "PASSWD",     "API_KEY", "CREDENTIAL",
                                 "PRIVATE_KEY"};
  return std::any_of(kWords.begin(), kWords.end(), [&](const char* word) {
    return absl::StrContains(upper, word);
  });
}

void Inherit(const Caller& caller, SubmittedEnvironment* environment) {
  for (const auto& [name, value] : caller.variables) {
    if (name == kGpus || ProgramsMayInherit(name)) {
      environment->inherited[name] = value;
    }
  }
  for (const char* name : kSearchPaths) {
    const auto found = environment->inherited.find(name);
    if (found == environment->inherited.end()) continue;
    found->second = WithAbsoluteFolders(found->second, caller.folder);
  }
  for (const auto& [name, value] : environment->inherited) {
    if (HoldsPassword(value)) environment->secrets[name] = value;
  }
  for (const auto& [name, value] : environment->secrets) {
    environment->inherited.erase(name);
  }
}

absl::Status AddVariable(const std::string& text, const Caller& caller,
                         SubmittedEnvironment* environment) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (!IsVariableName(name)) {
    return absl::InvalidArgumentError(
        "--env must be NAME or NAME=VALUE; a name is letters, digits and '_', "
        "and does not begin with a digit");
  }
  if (equals != std::string::npos) {
    environment->added[name] = text.substr(equals + 1);
    return absl::OkStatus();
  }
  const auto found = caller.variables.find(name);
  if (found == caller.variables.end()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--env ", name, ": ", name,
        " is not set in your environment; give it as --env ", name, "=VALUE"));
  }
  environment->added[name] = found->second;
  return absl::OkStatus();
}

absl::Status AddFile(const std::string& file, const Caller& caller,
                     SubmittedEnvironment* environment) {
  VERNIER_ASSIGN_OR_RETURN(const std::string text, ReadJobFile(file));
  struct stat info;
  const bool is_shown = ::stat(file.c_str(), &info) == 0 &&
                        S_ISREG(info.st_mode) && (info.st_mode & 077) != 0;
  if (is_shown) {
    PrintTo(stderr,
            "vernier: note: others may read %s; chmod 600 keeps it to "
            "yourself\n",
            file.c_str());
  }
  const auto lookup = [&](const std::string& name) {
    const auto found = caller.variables.find(name);
    return found == caller.variables.end()
               ? std::nullopt
               : std::optional<std::string>(found->second);
  };
  const auto read = ParseEnvironmentFile(text, lookup);
  if (!read.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--env-file ", file, ": ", std::string(read.status().message())));
  }
  for (const auto& [name, value] : *read) environment->secrets[name] = value;
  return absl::OkStatus();
}

// Adds all of callerEnvironment, and single variables of environment.
void AddOverrides(const SubmittedEnvironment& environment,
                  std::vector<FieldOverride>& overrides) {
  if (!environment.inherited.empty()) {
    overrides.push_back({{"vernier", "callerEnvironment"},
                         DumpJson(Json(environment.inherited)),
                         "your environment"});
  }
  for (const auto& [name, value] : environment.added) {
    overrides.push_back({{"vernier", "environment", name},
                         DumpJson(Json(value)),
                         absl::StrCat("--env ", name)});
  }
}

/// Refuses a variable that the service sets itself, since it would have no
/// effect.
absl::Status CheckHasEffect(const SubmittedEnvironment& environment,
                            const JobSpec& spec) {
  const std::set<std::string> ours = ServiceVariables(spec);
  const auto in_vain = [](const std::string& flag, const std::string& name) {
    return absl::InvalidArgumentError(absl::StrCat(
        flag, ": the service sets ", name,
        " for each trial itself, so that no other value has an effect"));
  };
  for (const auto& [name, value] : environment.added) {
    if (ours.count(name) > 0) {
      return in_vain(absl::StrCat("--env ", name), name);
    }
  }
  for (const auto& [name, value] : environment.secrets) {
    if (ours.count(name) > 0) return in_vain("--env-file", name);
  }
  for (const auto& [name, value] : spec.vernier.environment) {
    if (ours.count(name) == 0) continue;
    PrintTo(stderr,
            "vernier: note: vernier.environment.%s has no effect, since "
            "the service sets it for each trial itself\n",
            name.c_str());
  }
  return absl::OkStatus();
}

void NoteEnvironment(const SubmittedEnvironment& environment,
                     const ParsedJob& job) {
  for (const auto& [name, value] : environment.added) {
    if (!SoundsSecret(name)) continue;
    PrintTo(stderr,
            "vernier: note: %s is a part of the job's description, which "
            "others may read; --env-file keeps secrets apart\n",
            name.c_str());
  }
  const auto gpus = environment.inherited.find(kGpus);
  const TrainingInput& input = job.spec.training_input;
  int wanted = 0;
  for (const RoleSpec* role : {&input.master, &input.worker,
                               &input.parameter_server, &input.evaluator}) {
    wanted += role->count * GpusPerReplica(job.spec, *role);
  }
  if (gpus != environment.inherited.end() && wanted == 0) {
    PrintTo(stderr,
            "vernier: note: CUDA_VISIBLE_DEVICES=%s has no effect, since "
            "the job asks for no GPU; vernier.gpusPerReplica: 1 gives each "
            "trial one of those\n",
            gpus->second.c_str());
  }
}

bool LiesBelow(const std::string& file, const std::string& folder) {
  std::error_code error;
  const fs::path inside =
      fs::weakly_canonical(file, error)
          .lexically_relative(fs::weakly_canonical(folder, error));
  return !error && !inside.empty() && *inside.begin() != "..";
}

// Warns about secret files below the code folder, which would be copied to all
// trials and versions.
void NoteSecretsInCode(const std::vector<std::string>& files,
                       const std::string& code_dir) {
  if (code_dir.empty()) return;
  for (const std::string& file : files) {
    if (!LiesBelow(file, code_dir)) continue;
    PrintTo(stderr,
            "vernier: note: %s lies in the code folder, and is copied "
            "with it as it is; keep secrets outside\n",
            file.c_str());
  }
}

}  // namespace

void DeclareEnvironmentFlags(CLI::App& app, EnvironmentFlags* flags) {
  app.add_option("--env", flags->variables,
                 "NAME=VALUE for the trials' environment, or NAME with the "
                 "value it has here; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--env-file", flags->files,
                 "File of NAME=VALUE lines for secrets: stored apart from the "
                 "job, never shown; may be repeated")
      ->allow_extra_args(false);
}

Caller Caller::ThisProcess(bool is_local) {
  Caller caller;
  caller.is_local = is_local;
  caller.variables = ParseEnvironment(environ);
  std::error_code error;
  caller.folder = fs::current_path(error).string();
  return caller;
}

absl::StatusOr<SubmittedEnvironment> CollectEnvironment(
    const EnvironmentFlags& flags, const Caller& caller) {
  SubmittedEnvironment environment;
  if (caller.is_local) Inherit(caller, &environment);
  for (const std::string& text : flags.variables) {
    VERNIER_RETURN_IF_ERROR(AddVariable(text, caller, &environment));
  }
  for (const std::string& file : flags.files) {
    VERNIER_RETURN_IF_ERROR(AddFile(file, caller, &environment));
  }
  return environment;
}

absl::StatusOr<ParsedJob> MergeWithEnvironment(
    const JobDocument& document, std::vector<FieldOverride> overrides,
    const EnvironmentFlags& flags, const Caller& caller) {
  VERNIER_ASSIGN_OR_RETURN(SubmittedEnvironment environment,
                           CollectEnvironment(flags, caller));
  AddOverrides(environment, overrides);
  VERNIER_ASSIGN_OR_RETURN(ParsedJob job, MergeJob(document, overrides));
  VERNIER_RETURN_IF_ERROR(CheckHasEffect(environment, job.spec));
  NoteEnvironment(environment, job);
  NoteSecretsInCode(flags.files, job.spec.vernier.code_dir);
  job.secrets = std::move(environment.secrets);
  return job;
}

}  // namespace vernier
