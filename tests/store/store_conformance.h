#ifndef VERNIER_TESTS_STORE_STORE_CONFORMANCE_H_
#define VERNIER_TESTS_STORE_STORE_CONFORMANCE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "store/store.h"
#include "tests/store/client_fixture.h"
#include "tests/store/job_fixture.h"
#include "tests/store/snapshot_text.h"

namespace vernier {

/// A store under test, and the objects that it needs.
class StoreUnderTest {
 public:
  virtual ~StoreUnderTest() = default;
  virtual Store& store() = 0;
  /// Called at the end of each test; may check what is on the disk.
  virtual absl::Status Finish() { return absl::OkStatus(); }
};

/// One implementation, for the name of the tests.
struct StoreKind {
  std::string name;
  std::function<std::unique_ptr<StoreUnderTest>()> make;
};

inline void PrintTo(const StoreKind& kind, std::ostream* out) {
  *out << kind.name;
}

/// The specification of Store: its tests (store_conformance_*_test.cc) run for
/// every implementation.
class StoreConformanceTest : public testing::TestWithParam<StoreKind> {
 protected:
  StoreConformanceTest() : under_test_(GetParam().make()) {}

  void TearDown() override {
    const absl::Status status = under_test_->Finish();
    EXPECT_TRUE(status.ok()) << status;
  }

  Store& store() { return under_test_->store(); }

  StudyId AddJob(const JobOptions& options = {}) {
    const absl::StatusOr<StudyId> study =
        store().CreateJob(MakeJob(options), At(1));
    EXPECT_TRUE(study.ok()) << study.status();
    return study.value_or(StudyId{0});
  }

  StudyId AddClientStudy(const ClientStudyOptions& options = {}) {
    const absl::StatusOr<StudyId> study =
        store().CreateStudy(MakeClientStudy(options), At(1));
    EXPECT_TRUE(study.ok()) << study.status();
    return study.value_or(StudyId{0});
  }

  /// A client study whose trial 1 client "c" runs; trial 2 is requested.
  StudyId AddRunningStudy(const ClientStudyOptions& options = {}) {
    const StudyId study = AddClientStudy(options);
    MustCommit(
        {CreateTrials{study, {MakeClientTrial(0.25), MakeClientTrial(0.5)}}});
    MustCommit(Assign(study, 1, "c"));
    return study;
  }

  void AddTrials(StudyId study, int count) {
    std::vector<NewTrial> trials;
    for (int i = 0; i < count; ++i) trials.push_back(MakeTrial(0.1 * i));
    MustCommit({CreateTrials{study, trials}});
  }

  /// A job with `trials` trials, the first of which has a live attempt 1.
  StudyId AddRunningJob(int trials = 1, const JobOptions& options = {}) {
    const StudyId study = AddJob(options);
    AddTrials(study, trials);
    MustCommit({Launch({study, TrialId{1}, 1}),
                ObserveAttempt{{study, TrialId{1}, 1}, AttemptEvent::kRun}});
    return study;
  }

  void MustCommit(const std::vector<Change>& changes) {
    const absl::Status status = store().Commit(changes, At(2));
    EXPECT_TRUE(status.ok()) << status;
  }

  /// Expects that the store refuses with this code and changes nothing.
  void Refuses(absl::StatusCode code, const std::vector<Change>& changes) {
    const std::string before = Everything();
    const absl::Status status = store().Commit(changes, At(3));
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_FALSE(status.message().empty());
    EXPECT_EQ(Everything(), before);
  }

  StudySnapshot Study(StudyId study) { return *store().Snapshot()->at(study); }
  TrialRecord Trial(StudyId study, int trial) {
    return Study(study).trials.Get(TrialId{trial});
  }
  std::vector<Event> Events() {
    return store().ListEvents(EventSequence{0}, std::nullopt, 100000).value();
  }
  std::string EventKinds() {
    std::string kinds;
    for (const Event& event : Events()) kinds += event.kind + " ";
    return kinds;
  }
  std::string Everything() {
    return SnapshotText::Of(*store().Snapshot()) + EventsText(Events());
  }

 private:
  const std::unique_ptr<StoreUnderTest> under_test_;
};

/// All implementations.
std::vector<StoreKind> AllStoreKinds();

inline std::string NameOfKind(const testing::TestParamInfo<StoreKind>& kind) {
  return kind.param.name;
}

}  // namespace vernier

#endif  // VERNIER_TESTS_STORE_STORE_CONFORMANCE_H_
