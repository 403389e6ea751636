#include "cluster/in_place_command.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cluster/replica.h"

namespace vernier {
namespace {

constexpr char kEnv[] = "/usr/bin/env";
constexpr char kChangeFolder[] = "--chdir=";

}  // namespace

std::vector<std::string> CommandInFolder(const std::string& folder,
                                         std::vector<std::string> command) {
  command.insert(command.begin(), {kEnv, absl::StrCat(kChangeFolder, folder)});
  return command;
}

InPlaceCommand SplitInPlace(std::vector<std::string> command) {
  InPlaceCommand parts;
  if (command.size() > 2 && command[0] == kEnv &&
      absl::StartsWith(command[1], kChangeFolder)) {
    parts.folder = command[1].substr(std::string_view(kChangeFolder).size());
    command.erase(command.begin(), command.begin() + 2);
  }
  parts.command = std::move(command);
  return parts;
}

bool HasImages(const JobSpec& spec) {
  const std::vector<ReplicaId> replicas = GangReplicas(spec.training_input);
  return std::any_of(
      replicas.begin(), replicas.end(), [&](const ReplicaId& replica) {
        return !ImageOf(spec.training_input, replica.role).empty();
      });
}

std::string InPlaceFolder(const JobSpec& spec) {
  if (HasImages(spec)) return "";
  return SplitInPlace(spec.vernier.command.empty()
                          ? spec.training_input.master.config.container_command
                          : spec.vernier.command)
      .folder;
}

}  // namespace vernier
