// Jobs that learn from earlier ones, as the orchestrator runs them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/trials/jobs/orchestrator_bed.h"
#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

class PriorStudiesTest : public testing::Test, protected OrchestratorBed {
 protected:
  // Runs a job to its end, whose loss is least where x is `best`.
  void Run(const std::string& name, double best, JobSpec spec) {
    spec.job_id = name;
    Submit(std::move(spec));
    Start();
    Step();
    const int trials = JobRunOf(*Study()).max_trials;
    for (std::int64_t trial = 1; trial <= trials; ++trial) {
      const double x = std::get<double>(Trial(trial).parameters.at(0).value);
      metrics_.Report(Key(trial),
                      {"loss", 1, clock_.Now(), (x - best) * (x - best)});
      launcher_.Exit(Key(trial), 0);
      clock_.Advance(std::chrono::seconds(1));
      Step();
    }
    ASSERT_EQ(JobRunOf(*Study()).state, JobState::kSucceeded);
  }
  std::vector<std::string> LearnedFrom(std::int64_t trial) {
    return Trial(trial).origin.record->learned_from;
  }
  double X(std::int64_t trial) {
    return std::get<double>(Trial(trial).parameters.at(0).value);
  }
};

TEST_F(PriorStudiesTest, TheFirstPointIsWhereTheyWereBest) {
  Run("old", 0.7, TuningSpec(15, 1));
  JobSpec spec = TuningSpec(3, 1);
  spec.vernier.prior_studies.studies = {"old"};
  Run("new", 0.7, spec);
  EXPECT_THAT(LearnedFrom(1), testing::ElementsAre("old"))
      << SuggestionRecordToJson(*Trial(1).origin.record)
      << testing::PrintToString(log_);
  EXPECT_NEAR(X(1), 0.7, 0.05);
  const double first = X(1);
  const double third = X(3);
  // A restart changes nothing, and neither does what comes later.
  Restart();
  spec.vernier.seed = 3;
  Run("newer", 0.7, spec);
  EXPECT_EQ(X(1), first);
  EXPECT_EQ(X(3), third);
}

TEST_F(PriorStudiesTest, AStudyThatIsGoneTeachesNothing) {
  Run("old", 0.7, TuningSpec(15, 1));
  const StudyId old = study_;
  JobSpec spec = TuningSpec(2, 1);
  spec.vernier.prior_studies.studies = {"old"};
  spec.job_id = "new";
  Submit(spec);
  ASSERT_TRUE(store_.Commit({DeleteJob{old}}, clock_.Now()).ok());
  Start();
  Step();
  EXPECT_THAT(LearnedFrom(1), testing::IsEmpty());
}

}  // namespace
}  // namespace vernier
