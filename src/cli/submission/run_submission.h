#ifndef VERNIER_CLI_SUBMISSION_RUN_SUBMISSION_H_
#define VERNIER_CLI_SUBMISSION_RUN_SUBMISSION_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "cli/command/invocation.h"
#include "cli/submission/job_submission.h"
#include "cli/submission/study_flags.h"
#include "cli/submission/submit_flags.h"

namespace vernier {

/// The flags of `vernier run`; the program comes apart from them.
struct RunFlags {
  SubmitFlags submit;  ///< config, job_dir, labels, environment.
  StudyFlags study;    ///< Given: in place of a file.
  std::string name;
  std::optional<int> max_trials;
  std::optional<int> max_parallel_trials;
  bool no_copy = false;
  bool restart = false;
  bool detach = false;  ///< Do not follow the job.
};

/// Default of vernier.maxConsecutiveFailures for a tuning job.
inline constexpr int kMaxConsecutiveFailures = 5;

/// Returns the job for `vernier run`: the file's, with the flags' overrides and
/// the program after `--` as its command. The working directory becomes its
/// code if the program names files below it, and kMaxConsecutiveFailures
/// applies if the file has no rule of its own on failures. Reads the file, or
/// uses `text` instead, the study file that the flags describe. Errors are
/// those of the job file's parser, and of CheckProgram if the service runs
/// here.
absl::StatusOr<ParsedJob> MergeRun(const RunFlags& flags,
                                   const std::string& text,
                                   const Invocation& invocation);

}  // namespace vernier

#endif  // VERNIER_CLI_SUBMISSION_RUN_SUBMISSION_H_
