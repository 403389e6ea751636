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

PackageHashes PackageHashesOf(const ParsedJob& job) {
  const JobDocument document = DocumentOf(job);
  PackageHashes hashes;
  const ConfigNode* field = document.Find({kSection, kField});
  if (field == nullptr) return hashes;
  for (const ConfigMember& member : field->members) {
    hashes[member.key] = member.value->scalar;
  }
  return hashes;
}

}  // namespace vernier
