#include "cluster/code/code_digest.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/mutex.h"
#include "base/regular_file.h"
#include "base/status_macros.h"
#include "buckets/object_hash.h"
#include "cluster/code/parallel_work.h"

namespace vernier {
namespace {

constexpr std::size_t kReadSize = std::size_t{256} * 1024;
constexpr std::size_t kDigestsAtOnce = 32;

absl::StatusOr<std::string> HashFile(const std::string& path,
                                     std::vector<char>& buffer) {
  const RegularFile file = OpenRegularFile(path, O_RDONLY | O_NOFOLLOW);
  if (!file.fd.is_open()) {
    return absl::ErrnoToStatus(file.error, absl::StrCat("cannot open ", path));
  }
  ObjectHasher hasher;
  while (true) {
    const ssize_t n = ::read(file.fd.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      return absl::ErrnoToStatus(errno, absl::StrCat("cannot read ", path));
    }
    if (n == 0) return hasher.Value().md5;
    hasher.Update(std::string_view(buffer.data(), static_cast<std::size_t>(n)));
  }
}

/// Hashes the files of a survey, several at once. Thread-safe.
class FileHashes {
 public:
  FileHashes(const CodeSurvey& survey, std::string root)
      : survey_(survey), root_(std::move(root)), lines_(survey.files.size()) {}

  /// The function that each thread runs.
  void Work() {
    std::vector<char> buffer(kReadSize);
    while (!has_failed_) {
      const std::size_t begin = next_.fetch_add(kDigestsAtOnce);
      const std::size_t end = std::min(begin + kDigestsAtOnce, lines_.size());
      if (begin >= end) return;
      for (std::size_t i = begin; i < end; ++i) {
        const absl::Status hashed = Hash(survey_.files[i], buffer, &lines_[i]);
        if (hashed.ok()) continue;
        const MutexLock lock(mu_);
        failure_.Update(hashed);
        has_failed_ = true;
        return;
      }
    }
  }

  /// Returns the result; call it after all threads have ended.
  absl::StatusOr<std::vector<std::string>> Take() {
    const MutexLock lock(mu_);
    VERNIER_RETURN_IF_ERROR(failure_);
    return std::move(lines_);
  }

 private:
  absl::Status Hash(const CodeSurvey::File& file, std::vector<char>& buffer,
                    std::string* line) const {
    VERNIER_ASSIGN_OR_RETURN(
        const std::string digest,
        HashFile(absl::StrCat(root_, "/", file.path), buffer));
    const bool is_program = (file.mode & S_IXUSR) != 0;
    // A name may contain a newline, but no NUL, so NUL ends it.
    *line = absl::StrCat(is_program ? "program " : "file ", file.path,
                         std::string(1, '\0'), digest);
    return absl::OkStatus();
  }

  const CodeSurvey& survey_;
  const std::string root_;
  std::vector<std::string> lines_;  // Each is written by one thread.
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> has_failed_{false};
  Mutex mu_;
  absl::Status failure_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace

absl::StatusOr<std::string> DigestFile(const std::string& path) {
  std::error_code error;
  const std::string file = std::filesystem::canonical(path, error).string();
  std::vector<char> buffer(kReadSize);
  VERNIER_ASSIGN_OR_RETURN(const std::string digest,
                           HashFile(error ? path : file, buffer));
  return Md5Hex(digest);
}

absl::StatusOr<std::string> DigestCodeFolder(
    const std::string& source, const CodeSnapshotOptions& options) {
  VERNIER_ASSIGN_OR_RETURN(const CodeSurvey survey,
                           SurveyCode(source, options));
  FileHashes hashes(survey, source);
  RunInThreads([&hashes] { hashes.Work(); });
  VERNIER_ASSIGN_OR_RETURN(std::vector<std::string> lines, hashes.Take());
  for (const std::string& folder : survey.folders) {
    lines.push_back(absl::StrCat("folder ", folder));
  }
  for (const CodeSurvey::Link& link : survey.links) {
    lines.push_back(
        absl::StrCat("link ", link.path, std::string(1, '\0'), link.target));
  }
  // Sorted, because a folder lists its entries in undefined order.
  std::sort(lines.begin(), lines.end());
  std::string all;
  for (const std::string& line : lines) {
    absl::StrAppend(&all, line.size(), ":", line);
  }
  return Md5Hex(all);
}

}  // namespace vernier
