#ifndef VERNIER_CLUSTER_KUBERNETES_ATTEMPT_MARK_H_
#define VERNIER_CLUSTER_KUBERNETES_ATTEMPT_MARK_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cluster/kubernetes/kubernetes_settings.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// The verdict about an attempt, stored before its objects are deleted, because
/// the evidence for it goes with them.
struct KeptVerdict {
  bool launch_failed = false;
  EngineEnd engine_end = EngineEnd::kUnknown;
  std::string message;

  friend bool operator==(const KeptVerdict&, const KeptVerdict&) = default;
};

/// The progress of an attempt as the next process of the service finds it. It
/// is written to disk before each call to the API server that it concerns.
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

/// Returns the folder of this launcher's files below the attempt's folder.
std::string KubernetesFolder(const std::string& attempt_dir);

/// Writes the mark and makes its folder. Synced, so it survives a power cut.
absl::Status WriteAttemptMark(const std::string& attempt_dir,
                              const AttemptMark& mark);

/// Returns kNone if there is no mark. DATA_LOSS means that it is damaged; any
/// other error, that it could not be read now.
absl::StatusOr<AttemptMark> ReadAttemptMark(const std::string& attempt_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_ATTEMPT_MARK_H_
