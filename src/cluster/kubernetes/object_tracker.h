#ifndef VERNIER_CLUSTER_KUBERNETES_OBJECT_TRACKER_H_
#define VERNIER_CLUSTER_KUBERNETES_OBJECT_TRACKER_H_

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "cluster/kubernetes/kubernetes_settings.h"
#include "cluster/kubernetes/observed_objects.h"

namespace vernier {

/// Which objects are listed and watched together.
struct ObjectScope {
  std::string name_space;
  std::optional<GangKind> kind;  ///< Of primary objects; unset: pods.

  bool is_pods() const { return !kind.has_value(); }
  friend auto operator<=>(const ObjectScope&, const ObjectScope&) = default;
};

/// A mirror of a service's objects, by listings and watches. Only a listing
/// that succeeded may be taken, and one that lacks an object proves nothing by
/// itself: the object is gone if another one lacks it, too, some time later, or
/// if a watch says so. Pure. Not thread-safe.
class ObjectTracker {
 public:
  /// See KubernetesSettings::settle_time.
  explicit ObjectTracker(std::chrono::milliseconds settle_time)
      : settle_time_(settle_time) {}

  struct Primary {
    ObservedPrimary object;
    bool is_gone = false;
    std::optional<SteadyTime> missing_since;
  };

  /// Takes a complete listing, whose first call began at `began`. True if
  /// something has changed.
  bool TakeListing(const ObjectScope& scope,
                   const std::vector<ObservedObject>& objects,
                   SteadyTime began);
  /// Takes an object that was added, modified or (`is_gone`) deleted.
  void TakeObject(const ObjectScope& scope, const ObservedObject& object,
                  bool is_gone);

  /// Whether the scope was ever listed. What was there at that time, and what
  /// came later, is known then.
  bool WasListed(const ObjectScope& scope) const;
  /// When a scope should be listed again, since something is missing there.
  std::optional<SteadyTime> NextListing(const ObjectScope& scope) const;

  /// The primary object of this name; null if none was ever seen.
  const Primary* PrimaryOf(const ObjectScope& scope,
                           const std::string& name) const;
  /// The pods of an attempt, also those that are gone.
  std::vector<ObservedPod> PodsOf(const std::string& name_space,
                                  const std::string& nonce) const;
  /// All primary objects that there are.
  std::vector<std::pair<ObjectScope, ObservedPrimary>> Primaries() const;

  /// Drops what is remembered of an attempt's objects that are gone.
  void Forget(const std::string& nonce);

 private:
  struct Pod {
    ObservedPod object;
    std::optional<SteadyTime> missing_since;
  };
  struct Objects {
    std::map<std::string, Primary> primaries;  // By name.
    std::map<std::string, Pod> pods;           // By name and uid.
    bool was_listed = false;
  };

  const std::chrono::milliseconds settle_time_;
  std::map<ObjectScope, Objects> scopes_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_OBJECT_TRACKER_H_
