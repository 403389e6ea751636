#ifndef VERNIER_CLUSTER_SLURM_JOB_TRACKER_H_
#define VERNIER_CLUSTER_SLURM_JOB_TRACKER_H_

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cluster/slurm/job_listing.h"

namespace vernier {

/// Derives from listings what is proven about the jobs of the live attempts.
/// Only a listing that succeeded may be taken. A listing without a certain job
/// proves nothing by itself. Pure. Not thread-safe.
class JobTracker {
 public:
  /// See SlurmSettings::settle_time.
  explicit JobTracker(std::chrono::milliseconds settle_time)
      : settle_time_(settle_time) {}

  struct Knowledge {
    /// The job as it was listed last, or as the accounts have it.
    std::optional<ListedJob> job;
    /// Two listings, at least `settle_time` apart, did not have the job.
    bool is_gone = false;
    bool is_accounted = false;  ///< The accounts were asked, if there are any.
  };

  /// Follows the job of this name. Listings that began before `since` prove
  /// nothing about it.
  void Follow(const std::string& name, SteadyTime since);
  /// Starts over, because the job may come into being only now: earlier
  /// listings prove nothing.
  void Restart(const std::string& name, SteadyTime since);
  void Drop(const std::string& name);

  /// Takes a listing of all jobs. `began` is when its command was started.
  void TakeListing(const JobListing& listing, SteadyTime began);
  /// Takes the accounts' answer about `names`.
  void TakeAccounts(const std::vector<std::string>& names,
                    const JobListing& accounts);

  /// Returns an empty result for a job that is not followed.
  Knowledge Of(const std::string& name) const;
  /// Returns at most `count` jobs that are gone and not accounted for.
  std::vector<std::string> ToAccount(std::size_t count) const;
  /// Returns whether a listing is urgent, since a job is about to start or is
  /// missing.
  bool is_urgent() const;
  /// Returns the number of pending jobs in the last listing.
  int pending() const { return pending_; }
  /// Returns the foreign jobs in the last listing: those that are neither final
  /// nor followed.
  const std::vector<std::string>& strangers() const { return strangers_; }

 private:
  struct Track {
    SteadyTime since{};
    std::optional<SteadyTime> missing_since;
    Knowledge knowledge;
  };

  const std::chrono::milliseconds settle_time_;
  std::map<std::string, Track> tracks_;
  std::vector<std::string> strangers_;
  int pending_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_JOB_TRACKER_H_
