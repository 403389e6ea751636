#ifndef VERNIER_TESTS_TRIALS_JOBS_ORCHESTRATOR_BED_H_
#define VERNIER_TESTS_TRIALS_JOBS_ORCHESTRATOR_BED_H_

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/access/quota_store.h"
#include "tests/fakes/fake_launcher.h"
#include "tests/fakes/fake_metric_source.h"
#include "tests/fakes/manual_clock.h"
#include "tests/fakes/memory_store.h"
#include "trials/jobs/hindrances.h"
#include "trials/jobs/orchestrator.h"

namespace vernier {

/// An orchestrator over fakes; the test is its loop, and plays the training
/// programs and the user. Not thread-safe: one test's.
class OrchestratorBed {
 protected:
  explicit OrchestratorBed(std::vector<Device> devices = {})
      : launcher_(std::move(devices)) {}

  void Start(const QuotaStore* quotas = nullptr, Hindrances* waits = nullptr,
             const Orchestrator::Options& options = {}) {
    orchestrator_.reset();
    engines_.emplace(store_,
                     [this](const std::string& line) { log_.push_back(line); });
    orchestrator_.emplace(
        Orchestrator::Dependencies{
            store_, launcher_, metrics_, *engines_, clock_,
            [this] {
              char nonce[33];
              std::snprintf(nonce, sizeof nonce, "%032d", ++nonces_);
              return std::string(nonce);
            },
            [this](const std::string& line) { log_.push_back(line); }, quotas,
            waits},
        options);
  }
  /// Restarts the service: all memory but the store's is lost. It has no quotas
  /// then.
  void Restart() {
    orchestrator_.reset();
    launcher_.Restart();
    metrics_.Restart();
    Start();
  }
  /// Steps like the service, until there is nothing left to do at once.
  void Step(int times = 1) {
    for (int i = 0; i < times; ++i) {
      bool is_idle = false;
      for (int steps = 0; !is_idle; ++steps) {
        ASSERT_LT(steps, 10'000) << "there is always more to do at once";
        const auto wait = orchestrator_->Step();
        ASSERT_TRUE(wait.ok()) << wait.status();
        is_idle = wait->count() > 0;
      }
    }
  }

  /// Makes the job that the functions below are about.
  void Submit(JobSpec spec) {
    NewJob job;
    job.spec = std::make_shared<const JobSpec>(std::move(spec));
    job.seed = 3;
    job.run_root = "/run";
    const auto study = store_.CreateJob(job, clock_.Now());
    ASSERT_TRUE(study.ok()) << study.status();
    study_ = *study;
  }
  std::shared_ptr<const StudySnapshot> Study() {
    return store_.Snapshot()->at(study_);
  }
  TrialRecord Trial(std::int64_t id) {
    return Study()->trials.Get(TrialId{id});
  }
  AttemptKey Key(std::int64_t trial, int attempt = 1) const {
    return {study_, TrialId{trial}, attempt};
  }

  MemoryStore store_;
  FakeLauncher launcher_;
  FakeMetricSource metrics_;
  ManualClock clock_;
  std::optional<StudyEngines> engines_;
  std::optional<Orchestrator> orchestrator_;
  std::vector<std::string> log_;
  StudyId study_{};
  int nonces_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_TRIALS_JOBS_ORCHESTRATOR_BED_H_
