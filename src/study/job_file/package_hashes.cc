#include "study/job_file/package_hashes.h"

#include "study/config/config_tree.h"

namespace vernier {

PackageHashes PackageHashesOf(const JobDocument& job) {
  PackageHashes hashes;
  const ConfigNode* field = job.Find({"vernier", "packageSha256"});
  if (field == nullptr) return hashes;
  for (const ConfigMember& member : field->members) {
    hashes[member.key] = member.value->scalar;
  }
  return hashes;
}

}  // namespace vernier
