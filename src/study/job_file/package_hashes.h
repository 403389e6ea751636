#ifndef VERNIER_STUDY_JOB_FILE_PACKAGE_HASHES_H_
#define VERNIER_STUDY_JOB_FILE_PACKAGE_HASHES_H_

#include <map>
#include <string>

#include "study/job_file/job_document.h"

namespace vernier {

/// SHA-256 of packages, 64 lower-case hex digits, by their packageUri.
using PackageHashes = std::map<std::string, std::string>;

/// The hashes in a valid job's `vernier.packageSha256`; none if the document
/// cannot be read. A stored job lists all its packages there, and only those
/// bytes are ever installed for it. They are not part of JobSpec because they
/// are used only together with the packages themselves.
PackageHashes PackageHashesOf(const JobDocument& job);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_PACKAGE_HASHES_H_
