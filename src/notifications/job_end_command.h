#ifndef VERNIER_NOTIFICATIONS_JOB_END_COMMAND_H_
#define VERNIER_NOTIFICATIONS_JOB_END_COMMAND_H_

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/wake_event.h"
#include "cluster/trial_environment.h"
#include "notifications/receiver.h"

namespace vernier {

/// Runs a program for each notice, as the service's user: the notice is its
/// standard input, and the most important facts are in its environment. No
/// shell reads any of it. Exit code 0 means that the notice was taken.
class JobEndCommand final : public Receiver {
 public:
  static constexpr std::chrono::milliseconds kTimeLimit{60000};

  /// `program` is an absolute path. `environment` is complete except for the
  /// facts of the notice. INVALID_ARGUMENT if it is not a program that can be
  /// run.
  static absl::StatusOr<std::unique_ptr<JobEndCommand>> Create(
      std::string program, Environment environment,
      std::chrono::milliseconds time_limit = kTimeLimit);

  Answer Deliver(const JobEndNotice& notice) override;
  void Stop() override;
  std::string name() const override { return "command " + program_; }
  std::string kind() const override { return "command"; }
  std::string key() const override { return "command"; }
  int most_attempts() const override { return 5; }

 private:
  JobEndCommand(std::string program, Environment environment,
                std::chrono::milliseconds time_limit)
      : program_(std::move(program)),
        environment_(std::move(environment)),
        time_limit_(time_limit) {}

  const std::string program_;
  const Environment environment_;
  const std::chrono::milliseconds time_limit_;
  const WakeEvent stop_;
};

/// Returns the variables with the facts of a notice: VERNIER_JOB and so on;
/// docs/notifications.md lists them. Pure.
Environment FactsOf(const JobEndNotice& notice);

}  // namespace vernier

#endif  // VERNIER_NOTIFICATIONS_JOB_END_COMMAND_H_
