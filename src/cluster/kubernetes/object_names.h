#ifndef VERNIER_CLUSTER_KUBERNETES_OBJECT_NAMES_H_
#define VERNIER_CLUSTER_KUBERNETES_OBJECT_NAMES_H_

#include <optional>
#include <string>
#include <string_view>

#include "cluster/replica.h"

namespace vernier {

/// The label of everything that a service's instance has in a cluster.
inline constexpr char kInstanceLabel[] = "vernier/instance";
/// The attempt's nonce, of everything that belongs to it.
inline constexpr char kAttemptLabel[] = "vernier/attempt";
/// Label of the object whose name stands for the attempt: kPrimaryPart.
inline constexpr char kPartLabel[] = "vernier/part";
inline constexpr char kPrimaryPart[] = "primary";
/// Label of pods: ToString of the role.
inline constexpr char kRoleLabel[] = "vernier/role";
/// For people.
inline constexpr char kJobLabel[] = "vernier/job";
inline constexpr char kTrialLabel[] = "vernier/trial";
/// Marks an object that only keeps the name of an attempt that must not start.
inline constexpr char kRevokedLabel[] = "vernier/revoked";

/// The name of an attempt's objects: "vernier-INSTANCE-NONCE" with half of the
/// nonce, since host names are made of it. `instance`: 8 hex digits.
std::string GangName(const std::string& instance, const std::string& nonce);

/// "NAME-worker-3", the Job of one replica.
std::string ReplicaJobName(const std::string& gang, ReplicaId replica);

/// The replica of a Job; nullopt for a Job of something else.
std::optional<ReplicaId> ReplicaOfJob(const std::string& gang,
                                      std::string_view job);

/// "NAME-worker-3-0.NAME", by which the pods of a gang find each other: known
/// before any of them exists.
std::string ReplicaHost(const std::string& gang, ReplicaId replica);

/// A text as the value of a label, which Kubernetes restricts: other characters
/// become '-', the rest is cut off.
std::string AsLabelValue(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_OBJECT_NAMES_H_
