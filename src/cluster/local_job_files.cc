#include "cluster/local_job_files.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
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
  const std::string message =
      absl::StrCat("vernier.codeDir: ", std::string(copied.status().message()),
                   "; vernier run --no-copy runs a program in place");
  if (absl::IsNotFound(copied.status())) {
    return absl::InvalidArgumentError(message);
  }
  return absl::Status(copied.status().code(), message);
}

void LocalJobFiles::DropCode(const std::string& code_dir) {
  RemoveBelow(options_.code_root, code_dir);
}

void LocalJobFiles::Remove(const JobRecord& job) {
  RemoveBelow(options_.code_root, job.code_dir);
  RemoveBelow(options_.run_root, job.run_dir);
}

}  // namespace vernier
