#ifndef VERNIER_CLUSTER_SLURM_SLURM_CLIENT_H_
#define VERNIER_CLUSTER_SLURM_SLURM_CLIENT_H_

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/wake_event.h"
#include "cluster/process/command_run.h"
#include "cluster/slurm/job_listing.h"
#include "cluster/slurm/job_submission.h"
#include "cluster/slurm/submission_answer.h"
#include "cluster/trial_environment.h"

namespace vernier {

/// Selects which of a job's processes a cancellation reaches.
enum class CancelKind {
  kIfPending,  ///< The job, if it has not started.
  kAsk,        ///< The batch script alone, by SIGTERM: it ends the gang.
  kEnd,        ///< The job and all of it, in Slurm's way.
};

/// The calls to Slurm. Each waits for the answer. Not thread-safe, except for
/// Stop: one thread owns it.
class SlurmClient {
 public:
  virtual ~SlurmClient() = default;

  /// Returns CANCELLED after Stop. Any other error means that sbatch could not
  /// be started, so that there is no job.
  virtual absl::StatusOr<SubmissionAnswer> Submit(const SbatchCall& call) = 0;

  /// Returns all jobs of this user whose names have `prefix`. Any error means
  /// that nothing is known.
  virtual absl::StatusOr<JobListing> List(const std::string& prefix) = 0;

  /// Returns the accounts' entries for jobs with these names.
  /// FAILED_PRECONDITION if the cluster keeps no accounts.
  virtual absl::StatusOr<JobListing> Accounts(
      const std::vector<std::string>& names, const std::string& prefix) = 0;

  /// Requests the end of the job of this name. OK does not mean that it has
  /// ended, or that there was one.
  virtual absl::Status Cancel(const std::string& name, CancelKind kind) = 0;

  /// Cancels the running call and any later one, except Cancel, which then
  /// still has a few seconds. Thread-safe.
  virtual void Stop() = 0;
};

/// A client that runs Slurm's commands, which it finds in the PATH of
/// `environment`.
class SlurmCommands final : public SlurmClient {
 public:
  /// `environment` is the complete environment of the commands and, since
  /// sbatch passes it on, of the batch scripts.
  SlurmCommands(Environment environment, std::chrono::milliseconds time_limit);

  /// Returns NOT_FOUND, with the folders that were searched, if this machine
  /// has no Slurm.
  absl::Status CheckInstalled() const;

  absl::StatusOr<SubmissionAnswer> Submit(const SbatchCall& call) override;
  absl::StatusOr<JobListing> List(const std::string& prefix) override;
  absl::StatusOr<JobListing> Accounts(const std::vector<std::string>& names,
                                      const std::string& prefix) override;
  absl::Status Cancel(const std::string& name, CancelKind kind) override;
  void Stop() override;

 private:
  absl::StatusOr<CommandEnd> Run(const std::string& program,
                                 std::vector<std::string> words,
                                 std::size_t max_output = 1u << 20) const;
  absl::StatusOr<Command> CommandOf(const std::string& program,
                                    std::vector<std::string> words) const;

  const Environment environment_;
  const std::chrono::milliseconds time_limit_;
  const WakeEvent stop_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_SLURM_CLIENT_H_
