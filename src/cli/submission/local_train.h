#ifndef VERNIER_CLI_SUBMISSION_LOCAL_TRAIN_H_
#define VERNIER_CLI_SUBMISSION_LOCAL_TRAIN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

/// The training that `local train` runs, as gcloud's does.
struct LocalTrain {
  std::string module_name;
  std::string package_parent;  ///< Working directory.
  std::string job_dir;         ///< Empty: none.
  std::vector<std::string> args;
  bool distributed = false;
  int parameter_servers = 2;
  int workers = 2;
  int evaluators = 0;
  int start_port = 27182;
  std::string primary = "master";  ///< Or "chief", with TensorFlow 2.
};

/// One process of a local training.
struct LocalProcess {
  std::vector<std::string> argv;
  std::string tf_config;
};

/// Returns the processes to start, the primary first. Pure.
std::vector<LocalProcess> LocalProcesses(const LocalTrain& train);

/// Runs the processes. The exit code is the primary's, or 128 + signal; the
/// others end with it. Errors: INVALID_ARGUMENT if Python cannot be started.
absl::StatusOr<int> RunLocal(const LocalTrain& train);

}  // namespace vernier

#endif  // VERNIER_CLI_SUBMISSION_LOCAL_TRAIN_H_
