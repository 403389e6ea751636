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

/// A set of objects that are listed and watched together.
struct ObjectScope {
  std::string name_space;
  std::optional<GangKind> kind;  ///< Of primary objects; unset: pods.

  bool is_pods() const { return !kind.has_value(); }
  friend auto operator<=>(const ObjectScope&, const ObjectScope&) = default;
};

/// A mirror of a service's objects, built from listings and watches. Only a
/// listing that succeeded may be taken. An object is gone if a watch reports
/// it, or if two listings some time apart do not have it; a single listing
/// proves nothing. Pure. Not thread-safe.
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

  /// Takes a complete listing, whose first call began at `began`. Returns
  /// whether something may have changed.
  bool TakeListing(const ObjectScope& scope,
                   const std::vector<ObservedObject>& objects,
                   SteadyTime began);
  /// Takes an object that was added, modified or (`is_gone`) deleted.
  void TakeObject(const ObjectScope& scope, const ObservedObject& object,
                  bool is_gone);

  /// Returns whether the scope was ever listed. From then on, objects that
  /// existed before are known, and so are later ones.
  bool WasListed(const ObjectScope& scope) const;
  /// Returns when a scope should be listed again because an object is missing
  /// there.
  std::optional<SteadyTime> NextListing(const ObjectScope& scope) const;

  /// Returns the primary object of this name; null if none was ever seen.
  const Primary* PrimaryOf(const ObjectScope& scope,
                           const std::string& name) const;
  /// Returns the pods of an attempt, including those that are gone.
  std::vector<ObservedPod> PodsOf(const std::string& name_space,
                                  const std::string& nonce) const;
  /// Returns all primary objects that exist.
  std::vector<std::pair<ObjectScope, ObservedPrimary>> Primaries() const;

  /// Drops the records of an attempt's objects that are gone, and of its pods.
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
