#ifndef VERNIER_CLUSTER_KUBERNETES_ATTEMPT_MARK_H_
#define VERNIER_CLUSTER_KUBERNETES_ATTEMPT_MARK_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cluster/kubernetes/kubernetes_settings.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// What was concluded about an attempt before its objects were deleted, so that
/// it is not forgotten with them.
struct KeptVerdict {
  bool launch_failed = false;
  EngineEnd engine_end = EngineEnd::kUnknown;
  std::string message;

  friend bool operator==(const KeptVerdict&, const KeptVerdict&) = default;
};

/// How far an attempt came, as the next process of the service finds it: what
/// is known before each call to the API server is on disk before the call.
struct AttemptMark {
  enum class State {
    kNone,     ///< Nothing was ever sent.
    kBegun,    ///< The primary object may exist.
    kMade,     ///< All its objects existed.
    kRevoked,  ///< Nothing will ever be sent.
  };
  State state = State::kNone;
  GangKind kind = GangKind::kJobSet;  ///< From kBegun on.
  std::string name_space;             ///< Likewise.
  bool gang_ran = false;
  std::optional<KeptVerdict> verdict;

  friend bool operator==(const AttemptMark&, const AttemptMark&) = default;
};

/// The folder of this launcher's files below the attempt's.
std::string KubernetesFolder(const std::string& attempt_dir);

/// Synced: it survives a power cut. Makes the folder.
absl::Status WriteAttemptMark(const std::string& attempt_dir,
                              const AttemptMark& mark);

/// kNone if there is none. Any error means that it could not be read now;
/// DATA_LOSS that it is damaged.
absl::StatusOr<AttemptMark> ReadAttemptMark(const std::string& attempt_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_ATTEMPT_MARK_H_
