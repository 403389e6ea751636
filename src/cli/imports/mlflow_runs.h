#ifndef VERNIER_CLI_IMPORTS_MLFLOW_RUNS_H_
#define VERNIER_CLI_IMPORTS_MLFLOW_RUNS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/imports/foreign_study.h"
#include "cli/imports/table_file.h"

namespace vernier {

/// Calls a method of MLflow's REST API, such as "runs/search", with a JSON
/// body, and returns the JSON of its answer, or an error that says what failed.
using MlflowCall = std::function<absl::StatusOr<std::string>(
    const std::string& method, const std::string& body)>;

/// Returns calls of the server at `url`, with the token of
/// $MLFLOW_TRACKING_TOKEN, if there is one.
MlflowCall CallsOfMlflow(const std::string& url);

/// Reads the runs of an experiment of an MLflow server: parameters, the last
/// values of the metrics, states and times. Only `parameters` and `metrics` of
/// the flags are used. `source` is what the user named.
///
/// Errors are those of `call`; NOT_FOUND if there is no such experiment;
/// INVALID_ARGUMENT for an answer that is none of MLflow's.
absl::StatusOr<ForeignStudy> ReadMlflowRuns(const MlflowCall& call,
                                            const std::string& source,
                                            const std::string& experiment,
                                            const TableFlags& flags);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_MLFLOW_RUNS_H_
