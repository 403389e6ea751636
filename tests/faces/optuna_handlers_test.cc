#include "faces/optuna/optuna_handlers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/thread_pool.h"
#include "faces/optuna/optuna_message.h"
#include "store/access/quota_store.h"
#include "tests/fakes/memory_store.h"
#include "tests/support/scratch_folder.h"

namespace vernier {
namespace {

constexpr char kFloat[] =
    R"({"name": "FloatDistribution", "attributes": {"step": null, "low": 0.0, "high": 1.0, "log": false}})";
constexpr char kWider[] =
    R"({"name": "FloatDistribution", "attributes": {"step": null, "low": -1.0, "high": 0.5, "log": false}})";
constexpr char kLog[] =
    R"({"name": "FloatDistribution", "attributes": {"step": null, "low": 0.1, "high": 1.0, "log": true}})";
constexpr char kInt[] =
    R"({"name": "IntDistribution", "attributes": {"log": false, "step": 2, "low": 1, "high": 9}})";
constexpr char kChoices[] =
    R"({"name": "CategoricalDistribution", "attributes": {"choices": ["a", 1, null, true]}})";

/// The calls of Optuna's clients over a store in memory.
class OptunaHandlersTest : public testing::Test {
 protected:
  std::int64_t MakeStudy(const std::string& name = "s", int objectives = 1) {
    optuna::CreateNewStudyRequest request;
    request.set_study_name(name);
    for (int i = 0; i < objectives; ++i) {
      request.add_directions(optuna::MINIMIZE);
    }
    optuna::CreateNewStudyReply reply;
    const absl::Status made = handlers().CreateNewStudy(request, &reply);
    EXPECT_TRUE(made.ok()) << made;
    return reply.study_id();
  }

  absl::StatusOr<std::int64_t> TryAdd(std::int64_t study,
                                      const optuna::Trial* from = nullptr) {
    optuna::CreateNewTrialRequest request;
    request.set_study_id(study);
    request.set_template_trial_is_none(from == nullptr);
    if (from != nullptr) *request.mutable_template_trial() = *from;
    optuna::CreateNewTrialReply reply;
    const absl::Status added = handlers().CreateNewTrial(request, &reply);
    if (!added.ok()) return added;
    return reply.trial_id();
  }
  std::int64_t Add(std::int64_t study, const optuna::Trial* from = nullptr) {
    const auto added = TryAdd(study, from);
    EXPECT_TRUE(added.ok()) << added.status();
    return added.value_or(0);
  }
  std::int64_t AddWaiting(std::int64_t study) {
    optuna::Trial from;
    from.set_state(optuna::WAITING);
    return Add(study, &from);
  }

  absl::Status Set(std::int64_t trial, const std::string& name, double value,
                   const std::string& distribution) {
    optuna::SetTrialParameterRequest request;
    request.set_trial_id(trial);
    request.set_param_name(name);
    request.set_param_value_internal(value);
    request.set_distribution(distribution);
    optuna::SetTrialParameterReply reply;
    return handlers().SetTrialParameter(request, &reply);
  }

  absl::StatusOr<bool> Move(std::int64_t trial, optuna::TrialState state,
                            const std::vector<double>& values = {}) {
    optuna::SetTrialStateValuesRequest request;
    request.set_trial_id(trial);
    request.set_state(state);
    for (const double value : values) request.add_values(value);
    optuna::SetTrialStateValuesReply reply;
    const absl::Status moved = handlers().SetTrialStateValues(request, &reply);
    if (!moved.ok()) return moved;
    return reply.trial_updated();
  }

  absl::Status Report(std::int64_t trial, std::int64_t step, double value) {
    optuna::SetTrialIntermediateValueRequest request;
    request.set_trial_id(trial);
    request.set_step(step);
    request.set_intermediate_value(value);
    optuna::SetTrialIntermediateValueReply reply;
    return handlers().SetTrialIntermediateValue(request, &reply);
  }

  absl::Status SetAttribute(std::int64_t trial, const std::string& key,
                            const std::string& value) {
    optuna::SetTrialSystemAttributeRequest request;
    request.set_trial_id(trial);
    request.set_key(key);
    request.set_value(value);
    optuna::SetTrialSystemAttributeReply reply;
    return handlers().SetTrialSystemAttribute(request, &reply);
  }

  optuna::Trial Get(std::int64_t trial) {
    optuna::GetTrialRequest request;
    request.set_trial_id(trial);
    optuna::GetTrialReply reply;
    const absl::Status got = handlers().GetTrial(request, &reply);
    EXPECT_TRUE(got.ok()) << got;
    return reply.trial();
  }

  std::vector<std::int64_t> List(std::int64_t study, std::int64_t after,
                                 const std::vector<std::int64_t>& named = {}) {
    optuna::GetTrialsRequest request;
    request.set_study_id(study);
    request.set_trial_id_greater_than(after);
    for (const std::int64_t id : named) request.add_included_trial_ids(id);
    optuna::GetTrialsReply reply;
    EXPECT_TRUE(handlers().GetTrials(request, &reply).ok());
    std::vector<std::int64_t> ids;
    for (const optuna::Trial& one : reply.trials()) {
      ids.push_back(one.trial_id());
    }
    return ids;
  }

  std::shared_ptr<const StudySnapshot> Ours(std::int64_t study) {
    return store_.Snapshot()->at(StudyId{study});
  }

  OptunaHandlers& handlers() { return has_engine_ ? driven_ : plain_; }

  bool has_engine_ = false;
  SystemClock clock_;
  MemoryStore store_;
  ThreadPool pool_{2};
  StudyEngines engines_{store_, [](const std::string&) {}};
  SuggestionService suggestions_{
      {store_, engines_, clock_,
       [this](std::function<void()> work) { pool_.Run(std::move(work)); },
       [](const std::string&) {}, nullptr}};
  StudyService studies_{{store_, clock_, engines_, suggestions_,
                         [] { return std::uint64_t{7}; }}};
  OptunaPoints points_{engines_, [](const std::string&) {}};
  OptunaHandlers plain_{
      {store_, studies_, clock_, [] { return std::uint64_t{7}; }}};
  OptunaHandlers driven_{{store_, studies_, clock_,
                          [] { return std::uint64_t{7}; }, nullptr, &points_}};
};

TEST_F(OptunaHandlersTest, AQuotaLimitsStudies) {
  const ScratchFolder folder;
  const auto quotas = QuotaStore::Open(folder / "quotas.db").value();
  ASSERT_TRUE(quotas->Set("optuna", {{}, {}, 2}).ok());
  OptunaHandlers limited{{store_, studies_, clock_,
                          [] { return std::uint64_t{7}; }, quotas.get()}};
  const auto make = [&limited](const std::string& name) {
    optuna::CreateNewStudyRequest request;
    request.set_study_name(name);
    request.add_directions(optuna::MINIMIZE);
    optuna::CreateNewStudyReply reply;
    return limited.CreateNewStudy(request, &reply);
  };
  EXPECT_TRUE(make("a").ok());
  EXPECT_TRUE(make("b").ok());
  EXPECT_EQ(make("c").code(), absl::StatusCode::kResourceExhausted);
  optuna::DeleteStudyRequest request;
  request.set_study_id(1);
  optuna::DeleteStudyReply reply;
  EXPECT_TRUE(limited.DeleteStudy(request, &reply).ok());
  EXPECT_TRUE(make("c").ok());
}

TEST_F(OptunaHandlersTest, KeepsAnyNameAndFreesItAfterDeletion) {
  const std::vector<std::string> names = {
      "", "a/b", "100%", ".", "..", "%empty", std::string(3000, 'x'), "\n"};
  std::vector<std::int64_t> ids;
  for (const std::string& name : names) ids.push_back(MakeStudy(name));
  for (std::size_t i = 0; i < names.size(); ++i) {
    optuna::GetStudyIdFromNameRequest request;
    request.set_study_name(names[i]);
    optuna::GetStudyIdFromNameReply found;
    ASSERT_TRUE(handlers().GetStudyIdFromName(request, &found).ok());
    EXPECT_EQ(found.study_id(), ids[i]);
    optuna::CreateNewStudyRequest again;
    again.set_study_name(names[i]);
    again.add_directions(optuna::MINIMIZE);
    optuna::CreateNewStudyReply made;
    EXPECT_EQ(handlers().CreateNewStudy(again, &made).code(),
              absl::StatusCode::kAlreadyExists);
  }
  optuna::DeleteStudyRequest request;
  request.set_study_id(ids[1]);
  optuna::DeleteStudyReply reply;
  ASSERT_TRUE(handlers().DeleteStudy(request, &reply).ok());
  EXPECT_EQ(handlers().DeleteStudy(request, &reply).code(),
            absl::StatusCode::kNotFound);
  EXPECT_GT(MakeStudy("a/b"), ids.back());
}

TEST_F(OptunaHandlersTest, ATrialGetsItsParametersOneByOneAndTheStudyGrows) {
  const std::int64_t study = MakeStudy();
  const std::int64_t trial = Add(study);
  ASSERT_TRUE(Set(trial, "x", 0.25, kFloat).ok());
  ASSERT_TRUE(Set(trial, "n", 3, kInt).ok());
  ASSERT_TRUE(Set(trial, "c", 2, kChoices).ok());
  ASSERT_TRUE(Set(trial, "x", 7, kWider).ok());
  const optuna::Trial got = Get(trial);
  EXPECT_EQ(got.params().at("x"), 7);
  EXPECT_EQ(got.distributions().at("x"), kWider);
  EXPECT_EQ(got.distributions().at("n"), kInt);
  const auto ours = Ours(study);
  ASSERT_EQ(ours->spec->parameters.size(), 3U);
  EXPECT_EQ(ours->spec->parameters[0].min_value, -1);
  EXPECT_EQ(ours->spec->parameters[0].max_value, 1);
  EXPECT_EQ(ParametersToJson(ours->trials.Get(TrialId{1}).parameters),
            R"({"x":7.0,"n":3,"c":"None"})");
}

TEST_F(OptunaHandlersTest, ChoicesStayAsAnOlderStudyWritesThem) {
  const std::int64_t study = MakeStudy();
  ParameterSpec older;
  older.name = "c";
  older.type = ParameterType::kCategorical;
  older.categorical_values = {"a", "1", "null", "true"};
  ASSERT_TRUE(
      store_.Commit({GrowStudySpec{StudyId{study}, older}}, Timestamp{}).ok());
  ASSERT_TRUE(Set(Add(study), "c", 3, kChoices).ok());
  const auto ours = Ours(study);
  EXPECT_EQ(ours->spec->parameters.size(), 1U);
  EXPECT_EQ(ParametersToJson(ours->trials.Get(TrialId{1}).parameters),
            R"({"c":"true"})");
}

TEST_F(OptunaHandlersTest, ChoicesMayBeNumbersThatJsonHasNot) {
  const std::string choices =
      R"({"name": "CategoricalDistribution", "attributes": {"choices": [NaN, "NaN", "a \" Infinity", -Infinity]}})";
  const std::int64_t trial = Add(MakeStudy());
  ASSERT_TRUE(Set(trial, "c", 3, choices).ok());
  EXPECT_EQ(Get(trial).distributions().at("c"), choices);
  EXPECT_EQ(Get(trial).params().at("c"), 3);
}

TEST_F(OptunaHandlersTest, RefusesAnIncompatibleDistribution) {
  const std::int64_t study = MakeStudy();
  ASSERT_TRUE(Set(Add(study), "x", 0.25, kFloat).ok());
  const std::int64_t trial = Add(study);
  for (const char* other : {kLog, kInt, kChoices, "{", "{\"name\": \"X\"}"}) {
    EXPECT_EQ(Set(trial, "x", 0.25, other).code(),
              absl::StatusCode::kInvalidArgument)
        << other;
  }
  EXPECT_TRUE(Get(trial).params().empty());
}

TEST_F(OptunaHandlersTest, AFinishedTrialNeverChanges) {
  const std::int64_t study = MakeStudy();
  for (const optuna::TrialState state :
       {optuna::COMPLETE, optuna::PRUNED, optuna::FAIL}) {
    const std::int64_t trial = Add(study);
    EXPECT_EQ(Move(trial, state, {0.5}).value(), true);
    EXPECT_EQ(Get(trial).state(), state);
    EXPECT_THAT(Get(trial).values(), testing::ElementsAre(0.5));
    EXPECT_FALSE(Get(trial).datetime_complete().empty());
    const auto code = absl::StatusCode::kFailedPrecondition;
    EXPECT_EQ(Set(trial, "x", 1, kFloat).code(), code);
    EXPECT_EQ(Report(trial, 1, 1).code(), code);
    EXPECT_EQ(SetAttribute(trial, "k", "1").code(), code);
    EXPECT_EQ(Move(trial, optuna::RUNNING).status().code(), code);
  }
}

TEST_F(OptunaHandlersTest, AWaitingTrialGoesToOneCallerAlone) {
  const std::int64_t study = MakeStudy();
  std::int64_t trial = AddWaiting(study);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Get(trial).state(), optuna::WAITING);
    std::atomic<int> taken{0};
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i) {
      callers.emplace_back(
          [&] { taken += Move(trial, optuna::RUNNING).value() ? 1 : 0; });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(taken, 1);
    EXPECT_FALSE(Get(trial).datetime_start().empty());
    // It goes back to the queue, which no trial of ours does.
    ASSERT_TRUE(Move(trial, optuna::WAITING).value());
  }
  EXPECT_TRUE(Move(trial, optuna::COMPLETE, {1}).value());
  EXPECT_EQ(Get(trial).state(), optuna::COMPLETE);
}

TEST_F(OptunaHandlersTest, AWaitingTrialMayEndWithoutAStart) {
  const std::int64_t trial = AddWaiting(MakeStudy());
  ASSERT_TRUE(Report(trial, -3, 0.5).ok());
  ASSERT_TRUE(Move(trial, optuna::COMPLETE, {1}).value());
  EXPECT_EQ(Get(trial).datetime_start(), "");
  EXPECT_EQ(Get(trial).intermediate_values().at(-3), 0.5);
}

TEST_F(OptunaHandlersTest, ReportsOverwriteAStepAndMayBeAnyNumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::int64_t trial = Add(MakeStudy());
  ASSERT_TRUE(Report(trial, 1, 0.5).ok());
  ASSERT_TRUE(Report(trial, 1, 0.25).ok());
  ASSERT_TRUE(Report(trial, -2, infinity).ok());
  ASSERT_TRUE(Report(trial, 7, std::nan("")).ok());
  const auto values = Get(trial).intermediate_values();
  EXPECT_EQ(values.size(), 3U);
  EXPECT_EQ(values.at(1), 0.25);
  EXPECT_EQ(values.at(-2), infinity);
  EXPECT_TRUE(std::isnan(values.at(7)));
}

TEST_F(OptunaHandlersTest, RefusesNanAndAWrongNumberOfValues) {
  const std::int64_t trial = Add(MakeStudy("two", 2));
  for (const std::vector<double>& values :
       {std::vector<double>{1}, {1, 2, 3}, {1, std::nan("")}}) {
    EXPECT_EQ(Move(trial, optuna::COMPLETE, values).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  const double infinity = std::numeric_limits<double>::infinity();
  ASSERT_TRUE(Move(trial, optuna::COMPLETE, {1, -infinity}).ok());
  EXPECT_THAT(Get(trial).values(), testing::ElementsAre(1, -infinity));
  EXPECT_EQ(Get(trial).state(), optuna::COMPLETE);
}

TEST_F(OptunaHandlersTest, TakesOverATemplate) {
  const std::int64_t study = MakeStudy();
  optuna::Trial from;
  from.set_state(optuna::COMPLETE);
  from.add_values(0.5);
  from.set_datetime_start("2026-01-02 03:04:05.000006");
  from.set_datetime_complete("2026-01-02 03:04:06.000000");
  (*from.mutable_params())["x"] = 5;
  (*from.mutable_distributions())["x"] = kFloat;
  (*from.mutable_user_attributes())["u"] = "NaN";
  (*from.mutable_system_attributes())["s"] = "[1]";
  (*from.mutable_intermediate_values())[3] = 0.75;
  optuna::Trial got = Get(Add(study, &from));
  got.clear_trial_id();
  EXPECT_EQ(got.SerializeAsString().size(), from.SerializeAsString().size());
  EXPECT_EQ(got.DebugString(), from.DebugString());
  from.set_datetime_start("yesterday");
  EXPECT_EQ(TryAdd(study, &from).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(OptunaHandlersTest, ListsWhatIsNewAndWhatIsNamed) {
  const std::int64_t study = MakeStudy();
  const std::int64_t other = MakeStudy("other");
  std::vector<std::int64_t> ids;
  for (int i = 0; i < 4; ++i) ids.push_back(Add(study));
  Add(other);
  EXPECT_EQ(List(study, -1), ids);
  EXPECT_EQ(List(study, ids[2]), std::vector<std::int64_t>{ids[3]});
  EXPECT_EQ(List(study, ids[2], {ids[0], ids[0], ids[3], 17, -5, ids[3] + 9}),
            (std::vector<std::int64_t>{ids[0], ids[3]}));
  EXPECT_TRUE(List(study, ids[3] + 1000).empty());
}

TEST_F(OptunaHandlersTest, ConstraintsBecomeOnesOfTheStudy) {
  const std::int64_t study = MakeStudy();
  const std::int64_t trial = Add(study);
  ASSERT_TRUE(SetAttribute(trial, "constraints:c", "-0.5").ok());
  ASSERT_TRUE(SetAttribute(trial, "constraints", "[1.5, 2]").ok());
  ASSERT_TRUE(Move(trial, optuna::COMPLETE, {1}).ok());
  const auto ours = Ours(study);
  ASSERT_EQ(ours->spec->constraints.size(), 3U);
  EXPECT_EQ(ours->spec->constraints[2].metric, "constraints:c");
  EXPECT_EQ(ours->spec->constraints[2].max, 0.0);
  EXPECT_THAT(Get(trial).values(), testing::ElementsAre(1));
}

TEST_F(OptunaHandlersTest, TheEngineFixesWhatTheStudyKnows) {
  has_engine_ = true;
  const std::int64_t study = MakeStudy();
  for (int i = 0; i < 8; ++i) {
    const std::int64_t trial = Add(study);
    const optuna::Trial got = Get(trial);
    if (i == 0) {
      EXPECT_TRUE(got.system_attributes().empty());
    } else {
      const std::string& fixed = got.system_attributes().at("fixed_params");
      EXPECT_THAT(fixed, testing::MatchesRegex(
                             R"(\{"x": [0-9e.-]+, "n": [13579], "c": .*\})"));
      EXPECT_NE(Ours(study)->trials.Get(TrialId{i + 1}).origin.suggester,
                "CLIENT");
    }
    ASSERT_TRUE(Set(trial, "x", 0.1 * i, kFloat).ok());
    ASSERT_TRUE(Set(trial, "n", 3, kInt).ok());
    ASSERT_TRUE(Set(trial, "c", 1, kChoices).ok());
    ASSERT_TRUE(Move(trial, optuna::COMPLETE, {0.1 * i}).ok());
  }
}

TEST_F(OptunaHandlersTest, TheEngineLeavesTemplatesAlone) {
  has_engine_ = true;
  const std::int64_t study = MakeStudy();
  ASSERT_TRUE(Set(Add(study), "x", 0.5, kFloat).ok());
  EXPECT_TRUE(Get(AddWaiting(study)).system_attributes().empty());
}

}  // namespace
}  // namespace vernier
