#ifndef VERNIER_CLUSTER_CONTAINERS_REPLICA_CONTAINERS_H_
#define VERNIER_CLUSTER_CONTAINERS_REPLICA_CONTAINERS_H_

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cluster/containers/container_engine.h"
#include "cluster/containers/container_spec.h"
#include "cluster/containers/engine_command.h"
#include "cluster/process/process_gang.h"

namespace vernier {

/// The containers of one gang. Each is made first, then started by a program of
/// its own that stays attached (StartProgram), which the supervisor runs and
/// watches like any replica. What cannot be done by signals to that program is
/// done here by the engine. Not thread-safe: the supervisor owns it.
class ReplicaContainers {
 public:
  /// `specs` is parallel to the gang's replicas; nullopt: a process.
  /// `environment` is EngineEnvironment's.
  ReplicaContainers(ContainerEngine engine, Environment environment,
                    std::string attempt_dir,
                    std::vector<std::optional<ContainerSpec>> specs);

  bool Has(std::size_t position) const;

  /// What starts the container at `position` and has its output and status.
  ReplicaProgram StartProgram(std::size_t position, ReplicaId replica) const;

  /// Records the containers in the attempt's folder and makes them all. After
  /// an error, Remove must still be called. FAILED_PRECONDITION if the engine
  /// refuses one.
  absl::Status Create();

  /// Asks for the end of a container by SIGTERM, once, as soon as its init can
  /// pass that on. Returns at once; the supervisor hands the ends of its
  /// children to TakeChild and calls RepeatRequests now and then.
  void RequestEnd(std::size_t position);
  /// Looks again at those that could not be asked yet.
  void RepeatRequests();
  /// Returns whether `pid`, which has ended, was one of its own children.
  bool TakeChild(pid_t pid, bool has_succeeded);

  /// What the engine says about a container whose program has ended; nullopt if
  /// it says nothing.
  std::optional<ContainerState> Inspect(std::size_t position) const;

  /// Kills and removes all of them. OK if there are none. May be repeated.
  absl::Status Remove() const;

 private:
  absl::Status CreateOne(const ContainerSpec& spec) const;
  std::vector<std::string> Names() const;

  const ContainerEngine engine_;
  const Environment environment_;
  const std::string attempt_dir_;
  const std::vector<std::optional<ContainerSpec>> specs_;
  struct Request {
    std::optional<ProcessGang> process;  // Unset: to be begun again.
    bool is_look = true;                 // The process asks for the state.
    int early_looks = 0;                 // Which found the init still starting.
  };
  void Begin(Request& request, std::size_t position);
  bool CanBeAsked(Request& request) const;

  std::map<std::size_t, Request> requests_;  // By position, until one is heard.
};

/// Removes the containers of a record: runs the engine to its end. OK if none
/// is left.
absl::Status RemoveContainers(const ContainerEngine& engine,
                              const std::vector<std::string>& names,
                              const Environment& environment);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_REPLICA_CONTAINERS_H_
