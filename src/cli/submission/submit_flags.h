#ifndef VERNIER_CLI_SUBMISSION_SUBMIT_FLAGS_H_
#define VERNIER_CLI_SUBMISSION_SUBMIT_FLAGS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/submission/submitted_environment.h"
#include "study/job_file/job_parser.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's.
class App;
}

namespace vernier {

/// Flags of one role's replicas; unset ones leave the file's value.
struct ReplicaFlags {
  std::optional<std::string> machine_type;
  std::optional<std::string> image_uri;
  std::optional<std::string> accelerator;  ///< "count=N,type=nvidia-tesla-k80"
};

/// Flags of `jobs submit training`: all that gcloud has.
struct SubmitFlags {
  std::optional<std::string> config;
  std::optional<std::string> package_path;
  std::optional<std::string> packages;  ///< Comma-separated.
  std::optional<std::string> module_name;
  std::optional<std::string> region;
  std::optional<std::string> staging_bucket;
  std::optional<std::string> job_dir;
  std::optional<std::string> scale_tier;
  std::optional<std::string> runtime_version;
  std::optional<std::string> python_version;
  ReplicaFlags master;
  ReplicaFlags worker;
  ReplicaFlags parameter_server;
  std::optional<long> worker_count;
  std::optional<long> parameter_server_count;
  std::optional<std::string> tpu_tf_version;
  std::optional<bool> use_chief_in_tf_config;
  EnvironmentFlags environment;
  std::vector<std::string> labels;  ///< Each "k=v[,k=v...]".
  std::optional<std::string> network;
  std::optional<std::string> service_account;
  std::optional<std::string> kms_key;
  std::optional<bool> enable_web_access;
  bool stream_logs = false;
  bool async = false;
  bool validate_only = false;
};

/// Declares the flags on a subcommand. `flags` must outlive `app`.
void DeclareSubmitFlags(CLI::App& app, SubmitFlags* flags);

/// Returns the fields of a job file that the flags replace, as gcloud merges
/// them: each given flag replaces its field, `args` (the words after --) all
/// args, and `job_id`, if not empty, the job's id.
///
/// INVALID_ARGUMENT for values that no job could have.
absl::StatusOr<std::vector<FieldOverride>> OverridesOf(
    const SubmitFlags& flags, const std::string& job_id,
    const std::optional<std::vector<std::string>>& args);

/// Parses "k=v,k2=v2" into pairs. INVALID_ARGUMENT names what is wrong.
absl::StatusOr<std::vector<std::pair<std::string, std::string>>> ParsePairs(
    const std::string& flag, const std::string& text);

}  // namespace vernier

#endif  // VERNIER_CLI_SUBMISSION_SUBMIT_FLAGS_H_
