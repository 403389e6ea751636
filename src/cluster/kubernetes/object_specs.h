#ifndef VERNIER_CLUSTER_KUBERNETES_OBJECT_SPECS_H_
#define VERNIER_CLUSTER_KUBERNETES_OBJECT_SPECS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/kubernetes/kubernetes_settings.h"
#include "cluster/kubernetes/pod_gang.h"

namespace vernier {

/// One object to be created, in JSON.
struct ObjectSpec {
  std::string path;  ///< Of its collection: "/api/v1/namespaces/lab/secrets".
  std::string name;
  std::string json;
};

/// The object that stands for a gang. Its name is never used again, and all
/// other objects are deleted with it.
struct PrimaryObject {
  GangKind kind = GangKind::kJobSet;
  std::string name_space;
  std::string name;
};

/// Returns the object of the gang with this name: the JobSet, or the master's
/// Job.
PrimaryObject PrimaryOf(GangKind kind, const std::string& name_space,
                        const std::string& gang);

/// Returns a path such as
/// "/apis/jobset.x-k8s.io/v1alpha2/namespaces/lab/jobsets".
std::string CollectionPath(GangKind kind, const std::string& name_space);
/// Returns a path such as "/api/v1/namespaces/lab/pods".
std::string PodsPath(const std::string& name_space);

/// Returns the object that is created first. Pure. Errors: CommonEnvironment's.
absl::StatusOr<ObjectSpec> PrimarySpec(GangKind kind, const PodGang& gang);

/// Returns the other objects in the order of their creation. The first object,
/// whose uid is `owner`, owns them. They are the Secret, and without a JobSet
/// also the Service and the other replicas' Jobs. Pure.
absl::StatusOr<std::vector<ObjectSpec>> DependentSpecs(
    GangKind kind, const PodGang& gang, const std::string& owner);

/// Returns an object that runs nothing and takes the name of the primary one.
/// Pure.
ObjectSpec TombstoneSpec(const PrimaryObject& primary,
                         const std::string& instance, const std::string& nonce);

/// Returns the body of a DELETE. `propagation` is "Foreground", or null for
/// pods. `grace` is in seconds; < 0 for the object's own.
std::string DeleteOptionsJson(const char* propagation, std::int64_t grace);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_OBJECT_SPECS_H_
