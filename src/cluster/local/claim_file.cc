#include "cluster/local/claim_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>
#include <utility>

#include "base/regular_file.h"
#include "base/small_file.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

constexpr char kRevokedLine[] = "revoked\n";
constexpr char kRunningLine[] = "running\n";

std::string ClaimPath(const std::string& attempt_dir) {
  return attempt_dir + "/claim";
}

std::string LineOf(const Claim& claim) {
  return "claimed " + claim.nonce + " " + claim.boot_id + " " +
         std::to_string(claim.pid) + " " + std::to_string(claim.start_ticks) +
         " " + std::to_string(claim.replicas) + "\n";
}

ClaimContent Parse(const std::string& text) {
  ClaimContent content;
  if (text.empty()) return content;
  content.kind = ClaimContent::Kind::kUnreadable;
  const std::size_t end = text.find('\n');
  // The line is cut off: its writer died, or is writing now.
  if (end == std::string::npos) return content;
  if (text == kRevokedLine) {
    content.kind = ClaimContent::Kind::kRevoked;
    return content;
  }
  std::istringstream line(text.substr(0, end));
  std::string word;
  Claim& claim = content.claim;
  line >> word >> claim.nonce >> claim.boot_id >> claim.pid >>
      claim.start_ticks >> claim.replicas;
  if (line.fail() || word != "claimed") return content;
  content.kind = ClaimContent::Kind::kClaimed;
  content.is_running =
      text.compare(end + 1, std::string::npos, kRunningLine) == 0;
  return content;
}

absl::Status AppendLine(int fd, const std::string& line) {
  if (::lseek(fd, 0, SEEK_END) < 0) return absl::ErrnoToStatus(errno, "claim");
  return WriteAll(fd, line.data(), line.size());
}

// Maps errors so that UNAVAILABLE always means that another process holds the
// lock.
absl::Status CannotTell(const std::string& verb, const std::string& path) {
  const absl::Status status =
      absl::ErrnoToStatus(errno, "cannot " + verb + " " + path);
  return absl::IsUnavailable(status)
             ? absl::ResourceExhaustedError(std::string(status.message()))
             : status;
}

absl::Status Sync(int fd) {
  if (::fsync(fd) == 0) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, "cannot sync the claim");
}

}  // namespace

absl::StatusOr<ClaimFile> ClaimFile::Lock(const std::string& attempt_dir) {
  const std::string path = ClaimPath(attempt_dir);
  RegularFile file = OpenRegularFile(path, O_RDWR | O_CREAT, 0600);
  // The program may have replaced it with a pipe or a folder.
  if (file.is_other_kind) {
    return absl::DataLossError(path + " is no regular file");
  }
  if (!file.fd.is_open()) {
    errno = file.error;
    return CannotTell("open", path);
  }
  UniqueFd fd = std::move(file.fd);
  while (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK) {
      return absl::UnavailableError("another process holds " + path);
    }
    return CannotTell("lock", path);
  }
  return ClaimFile(std::move(fd));
}

ClaimFile::~ClaimFile() {
  // A child that was forked meanwhile has a copy of the descriptor and so
  // shares the lock; unlocking releases it for all copies.
  if (fd_.is_open()) ::flock(fd_.get(), LOCK_UN);
}

absl::StatusOr<ClaimContent> ClaimFile::Read() const {
  char buffer[512];
  const ssize_t n = ::pread(fd_.get(), buffer, sizeof(buffer), 0);
  if (n < 0) return absl::ErrnoToStatus(errno, "cannot read the claim");
  return Parse(std::string(buffer, static_cast<std::size_t>(n)));
}

absl::Status ClaimFile::Write(const Claim& claim) {
  VERNIER_RETURN_IF_ERROR(AppendLine(fd_.get(), LineOf(claim)));
  return Sync(fd_.get());
}

absl::Status ClaimFile::Revoke() {
  VERNIER_RETURN_IF_ERROR(AppendLine(fd_.get(), kRevokedLine));
  return Sync(fd_.get());
}

absl::Status ClaimFile::NoteRunning() {
  // This is not synced, because after a power cut nothing of the attempt runs
  // any more.
  return AppendLine(fd_.get(), kRunningLine);
}

absl::StatusOr<ClaimContent> ReadClaim(const std::string& attempt_dir) {
  absl::StatusOr<std::string> text = ReadSmallFile(ClaimPath(attempt_dir), 512);
  if (absl::IsNotFound(text.status())) return ClaimContent{};
  if (absl::IsOutOfRange(text.status()) || absl::IsDataLoss(text.status())) {
    ClaimContent overwritten;
    overwritten.kind = ClaimContent::Kind::kUnreadable;
    return overwritten;
  }
  VERNIER_RETURN_IF_ERROR(text.status());
  return Parse(*text);
}

}  // namespace vernier
