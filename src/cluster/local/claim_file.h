#ifndef VERNIER_CLUSTER_LOCAL_CLAIM_FILE_H_
#define VERNIER_CLUSTER_LOCAL_CLAIM_FILE_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace vernier {

/// The data by which a supervisor claims an attempt.
struct Claim {
  std::string nonce;
  std::string boot_id;
  pid_t pid = 0;                  ///< Of the supervisor.
  std::uint64_t start_ticks = 0;  ///< Likewise; see ReadStartTicks.
  int replicas = 0;
};

/// The contents of a claim file.
struct ClaimContent {
  enum class Kind {
    kEmpty,       ///< Nobody has claimed the attempt.
    kRevoked,     ///< Nobody ever will.
    kClaimed,     ///< `claim` has or had it.
    kUnreadable,  ///< Whoever claimed it died while writing, or the program
                  ///< has overwritten it.
  };
  Kind kind = Kind::kEmpty;
  Claim claim;
  bool is_running = false;  ///< All replicas were started.
};

/// The file `claim` of an attempt. It decides for good whether the attempt
/// starts. A supervisor holds its lock for life, so a lock that can be taken
/// proves that the supervisor is dead. The file is written only under the lock,
/// and a file with contents is never claimed again. Not thread-safe: owned by
/// the supervisor, or by the launcher for a moment.
class ClaimFile {
 public:
  /// Opens the file, which is created if missing, and takes its lock without
  /// waiting. Errors: UNAVAILABLE if another process holds it, and only then;
  /// NOT_FOUND if there is no such directory; DATA_LOSS if it is not a regular
  /// file; any other code if the lock could not be tried now.
  static absl::StatusOr<ClaimFile> Lock(const std::string& attempt_dir);

  ClaimFile(ClaimFile&&) = default;
  ClaimFile& operator=(ClaimFile&&) = delete;
  ~ClaimFile();

  absl::StatusOr<ClaimContent> Read() const;

  /// Writes and syncs the claim. After that nobody else can claim the attempt.
  /// The file must be empty.
  absl::Status Write(const Claim& claim);
  /// Revokes the attempt: as Write, but after it nobody at all can claim it.
  absl::Status Revoke();
  /// Records that all replicas were started. Not synced.
  absl::Status NoteRunning();

 private:
  explicit ClaimFile(UniqueFd fd) : fd_(std::move(fd)) {}

  UniqueFd fd_;
};

/// Reads a claim without its lock. kEmpty if there is no file. Any error means
/// that it cannot be read now.
absl::StatusOr<ClaimContent> ReadClaim(const std::string& attempt_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOCAL_CLAIM_FILE_H_
