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

/// What listings prove about the jobs of the attempts that are alive. Only a
/// listing that succeeded may be taken; one that failed changes nothing, and
/// one that lacks a job proves nothing by itself. Pure. Not thread-safe.
class JobTracker {
 public:
  /// See SlurmSettings::settle_time.
  explicit JobTracker(std::chrono::milliseconds settle_time)
      : settle_time_(settle_time) {}

  struct Knowledge {
    /// As it was listed last, or as the accounts have it.
    std::optional<ListedJob> job;
    /// Two listings, `settle_time` apart, did not have it.
    bool is_gone = false;
    bool is_accounted = false;  ///< The accounts were asked, if there are any.
  };

  /// Follows the job of this name. `since`: listings that began before it prove
  /// nothing about it.
  void Follow(const std::string& name, SteadyTime since);
  /// The job may come into being only now: listings so far prove nothing.
  void Restart(const std::string& name, SteadyTime since);
  void Drop(const std::string& name);

  /// Takes a listing of all jobs, whose command began at `began`.
  void TakeListing(const JobListing& listing, SteadyTime began);
  /// Takes the accounts' answer about `names`.
  void TakeAccounts(const std::vector<std::string>& names,
                    const JobListing& accounts);

  /// Nothing is known of one that is not followed.
  Knowledge Of(const std::string& name) const;
  /// Those that are gone and not accounted for, at most `count`.
  std::vector<std::string> ToAccount(std::size_t count) const;
  /// Whether a listing is urgent, since a job is about to start or is missed.
  bool is_urgent() const;
  /// Jobs that the last listing had pending.
  int pending() const { return pending_; }
  /// Jobs in the last listing that are not final and not followed.
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
