#include "cluster/attempt/trial_resources.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "buckets/bucket_name.h"
#include "cluster/attempt/trial_command.h"
#include "cluster/code/package_pin.h"
#include "cluster/trial_environment.h"

namespace vernier {
namespace {

absl::Status About(const char* field, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat("trainingInput.", field, ": ",
                                   std::string(status.message())));
}

}  // namespace

absl::StatusOr<std::pair<std::string, std::string>> ParseInterpreter(
    const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 ||
      text.compare(equals + 1, 1, "/") != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("must be VERSION=PATH with an absolute path: ", text));
  }
  return std::make_pair(text.substr(0, equals), text.substr(equals + 1));
}

std::string ChooseInterpreter(const InterpreterTable& table,
                              const JobSpec& spec) {
  const TrainingInput& input = spec.training_input;
  const auto runtime = table.by_runtime.find(input.runtime_version);
  if (runtime != table.by_runtime.end()) return runtime->second;
  const auto python = table.by_python.find(input.python_version);
  if (python != table.by_python.end()) return python->second;
  for (const char* environment : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const std::string folder = JobVariable(spec, environment);
    if (!folder.empty()) return folder + "/bin/python3";
  }
  return "python3";
}

absl::StatusOr<TrialResources> ResourcesOf(const JobSpec& spec) {
  TrialResources resources;
  resources.job_dir = spec.training_input.job_dir;
  resources.packages = spec.training_input.package_uris;
  for (const std::string& uri : resources.packages) {
    if (!IsBucketUri(uri)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("trainingInput.packageUris: there are no buckets: ", uri));
  }
  return resources;
}

absl::StatusOr<TrialResources> TrialResourceFinder::Find(
    const LaunchRequest& request) const {
  TrialResources resources;
  resources.python = ChooseInterpreter(options_.interpreters, *request.spec);
  VERNIER_ASSIGN_OR_RETURN(resources.job_dir, FindJobDir(request));
  for (const std::string& uri : request.spec->training_input.package_uris) {
    VERNIER_ASSIGN_OR_RETURN(std::string path, FindPackage(request, uri));
    resources.packages.push_back(std::move(path));
  }
  FindArguments(request, &resources);
  if (options_.service) {
    resources.service = options_.service(request);
  }
  return resources;
}

absl::StatusOr<std::string> TrialResourceFinder::FindJobDir(
    const LaunchRequest& request) const {
  const JobSpec& spec = *request.spec;
  const std::string& job_dir = spec.training_input.job_dir;
  if (!IsBucketUri(job_dir)) return job_dir;
  const auto uri = ParseObjectUri(job_dir);
  if (!uri.ok()) return About("jobDir", uri.status());
  // The bucket is created if it does not exist, so that a job file that ran at
  // Google's needs no extra step here.
  const auto bucket = buckets_.FindOrCreate(uri->bucket, request.project);
  if (!bucket.ok()) return About("jobDir", bucket.status());
  if (spec.vernier.job_dir_form == JobDirForm::kUri) return job_dir;
  // Cloud Storage has no folders, so programs written for it do not make any.
  const std::string trial_dir = TrialJobDir(spec, request.attempt.trial);
  const auto trial_uri = ParseObjectUri(trial_dir);
  if (!trial_uri.ok()) return About("jobDir", trial_uri.status());
  const absl::Status made = (*bucket)->MakeFolder(trial_uri->object);
  if (!made.ok()) return About("jobDir", made);
  return uri->object.empty()
             ? (*bucket)->folder()
             : absl::StrCat((*bucket)->folder(), "/", uri->object);
}

void TrialResourceFinder::FindArguments(const LaunchRequest& request,
                                        TrialResources* resources) const {
  const bool wants_paths = EffectiveGsArgs(*request.spec) == GsArgs::kPath;
  for (const std::string& uri :
       BucketArguments(*request.spec, request.parameters)) {
    const absl::StatusOr<std::string> path = buckets_.LocalPath(
        uri, BucketUser::Of(request.project), BucketRight::kRead);
    if (wants_paths && path.ok()) {
      resources->local_paths[uri] = *path;
      resources->notes.push_back(
          absl::StrCat("the argument ", uri, " is given to the program as ",
                       *path, " (vernier.gsArgs: PATH)"));
      continue;
    }
    const std::string why = path.ok() ? "vernier.gsArgs: URI"
                                      : std::string(path.status().message());
    resources->notes.push_back(absl::StrCat(
        "the argument ", uri, " is given to the program as it is (", why,
        "); a program that ignores STORAGE_EMULATOR_HOST, as TensorFlow does, "
        "looks for it at Google's and may hang"));
  }
}

absl::StatusOr<std::string> TrialResourceFinder::FindPackage(
    const LaunchRequest& request, const std::string& uri) const {
  // If the hash is missing, the installation reports it.
  const PackageHashes& hashes = request.spec->vernier.package_sha256;
  const auto hash = hashes.find(uri);
  if (hash != hashes.end()) {
    const std::string pinned = PinnedPackagePath(
        PinnedFolder(JobRunDirOf(request.run_dir)), hash->second, uri);
    // Any other error is left to the reader of the file, who reports it.
    if (::access(pinned.c_str(), F_OK) == 0 || errno != ENOENT) return pinned;
  }
  // The copy is missing because the service ended between storing the job and
  // placing it.
  VERNIER_RETURN_IF_ERROR(OpenPackage(buckets_, uri, request.project).status());
  if (!IsBucketUri(uri)) return uri;
  return buckets_.LocalPath(uri, BucketUser::Of(request.project),
                            BucketRight::kRead);
}

}  // namespace vernier
