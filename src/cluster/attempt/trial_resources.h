#ifndef VERNIER_CLUSTER_ATTEMPT_TRIAL_RESOURCES_H_
#define VERNIER_CLUSTER_ATTEMPT_TRIAL_RESOURCES_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "buckets/bucket_store.h"
#include "study/job_spec.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// The addresses at which an attempt's programs reach the service; an empty one
/// means that they cannot.
struct ServiceAddresses {
  std::string storage_emulator_host;  ///< STORAGE_EMULATOR_HOST.
  std::string grpc_endpoint;          ///< "unix:PATH" or "HOST:PORT".
  std::string attempt_token;          ///< For calls; ends with the attempt.
  std::string trace_parent = {};      ///< TRACEPARENT; W3C's traceparent.
};

/// The resources of the machine and the service for an attempt, as its program
/// sees them.
struct TrialResources {
  std::string job_dir;  ///< For --job-dir, still without the trial's number.
  /// The files of packageUris, in their order. Their contents must still be
  /// compared with vernier.packageSha256.
  std::vector<std::string> packages;
  std::string python = "python3";  ///< Runs pythonModule.
  ServiceAddresses service;
  /// The paths that programs see instead of gs:// URIs in their own arguments;
  /// see vernier.gsArgs.
  std::map<std::string, std::string> local_paths;
  /// Messages for users, at the beginning of each replica's log.
  std::vector<std::string> notes;
};

/// Python interpreters by version, as an administrator configured them.
struct InterpreterTable {
  std::map<std::string, std::string> by_runtime;  ///< runtimeVersion: path.
  std::map<std::string, std::string> by_python;   ///< pythonVersion: path.
};

/// Parses "VERSION=PATH", an entry of an InterpreterTable. INVALID_ARGUMENT
/// unless the path is absolute.
absl::StatusOr<std::pair<std::string, std::string>> ParseInterpreter(
    const std::string& text);

/// Returns the interpreter of a job: its runtimeVersion's, else its
/// pythonVersion's, else that of the virtual or conda environment that was
/// active when it was submitted, else "python3" in its PATH. Pure.
std::string ChooseInterpreter(const InterpreterTable& table,
                              const JobSpec& spec);

/// Returns the resources of a job that needs no buckets. INVALID_ARGUMENT if it
/// needs some.
absl::StatusOr<TrialResources> ResourcesOf(const JobSpec& spec);

/// Finds the resources of attempts, including those in the service's buckets.
/// Thread-safe.
class TrialResourceFinder {
 public:
  struct Options {
    InterpreterTable interpreters;
    /// Null if programs do not reach the service.
    std::function<ServiceAddresses(const LaunchRequest&)> service;
  };

  /// Borrows `buckets`.
  TrialResourceFinder(BucketStore& buckets, Options options)
      : buckets_(buckets), options_(std::move(options)) {}

  /// Returns the attempt's resources. If jobDir is gs://, makes the trial's
  /// output folder, and its bucket.
  ///
  /// Errors: INVALID_ARGUMENT or NOT_FOUND, naming the field, if the job can
  /// never run; RESOURCE_EXHAUSTED; UNAVAILABLE.
  absl::StatusOr<TrialResources> Find(const LaunchRequest& request) const;

 private:
  absl::StatusOr<std::string> FindJobDir(const LaunchRequest& request) const;
  absl::StatusOr<std::string> FindPackage(const LaunchRequest& request,
                                          const std::string& uri) const;
  void FindArguments(const LaunchRequest& request,
                     TrialResources* resources) const;

  BucketStore& buckets_;
  const Options options_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_ATTEMPT_TRIAL_RESOURCES_H_
