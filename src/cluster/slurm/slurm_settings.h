#ifndef VERNIER_CLUSTER_SLURM_SLURM_SETTINGS_H_
#define VERNIER_CLUSTER_SLURM_SLURM_SETTINGS_H_

#include <chrono>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cluster/slurm/gang_shape.h"
#include "study/engines/slurm_options.h"

namespace vernier {

/// A service's settings for its Slurm cluster.
struct SlurmSettings {
  /// The absolute path of the `vernier` program as the nodes see it.
  std::string program;
  /// Options for jobs that do not set them; a job's own extra_args come after
  /// these.
  SlurmOptions defaults;
  GpuTypeTable gpu_types;
  /// The way in which the replicas of a gang reach each other: "nodeaddr"
  /// (Slurm's NodeAddr), "nodename", or "interface:NAME" (the address of a
  /// network interface).
  std::string address = "nodeaddr";
  /// The number of jobs that may be pending in Slurm at once; the others wait
  /// here. >= 1.
  int max_pending = 50;
  double max_submissions_per_second = 5;  ///< > 0.
  /// The shortest time between two listings of all jobs; the quick one applies
  /// while a job is about to start. Both > 0.
  std::chrono::milliseconds list_period{5000};
  std::chrono::milliseconds quick_list_period{1000};
  /// The share of the time that listings may take; they become less frequent if
  /// need be. > 0, <= 1.
  double list_share = 1.0 / 100;
  /// The longest period between two listings, however long they take. > 0.
  std::chrono::milliseconds longest_list_period{60000};
  /// The time between two listings without a job, after which the job counts as
  /// gone: a submitted job may appear late, and a controller that starts lists
  /// nothing at first. > 0.
  std::chrono::milliseconds settle_time{30000};
  /// The time that an exit record may take to appear on this machine after its
  /// job has ended, since NFS shows new files late. >= 0.
  std::chrono::milliseconds record_patience{5000};
  /// The time for which a gang whose job is over must have shown no sign of
  /// life before it counts as lost; longer than 3 s, the time between two
  /// signs. >= 0.
  std::chrono::milliseconds heartbeat_patience{10000};
  /// The time limit for each command of Slurm; longer than Slurm's
  /// MessageTimeout. > 0.
  std::chrono::milliseconds command_limit{40000};
  /// The time that a gang may take to end, beyond the grace period of a Kill,
  /// before its job is cancelled. > 0.
  std::chrono::milliseconds kill_margin{20000};
  /// The time that launches wait for a probe of the nodes. On a busy cluster
  /// the probe takes longer; launches then proceed without it. >= 0.
  std::chrono::milliseconds probe_patience{5000};
  /// The time between probes while launches are refused. > 0.
  std::chrono::milliseconds probe_period{60000};
};

/// Returns OK, or an error such as "max_pending must be >= 1: 0".
absl::Status Validate(const SlurmSettings& settings);

/// Returns `job`'s options, and those of `defaults` where it has none.
SlurmOptions WithDefaults(const SlurmOptions& job,
                          const SlurmOptions& defaults);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_SLURM_SETTINGS_H_
