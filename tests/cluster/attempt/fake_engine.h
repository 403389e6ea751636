#ifndef VERNIER_TESTS_CLUSTER_ATTEMPT_FAKE_ENGINE_H_
#define VERNIER_TESTS_CLUSTER_ATTEMPT_FAKE_ENGINE_H_

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cluster/attempt/ended_observation.h"
#include "cluster/attempt/engine.h"
#include "cluster/attempt/engine_launcher.h"
#include "cluster/attempt/exit_record.h"
#include "tests/cluster/local_test_bed.h"
#include "tests/fakes/manual_clock.h"
#include "tests/support/scratch_folder.h"
#include "tests/trials/jobs/launcher_test_bed.h"

namespace vernier {

/// A cluster whose gangs are entries of a map, and which outlives launchers.
/// The test plays the training programs.
struct FakeCluster {
  enum class State { kQueued, kRunning, kEnded, kLost };
  struct Gang {
    State state = State::kQueued;
    std::string run_dir;
  };
  std::map<std::string, Gang> gangs;  ///< By nonce.
  std::set<std::string> revoked;      ///< Attempts' folders.
  std::set<std::string> refused;      ///< Nonces that it will not have.
  bool runs_at_once = true;
  bool obeys_end = true;  ///< A gang ends when it is asked to.
  absl::Status may_start;
  absl::Status mark_error;

  // What has happened.
  std::map<std::string, int> starts;  ///< By nonce.
  std::vector<std::chrono::milliseconds> asked_to_end;
  int ended_by_force = 0;
  int dropped = 0;
  int stranger_hunts = 0;
  std::function<void()> on_change;

  /// Ends a gang with the record that its program leaves.
  void End(const std::string& nonce, std::optional<int> exit_code,
           std::optional<int> signal, bool by_request) {
    Gang& gang = gangs.at(nonce);
    ExitRecord record;
    record.nonce = nonce;
    record.replicas = {{ReplicaRole::kMaster, 0}};
    record.ends = {{exit_code, signal}};
    record.deciding = 0;
    record.stopped_by_request = by_request;
    record.message = DescribeEnd(record);
    record.lasted = std::chrono::seconds(1);
    EXPECT_TRUE(WriteExitRecord(gang.run_dir, record).ok());
    gang.state = State::kEnded;
  }
};

class FakeGang final : public EngineGang {
 public:
  FakeGang(FakeCluster& cluster, std::string nonce)
      : cluster_(cluster), nonce_(std::move(nonce)) {}

  GangReport Look(const EngineAttempt& attempt, SteadyTime now) override {
    GangReport report;
    const auto state = cluster_.gangs.at(nonce_).state;
    report.runs = state != FakeCluster::State::kQueued;
    if (!report.runs) report.waits_for = "in the queue";
    report.end = RecordedEnd(attempt.identity);
    if (state == FakeCluster::State::kLost) {
      report.end.emplace().kind = AttemptObservation::Kind::kLost;
      report.end->lasted = attempt.LastedUntil(now);
    }
    return report;
  }
  void End(std::chrono::milliseconds grace) override {
    cluster_.asked_to_end.push_back(grace);
    if (!cluster_.obeys_end) return;
    cluster_.End(nonce_, std::nullopt, SIGTERM, /*by_request=*/true);
  }
  void EndByForce() override {
    ++cluster_.ended_by_force;
    cluster_.End(nonce_, std::nullopt, SIGKILL, /*by_request=*/true);
  }
  void Drop() override { ++cluster_.dropped; }

 private:
  FakeCluster& cluster_;
  const std::string nonce_;
};

class FakeEngine final : public Engine {
 public:
  explicit FakeEngine(FakeCluster& cluster) : cluster_(cluster) {}

  absl::Status MayStart() const override { return cluster_.may_start; }
  absl::StatusOr<bool> HasMark(const std::string& run_dir) const override {
    if (!cluster_.mark_error.ok()) return cluster_.mark_error;
    for (const auto& [nonce, gang] : cluster_.gangs) {
      if (gang.run_dir == run_dir) return true;
    }
    return cluster_.revoked.count(run_dir) > 0;
  }
  absl::StatusOr<StartedGang> Start(const LaunchRequest& request) override {
    if (cluster_.refused.count(request.nonce) > 0) {
      return StartedGang{nullptr, absl::InvalidArgumentError("no such queue")};
    }
    ++cluster_.starts[request.nonce];
    cluster_.gangs[request.nonce] = {cluster_.runs_at_once
                                         ? FakeCluster::State::kRunning
                                         : FakeCluster::State::kQueued,
                                     request.run_dir};
    StartedGang started;
    started.gang = std::make_unique<FakeGang>(cluster_, request.nonce);
    return started;
  }
  AdoptedGang Adopt(const EngineAttempt& attempt) override {
    AdoptedGang adopted;
    const auto found = cluster_.gangs.find(attempt.identity.nonce);
    if (found == cluster_.gangs.end()) {
      adopted.is_revoked = !attempt.has_ended;
      if (adopted.is_revoked) cluster_.revoked.insert(attempt.identity.run_dir);
      return adopted;
    }
    adopted.gang_ran = found->second.state != FakeCluster::State::kQueued;
    adopted.gang = std::make_unique<FakeGang>(cluster_, attempt.identity.nonce);
    return adopted;
  }
  void EndStrangers() override { ++cluster_.stranger_hunts; }

 private:
  FakeCluster& cluster_;
};

/// EngineLauncher on a cluster in memory, under a clock that stands still.
class FakeEngineBed final : public LauncherTestBed {
 public:
  static constexpr std::chrono::seconds kKillMargin{20};

  FakeEngineBed() { RestartLauncher(); }

  Launcher& launcher() override { return *launcher_; }
  FakeCluster& cluster() { return cluster_; }
  ManualClock& clock() { return clock_; }
  int changes() const { return changes_; }

  void RestartLauncher() override {
    launcher_.reset();
    EngineLauncher::Options options;
    options.kill_margin = kKillMargin;
    options.on_change = [this] { ++changes_; };
    auto launcher = EngineLauncher::Create(
        std::move(options),
        [this](std::function<void()> on_change) {
          cluster_.on_change = std::move(on_change);
          return std::make_unique<FakeEngine>(cluster_);
        },
        clock_);
    EXPECT_TRUE(launcher.ok()) << launcher.status();
    launcher_ = *std::move(launcher);
  }
  LaunchRequest MakeRequest(int number) override {
    const ParsedJob job = MakeJob("[\"program\"]", "\"scaleTier\":\"BASIC\"");
    LaunchRequest request;
    request.attempt = {StudyId{1}, TrialId{number}, 1};
    request.nonce = MakeNonce(dir_.path(), number);
    request.spec = std::make_shared<JobSpec>(job.spec);
    request.spec_json = job.json;
    request.run_dir = dir_ / ("run-" + std::to_string(number));
    return request;
  }
  LaunchRequest MakeUnrunnable(int number) override {
    const LaunchRequest request = MakeRequest(number);
    cluster_.refused.insert(request.nonce);
    return request;
  }
  void EndGang(const LaunchRequest& request, int exit_code) override {
    cluster_.End(request.nonce, exit_code, std::nullopt, /*by_request=*/false);
  }
  void LoseGang(const LaunchRequest& request) override {
    cluster_.gangs.at(request.nonce).state = FakeCluster::State::kLost;
  }
  int CountStarts(const LaunchRequest& request) override {
    return cluster_.starts[request.nonce];
  }

 private:
  const ScratchFolder dir_;
  ManualClock clock_;
  FakeCluster cluster_;
  int changes_ = 0;
  std::unique_ptr<Launcher> launcher_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_CLUSTER_ATTEMPT_FAKE_ENGINE_H_
