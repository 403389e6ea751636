#include "store/trial_list.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/store/snapshot_text.h"

namespace vernier {
namespace {

Timestamp At(std::int64_t micros) {
  return Timestamp(std::chrono::microseconds(micros));
}

/// Draws trials of all kinds, also such as no store would make.
class AnyTrial {
 public:
  explicit AnyTrial(std::uint64_t seed) : rng_(seed) {}

  TrialRecord Draw(std::int64_t id) {
    TrialRecord trial;
    trial.id = TrialId{id};
    trial.state = static_cast<TrialState>(4 + Below(4));
    for (std::size_t i = Below(12); i > 0; --i) {
      trial.parameters.push_back({"p" + std::to_string(i), Value()});
    }
    trial.origin.suggester = Text();
    trial.origin.seen_events = EventSequence{Whole()};
    if (Maybe()) trial.origin.record = Record();
    for (std::size_t i = Below(3); i > 0; --i) {
      trial.attempts.push_back(Attempt());
    }
    trial.objective = Objective();
    for (std::size_t i = Below(3); i > 0; --i) {
      trial.metrics_seen.push_back({Text(), MetricRoad::kReport});
    }
    trial.created_at = Time();
    if (Maybe()) trial.started_at = Time();
    if (Maybe()) trial.ended_at = Time();
    if (Maybe()) trial.final_measurement = Final();
    trial.end_cause = Cause();
    trial.message = Text();
    if (Maybe()) trial.final_report = Report();
    if (Maybe()) trial.deleted_at = Time();
    if (Maybe()) AddClientsPart(&trial);
    return trial;
  }

 private:
  std::size_t Below(std::size_t end) { return rng_() % end; }
  bool Maybe() { return Below(2) == 0; }

  // Large and small, of both signs.
  std::int64_t Whole() {
    const auto bits = static_cast<std::int64_t>(rng_());
    return bits >> Below(64);
  }
  Timestamp Time() { return Below(8) == 0 ? Timestamp::max() : At(Whole()); }
  double Real() {
    const double special[] = {0.0, -0.0, 5e-324, -1.5,
                              std::numeric_limits<double>::infinity()};
    return Maybe() ? special[Below(5)] : static_cast<double>(Whole()) / 3;
  }
  std::string Text() {
    const std::string texts[] = {"",
                                 "adam",
                                 "RANDOM_SEARCH",
                                 "\xc3\xa9\n\"",
                                 std::string("a\0b", 3),
                                 std::string(1000, 'x')};
    return Maybe() ? texts[Below(6)] : std::to_string(Whole());
  }
  TrialEndCause Cause() { return static_cast<TrialEndCause>(Below(10)); }
  FinalMeasurement Final() { return {Whole(), Real()}; }

  ParameterValue Value() {
    if (Maybe()) return Real();
    if (Maybe()) return Whole();
    return Text();
  }

  SuggestionRecord Record() {
    SuggestionRecord record;
    record.method = static_cast<SuggestionMethod>(1 + Below(11));
    if (Maybe()) {
      record.method = SuggestionMethod::kProposal;
      record.source = Text();
    }
    record.num_completed = Whole();
    record.num_pending = Whole();
    record.num_fitted = Whole();
    if (Maybe()) record.prediction = {1.5, Real(), 0.25};
    if (Maybe()) record.acquisition = 0.125;
    if (Maybe()) record.milliseconds = 3.5;
    if (Maybe()) record.stopped_part = 0.125;
    if (Maybe()) record.success_probability = 0.875;
    if (Maybe()) record.learned_from = {Text(), Text()};
    record.follows_beliefs = Maybe();
    if (Maybe()) record.repeat = PointRepeat{3, 4, 5};
    record.fallback = Text();
    record.instruction_set = Text();
    return record;
  }

  AttemptRecord Attempt() {
    AttemptRecord attempt;
    attempt.number = static_cast<int>(Below(1000));
    attempt.nonce = Maybe() ? "0123456789abcdef0123456789abcdef" : Text();
    attempt.state = static_cast<AttemptState>(1 + Below(6));
    attempt.kill_wanted = Maybe();
    attempt.kill_cause = Cause();
    attempt.code_version = 1 + static_cast<int>(Below(300));
    for (std::size_t i = Below(3); i > 0; --i) {
      attempt.devices.push_back(Text());
    }
    attempt.intended_at = Time();
    if (Maybe()) attempt.running_at = Time();
    if (Maybe()) attempt.ended_at = Time();
    if (Maybe()) attempt.exit_code = -3;
    if (Maybe()) attempt.signal = 9;
    attempt.end_cause = Cause();
    attempt.message = Text();
    attempt.lasted = std::chrono::microseconds(Whole());
    return attempt;
  }

  MetricSummary Objective() {
    MetricSummary objective;
    if (Maybe()) objective.road = MetricRoad::kEvents;
    if (Maybe()) objective.last = Final();
    objective.last_attempt = static_cast<int>(Below(3));
    objective.last_reported_at = Time();
    if (Maybe()) objective.best = Final();
    objective.finite_count = Maybe() ? Whole() : 0;
    objective.not_finite_count = Whole();
    if (Maybe()) objective.not_finite_last = {Whole(), Real(), 2, Time()};
    return objective;
  }

  MetricReport Report() {
    MetricReport report{Whole(), std::chrono::microseconds(Whole()), {}};
    for (std::size_t i = Below(3); i > 0; --i) {
      report.metrics.push_back({Text(), Real()});
    }
    return report;
  }

  void AddClientsPart(TrialRecord* trial) {
    if (Maybe()) trial->client_id = Text();
    if (Maybe()) trial->metric_problems = {Text(), Text()};
    if (Maybe()) trial->brought = {Report(), Report()};
    if (Maybe()) trial->metadata[{Text(), Text()}] = {Maybe(), Text()};
  }

  std::mt19937_64 rng_;
};

void ExpectIsBriefOf(const TrialBrief& brief, const TrialRecord& trial) {
  EXPECT_EQ(brief.id, trial.id);
  EXPECT_EQ(brief.state, trial.state);
  EXPECT_EQ(brief.end_cause, trial.end_cause);
  EXPECT_EQ(brief.is_deleted, trial.deleted_at.has_value());
  EXPECT_EQ(brief.has_finite_report, trial.objective.finite_count > 0);
  EXPECT_EQ(brief.code_version,
            trial.attempts.empty() ? 0 : trial.attempts.back().code_version);
  EXPECT_EQ(brief.created_at, trial.created_at);
  EXPECT_EQ(brief.started_at, trial.started_at);
  EXPECT_EQ(brief.ended_at, trial.ended_at);
  EXPECT_EQ(brief.final_measurement, trial.final_measurement);
  EXPECT_EQ(brief.last, trial.objective.last);
}

std::shared_ptr<TrialRecord> Ended(std::int64_t id, const std::string& name) {
  auto trial = std::make_shared<TrialRecord>();
  trial->id = TrialId{id};
  trial->state = TrialState::kCompleted;
  trial->parameters = {{name, static_cast<double>(id)}};
  return trial;
}

TEST(TrialListTest, ReadsEveryFieldOfATrialThatHasEnded) {
  TrialList list;
  std::vector<TrialRecord> trials;
  for (std::int64_t id = 1; id <= 1000; ++id) {
    trials.push_back(AnyTrial(static_cast<std::uint64_t>(id)).Draw(id));
    list.Put(std::make_shared<TrialRecord>(trials.back()));
  }
  for (const TrialRecord& trial : trials) {
    SCOPED_TRACE(ToInt(trial.id));
    const std::string text = SnapshotText::Of(trial);
    EXPECT_EQ(SnapshotText::Of(*list.Share(trial.id)), text);
    EXPECT_EQ(SnapshotText::Of(list.Get(trial.id)), text);
    ExpectIsBriefOf(list.Brief(trial.id), trial);
    EXPECT_EQ(list.ParametersOf(trial.id), trial.parameters);
  }
}

TEST(TrialListTest, FindsAParameterByItsName) {
  TrialList list;
  for (const TrialState state : {TrialState::kActive, TrialState::kFailed}) {
    auto trial = Ended(1, "lr");
    trial->state = state;
    trial->parameters.push_back({"layers", std::int64_t{-3}});
    trial->parameters.push_back({"optimizer", std::string("adam")});
    list.Put(trial);
    const TrialId id{1};
    EXPECT_EQ(list.FindParameter(id, "lr"), ParameterView(1.0));
    EXPECT_EQ(list.FindParameter(id, "layers"),
              ParameterView(std::int64_t{-3}));
    EXPECT_EQ(list.FindParameter(id, "optimizer"),
              ParameterView(std::string_view("adam")));
    EXPECT_EQ(list.FindParameter(id, "momentum"), std::nullopt);
  }
}

TEST(TrialListTest, KeepsMoreNamesThanItsTableHasRoomFor) {
  TrialList list;
  constexpr std::int64_t kTrials = 2 * NameTable::kMostNames;
  for (std::int64_t id = 1; id <= kTrials; ++id) {
    list.Put(Ended(id, "p" + std::to_string(id)));
  }
  for (std::int64_t id = 1; id <= kTrials; ++id) {
    EXPECT_EQ(list.FindParameter(TrialId{id}, "p" + std::to_string(id)),
              ParameterView(static_cast<double>(id)));
  }
}

TEST(TrialListTest, CopiesKeepWhatTheyHadWhenOneIsChanged) {
  TrialList first;
  for (std::int64_t id = 1; id <= 300; ++id) first.Put(Ended(id, "x"));
  TrialList second = first;
  // Both tables get a second name, and it is not the same one.
  first.Put(Ended(301, "only first"));
  second.Put(Ended(7, "only second"));
  EXPECT_EQ(first.size(), 301u);
  EXPECT_EQ(second.size(), 300u);
  EXPECT_EQ(first.ParametersOf(TrialId{7}), (Parameters{{"x", 7.0}}));
  EXPECT_EQ(second.ParametersOf(TrialId{7}),
            (Parameters{{"only second", 7.0}}));
  EXPECT_EQ(first.ParametersOf(TrialId{301}),
            (Parameters{{"only first", 301.0}}));
}

TEST(TrialListTest, WhatGetReturnsLivesAsLongAsTheList) {
  TrialList list;
  for (std::int64_t id = 1; id <= 300; ++id) list.Put(Ended(id, "x"));
  const TrialRecord& first = list.Get(TrialId{1});
  for (std::int64_t id = 2; id <= 300; ++id) list.Get(TrialId{id});
  EXPECT_EQ(&list.Get(TrialId{1}), &first);
  EXPECT_EQ(first.parameters, (Parameters{{"x", 1.0}}));
  list.Put(Ended(1, "y"));
  EXPECT_EQ(list.Get(TrialId{1}).parameters, (Parameters{{"y", 1.0}}));
}

TEST(TrialListTest, AnOpenTrialIsSharedAsItIs) {
  auto open = Ended(1, "x");
  open->state = TrialState::kActive;
  TrialList list;
  list.Put(open);
  const TrialList copy = list;
  EXPECT_EQ(copy.Share(TrialId{1}), open);
  EXPECT_EQ(&copy.Get(TrialId{1}), open.get());
}

TEST(TrialListTest, ABuilderMakesTheSameList) {
  TrialList::Builder builder;
  TrialList list;
  for (std::int64_t id = 1; id <= 300; ++id) {
    TrialRecord trial = AnyTrial(static_cast<std::uint64_t>(id)).Draw(id);
    if (id % 5 == 0) trial.state = TrialState::kActive;
    list.Put(std::make_shared<TrialRecord>(trial));
    builder.Add(std::move(trial));
  }
  EXPECT_EQ(builder.size(), 300u);
  const TrialList built = builder.Finish();
  ASSERT_EQ(built.size(), list.size());
  for (std::int64_t id = 1; id <= 300; ++id) {
    EXPECT_EQ(SnapshotText::Of(*built.Share(TrialId{id})),
              SnapshotText::Of(*list.Share(TrialId{id})));
  }
}

// A million trials are to fit into a gigabyte.
TEST(PackedTrialTest, IsSmall) {
  auto names = std::make_shared<const NameTable>();
  TrialRecord trial = *Ended(1, "learning_rate");
  for (int i = 0; i < 9; ++i) {
    trial.parameters.push_back({"parameter_" + std::to_string(i), 0.1 * i});
  }
  trial.created_at = At(1'700'000'000'000'000);
  AttemptRecord attempt;
  attempt.nonce = "0123456789abcdef0123456789abcdef";
  attempt.intended_at = trial.created_at;
  attempt.running_at = trial.created_at + std::chrono::seconds(1);
  attempt.ended_at = trial.created_at + std::chrono::hours(1);
  trial.attempts = {attempt};
  std::string bytes;
  PackTrial(trial, &names, &bytes);
  EXPECT_LE(bytes.size(), 256u);
}

}  // namespace
}  // namespace vernier
