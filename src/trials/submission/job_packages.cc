#include "trials/submission/job_packages.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

absl::Status CheckWanted(const ParsedJob& job, const PackageHashes& hashes) {
  VERNIER_ASSIGN_OR_RETURN(const PackageHashes wanted,
                           PackageHashesOf(job.json));
  for (const auto& [uri, hash] : wanted) {
    const auto found = hashes.find(uri);
    if (found != hashes.end() && found->second == hash) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "vernier.packageSha256: ", uri, " has the SHA-256 ",
        found == hashes.end() ? "of no package" : found->second, ", not ", hash,
        ": it is another package than the job wants"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckPackageUris(const ParsedJob& job) {
  const std::vector<std::string>& uris = job.spec.training_input.package_uris;
  for (const std::string& uri : uris) {
    if (uri.rfind("gs://", 0) == 0 || uri.rfind('/', 0) == 0) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "trainingInput.packageUris: must be gs://BUCKET/NAME or absolute "
        "paths: \"",
        uri, "\""));
  }
  VERNIER_ASSIGN_OR_RETURN(const PackageHashes hashes,
                           PackageHashesOf(job.json));
  for (const auto& [uri, hash] : hashes) {
    if (std::find(uris.begin(), uris.end(), uri) != uris.end()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("vernier.packageSha256: \"", uri,
                     "\" is not one of trainingInput.packageUris"));
  }
  return absl::OkStatus();
}

absl::StatusOr<SubmittedPackages> SubmittedPackages::Pin(
    JobFiles& files, const std::string& project, ParsedJob* job) {
  VERNIER_ASSIGN_OR_RETURN(PinnedPackages pinned,
                           files.PinPackages(job->spec, project));
  SubmittedPackages packages(files, std::move(pinned));
  const PackageHashes& hashes = packages.packages_.sha256;
  if (hashes.empty()) return packages;
  VERNIER_RETURN_IF_ERROR(CheckWanted(*job, hashes));
  VERNIER_ASSIGN_OR_RETURN(const std::string json,
                           WithPackageHashes(job->json, hashes));
  VERNIER_ASSIGN_OR_RETURN(ParsedJob with_hashes, ParseJob(json, {}));
  with_hashes.ignored_fields = std::move(job->ignored_fields);
  with_hashes.secrets = std::move(job->secrets);
  *job = std::move(with_hashes);
  return packages;
}

SubmittedPackages::SubmittedPackages(SubmittedPackages&& other) noexcept
    : files_(other.files_), packages_(std::move(other.packages_)) {
  other.packages_.folder.clear();
}

SubmittedPackages::~SubmittedPackages() {
  // KeepPackages has moved the copies that a job keeps, so this removes only
  // others.
  if (!packages_.folder.empty()) files_.DropCode(packages_.folder);
}

}  // namespace vernier
