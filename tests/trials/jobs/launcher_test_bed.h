#ifndef VERNIER_TESTS_TRIALS_JOBS_LAUNCHER_TEST_BED_H_
#define VERNIER_TESTS_TRIALS_JOBS_LAUNCHER_TEST_BED_H_

#include "trials/jobs/launcher.h"

namespace vernier {

/// What the conformance suite needs of a place to run launchers in. The suite
/// plays the orchestrator; the bed plays the training programs.
class LauncherTestBed {
 public:
  virtual ~LauncherTestBed() = default;

  /// Why this machine cannot run such a bed, in words; empty: it can.
  virtual std::string Unavailable() const { return ""; }
  virtual Launcher& launcher() = 0;
  /// As when the service is killed and started again: the old launcher is
  /// gone without a word, its gangs are not.
  virtual void RestartLauncher() = 0;

  /// A request for a gang of two that runs until it is told to end. `number`
  /// tells requests apart.
  virtual LaunchRequest MakeRequest(int number) = 0;
  /// Likewise, for a program that does not exist.
  virtual LaunchRequest MakeUnrunnable(int number) = 0;
  /// The master of the gang exits with `exit_code`.
  virtual void EndGang(const LaunchRequest& request, int exit_code) = 0;
  /// Whatever watches over the gang is killed and leaves no record.
  virtual void LoseGang(const LaunchRequest& request) = 0;
  /// How many masters have started for the request's nonce so far.
  virtual int CountStarts(const LaunchRequest& request) = 0;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_TRIALS_JOBS_LAUNCHER_TEST_BED_H_
