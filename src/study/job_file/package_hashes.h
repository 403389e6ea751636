#ifndef VERNIER_STUDY_JOB_FILE_PACKAGE_HASHES_H_
#define VERNIER_STUDY_JOB_FILE_PACKAGE_HASHES_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "study/job_file/job_parser.h"

namespace vernier {

/// SHA-256 of packages, 64 lower-case hex digits, by their packageUri.
using PackageHashes = std::map<std::string, std::string>;

/// The hashes in a job's `vernier.packageSha256`; `job_json` is a ParsedJob's.
/// A stored job lists all its packages there, and only those bytes are ever
/// installed for it. They are not part of JobSpec because they are used only
/// together with the packages themselves. INVALID_ARGUMENT if the text is no
/// ParsedJob's.
absl::StatusOr<PackageHashes> PackageHashesOf(const std::string& job_json);

/// Likewise of a job that was parsed.
PackageHashes PackageHashesOf(const ParsedJob& job);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_PACKAGE_HASHES_H_
