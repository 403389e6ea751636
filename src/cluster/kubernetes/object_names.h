#ifndef VERNIER_CLUSTER_KUBERNETES_OBJECT_NAMES_H_
#define VERNIER_CLUSTER_KUBERNETES_OBJECT_NAMES_H_

#include <optional>
#include <string>
#include <string_view>

#include "cluster/replica.h"

namespace vernier {

/// The label of all objects that a service's instance has in a cluster.
inline constexpr char kInstanceLabel[] = "vernier/instance";
/// The label with the attempt's nonce, of all objects that belong to the
/// attempt.
inline constexpr char kAttemptLabel[] = "vernier/attempt";
/// The label of the object whose name stands for the attempt: kPrimaryPart.
inline constexpr char kPartLabel[] = "vernier/part";
inline constexpr char kPrimaryPart[] = "primary";
/// The label of pods with ToString of the role.
inline constexpr char kRoleLabel[] = "vernier/role";
/// Labels for people.
inline constexpr char kJobLabel[] = "vernier/job";
inline constexpr char kTrialLabel[] = "vernier/trial";
/// The label of an object that only keeps the name of an attempt that must not
/// start.
inline constexpr char kRevokedLabel[] = "vernier/revoked";

/// Returns the name of an attempt's objects: "vernier-INSTANCE-NONCE" with half
/// of the nonce, since host names are made of it. `instance` is 8 hex digits.
std::string GangName(const std::string& instance, const std::string& nonce);

/// Returns the name of the Job of one replica: "NAME-worker-3".
std::string ReplicaJobName(const std::string& gang, ReplicaId replica);

/// Returns the replica that a Job runs; nullopt if the name is no such Job's.
std::optional<ReplicaId> ReplicaOfJob(const std::string& gang,
                                      std::string_view job);

/// Returns the host name by which the pods of a gang find each other:
/// "NAME-worker-3-0.NAME". It is known before any of them exists.
std::string ReplicaHost(const std::string& gang, ReplicaId replica);

/// Converts a text to the value of a label, which Kubernetes restricts:
/// forbidden characters become '-', the rest is cut off.
std::string AsLabelValue(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_OBJECT_NAMES_H_
