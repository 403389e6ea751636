#include "trials/jobs/preemption.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

/// Jobs with a number, a priority, and trials that run on GPUs.
class PreemptionTest : public testing::Test {
 protected:
  StudySnapshot& Job(std::int64_t id, int priority, bool is_preemptible) {
    JobSpec spec = TuningSpec(10, 10);
    spec.training_input.priority = priority;
    spec.vernier.is_preemptible = is_preemptible;
    spec.vernier.gpus_per_replica = 1;
    StudySnapshot study = StudyBuilder(spec).Build();
    study.id = StudyId{id};
    jobs_[id] = std::make_shared<StudySnapshot>(study);
    return *jobs_[id];
  }
  /// A trial that started at `second` with so many GPUs.
  TrialRecord& Running(StudySnapshot& job, int second, std::size_t gpus) {
    auto trial = std::make_shared<TrialRecord>();
    trial->id = TrialId{static_cast<std::int64_t>(job.trials.size()) + 1};
    trial->state = TrialState::kActive;
    AttemptRecord attempt = StudyBuilder::Attempt(1, AttemptState::kRunning);
    attempt.intended_at = Timestamp(std::chrono::seconds(second));
    for (std::size_t i = 0; i < gpus; ++i) {
      attempt.devices.push_back("GPU-" + std::to_string(next_gpu_++));
    }
    trial->attempts = {attempt};
    ++job.live_attempts;
    job.open.push_back(trial->id);
    job.trials.Put(trial);
    trials_.push_back(trial);
    return *trial;
  }
  /// What is preempted for job `id`, as "job/trial job/trial".
  std::string Chosen(std::int64_t id, RoomLack lack) {
    StoreSnapshot snapshot;
    for (const auto& [number, job] : jobs_) {
      snapshot[StudyId{number}] = job;
    }
    std::string text;
    for (const AttemptKey& key :
         ChoosePreemptions(snapshot, JobOf(*jobs_.at(id)), lack)) {
      if (!text.empty()) text += " ";
      text += std::to_string(ToInt(key.study)) + "/" +
              std::to_string(ToInt(key.trial));
    }
    return text;
  }

  std::map<std::int64_t, std::shared_ptr<StudySnapshot>> jobs_;
  std::vector<std::shared_ptr<TrialRecord>> trials_;
  int next_gpu_ = 0;
};

TEST_F(PreemptionTest, TheLowestPriorityAndTheNewestTrialComeFirst) {
  Job(1, 9, false);
  StudySnapshot& low = Job(2, 1, true);
  Running(low, 10, 1);
  Running(low, 20, 1);
  Running(Job(3, 5, true), 30, 1);
  EXPECT_EQ(Chosen(1, {1, 0, 1}), "2/2");
  EXPECT_EQ(Chosen(1, {1, 0, 3}), "2/2 2/1 3/1");
}

TEST_F(PreemptionTest, NobodyElseIsTouched) {
  Job(1, 5, true);
  Running(Job(2, 1, false), 10, 4);  // Did not agree.
  Running(Job(3, 5, true), 10, 4);   // Is as important.
  Running(Job(4, 9, true), 10, 4);   // Is more important.
  EXPECT_EQ(Chosen(1, {1, 0, 1}), "");
}

TEST_F(PreemptionTest, NothingIsEndedInVain) {
  Job(1, 5, false);
  StudySnapshot& low = Job(2, 1, true);
  Running(low, 10, 2);
  EXPECT_EQ(Chosen(1, {3, 0, 1}), "");
  // Of what does not help, nothing.
  Running(low, 20, 0);
  EXPECT_EQ(Chosen(1, {2, 0, 1}), "2/1");
  EXPECT_EQ(Chosen(1, {0, 1, 1}), "2/2");
}

TEST_F(PreemptionTest, RoomIsMadeForAsManyTrialsAsWouldStart) {
  StudySnapshot& high = Job(1, 9, false);
  JobSpec spec = *JobRunOf(high).spec;
  spec.vernier.gpus_per_replica = 2;
  JobRunOf(high).spec = std::make_shared<const JobSpec>(spec);
  StudySnapshot& low = Job(2, 1, true);
  for (int second = 1; second <= 5; ++second) Running(low, second, 1);
  EXPECT_EQ(Chosen(1, {1, 0, 1}), "2/5");
  EXPECT_EQ(Chosen(1, {1, 0, 2}), "2/5 2/4 2/3");
  // The third would need six.
  EXPECT_EQ(Chosen(1, {2, 0, 3}), "2/5 2/4 2/3 2/2");
}

TEST_F(PreemptionTest, WhatEndsAlreadyCounts) {
  Job(1, 5, false);
  StudySnapshot& low = Job(2, 1, true);
  Running(low, 10, 1);
  Running(low, 20, 1).attempts.back().kill_wanted = true;
  EXPECT_EQ(Chosen(1, {1, 0, 1}), "");
  EXPECT_EQ(Chosen(1, {2, 0, 1}), "2/1");
}

}  // namespace
}  // namespace vernier
