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

/// Who claimed an attempt.
struct Claim {
  std::string nonce;
  std::string boot_id;
  pid_t pid = 0;                  ///< Of the supervisor.
  std::uint64_t start_ticks = 0;  ///< Likewise; see ReadStartTicks.
  int replicas = 0;
};

/// What a claim file says.
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

/// The file `claim` of an attempt: decides, once and for ever, whether the
/// attempt starts. A supervisor holds its lock for life, so a lock that can be
/// taken proves the supervisor dead. Contents are written under the lock only,
/// and a file with contents is never claimed again.
/// Not thread-safe: owned by the supervisor, or by the launcher for a moment.
class ClaimFile {
 public:
  /// Opens the file, made if missing, and takes its lock without waiting.
  /// Errors: UNAVAILABLE if another process holds it, and only then; NOT_FOUND
  /// if there is no such directory; DATA_LOSS if something else lies there; any
  /// other code if it cannot be told now.
  static absl::StatusOr<ClaimFile> Lock(const std::string& attempt_dir);

  ClaimFile(ClaimFile&&) = default;
  ClaimFile& operator=(ClaimFile&&) = delete;
  ~ClaimFile();

  absl::StatusOr<ClaimContent> Read() const;

  /// Writes and syncs: after it nobody else can claim the attempt. The file
  /// must be empty.
  absl::Status Write(const Claim& claim);
  /// Likewise: after it nobody at all can.
  absl::Status Revoke();
  /// Notes that all replicas were started. Not synced.
  absl::Status NoteRunning();

 private:
  explicit ClaimFile(UniqueFd fd) : fd_(std::move(fd)) {}

  UniqueFd fd_;
};

/// Reads a claim without its lock. kEmpty if there is no file. Any error says
/// that it cannot be read now.
absl::StatusOr<ClaimContent> ReadClaim(const std::string& attempt_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOCAL_CLAIM_FILE_H_
