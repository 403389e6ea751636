#include "cluster/local_job_files.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "buckets/object_hash.h"
#include "cluster/code_digest.h"
#include "study/status_macros.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

/// Removes `dir` with what is in it if it lies below `root`. A record that was
/// tampered with must not make us remove somebody's files.
void RemoveBelow(const std::string& root, const std::string& dir) {
  if (dir.empty()) return;
  const std::string inside =
      fs::path(dir).lexically_normal().lexically_relative(root).string();
  if (inside.empty() || inside == "." || inside.compare(0, 2, "..") == 0) {
    return;
  }
  // What cannot be removed now (an attempt's process still writes) only takes
  // room.
  std::error_code error;
  fs::remove_all(dir, error);
}

}  // namespace

LocalJobFiles::LocalJobFiles(Options options) : options_(std::move(options)) {}

absl::StatusOr<std::string> LocalJobFiles::PinCode(
    const std::string& job_id, const std::string& source_dir) {
  const std::string target = absl::StrCat(options_.code_root, "/", job_id, "-",
                                          options_.make_suffix());
  const auto copied = SnapshotCode(source_dir, target, options_.snapshot);
  if (copied.ok()) return target;
  return AboutCode(copied.status());
}

absl::Status LocalJobFiles::AboutCode(const absl::Status& status) {
  const std::string message =
      absl::StrCat("vernier.codeDir: ", std::string(status.message()),
                   "; vernier run --no-copy runs a program in place");
  if (absl::IsNotFound(status)) {
    return absl::InvalidArgumentError(message);
  }
  return absl::Status(status.code(), message);
}

absl::StatusOr<std::string> LocalJobFiles::DigestCode(
    const std::string& dir, const std::vector<std::string>& package_uris) {
  std::string digest;
  if (!dir.empty()) {
    CodeSnapshotOptions options = options_.snapshot;
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
    // Whether it is there is found out when it is installed.
    const std::string content = DigestFile(path).value_or("absent");
    digest = Md5Hex(absl::StrCat(digest, " ", uri.size(), ":", uri, content));
  }
  return digest;
}

void LocalJobFiles::SweepCode(const std::set<std::string>& kept) {
  std::set<std::string> names;
  for (const std::string& dir : kept) names.insert(fs::path(dir).filename());
  std::error_code error;
  std::vector<std::string> unused;
  for (fs::directory_iterator entry(options_.code_root, error), end;
       !error && entry != end; entry.increment(error)) {
    if (names.count(entry->path().filename()) == 0) {
      unused.push_back(entry->path().string());
    }
  }
  // What could not be listed is left for the next start.
  if (error) return;
  for (const std::string& dir : unused) DropCode(dir);
}

void LocalJobFiles::DropCode(const std::string& code_dir) {
  RemoveBelow(options_.code_root, code_dir);
}

void LocalJobFiles::Remove(const JobRecord& job) {
  RemoveBelow(options_.code_root, job.code_dir);
  for (const auto& version : job.earlier_versions) {
    RemoveBelow(options_.code_root, version->code_dir);
  }
  RemoveBelow(options_.run_root, job.run_dir);
}

}  // namespace vernier
