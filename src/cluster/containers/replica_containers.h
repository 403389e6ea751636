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

/// The containers of one gang. Each is made first, then started by a program
/// that stays attached to it (StartProgram), which the supervisor runs and
/// watches like any replica. This class does through the engine what cannot be
/// done by signals to that program. Not thread-safe: the supervisor owns it.
class ReplicaContainers {
 public:
  /// `specs` is parallel to the gang's replicas; nullopt stands for a replica
  /// that runs as a process. `environment` is EngineEnvironment's.
  ReplicaContainers(ContainerEngine engine, Environment environment,
                    std::string attempt_dir,
                    std::vector<std::optional<ContainerSpec>> specs);

  bool Has(std::size_t position) const;

  /// Returns the program that starts the container at `position`, forwards its
  /// output and ends with its status.
  ReplicaProgram StartProgram(std::size_t position, ReplicaId replica) const;

  /// Records the containers in the attempt's folder and makes them all. After
  /// an error, Remove must still be called. FAILED_PRECONDITION if the engine
  /// refuses one.
  absl::Status Create();

  /// Ends a container by SIGTERM, once, as soon as its init can forward that.
  /// Returns at once. The supervisor must pass the ends of its children to
  /// TakeChild and call RepeatRequests now and then.
  void RequestEnd(std::size_t position);
  /// Polls the containers again that could not be sent the signal yet.
  void RepeatRequests();
  /// Returns whether `pid`, which has ended, was one of this object's own
  /// children.
  bool TakeChild(pid_t pid, bool has_succeeded);

  /// Returns the engine's state of a container whose program has ended; nullopt
  /// if the engine does not answer.
  std::optional<ContainerState> Inspect(std::size_t position) const;

  /// Kills and removes all containers. OK if there are none. May be repeated.
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

/// Removes the containers of a record and waits for the engine's command. OK if
/// none is left.
absl::Status RemoveContainers(const ContainerEngine& engine,
                              const std::vector<std::string>& names,
                              const Environment& environment);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_REPLICA_CONTAINERS_H_
