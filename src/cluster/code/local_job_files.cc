#include "cluster/code/local_job_files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/small_file.h"
#include "base/stable_digest.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"
#include "buckets/bucket_name.h"
#include "buckets/object_hash.h"
#include "cluster/code/code_digest.h"
#include "cluster/code/code_twins.h"
#include "cluster/code/package_pin.h"
#include "cluster/code/trial_outputs.h"
#include "cluster/secret_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

/// Removes `dir` with its contents if it is below `root`. The check protects a
/// user's files from a record that was tampered with.
void RemoveBelow(const std::string& root, const std::string& dir) {
  if (dir.empty()) return;
  const std::string inside =
      fs::path(dir).lexically_normal().lexically_relative(root).string();
  if (inside.empty() || inside == "." || inside.compare(0, 2, "..") == 0) {
    return;
  }
  // A folder that cannot be removed now, because an attempt's process still
  // writes to it, only takes space.
  std::error_code error;
  fs::remove_all(dir, error);
}

// Removes the entries of `root` whose names do not occur in `kept`.
void Sweep(const std::string& root, const std::set<std::string>& kept) {
  std::set<std::string> names;
  for (const std::string& path : kept) names.insert(fs::path(path).filename());
  std::error_code error;
  std::vector<std::string> unused;
  for (fs::directory_iterator entry(root, error), end; !error && entry != end;
       entry.increment(error)) {
    if (names.count(entry->path().filename()) == 0) {
      unused.push_back(entry->path().string());
    }
  }
  // Entries that could not be listed stay until the next start.
  if (error) return;
  for (const std::string& path : unused) RemoveBelow(root, path);
}

// It need not be collision-free: a file found by this name is compared before
// it is used.
std::string HexDigest(const std::string& text) {
  return absl::StrCat(absl::Hex(StableDigest(text), absl::kZeroPad16));
}

}  // namespace

LocalJobFiles::LocalJobFiles(BucketStore& buckets, Options options)
    : buckets_(buckets), options_(std::move(options)) {}

bool LocalJobFiles::IsOurs(const std::string& path) const {
  const auto canonical = [](const std::string& folder) {
    std::error_code error;
    fs::path full = fs::weakly_canonical(folder, error);
    if (error) full = fs::path(folder).lexically_normal();
    return full.has_filename() ? full : full.parent_path();
  };
  const fs::path asked = canonical(path);
  for (const std::string& root :
       {options_.snapshot.excluded_dir, options_.code_root, options_.run_root,
        options_.secret_root}) {
    if (root.empty()) continue;
    const fs::path inside = asked.lexically_relative(canonical(root));
    if (!inside.empty() && *inside.begin() != "..") return true;
  }
  return false;
}

absl::Status LocalJobFiles::CheckCodeFolder(const std::string& path) {
  // This is checked first, so that the answer does not reveal what exists
  // there.
  if (IsOurs(path)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "vernier.codeDir: lies in the service's data directory, which holds "
        "what belongs to other jobs, too: ",
        path));
  }
  struct stat info;
  if (::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
    return absl::OkStatus();
  }
  return AboutCode(
      absl::NotFoundError("there is no such code folder: " + path));
}

absl::StatusOr<PinnedCode> LocalJobFiles::PinCode(
    const std::string& job_id, const std::string& source_dir,
    const std::string& output_dir) {
  const std::string target = absl::StrCat(options_.code_root, "/", job_id, "-",
                                          options_.make_suffix());
  // Shared with a thread that may read it after the copy has ended.
  const auto progress = std::make_shared<CodeSnapshotProgress>();
  const auto entry = [&] {
    const MutexLock lock(mu_);
    return under_way_.emplace(under_way_.end(), source_dir, progress);
  }();
  CodeSnapshotOptions options = options_.snapshot;
  options.output_dir = output_dir;
  auto copied = SnapshotCode(source_dir, target, options, progress.get());
  {
    const MutexLock lock(mu_);
    under_way_.erase(entry);
  }
  if (!copied.ok()) return AboutCode(copied.status());
  return PinnedCode{target, std::move(copied->notes)};
}

absl::Status LocalJobFiles::AboutCode(const absl::Status& status) {
  const std::string why(status.message());
  const std::string message = absl::StrCat(
      "vernier.codeDir: ", why, absl::EndsWith(why, "\n") ? "or " : "; ",
      "vernier run --no-copy runs a program where its code is");
  if (absl::IsNotFound(status)) {
    return absl::InvalidArgumentError(message);
  }
  return absl::Status(status.code(), message);
}

absl::StatusOr<std::string> LocalJobFiles::DigestCode(
    const std::string& dir, const std::string& output_dir,
    const std::vector<std::string>& package_uris) {
  std::string digest;
  if (!dir.empty()) {
    CodeSnapshotOptions options = options_.snapshot;
    options.output_dir = output_dir;
    if (options.excluded_dir.empty()) options.excluded_dir = options_.code_root;
    auto folder = DigestCodeFolder(dir, options);
    if (!folder.ok()) return AboutCode(folder.status());
    digest = *std::move(folder);
  }
  for (const std::string& uri : package_uris) {
    std::string path = uri;
    if (uri.front() != '/' && options_.find_package) {
      path = options_.find_package(uri).value_or("");
    }
    // The installation reports a package that does not exist.
    const std::string content = DigestFile(path).value_or("absent");
    digest = Md5Hex(absl::StrCat(digest, " ", uri.size(), ":", uri, content));
  }
  return digest;
}

void LocalJobFiles::SweepCode(const std::set<std::string>& kept) {
  Sweep(options_.code_root, kept);
}

void LocalJobFiles::SweepSecrets(const std::set<std::string>& kept) {
  Sweep(options_.secret_root, kept);
}

std::vector<CodeCopy> LocalJobFiles::CopiesUnderWay() const {
  std::vector<CodeCopy> copies;
  const MutexLock lock(mu_);
  for (const auto& [folder, progress] : under_way_) {
    copies.push_back({folder, progress->files, progress->of_files});
  }
  return copies;
}

void LocalJobFiles::DropCode(const std::string& code_dir) {
  RemoveBelow(options_.code_root, code_dir);
}

absl::StatusOr<KeptSecrets> LocalJobFiles::KeepSecrets(
    const std::string& job_id, const std::string& request_id,
    const std::map<std::string, std::string>& secrets,
    const std::string& present) {
  const auto before = ReadSecretFile(present);
  if (!present.empty() && before.ok() && *before == secrets) {
    return KeptSecrets{present, false};
  }
  KeptSecrets kept;
  kept.file = absl::StrCat(
      options_.secret_root, "/", job_id, "-",
      request_id.empty() ? options_.make_suffix() : HexDigest(request_id));
  VERNIER_ASSIGN_OR_RETURN(kept.is_new, WriteSecretFile(kept.file, secrets));
  return kept;
}

void LocalJobFiles::DropSecrets(const std::string& file) {
  RemoveBelow(options_.secret_root, file);
}

absl::Status LocalJobFiles::CheckOutputFolder(const std::string& path) {
  // The folders that this call makes, the innermost first.
  std::vector<std::string> made;
  fs::path missing = fs::path(path).lexically_normal();
  if (!missing.has_filename()) missing = missing.parent_path();
  const std::string folder = missing;
  struct stat info;
  while (::stat(missing.c_str(), &info) != 0 && errno == ENOENT &&
         missing.has_relative_path()) {
    made.push_back(missing);
    missing = missing.parent_path();
  }
  absl::Status usable = MakeDirectories(folder);
  if (usable.ok()) {
    std::string probe = folder + "/.vernier-probe-XXXXXX";
    const UniqueFd fd(::mkostemp(probe.data(), O_CLOEXEC));
    if (fd.is_open()) {
      ::unlink(probe.c_str());
    } else {
      usable = absl::ErrnoToStatus(errno, "cannot write in " + folder);
    }
  }
  for (const std::string& each : made) ::rmdir(each.c_str());
  return usable;
}

absl::Status LocalJobFiles::CheckBuckets(const JobSpec& spec,
                                         const std::string& project) {
  const TrainingInput& input = spec.training_input;
  for (const std::string& uri : input.package_uris) {
    if (!IsBucketUri(uri) && IsOurs(uri)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "trainingInput.packageUris: lies in the service's data directory: ",
          uri));
    }
    VERNIER_RETURN_IF_ERROR(OpenPackage(buckets_, uri, project).status());
  }
  if (!IsBucketUri(input.job_dir)) return absl::OkStatus();
  const auto uri = ParseObjectUri(input.job_dir);
  const absl::Status status =
      uri.ok() ? buckets_.CheckUsable(uri->bucket, project) : uri.status();
  if (status.ok()) return status;
  return absl::Status(
      status.code(),
      absl::StrCat("trainingInput.jobDir: ", std::string(status.message())));
}

absl::StatusOr<PinnedPackages> LocalJobFiles::PinPackages(
    const JobSpec& spec, const std::string& project) {
  PinnedPackages packages;
  if (spec.training_input.package_uris.empty()) return packages;
  packages.folder = absl::StrCat(options_.code_root, "/", spec.job_id,
                                 "-packages-", options_.make_suffix());
  auto pinned = vernier::PinPackages(buckets_, spec, project, packages.folder);
  if (!pinned.ok()) {
    DropCode(packages.folder);
    return pinned.status();
  }
  packages.sha256 = *std::move(pinned);
  return packages;
}

void LocalJobFiles::KeepPackages(const PinnedPackages& packages, JobRef job) {
  if (packages.folder.empty()) return;
  const std::string folder = PinnedFolder(job.run().run_dir);
  for (const auto& [uri, hash] : packages.sha256) {
    const std::string from = PinnedPackagePath(packages.folder, hash, uri);
    const std::string to = PinnedPackagePath(folder, hash, uri);
    std::error_code error;
    // A file with the same hash has the same contents.
    if (fs::exists(to, error)) continue;
    if (!MakeDirectories(fs::path(to).parent_path()).ok()) continue;
    fs::rename(from, to, error);
  }
  DropCode(packages.folder);
}

OutputCount LocalJobFiles::CountOutputs(JobRef job) {
  return CountOutputsBelow(job.run().run_dir, CodeTwins::Of(job.run()));
}

void LocalJobFiles::Remove(JobRef job) {
  RemoveBelow(options_.code_root, job.run().code_dir);
  for (const auto& version : job.run().earlier_versions) {
    RemoveBelow(options_.code_root, version->code_dir);
  }
  RemoveBelow(options_.run_root, job.run().run_dir);
}

}  // namespace vernier
