#include "telemetry/study_spans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "store/events/event_follower.h"
#include "tests/fakes/memory_store.h"
#include "tests/store/job_fixture.h"

namespace vernier {
namespace {

using ::testing::ElementsAre;

/// A store whose events become spans.
class StudySpansTest : public testing::Test {
 protected:
  void Commit(const std::vector<Change>& changes, int seconds) {
    const absl::Status status = store_.Commit(changes, At(seconds));
    ASSERT_TRUE(status.ok()) << status;
  }

  /// Reads the new events.
  void Follow() {
    const auto more =
        follower_.Step([this](const Event& event, const StudySnapshot* study) {
          if (study == nullptr) return absl::OkStatus();
          for (TraceSpan& span : SpansOf(event, *study)) {
            spans_.push_back(std::move(span));
          }
          return absl::OkStatus();
        });
    ASSERT_TRUE(more.ok()) << more.status();
    EXPECT_FALSE(*more);
  }

  /// A job with one trial that a second attempt completes.
  StudyId RunJob() {
    const StudyId study = *store_.CreateJob(MakeJob({}), At(10));
    const AttemptKey first{study, TrialId{1}, 1};
    const AttemptKey second{study, TrialId{1}, 2};
    Commit({MoveJob{study, JobEvent::kPrepare, ""},
            MoveJob{study, JobEvent::kRun, ""},
            CreateTrials{study, {MakeTrial(0.5)}}},
           11);
    Commit({Launch(first, {"GPU-a"})}, 12);
    Commit({End(first, AttemptEvent::kLose, TrialEndCause::kInfrastructure)},
           13);
    Commit({Launch(second)}, 14);
    Commit({ObserveAttempt{second, AttemptEvent::kRun}}, 16);
    Commit({End(second, AttemptEvent::kExit, TrialEndCause::kSuccess),
            MoveTrial{study, TrialId{1}, TrialEvent::kReportFinal,
                      TrialEndCause::kSuccess, "a secret",
                      FinalMeasurement{3, 0.25}}},
           19);
    Commit({MoveJob{study, JobEvent::kSucceed, ""}}, 20);
    return study;
  }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const TraceSpan& span : spans_) names.push_back(span.name);
    return names;
  }

  MemoryStore store_;
  EventFollower follower_{store_, EventSequence{0}};
  std::vector<TraceSpan> spans_;
};

std::map<std::string, SpanValue> AttributesOf(const TraceSpan& span) {
  return {span.attributes.begin(), span.attributes.end()};
}

TEST_F(StudySpansTest, EachEndBecomesASpanBelowItsParent) {
  const StudyId id = RunJob();
  Follow();
  EXPECT_THAT(Names(), ElementsAre("attempt", "launch", "run", "attempt",
                                   "trial", "job"));
  const auto study = store_.Snapshot()->at(id);
  const TraceSpan& lost = spans_[0];
  const TraceSpan& launch = spans_[1];
  const TraceSpan& run = spans_[2];
  const TraceSpan& attempt = spans_[3];
  const TraceSpan& trial = spans_[4];
  const TraceSpan& job = spans_[5];
  for (const TraceSpan& span : spans_) {
    EXPECT_EQ(span.context.trace_id, TraceOf(*study).trace_id);
    EXPECT_EQ(AttributesOf(span)["vernier.job"], SpanValue(std::string("job")));
  }
  EXPECT_EQ(job.parent, "");
  EXPECT_EQ(trial.parent, job.context.span_id);
  EXPECT_EQ(lost.parent, trial.context.span_id);
  EXPECT_EQ(attempt.parent, trial.context.span_id);
  EXPECT_EQ(launch.parent, attempt.context.span_id);
  EXPECT_EQ(run.parent, attempt.context.span_id);
  // What an attempt's program was told.
  EXPECT_EQ(attempt.context, TraceOf(*study, AttemptKey{id, TrialId{1}, 2}));
  EXPECT_NE(lost.context.span_id, attempt.context.span_id);

  EXPECT_EQ(job.start, At(10));
  EXPECT_EQ(job.end, At(20));
  EXPECT_EQ(trial.start, At(11));
  EXPECT_EQ(trial.end, At(19));
  EXPECT_EQ(lost.start, At(12));
  EXPECT_EQ(lost.end, At(13));
  EXPECT_EQ(launch.start, At(14));
  EXPECT_EQ(launch.end, At(16));
  EXPECT_EQ(run.end, At(19));
  EXPECT_EQ(lost.status, SpanStatus::kError);
  EXPECT_EQ(attempt.status, SpanStatus::kUnset);
  EXPECT_EQ(AttributesOf(lost)["vernier.gpus"], SpanValue(std::int64_t{1}));
  EXPECT_EQ(AttributesOf(trial)["vernier.value"], SpanValue(0.25));
}

TEST_F(StudySpansTest, NoMessageOfAProgramIsInThem) {
  RunJob();
  Follow();
  for (const TraceSpan& span : spans_) {
    for (const auto& [key, value] : span.attributes) {
      if (const auto* text = std::get_if<std::string>(&value)) {
        EXPECT_EQ(text->find("secret"), std::string::npos) << key;
      }
    }
  }
}

TEST_F(StudySpansTest, StudiesHaveTracesOfTheirOwn) {
  const StudyId a = *store_.CreateJob(MakeJob({"a"}), At(1));
  const StudyId b = *store_.CreateJob(MakeJob({"b"}), At(1));
  const auto snapshot = store_.Snapshot();
  EXPECT_NE(TraceOf(*snapshot->at(a)).trace_id,
            TraceOf(*snapshot->at(b)).trace_id);
}

TEST_F(StudySpansTest, AFollowerVisitsEachEventOnceAndAgainAfterAnError) {
  RunJob();
  int visits = 0;
  const auto failed =
      follower_.Step([&visits](const Event&, const StudySnapshot*) {
        ++visits;
        return visits == 3 ? absl::UnavailableError("full") : absl::OkStatus();
      });
  EXPECT_EQ(failed.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(ToInt(follower_.read()), 2);
  Follow();
  EXPECT_EQ(follower_.read(), store_.LastEvent());
  spans_.clear();
  Follow();
  EXPECT_TRUE(spans_.empty());
}

}  // namespace
}  // namespace vernier
