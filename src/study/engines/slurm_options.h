#ifndef VERNIER_STUDY_ENGINES_SLURM_OPTIONS_H_
#define VERNIER_STUDY_ENGINES_SLURM_OPTIONS_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vernier {

/// A job's settings for a site's Slurm: vernier.slurm, or the service's own
/// defaults. The site decides the settings that are empty or unset.
struct SlurmOptions {
  std::string partition;
  std::string account;
  std::string qos;
  std::string reservation;
  std::string constraint;                    ///< Features of the nodes.
  std::optional<int> nice;                   ///< -10000 .. 10000.
  std::optional<int> cpus_per_replica;       ///< 1 .. 1024.
  std::optional<std::int64_t> memory_mb;     ///< Of each replica; >= 1.
  std::string gpu_type;                      ///< As the site's GRES names it.
  std::optional<std::chrono::seconds> time;  ///< Of a job; >= 60 s.
  std::vector<std::string> extra_args;       ///< Further words for sbatch.

  friend bool operator==(const SlurmOptions&, const SlurmOptions&) = default;
};

}  // namespace vernier

#endif  // VERNIER_STUDY_ENGINES_SLURM_OPTIONS_H_
