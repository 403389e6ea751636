#include "study/job_file/package_hashes.h"

#include "base/json.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

constexpr char kSection[] = "vernier";
constexpr char kField[] = "packageSha256";

}  // namespace

absl::StatusOr<PackageHashes> PackageHashesOf(const std::string& job_json) {
  VERNIER_ASSIGN_OR_RETURN(const Json job, ParseJson(job_json));
  try {
    if (!job.contains(kSection) || !job.at(kSection).contains(kField)) {
      return PackageHashes();
    }
    PackageHashes hashes;
    for (const auto& [uri, hash] : job.at(kSection).at(kField).items()) {
      hashes[uri] = hash.get<std::string>();
    }
    return hashes;
  } catch (const Json::exception& error) {
    return absl::InvalidArgumentError(error.what());
  }
}

absl::StatusOr<std::string> WithPackageHashes(const std::string& job_json,
                                              const PackageHashes& hashes) {
  VERNIER_ASSIGN_OR_RETURN(Json job, ParseJson(job_json));
  if (!job.is_object()) return absl::InvalidArgumentError("no job");
  job[kSection][kField] = hashes;
  return DumpJson(job);
}

}  // namespace vernier
