#include "trials/submission/submitted_secrets.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "study/config/environment_file.h"

namespace vernier {
namespace {

constexpr std::size_t kMostSecrets = 1000;
constexpr std::size_t kMostBytes = 1 << 20;

absl::Status Check(const std::map<std::string, std::string>& secrets) {
  std::size_t bytes = 0;
  for (const auto& [name, value] : secrets) {
    bytes += name.size() + value.size();
    if (!IsVariableName(name)) {
      return absl::InvalidArgumentError(
          "secrets: a variable's name must be letters, digits and '_', and not "
          "begin with a digit");
    }
    if (value.find('\0') != std::string::npos) {
      return absl::InvalidArgumentError(absl::StrCat(
          "secrets: the value of ", name, " must not have a zero byte"));
    }
  }
  if (secrets.size() > kMostSecrets || bytes > kMostBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("secrets: must be at most ", kMostSecrets, " and ",
                     kMostBytes, " bytes: ", secrets.size(), " with ", bytes));
  }
  return absl::OkStatus();
}

void AddFilesOf(const JobRun& job, std::set<std::string>* files) {
  const auto add = [&](const JobSpec& spec) {
    const std::string& file = spec.vernier.secrets_file;
    if (!file.empty()) files->insert(file);
  };
  add(*job.spec);
  for (const auto& version : job.earlier_versions) add(*version->spec);
}

}  // namespace

std::set<std::string> SecretsInUse(const StoreSnapshot& snapshot) {
  std::set<std::string> used;
  for (const auto& [id, study] : snapshot) {
    if (const auto job = AsJob(*study)) AddFilesOf(job->run(), &used);
  }
  return used;
}

void DropSecretsOf(JobRef job, JobFiles& files, const std::string& kept) {
  std::set<std::string> used;
  AddFilesOf(job.run(), &used);
  for (const std::string& file : used) {
    if (file != kept) files.DropSecrets(file);
  }
}

absl::StatusOr<SubmittedSecrets> SubmittedSecrets::Keep(
    JobFiles& files, const std::string& request_id, const std::string& present,
    ParsedJob* job) {
  if (job->secrets.empty()) return SubmittedSecrets(files, "");
  VERNIER_RETURN_IF_ERROR(Check(job->secrets));
  VERNIER_ASSIGN_OR_RETURN(
      const KeptSecrets kept,
      files.KeepSecrets(job->spec.job_id, request_id, job->secrets, present));
  SubmittedSecrets secrets(files, kept.is_new ? kept.file : "");
  std::vector<std::string> names;
  for (const auto& [name, value] : job->secrets) names.push_back(name);
  VERNIER_ASSIGN_OR_RETURN(
      *job,
      WithOverrides(
          *job, {{{"vernier", "secretNames"}, DumpJson(Json(names)), "secrets"},
                 {{"vernier", "secretsFile"},
                  DumpJson(Json(kept.file)),
                  "secrets"}}));
  job->secrets.clear();
  return secrets;
}

SubmittedSecrets::SubmittedSecrets(SubmittedSecrets&& other) noexcept
    : files_(other.files_), file_(std::move(other.file_)) {
  other.file_.clear();
}

SubmittedSecrets::~SubmittedSecrets() {
  if (!file_.empty()) files_.DropSecrets(file_);
}

}  // namespace vernier
