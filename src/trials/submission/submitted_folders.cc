#include "trials/submission/submitted_folders.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

constexpr char kJobDirFlag[] = "job-dir";

bool IsUri(const std::string& path) {
  return path.find("://") != std::string::npos;
}

bool IsAbsolute(const std::string& path) {
  return !path.empty() && path.front() == '/';
}

// A name that begins with a hyphen would be an option of the container engine.
absl::Status CheckImageNames(const TrainingInput& input) {
  constexpr std::pair<const RoleSpec TrainingInput::*, const char*> kRoles[] = {
      {&TrainingInput::master, "masterConfig"},
      {&TrainingInput::worker, "workerConfig"},
      {&TrainingInput::parameter_server, "parameterServerConfig"},
      {&TrainingInput::evaluator, "evaluatorConfig"}};
  for (const auto& [role, field] : kRoles) {
    const std::string& image = (input.*role).config.image_uri;
    if (image.empty() || image.front() != '-') continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "trainingInput.", field, ".imageUri: cannot begin with \"-\": \"",
        ShowText(image), "\""));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckFolderNames(const JobSpec& spec) {
  VERNIER_RETURN_IF_ERROR(CheckImageNames(spec.training_input));
  const std::string& code_dir = spec.vernier.code_dir;
  if (!code_dir.empty() && !IsAbsolute(code_dir)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "vernier.codeDir: must be an absolute path of the service's machine, "
        "since a call has no folder that it could be relative to: \"",
        code_dir, "\""));
  }
  const std::string& job_dir = spec.training_input.job_dir;
  if (!job_dir.empty() && !IsAbsolute(job_dir) && !IsUri(job_dir)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "trainingInput.jobDir: must be gs://BUCKET/... or an absolute path of "
        "the service's machine: \"",
        job_dir, "\""));
  }
  for (const ParameterSpec& parameter : SearchSpaceOf(spec)) {
    if (job_dir.empty() || parameter.name != kJobDirFlag) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "trainingInput.hyperparameters.params: a parameter cannot be called ",
        kJobDirFlag,
        " in a job with a jobDir, since the program is told its "
        "folder as --",
        kJobDirFlag));
  }
  return absl::OkStatus();
}

absl::Status CheckFolders(const JobSpec& spec, JobFiles& files) {
  VERNIER_RETURN_IF_ERROR(CheckFolderNames(spec));
  if (!spec.vernier.code_dir.empty()) {
    VERNIER_RETURN_IF_ERROR(files.CheckCodeFolder(spec.vernier.code_dir));
  }
  const std::string& job_dir = spec.training_input.job_dir;
  if (!IsAbsolute(job_dir)) return absl::OkStatus();
  const absl::Status usable = files.CheckOutputFolder(job_dir);
  if (usable.ok()) return usable;
  return absl::InvalidArgumentError(
      absl::StrCat("trainingInput.jobDir: programs could not write there: ",
                   std::string(usable.message())));
}

}  // namespace vernier
