#ifndef VERNIER_CLI_SUBMISSION_SUBMITTED_ENVIRONMENT_H_
#define VERNIER_CLI_SUBMISSION_SUBMITTED_ENVIRONMENT_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "study/job_file/job_parser.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's.
class App;
}

namespace vernier {

/// Flags of verbs that submit a job.
struct EnvironmentFlags {
  std::vector<std::string> variables;  ///< --env: NAME or NAME=VALUE.
  std::vector<std::string> files;      ///< --env-file.
};

/// Declares the flags on a subcommand. `flags` must outlive `app`.
void DeclareEnvironmentFlags(CLI::App& app, EnvironmentFlags* flags);

/// The submitting process: its environment and working directory.
struct Caller {
  std::map<std::string, std::string> variables;
  std::string folder;  ///< The working directory.
  /// Whether the service is the caller's own on this machine, so that paths
  /// mean the same to both.
  bool is_local = true;

  static Caller ThisProcess(bool is_local);
};

/// The variables that are submitted with a job.
struct SubmittedEnvironment {
  /// For vernier.callerEnvironment: a local caller's variables that programs
  /// may inherit, and CUDA_VISIBLE_DEVICES. Relative folders of search paths
  /// are made absolute.
  std::map<std::string, std::string> inherited;
  std::map<std::string, std::string> added;  ///< For vernier.environment.
  /// Variables of --env-file, and inherited ones with a password, as in
  /// proxies.
  std::map<std::string, std::string> secrets;
};

/// Reads the files of --env-file. INVALID_ARGUMENT, naming flag, file and line,
/// never a value.
absl::StatusOr<SubmittedEnvironment> CollectEnvironment(
    const EnvironmentFlags& flags, const Caller& caller);

/// MergeJob with the caller's environment; its secrets become the job's.
/// Reports on standard error which variables have no effect, or are stored
/// where others can read them. INVALID_ARGUMENT if a flag names a variable that
/// the service sets itself.
absl::StatusOr<ParsedJob> MergeWithEnvironment(
    const JobDocument& document, std::vector<FieldOverride> overrides,
    const EnvironmentFlags& flags, const Caller& caller);

}  // namespace vernier

#endif  // VERNIER_CLI_SUBMISSION_SUBMITTED_ENVIRONMENT_H_
