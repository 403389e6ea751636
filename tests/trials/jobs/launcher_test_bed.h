#ifndef VERNIER_TESTS_TRIALS_JOBS_LAUNCHER_TEST_BED_H_
#define VERNIER_TESTS_TRIALS_JOBS_LAUNCHER_TEST_BED_H_

#include "trials/jobs/launcher.h"

namespace vernier {

/// An environment in which the conformance suite runs launchers. The suite
/// plays the orchestrator; the bed plays the training programs.
class LauncherTestBed {
 public:
  virtual ~LauncherTestBed() = default;

  /// Says why this machine cannot run such a bed; empty if it can.
  virtual std::string Unavailable() const { return ""; }
  virtual Launcher& launcher() = 0;
  /// Does what happens when the service is killed and started again: the old
  /// launcher is gone without notice, but its gangs are not.
  virtual void RestartLauncher() = 0;

  /// Returns a request for a gang of two that runs until it is asked to end.
  /// `number` distinguishes requests.
  virtual LaunchRequest MakeRequest(int number) = 0;
  /// Returns a request for a program that does not exist.
  virtual LaunchRequest MakeUnrunnable(int number) = 0;
  /// Makes the master of the gang exit with `exit_code`.
  virtual void EndGang(const LaunchRequest& request, int exit_code) = 0;
  /// Kills whatever watches over the gang, so that it leaves no record.
  virtual void LoseGang(const LaunchRequest& request) = 0;
  /// Returns how many masters have started for the request's nonce so far.
  virtual int CountStarts(const LaunchRequest& request) = 0;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_TRIALS_JOBS_LAUNCHER_TEST_BED_H_
