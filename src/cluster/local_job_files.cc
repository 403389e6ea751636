#include "cluster/local_job_files.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
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

absl::StatusOr<std::string> LocalJobFiles::DigestCode(const std::string& dir) {
  CodeSnapshotOptions options = options_.snapshot;
  if (options.excluded_dir.empty()) options.excluded_dir = options_.code_root;
  auto digest = DigestCodeFolder(dir, options);
  if (digest.ok()) return digest;
  return AboutCode(digest.status());
}

void LocalJobFiles::SweepCode(const std::set<std::string>& kept) {
  std::error_code error;
  std::vector<std::string> unused;
  for (fs::directory_iterator entry(options_.code_root, error), end;
       !error && entry != end; entry.increment(error)) {
    if (kept.count(entry->path().string()) == 0) {
      unused.push_back(entry->path().string());
    }
  }
  // Half a list would do no harm, but a folder that cannot be read is left.
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
