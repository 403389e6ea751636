#ifndef VERNIER_CLUSTER_ATTEMPT_ENGINE_H_
#define VERNIER_CLUSTER_ATTEMPT_ENGINE_H_

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// What is known of an attempt apart from its engine's own view.
struct EngineAttempt {
  LiveAttempt identity;
  bool has_ended = false;  ///< An exit record was found at its adoption.
  bool is_killed = false;  ///< Its end was asked for, by any process.
  bool gang_ran = false;   ///< All its programs were seen running.
  SteadyTime started{};    ///< When that was first seen.

  /// Returns 0 if the gang has not run.
  std::chrono::microseconds LastedUntil(SteadyTime now) const {
    return gang_ran ? now - started : std::chrono::microseconds(0);
  }
};

/// What a look at a gang has found.
struct GangReport {
  bool runs = false;  ///< All its programs run, or have run.
  /// If the attempt is over, how, without `attempt`. The engine must find the
  /// same again after a restart: by an exit record, or by its own view.
  std::optional<AttemptObservation> end;
  /// What its start waits for, as NoteLaunchPhase takes it; unset if there is
  /// nothing new to say.
  std::optional<std::string> waits_for;
};

/// The gang of one attempt in its engine. No method waits for the engine. Its
/// destructor changes nothing there, since gangs outlive the service. Not
/// thread-safe: owned by an EngineLauncher.
class EngineGang {
 public:
  virtual ~EngineGang() = default;

  /// Concludes from the engine's view and the attempt's files what has become
  /// of the gang. Not called again after it has reported an end.
  virtual GangReport Look(const EngineAttempt& attempt, SteadyTime now) = 0;

  /// Asks all programs to end: SIGTERM now, SIGKILL after `grace`. A gang that
  /// has not started must not start any more. Called once.
  virtual void End(std::chrono::milliseconds grace) = 0;

  /// Ends a gang that has not ended in time after End. Called at each look from
  /// then on. An engine that sees to this by itself does nothing.
  virtual void EndByForce() {}

  /// Forgets the gang, whose end is stored, and removes what the engine still
  /// has of it. The last call.
  virtual void Drop() = 0;
};

/// The outcome of Engine::Start: a gang, or the reason why this attempt would
/// fail at each try.
struct StartedGang {
  std::unique_ptr<EngineGang> gang;
  absl::Status refusal;
};

/// The outcome of Engine::Adopt.
struct AdoptedGang {
  /// Null if there is nothing to look at: never again if the attempt has ended
  /// or is revoked, otherwise not before the next restart.
  std::unique_ptr<EngineGang> gang;
  bool is_revoked = false;  ///< It has not started and never will.
  bool gang_ran = false;
};

/// Something that runs gangs elsewhere, such as a cluster's scheduler. It knows
/// how to start, find and end a gang; EngineLauncher keeps the attempts. An
/// engine leaves a durable mark in an attempt's folder before it asks for
/// anything that could start the gang, so that a later process of the service
/// knows whether it may have started. Not thread-safe: owned by an
/// EngineLauncher.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Returns why nothing can be started now; UNAVAILABLE.
  virtual absl::Status MayStart() const { return absl::OkStatus(); }

  /// Returns whether the attempt was begun or revoked. Any error means that
  /// this cannot be determined now.
  virtual absl::StatusOr<bool> HasMark(const std::string& run_dir) const = 0;

  /// Starts the gang of an attempt without a mark, for which PrepareLaunch has
  /// succeeded. Any error asks for another try later.
  virtual absl::StatusOr<StartedGang> Start(const LaunchRequest& request) = 0;

  /// Takes over an attempt of an earlier process of the service, or revokes it
  /// if nothing can have started it.
  virtual AdoptedGang Adopt(const EngineAttempt& attempt) = 0;

  /// Declares that all gangs that should be alive are known from now on. The
  /// others of this service, which belong to no attempt, are ended after a
  /// while.
  virtual void EndStrangers() = 0;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_ATTEMPT_ENGINE_H_
