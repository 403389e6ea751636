#ifndef VERNIER_CLUSTER_SLURM_SLURM_SETTINGS_H_
#define VERNIER_CLUSTER_SLURM_SLURM_SETTINGS_H_

#include <chrono>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cluster/slurm/gang_shape.h"
#include "study/engines/slurm_options.h"

namespace vernier {

/// What a service knows of its Slurm cluster.
struct SlurmSettings {
  /// The `vernier` program as the nodes see it. Absolute.
  std::string program;
  /// For jobs that do not say otherwise; their own extra_args come after these.
  SlurmOptions defaults;
  GpuTypeTable gpu_types;
  /// How the replicas of a gang reach each other: "nodeaddr" (Slurm's
  /// NodeAddr), "nodename", or "interface:NAME" (the address of a network
  /// interface).
  std::string address = "nodeaddr";
  /// Jobs that may be pending in Slurm at once; the others wait here. >= 1.
  int max_pending = 50;
  double max_submissions_per_second = 5;  ///< > 0.
  /// How often all jobs are listed, at most; more often while a job is about to
  /// start. Both > 0.
  std::chrono::milliseconds list_period{5000};
  std::chrono::milliseconds quick_list_period{1000};
  /// Share of the time that listings may take; they are made less often if need
  /// be. > 0, <= 1.
  double list_share = 1.0 / 100;
  /// However long listings take, they are made as often as this. > 0.
  std::chrono::milliseconds longest_list_period{60000};
  /// The time between two listings without a job, after which the job is gone:
  /// one that was submitted may appear late, and a controller that starts lists
  /// nothing at first. > 0.
  std::chrono::milliseconds settle_time{30000};
  /// How long an exit record may take to appear on this machine after its job
  /// has ended: NFS shows new files late. >= 0.
  std::chrono::milliseconds record_patience{5000};
  /// How long a gang whose job is over must have shown no sign of life before
  /// it is taken for lost; longer than 3 s, the time between two signs. >= 0.
  std::chrono::milliseconds heartbeat_patience{10000};
  /// For each command of Slurm; longer than Slurm's MessageTimeout. > 0.
  std::chrono::milliseconds command_limit{40000};
  /// How long a gang may take to end beyond the grace of a Kill, before its job
  /// is cancelled. > 0.
  std::chrono::milliseconds kill_margin{20000};
  /// How long launches wait for a probe of the nodes; on a busy cluster it
  /// takes longer, and they go ahead. >= 0.
  std::chrono::milliseconds probe_patience{5000};
  /// Between probes while launches are refused. > 0.
  std::chrono::milliseconds probe_period{60000};
};

/// "max_pending must be >= 1: 0"
absl::Status Validate(const SlurmSettings& settings);

/// `job`'s options, and those of `defaults` where it has none.
SlurmOptions WithDefaults(const SlurmOptions& job,
                          const SlurmOptions& defaults);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_SLURM_SETTINGS_H_
