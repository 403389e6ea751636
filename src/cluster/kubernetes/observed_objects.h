#ifndef VERNIER_CLUSTER_KUBERNETES_OBSERVED_OBJECTS_H_
#define VERNIER_CLUSTER_KUBERNETES_OBSERVED_OBJECTS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "cluster/kubernetes/kubernetes_api.h"

namespace vernier {

/// The end of a pod's program.
struct ProgramEnd {
  int exit_code = 0;
  std::string reason;   ///< "Completed", "Error", "OOMKilled", "StartError".
  std::string message;  ///< The end of its log, or why it did not start.
  std::optional<Timestamp> at;
};

/// The API server's description of one of the service's pods.
struct ObservedPod {
  std::string name;
  std::string uid;
  std::string nonce;  ///< Of its attempt.
  std::string job;    ///< The name of its Job, which says whose replica it is.
  std::string node;
  std::string phase;    ///< "Pending", "Running", "Succeeded", "Failed".
  std::string reason;   ///< "Evicted", "DeadlineExceeded", "NodeLost".
  std::string message;  ///< In Kubernetes' words.
  bool has_started = false;
  std::optional<Timestamp> started_at;
  std::optional<ProgramEnd> end;
  std::string waiting_reason;  ///< "ContainerCreating", "ErrImagePull".
  std::string waiting_message;
  std::string unscheduled_reason;  ///< "Unschedulable".
  std::string unscheduled_message;
  /// The reason of the condition DisruptionTarget: "PreemptionByScheduler".
  std::string disruption;
  std::string disruption_message;
  std::optional<Timestamp> disrupted_at;
  /// When its deletion was requested, and when it should be gone.
  std::optional<Timestamp> deletion_asked_at;
  std::optional<Timestamp> deletion_due_at;
  bool is_gone = false;  ///< The API server does not have it any more.

  /// Returns whether its program has ended or will never run, as far as its
  /// node can tell.
  bool is_over() const {
    return is_gone || end.has_value() || phase == "Succeeded" ||
           phase == "Failed";
  }
};

/// The API server's description of the object that stands for an attempt.
struct ObservedPrimary {
  std::string name;
  std::string uid;
  std::string nonce;
  bool is_revoked = false;  ///< A tombstone.
  bool is_suspended = false;
  bool is_deleting = false;
  bool is_complete = false;
  bool is_failed = false;
  std::string failure_reason;  ///< "DeadlineExceeded", "FailedJobs".
  std::string failure_message;
  std::optional<Timestamp> created_at;
};

/// One object of a listing or of a watch; one of the two members is set.
struct ObservedObject {
  std::optional<ObservedPod> pod;
  std::optional<ObservedPrimary> primary;
};

/// A page of a listing.
struct ObservedPage {
  std::string resource_version;
  std::string next;  ///< To be given as `continue`; empty: that is all.
  std::vector<ObservedObject> objects;
};

/// One line of a watch.
struct ObservedChange {
  enum class Kind {
    kPresent,   ///< It was added or modified.
    kDeleted,   ///< `object` is its last state.
    kBookmark,  ///< Nothing but a newer version.
    kExpired,   ///< The version is too old: list again.
    kError,     ///< Anything else that ends the watch; `words` says what.
  };
  Kind kind = Kind::kError;
  std::string resource_version;
  std::string words;
  ObservedObject object;
};

/// Parses an answer to a LIST: of pods, or of JobSets or Jobs. All data from
/// the server are checked: members that are missing or of another type count as
/// empty. INVALID_ARGUMENT if it is not a listing. Pure.
absl::StatusOr<ObservedPage> ReadListing(std::string_view text, bool is_pods);

/// Parses a line of a watch, likewise.
absl::StatusOr<ObservedChange> ReadChange(std::string_view line, bool is_pods);

/// Parses one JobSet or Job, likewise.
absl::StatusOr<ObservedPrimary> ReadPrimary(std::string_view text);

/// Returns the server's message in an answer that is an error: `message` of a
/// Status, or else the text itself, cut off. Pure.
std::string WordsOfStatus(std::string_view text);

/// Returns the same for a reply, with its status: "pods is forbidden (403)".
std::string WordsOfReply(const ApiReply& reply);

/// Returns the newest message of an answer that lists Events; empty if there is
/// none.
std::string NewestEvent(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_OBSERVED_OBJECTS_H_
