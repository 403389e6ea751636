// Random histories: SqliteStore and MemoryStore must answer alike and end up
// alike, and a reopened database must be as it was before.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "store/sqlite/sqlite_store.h"
#include "tests/fakes/memory_store.h"
#include "tests/store/checked_store.h"
#include "tests/store/client_fixture.h"
#include "tests/store/job_fixture.h"
#include "tests/store/snapshot_text.h"
#include "tests/store/temporary_folder.h"

namespace vernier {
namespace {

constexpr int kSteps = 40;

template <typename T>
T Pick(std::initializer_list<T> choices) {
  return *rc::gen::elementOf(std::vector<T>(choices));
}

int PickInt(int low, int high) { return *rc::gen::inRange(low, high + 1); }

// Mostly ids that exist, sometimes the next one.
StudyId PickStudy() { return StudyId{PickInt(1, 3)}; }
TrialId PickTrial() { return TrialId{PickInt(1, 4)}; }
AttemptKey PickAttempt() { return {PickStudy(), PickTrial(), PickInt(1, 2)}; }

TrialEndCause PickCause() {
  return Pick({TrialEndCause::kNone, TrialEndCause::kSuccess,
               TrialEndCause::kUserError, TrialEndCause::kCancelled,
               TrialEndCause::kStoppedEarly});
}

double PickValue() {
  return Pick({1.5, -0.0, 0.1, 1e300, std::nan(""),
               std::numeric_limits<double>::infinity()});
}

// An attempt and its trial from launch to end, so that histories get far.
Change PickAttemptChange() {
  const AttemptKey key = PickAttempt();
  switch (PickInt(0, 5)) {
    case 0:
    case 1:
      return Launch(key, Pick<std::vector<DeviceId>>(
                             {{}, {"gpu-0"}, {"gpu-0", "gpu-1"}, {"gpu-1"}}));
    case 2:
      return ObserveAttempt{key,
                            Pick({AttemptEvent::kLaunch, AttemptEvent::kRun})};
    case 3:
      return WantKill{key, PickCause()};
    case 4: {
      EndAttempt end = Exit(key, PickInt(0, 1));
      end.event =
          Pick({AttemptEvent::kExit, AttemptEvent::kKill, AttemptEvent::kLose});
      return end;
    }
    default:
      return AddMeasurements{
          key,
          {Report(PickInt(1, 3), PickValue(), Pick<std::string>({"loss", "b"})),
           Report(PickInt(1, 3), PickValue())}};
  }
}

Change PickTrialChange() {
  if (PickInt(0, 3) == 0) {
    return QueuePoints{
        PickStudy(),
        std::vector<Parameters>(static_cast<std::size_t>(PickInt(1, 2)),
                                {{"rate", Pick({0.25, 0.5, std::nan("")})}}),
        Pick<std::string>({"", "", "r1", "r3"})};
  }
  if (PickInt(0, 5) == 0) {
    return ProposePoints{
        PickStudy(), Pick<std::string>({"me", "you", ""}),
        std::vector<Parameters>(static_cast<std::size_t>(PickInt(1, 2)),
                                {{"rate", Pick({0.25, 0.5, std::nan("")})}}),
        Pick<std::string>({"", "", "r1", "r6"})};
  }
  if (PickInt(0, 1) == 0) {
    return CreateTrials{
        PickStudy(),
        std::vector<NewTrial>(static_cast<std::size_t>(PickInt(1, 2)),
                              MakeTrialByHand(Pick({0.25, 0.5})))};
  }
  if (PickInt(0, 1) == 0) {
    return CreateTrials{
        PickStudy(),
        std::vector<NewTrial>(static_cast<std::size_t>(PickInt(0, 2)),
                              MakeTrial(0.5))};
  }
  MoveTrial move =
      Move(PickStudy(), PickTrial(),
           Pick({TrialEvent::kRequestStop, TrialEvent::kConfirmStop,
                 TrialEvent::kReportFinal, TrialEvent::kReportInfeasible,
                 TrialEvent::kGiveUp}),
           PickCause());
  if (PickInt(0, 2) > 0) move.final_measurement = FinalMeasurement{1, 0.5};
  return move;
}

Change PickJobChange() {
  const StudyId study = PickStudy();
  switch (PickInt(0, 10)) {
    case 8: {
      const int max_trials = PickInt(2, 6);
      ReviseJob revise = Revise(
          study, PickInt(1, 2),
          {.job_id = Pick<std::string>({"a", "b", "job"}),
           .max_trials = max_trials,
           .max_parallel_trials = PickInt(1, std::min(3, max_trials)),
           .goal = Pick({Goal::kMaximize, Goal::kMaximize, Goal::kMinimize}),
           .request_id = Pick<std::string>({"", "", "r1", "r4"})});
      revise.made_up_trials = PickInt(0, 1);
      return revise;
    }
    case 9:
      return RestartOutdated{study};
    case 0:
    case 1:
      return MoveJob{
          study,
          Pick({JobEvent::kPrepare, JobEvent::kRun, JobEvent::kSucceed,
                JobEvent::kFail, JobEvent::kRequestCancel,
                JobEvent::kConfirmCancel, JobEvent::kReopen}),
          Pick<std::string>({"", "broke"})};
    case 2:
      return SetJobWanted{
          study, Pick({JobWanted::kRun, JobWanted::kRun, JobWanted::kPause}),
          Pick({WantedCause::kUser, WantedCause::kFailures}), "reason"};
    case 3:
      return UpdateLabels{study,
                          {{"n", std::to_string(PickInt(1, 3))}},
                          Pick<std::optional<std::int64_t>>({std::nullopt, 2})};
    case 10:
      return WriteNote{study, Pick<std::string>({"", "seen", "to do"})};
    case 4:
      return ExtendJob{study, PickInt(3, 6),
                       Pick<std::optional<int>>({std::nullopt, 0, 1})};
    case 5:
      return CheckpointJob{study, std::chrono::microseconds(PickInt(0, 9)),
                           std::chrono::microseconds(PickInt(0, 9))};
    case 6:
      return CountFailures{study, PickInt(0, 3), PickInt(0, 3)};
    default:
      return DeleteJob{study};
  }
}

// What clients do to a study of theirs, mostly 2.
Change PickClientChange() {
  const StudyId study{PickInt(0, 4) == 0 ? 1 : 2};
  switch (PickInt(0, 9)) {
    case 9: {
      StudySpec spec = *MakeClientStudy({.metrics = 2}).spec;
      spec.parameters[0].max_value = PickInt(1, 2);
      return ReviseStudy{study,
                         PickInt(1, 2),
                         std::make_shared<const StudySpec>(std::move(spec)),
                         "range",
                         Pick<std::string>({"", "{}"}),
                         Pick<std::string>({"", "r5"}),
                         7};
    }
    case 0:
      return MoveStudy{study,
                       Pick({StudyState::kActive, StudyState::kActive,
                             StudyState::kInactive, StudyState::kCompleted}),
                       "reason"};
    case 1:
      return DeleteTrial{study, PickTrial()};
    case 2:
      return UpdateMetadata{
          study,
          {{Pick<std::optional<TrialId>>({std::nullopt, TrialId{1}}),
            {Pick<std::string>({"", ":a"}), "k"},
            {Pick({true, false}), Pick<std::string>({"", "v"})}}}};
    case 3:
      return RecordOperation{
          study, PickInt(1, 3), Pick<std::string>({"c", "d"}), {PickTrial()}};
    case 4: {
      MoveTrial move =
          Move(study, PickTrial(),
               Pick({TrialEvent::kReportFinal, TrialEvent::kReportInfeasible}),
               Pick({TrialEndCause::kNoMetric, TrialEndCause::kInfeasible}));
      move.final_report =
          MetricReport{1, std::chrono::seconds(1), {{"m2", PickValue()}}};
      return move;
    }
    case 5:
      return PickInt(0, 9) == 0 ? Change(DeleteStudy{study})
                                : Change(Exit({study, PickTrial(), 1}));
    case 6:
      return AddMeasurements{{study, PickTrial(), 0},
                             {Report(PickInt(1, 3), PickValue())}};
    default:
      return AssignTrial{study, PickTrial(), Pick<std::string>({"c", "d"})};
  }
}

Change PickChange() {
  switch (PickInt(0, 7)) {
    case 0:
      return PickJobChange();
    case 1:
    case 2:
      return PickTrialChange();
    case 3:
    case 4:
      return PickClientChange();
    default:
      return PickAttemptChange();
  }
}

// The same step on both stores; the answers must be alike.
void Step(Store& one, Store& other, int at) {
  if (PickInt(0, 9) == 0) {
    const NewJob job =
        MakeJob({.job_id = Pick<std::string>({"a", "b", "c"}),
                 .max_trials = 4,
                 .max_parallel_trials = 2,
                 .goal = Pick({Goal::kMaximize, Goal::kMinimize}),
                 .request_id = Pick<std::string>({"", "r1", "r2"})});
    const auto first = one.CreateJob(job, At(at));
    const auto second = other.CreateJob(job, At(at));
    RC_ASSERT(first.status() == second.status());
    if (first.ok()) RC_ASSERT(*first == *second);
    return;
  }
  if (PickInt(0, 9) == 0) {
    const NewStudy study = MakeClientStudy(
        {.name = Pick<std::string>({"o/studies/a", "o/studies/b", "bad"}),
         .metrics = 2,
         .metadata = {{{"", "k"}, {false, "v"}}}});
    const auto first = one.CreateStudy(study, At(at));
    const auto second = other.CreateStudy(study, At(at));
    RC_ASSERT(first.status() == second.status());
    if (first.ok()) RC_ASSERT(*first == *second);
    return;
  }
  std::vector<Change> changes;
  const int count = PickInt(1, 3);
  for (int i = 0; i < count; ++i) changes.push_back(PickChange());
  const absl::Status first = one.Commit(changes, At(at));
  const absl::Status second = other.Commit(changes, At(at));
  RC_ASSERT(first.ToString() == second.ToString());
}

std::string Everything(const Store& store) {
  std::string text = SnapshotText::Of(*store.Snapshot());
  text += EventsText(
      store.ListEvents(EventSequence{0}, std::nullopt, 100000).value());
  const auto snapshot = store.Snapshot();
  for (const auto& [id, study] : *snapshot) {
    const std::int64_t operations =
        IsJob(*study) ? 0 : ClientRunOf(*study).last_operation;
    for (std::int64_t i = 1; i <= operations; ++i) {
      const OperationRecord operation = store.FindOperation(id, i).value();
      text += operation.client_id + " got " +
              std::to_string(operation.trials.size()) + "\n";
    }
    const std::vector<TrialMeasurement> reports =
        store.ListStudyMeasurements(id, TrialId{1}, TrialId{9}, 100).value();
    for (const TrialMeasurement& one : reports) {
      text += std::to_string(ToInt(one.trial)) + " " +
              MeasurementsText({one.measurement});
    }
    for (std::size_t i = 1; i <= study->trials.size(); ++i) {
      const TrialId trial{static_cast<std::int64_t>(i)};
      text += MeasurementsText(
          store.ListMeasurements(id, trial, "", 100000).value());
    }
  }
  return text;
}

TEST(StorePropertyTest, SqliteAndMemoryHaveTheSameHistory) {
  const bool holds = rc::check([] {
    const TemporaryFolder folder;
    MemoryStore memory;
    std::string expected;
    {
      const auto sqlite = SqliteStore::Open(folder.database()).value();
      (void)memory.CreateJob(
          MakeJob({.job_id = "a", .max_trials = 4, .max_parallel_trials = 2}),
          At(0));
      (void)sqlite->CreateJob(
          MakeJob({.job_id = "a", .max_trials = 4, .max_parallel_trials = 2}),
          At(0));
      const std::vector<Change> trials = {
          CreateTrials{StudyId{1}, {MakeTrial(0.25), MakeTrial(0.5)}}};
      RC_ASSERT(memory.Commit(trials, At(0)).ok());
      RC_ASSERT(sqlite->Commit(trials, At(0)).ok());
      const NewStudy study = MakeClientStudy({.name = "o/studies/a"});
      RC_ASSERT(memory.CreateStudy(study, At(0)).ok());
      RC_ASSERT(sqlite->CreateStudy(study, At(0)).ok());
      for (int i = 1; i <= kSteps; ++i) Step(memory, *sqlite, i);
      expected = Everything(memory);
      RC_ASSERT(Everything(*sqlite) == expected);
    }
    const absl::Status checked = CheckStore(folder.database());
    RC_ASSERT(checked.ToString() == "OK");
    const auto reopened = SqliteStore::Open(folder.database()).value();
    RC_ASSERT(Everything(*reopened) == expected);
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace vernier
