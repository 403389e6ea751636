#ifndef VERNIER_CLUSTER_SLURM_NODE_NODE_ADDRESS_H_
#define VERNIER_CLUSTER_SLURM_NODE_NODE_ADDRESS_H_

#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vernier {

/// Returns the value of "NAME=value" in a line of the output of `scontrol show
/// ... --oneliner`; empty if it has none. Pure.
std::string ScontrolValue(std::string_view line, std::string_view name);

/// Returns the NodeAddr of each node in the output of `scontrol show node LIST
/// --oneliner`. A node's name may not be resolvable; its NodeAddr is. Pure.
std::map<std::string, std::string> ParseNodeAddresses(std::string_view text);

/// Returns the IPv4 address of this machine's network interface, or its IPv6
/// address if it has no other. NOT_FOUND if it has none.
absl::StatusOr<std::string> InterfaceAddress(const std::string& interface);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_NODE_NODE_ADDRESS_H_
