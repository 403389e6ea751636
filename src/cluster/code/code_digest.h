#ifndef VERNIER_CLUSTER_CODE_CODE_DIGEST_H_
#define VERNIER_CLUSTER_CODE_CODE_DIGEST_H_

#include <string>

#include "absl/status/statusor.h"
#include "cluster/code/code_survey.h"

namespace vernier {

/// Returns 32 hex digits that digest all that a snapshot of `source` would
/// hold: names and contents of files, whether they may be executed, folders and
/// links. A new snapshot has the same digest as its source. Reads every file.
///
/// Errors: those of SurveyCode, or the errno's code with the path.
absl::StatusOr<std::string> DigestCodeFolder(
    const std::string& source, const CodeSnapshotOptions& options);

/// Returns 32 hex digits that digest the content of one file. The errno's code
/// with the path if it cannot be read.
absl::StatusOr<std::string> DigestFile(const std::string& path);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_CODE_DIGEST_H_
