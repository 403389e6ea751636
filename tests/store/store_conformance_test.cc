// Which implementations the conformance suite runs for, and what holds for all
// methods together.

#include "tests/store/store_conformance.h"

#include <filesystem>
#include <thread>

#include "store/sqlite/sqlite_store.h"
#include "tests/fakes/memory_store.h"
#include "tests/store/checked_store.h"
#include "tests/store/temporary_folder.h"

namespace vernier {
namespace {

using absl::StatusCode;

class MemoryUnderTest final : public StoreUnderTest {
 public:
  Store& store() override { return store_; }

 private:
  MemoryStore store_;
};

class SqliteUnderTest final : public StoreUnderTest {
 public:
  SqliteUnderTest() : store_(SqliteStore::Open(folder_.database()).value()) {}
  Store& store() override { return *store_; }

  // Each test ends with a reopening and the independent checker.
  absl::Status Finish() override {
    const std::string before = SnapshotText::Of(*store_->Snapshot());
    store_.reset();
    const absl::Status checked = CheckStore(folder_.database());
    if (!checked.ok()) return checked;
    absl::StatusOr<std::unique_ptr<SqliteStore>> reopened =
        SqliteStore::Open(folder_.database());
    if (!reopened.ok()) return reopened.status();
    EXPECT_EQ(SnapshotText::Of(*(*reopened)->Snapshot()), before);
    return absl::OkStatus();
  }

 private:
  TemporaryFolder folder_;
  std::unique_ptr<SqliteStore> store_;
};

}  // namespace

std::vector<StoreKind> AllStoreKinds() {
  return {{"Memory", [] { return std::make_unique<MemoryUnderTest>(); }},
          {"Sqlite", [] { return std::make_unique<SqliteUnderTest>(); }}};
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreConformanceTest,
                         testing::ValuesIn(AllStoreKinds()), NameOfKind);

TEST_P(StoreConformanceTest, IsEmptyAtFirst) {
  EXPECT_TRUE(store().Snapshot()->empty());
  EXPECT_EQ(store().LastEvent(), EventSequence{0});
  EXPECT_TRUE(Events().empty());
  EXPECT_TRUE(store().Health().ok());
}

TEST_P(StoreConformanceTest, CommitsNothingAtAll) {
  EXPECT_TRUE(store().Commit({}, At(1)).ok());
}

TEST_P(StoreConformanceTest, FindsNoUnknownStudy) {
  AddRunningJob();
  const StudyId study{99};
  const AttemptKey key{study, TrialId{1}, 1};
  const std::vector<Change> changes = {
      CreateTrials{study, {MakeTrial(0)}},
      QueuePoints{study, {{{"rate", 0.5}}}},
      Launch(key),
      ObserveAttempt{key, AttemptEvent::kRun},
      WantKill{key, TrialEndCause::kCancelled},
      Exit(key),
      Complete(study, TrialId{1}, 1),
      MoveJob{study, JobEvent::kRun, ""},
      SetJobWanted{study, JobWanted::kPause, WantedCause::kUser, ""},
      UpdateLabels{study, {}, std::nullopt},
      ProposePoints{study, "me", {}},
      WriteNote{study, ""},
      ExtendJob{study, 10},
      Revise(study, 1, {}),
      RestartOutdated{study},
      CheckpointJob{study, {}, {}},
      CountFailures{study, 0, 0},
      AddMeasurements{key, {Report(1, 1)}},
      DeleteJob{study},
      MoveStudy{study, StudyState::kInactive, ""},
      AssignTrial{study, TrialId{1}, "c"},
      DeleteTrial{study, TrialId{1}},
      UpdateMetadata{study, {}},
      ReviseStudy{study, 1, nullptr, "", ""},
      GrowStudySpec{study},
      SetTrialParameter{study, TrialId{1}, {"x", 0.5}},
      RecordOperation{study, 1, "c", {}},
      DeleteStudy{study}};
  ASSERT_EQ(changes.size(), std::variant_size_v<StudyChange> +
                                std::variant_size_v<JobChange> +
                                std::variant_size_v<ClientChange>);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    SCOPED_TRACE(i);
    Refuses(StatusCode::kNotFound, {changes[i]});
  }
}

TEST_P(StoreConformanceTest, FindsNoUnknownTrialOrAttempt) {
  const StudyId study = AddRunningJob();
  for (const AttemptKey& key :
       {AttemptKey{study, TrialId{2}, 1}, AttemptKey{study, TrialId{0}, 1},
        AttemptKey{study, TrialId{-1}, 1}}) {
    Refuses(StatusCode::kNotFound, {Launch(key)});
    Refuses(StatusCode::kNotFound, {Complete(study, key.trial, 1)});
    Refuses(StatusCode::kNotFound, {AddMeasurements{key, {Report(1, 1)}}});
  }
  for (const int number : {2, 0, -1}) {
    const AttemptKey key{study, TrialId{1}, number};
    Refuses(StatusCode::kNotFound, {Exit(key)});
    Refuses(StatusCode::kNotFound, {ObserveAttempt{key, AttemptEvent::kRun}});
    Refuses(StatusCode::kNotFound, {WantKill{key, TrialEndCause::kCancelled}});
    Refuses(StatusCode::kNotFound, {AddMeasurements{key, {Report(1, 1)}}});
  }
}

TEST_P(StoreConformanceTest, KeepsNothingOfACommitThatIsRefused) {
  const StudyId study = AddRunningJob(2, {.max_parallel_trials = 2});
  const AttemptKey first{study, TrialId{1}, 1};
  const AttemptKey second{study, TrialId{2}, 1};
  // The last change passes the cap: everything before it must go, too.
  Refuses(
      StatusCode::kFailedPrecondition,
      {CreateTrials{study, {MakeTrial(0.5)}},
       SetJobWanted{study, JobWanted::kRun, WantedCause::kUser, "again"},
       UpdateLabels{study, {{"a", "b"}}, std::nullopt}, ExtendJob{study, 50},
       AddMeasurements{first, {Report(1, 2.5), Report(2, 3, "new metric")}},
       WantKill{first, TrialEndCause::kCancelled}, Launch(second, {"gpu-0"}),
       Launch({study, TrialId{3}, 1})});
  EXPECT_TRUE(
      store().ListMeasurements(study, TrialId{1}, "", 10).value().empty());

  // What was taken back is free again.
  MustCommit({AddMeasurements{first, {Report(1, 7, "new metric")}}, Exit(first),
              Launch(second, {"gpu-0"})});

  // A lease that was released in a refused commit is held again.
  Refuses(StatusCode::kFailedPrecondition, {Exit(second), ExtendJob{study, 1}});
  Refuses(StatusCode::kResourceExhausted,
          {Launch({study, TrialId{1}, 2}, {"gpu-0"})});
}

TEST_P(StoreConformanceTest, CommitsManyChangesInOrder) {
  const StudyId study = AddJob();
  const AttemptKey key{study, TrialId{1}, 1};
  const AttemptKey retry{study, TrialId{1}, 2};
  MustCommit({CreateTrials{study, {MakeTrial(0.5)}},
              MoveJob{study, JobEvent::kPrepare, ""}, Launch(key, {"gpu-0"}),
              ObserveAttempt{key, AttemptEvent::kLaunch},
              ObserveAttempt{key, AttemptEvent::kRun},
              MoveJob{study, JobEvent::kRun, ""},
              AddMeasurements{key, {Report(1, 0.25)}}, Exit(key, 1),
              Launch(retry, {"gpu-0"}), Exit(retry),
              Complete(study, TrialId{1}, 0.25),
              MoveJob{study, JobEvent::kSucceed, ""}});
  EXPECT_EQ(EventKinds(),
            "job.created trial.created job.preparing trial.active "
            "attempt.intended attempt.launching attempt.running job.running "
            "attempt.exited attempt.intended attempt.exited trial.completed "
            "job.succeeded ");
  EXPECT_EQ(Study(study).live_attempts, 0);
  EXPECT_TRUE(Study(study).open.empty());
}

TEST_P(StoreConformanceTest, NumbersEventsDensely) {
  const StudyId first = AddRunningJob(2);
  const StudyId second = AddRunningJob(1, {.job_id = "other"});
  const std::vector<Event> all = Events();
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(ToInt(all[i].sequence), static_cast<std::int64_t>(i) + 1);
  }
  EXPECT_EQ(store().LastEvent(), all.back().sequence);
  EXPECT_EQ(Study(second).last_event, all.back().sequence);
  EXPECT_LT(Study(first).last_event, all.back().sequence);
}

TEST_P(StoreConformanceTest, ListsEventsByStudyPositionAndLimit) {
  AddRunningJob(2);
  const StudyId second = AddRunningJob(1, {.job_id = "other"});
  const std::vector<Event> of_second =
      store().ListEvents(EventSequence{0}, second, 100).value();
  ASSERT_FALSE(of_second.empty());
  for (const Event& event : of_second) EXPECT_EQ(event.study, second);

  const std::vector<Event> page =
      store().ListEvents(EventSequence{2}, std::nullopt, 2).value();
  ASSERT_EQ(page.size(), 2u);
  EXPECT_EQ(page[0].sequence, EventSequence{3});
  EXPECT_TRUE(
      store().ListEvents(store().LastEvent(), std::nullopt, 5).value().empty());
}

TEST_P(StoreConformanceTest, LeavesTakenSnapshotsAlone) {
  const StudyId study = AddRunningJob();
  const std::shared_ptr<const StoreSnapshot> taken = store().Snapshot();
  const std::string before = SnapshotText::Of(*taken);
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit({AddMeasurements{key, {Report(1, 2)}}, Exit(key),
              Complete(study, TrialId{1}, 2),
              MoveJob{study, JobEvent::kRun, ""},
              MoveJob{study, JobEvent::kSucceed, ""}});
  AddJob({.job_id = "other"});
  MustCommit({DeleteJob{study}});
  EXPECT_EQ(SnapshotText::Of(*taken), before);
}

TEST_P(StoreConformanceTest, SharesASnapshotUntilSomethingChanges) {
  AddJob();
  EXPECT_EQ(store().Snapshot(), store().Snapshot());
}

TEST_P(StoreConformanceTest, ServesManyThreads) {
  constexpr int kThreads = 16;
  constexpr int kReports = 40;
  const StudyId study =
      AddJob({.max_trials = kThreads, .max_parallel_trials = kThreads});
  AddTrials(study, kThreads);
  std::vector<std::thread> threads;
  for (int i = 1; i <= kThreads; ++i) {
    threads.emplace_back([this, study, i] {
      const AttemptKey key{study, TrialId{i}, 1};
      EXPECT_TRUE(store().Commit({Launch(key)}, At(2)).ok());
      for (int step = 1; step <= kReports; ++step) {
        EXPECT_TRUE(
            store()
                .Commit({AddMeasurements{key, {Report(step, step)}}}, At(3))
                .ok());
        // One's own write is in the next snapshot.
        const auto seen = store().Snapshot();
        EXPECT_EQ(seen->at(study)->trials.Get(key.trial).objective.last->step,
                  step);
      }
      // Every thread wants this job id; one may have it.
      (void)store().CreateJob(MakeJob({.job_id = "contended"}), At(4));
      EXPECT_TRUE(store().Commit({Exit(key)}, At(5)).ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store().Snapshot()->size(), 2u);
  EXPECT_EQ(Study(study).live_attempts, 0);
  for (int i = 1; i <= kThreads; ++i) {
    EXPECT_EQ(Trial(study, i).objective.finite_count, kReports);
    EXPECT_EQ(
        store().ListMeasurements(study, TrialId{i}, "", 1000).value().size(),
        static_cast<std::size_t>(kReports));
  }
}

}  // namespace vernier
