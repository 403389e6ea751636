#ifndef VERNIER_CLUSTER_SLURM_PROBE_REPORT_H_
#define VERNIER_CLUSTER_SLURM_PROBE_REPORT_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "cluster/slurm/job_listing.h"
#include "cluster/slurm/job_submission.h"
#include "study/engines/slurm_options.h"

namespace vernier {

/// The plan of a probe: a small job that finds out whether a node sees this
/// service's folder at the same path, can run the program, and reaches the
/// service.
struct ProbePlan {
  std::string name;     ///< Of the job.
  std::string nonce;    ///< In the folder; another folder has another one.
  std::string folder;   ///< Absolute, of this probe, in the data directory.
  std::string program;  ///< As the nodes see it.
  std::string url;      ///< Of the service, for nodes; empty: none to try.
};

/// Makes the probe's folder with the batch script and an empty report.
absl::Status MakeProbeFolder(const ProbePlan& plan);

SbatchCall CallFor(const ProbePlan& plan, const SlurmOptions& defaults);

/// The findings of the program on the node.
struct NodeReport {
  std::string node;
  std::string version;    ///< Of the program on the node.
  std::string url_error;  ///< Empty: it was reached, or there is none.
  /// The exit status, as a shell gives it, if the program did not run there.
  std::optional<int> program_failure;

  friend bool operator==(const NodeReport&, const NodeReport&) = default;
};
absl::Status WriteNodeReport(const std::string& folder,
                             const NodeReport& report);
/// Returns nullopt if there is no report yet, or it cannot be read now.
std::optional<NodeReport> ReadNodeReport(const std::string& folder);

/// The findings of a probe so far, for people. Nothing is wrong if both texts
/// are empty.
struct ProbeFinding {
  bool is_over = false;   ///< The job has ended, or is not there.
  std::string obstacle;   ///< Why no job can run.
  std::string hindrance;  ///< What will not work, or is not known.

  friend bool operator==(const ProbeFinding&, const ProbeFinding&) = default;
};

/// Judges a probe by its job, if that is listed, and the node's report, if
/// there is one. `is_late` says that the job has been over for longer than a
/// report takes to appear. Pure.
ProbeFinding JudgeProbe(const ProbePlan& plan,
                        const std::optional<ListedJob>& job,
                        const std::optional<NodeReport>& report, bool is_late);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_PROBE_REPORT_H_
