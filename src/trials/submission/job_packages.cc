#include "trials/submission/job_packages.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/shown_text.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

absl::Status CheckWanted(const ParsedJob& job, const PackageHashes& hashes) {
  for (const auto& [uri, hash] : job.spec.vernier.package_sha256) {
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

absl::Status CheckImage(const JobSpec& spec) {
  const TrainingInput& input = spec.training_input;
  if (input.master.config.image_uri.empty()) return absl::OkStatus();
  const char* field = !input.package_uris.empty() ? "packageUris" : nullptr;
  if (!input.python_module.empty()) field = "pythonModule";
  if (field == nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "trainingInput.", field,
      ": must not be given together with masterConfig.imageUri: the image "
      "holds the program and its packages"));
}

absl::Status CheckPackageUris(const ParsedJob& job) {
  VERNIER_RETURN_IF_ERROR(CheckImage(job.spec));
  const std::vector<std::string>& uris = job.spec.training_input.package_uris;
  for (const std::string& uri : uris) {
    if (uri.rfind("gs://", 0) == 0 || uri.rfind('/', 0) == 0) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "trainingInput.packageUris: must be gs://BUCKET/NAME or absolute "
        "paths: \"",
        uri, "\""));
  }
  for (const auto& [uri, hash] : job.spec.vernier.package_sha256) {
    if (std::find(uris.begin(), uris.end(), uri) != uris.end()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("vernier.packageSha256: \"", uri,
                     "\" is not one of trainingInput.packageUris"));
  }
  return absl::OkStatus();
}

absl::Status CheckModuleIsBrought(const JobSpec& spec) {
  const TrainingInput& input = spec.training_input;
  const bool runs_module = !input.python_module.empty() &&
                           spec.vernier.command.empty() &&
                           input.master.config.container_command.empty();
  const auto& secrets = spec.vernier.secret_names;
  const bool has_path =
      !JobVariable(spec, "PYTHONPATH").empty() ||
      std::find(secrets.begin(), secrets.end(), "PYTHONPATH") != secrets.end();
  if (!runs_module || !input.package_uris.empty() || has_path ||
      !spec.vernier.code_dir.empty() ||
      !input.master.config.image_uri.empty()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "trainingInput.pythonModule: the job brings nothing that has this "
      "module: give trainingInput.packageUris, vernier.codeDir or, with a "
      "containerCommand in place of the module, masterConfig.imageUri: \"",
      ShowText(input.python_module), "\""));
}

absl::StatusOr<SubmittedPackages> SubmittedPackages::Pin(
    JobFiles& files, const std::string& project, ParsedJob* job) {
  VERNIER_ASSIGN_OR_RETURN(PinnedPackages pinned,
                           files.PinPackages(job->spec, project));
  SubmittedPackages packages(files, std::move(pinned));
  const PackageHashes& hashes = packages.packages_.sha256;
  if (hashes.empty()) return packages;
  VERNIER_RETURN_IF_ERROR(CheckWanted(*job, hashes));
  VERNIER_ASSIGN_OR_RETURN(*job,
                           WithOverrides(*job, {{{"vernier", "packageSha256"},
                                                 DumpJson(Json(hashes)),
                                                 "packages"}}));
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
