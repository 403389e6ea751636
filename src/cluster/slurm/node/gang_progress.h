#ifndef VERNIER_CLUSTER_SLURM_NODE_GANG_PROGRESS_H_
#define VERNIER_CLUSTER_SLURM_NODE_GANG_PROGRESS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cluster/attempt/exit_record.h"
#include "cluster/replica.h"

namespace vernier {

/// Collects the ends of a gang's members as they are found, and derives what
/// they mean for the whole gang. Pure. Not thread-safe.
class GangProgress {
 public:
  explicit GangProgress(std::vector<ReplicaId> replicas);

  const std::vector<ReplicaId>& replicas() const { return replicas_; }
  bool has_ended(std::size_t position) const {
    return records_[position].has_value();
  }

  /// Takes the end of the replica at `position` from the member's own record.
  void TakeEnd(std::size_t position, ExitRecord record);

  /// Returns whether the gang must end now, because a member's end decides or
  /// its program could not be started.
  bool is_decided() const { return deciding_.has_value() || failed_launch_; }

  /// Returns whether a member was ended by a signal that nobody here sent,
  /// before anything was decided; then Slurm sent it.
  bool was_ended_from_outside() const { return ended_from_outside_; }

  /// Returns the attempt's record. `is_stopped` says that the attempt was asked
  /// to end before anything was decided.
  ExitRecord Record(bool is_stopped) const;

 private:
  const std::vector<ReplicaId> replicas_;
  std::vector<std::optional<ExitRecord>> records_;
  std::optional<std::size_t> deciding_;
  std::optional<std::size_t> failed_launch_;
  bool ended_from_outside_ = false;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_NODE_GANG_PROGRESS_H_
