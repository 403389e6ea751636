#include "faces/suggest/suggest_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/json.h"

namespace vernier {
namespace {

using testing::HasSubstr;

Json Answer(SuggestSession& session, const std::string& line) {
  const auto answer = ParseJson(session.Answer(line));
  EXPECT_TRUE(answer.ok()) << line;
  return answer.ok() ? *answer : Json();
}

std::string ErrorCode(SuggestSession& session, const std::string& line) {
  const Json answer = Answer(session, line);
  return answer.contains("error") ? answer["error"]["code"].get<std::string>()
                                  : "";
}

std::string ErrorMessage(SuggestSession& session, const std::string& line) {
  const Json answer = Answer(session, line);
  return answer.contains("error")
             ? answer["error"]["message"].get<std::string>()
             : "";
}

const SystemClock kClock;

constexpr char kCreate[] =
    R"({"op":"create","seed":7,"hyperparameters":{"goal":"MINIMIZE","params":[
    {"parameterName":"lr","type":"DOUBLE","minValue":1e-4,"maxValue":1,
     "scaleType":"UNIT_LOG_SCALE"},
    {"parameterName":"layers","type":"INTEGER","minValue":1,"maxValue":5},
    {"parameterName":"batch","type":"DISCRETE","discreteValues":[16,32.5,64]},
    {"parameterName":"act","type":"CATEGORICAL",
     "categoricalValues":["relu","tanh"],"childParameterSpecs":[
       {"parameterName":"slope","type":"DOUBLE","minValue":0,"maxValue":1,
        "parentCategoricalValues":{"values":["relu"]}}]}]}})";

TEST(SuggestSessionTest, AsksAndTells) {
  SuggestSession session(kClock);
  EXPECT_EQ(Answer(session, kCreate), Json({{"ok", true}}));
  for (int i = 1; i <= 30; ++i) {
    const Json asked = Answer(session, R"({"op":"ask"})");
    ASSERT_EQ(asked["trials"].size(), 1u) << asked;
    const Json& trial = asked["trials"][0];
    EXPECT_EQ(trial["id"], i);
    const Json& parameters = trial["parameters"];
    EXPECT_TRUE(parameters["lr"].is_number_float());
    EXPECT_TRUE(parameters["layers"].is_number_integer());
    EXPECT_EQ(parameters.contains("slope"), parameters["act"] == "relu");
    Json tell = {{"op", "tell"}, {"id", i}};
    if (i == 5) {
      tell["infeasible"] = true;
    } else {
      tell["value"] =
          std::pow(std::log10(parameters["lr"].get<double>()) + 2, 2) +
          parameters["layers"].get<double>();
    }
    EXPECT_EQ(Answer(session, DumpJson(tell)), Json({{"ok", true}}));
  }
  const Json best = Answer(session, R"({"op":"best"})");
  EXPECT_LT(best["best"]["value"].get<double>(), 1.3) << best;
  EXPECT_EQ(best["best"]["parameters"]["layers"], 1);
  EXPECT_TRUE(best["recommended"].contains("prediction"));
  const Json why = Answer(session, R"({"op":"why","id":29})");
  EXPECT_EQ(why["method"], "EXPECTED_IMPROVEMENT");
  EXPECT_EQ(why["numCompleted"], 28);
  EXPECT_LE(why["prediction"]["low"].get<double>(),
            why["prediction"]["mean"].get<double>());
  EXPECT_THAT(why["text"].get<std::string>(), HasSubstr("28 results"));
}

TEST(SuggestSessionTest, TheSameLinesGetTheSameAnswers) {
  SuggestSession a(kClock);
  SuggestSession b(kClock);
  for (SuggestSession* session : {&a, &b}) {
    session->Answer(kCreate);
    for (int i = 1; i <= 14; ++i) {
      session->Answer(R"({"op":"ask"})");
      session->Answer(DumpJson({{"op", "tell"},
                                {"id", i},
                                {"value", std::sin(static_cast<double>(i))},
                                {"variance", 0.01}}));
    }
  }
  EXPECT_EQ(a.Answer(R"({"op":"ask","count":4})"),
            b.Answer(R"({"op":"ask","count":4})"));
}

TEST(SuggestSessionTest, ATrialCanBeAbandoned) {
  SuggestSession session(kClock);
  session.Prepare();  // Without a study there is nothing to do.
  session.Answer(kCreate);
  session.Answer(R"({"op":"ask","count":3})");
  session.Prepare();
  EXPECT_EQ(Answer(session, R"({"op":"abandon","id":2})"),
            Json({{"ok", true}}));
  const Json next = Answer(session, R"({"op":"ask"})");
  EXPECT_EQ(next["trials"][0]["id"], 4);
  EXPECT_EQ(Answer(session, R"({"op":"why","id":4})")["numPending"], 2);
  EXPECT_EQ(ErrorCode(session, R"({"op":"abandon","id":9})"), "NOT_FOUND");
  EXPECT_EQ(ErrorCode(session, R"({"op":"abandon"})"), "INVALID_ARGUMENT");
}

TEST(SuggestSessionTest, ALeaseIsALengthOfTime) {
  const std::string create = kCreate;
  for (const char* const wrong : {"0", "-1", "1e300", "\"1\"", "null"}) {
    SuggestSession session(kClock);
    const std::string line =
        absl::StrCat("{\"leaseSeconds\":", wrong, ",", create.substr(1));
    EXPECT_THAT(ErrorMessage(session, line), HasSubstr("leaseSeconds"))
        << wrong;
  }
  SuggestSession session(kClock);
  EXPECT_EQ(Answer(session, "{\"leaseSeconds\":0.5," + create.substr(1)),
            Json({{"ok", true}}));
}

TEST(SuggestSessionTest, TakesPointsFromElsewhere) {
  SuggestSession session(kClock);
  session.Answer(kCreate);
  const Json added = Answer(session,
                            R"({"op":"add","value":0.5,"parameters":
          {"act":"relu","slope":0.1,"batch":"64","lr":0.01,"layers":2}})");
  EXPECT_EQ(added["id"], 1);
  EXPECT_EQ(Answer(session, R"({"op":"best"})")["best"]["parameters"]["batch"],
            64);
  EXPECT_EQ(Answer(session, R"({"op":"why","id":1})")["method"], "USER");
  EXPECT_EQ(Answer(session, R"({"op":"ask"})")["trials"][0]["id"], 2);
}

TEST(SuggestSessionTest, AnErrorChangesNothing) {
  SuggestSession session(kClock);
  session.Answer(kCreate);
  const std::string expected = [] {
    SuggestSession other(kClock);
    other.Answer(kCreate);
    return other.Answer(R"({"op":"ask"})");
  }();
  const struct {
    const char* line;
    const char* code;
    const char* message;
  } kCases[] = {
      {"", "INVALID_ARGUMENT", ""},
      {"{", "INVALID_ARGUMENT", ""},
      {"[1]", "INVALID_ARGUMENT", "object"},
      {"{}", "INVALID_ARGUMENT", "op is required"},
      {R"({"op":"aks"})", "INVALID_ARGUMENT", "unknown op \"aks\""},
      {R"({"op":"ask","cuont":2})", "INVALID_ARGUMENT", "count"},
      {R"({"op":"ask","count":0})", "INVALID_ARGUMENT", "[1, 10000]: 0"},
      {R"({"op":"ask","count":1.5})", "INVALID_ARGUMENT", "1.5"},
      {R"({"op":"tell","id":1,"value":1})", "NOT_FOUND", "no trial 1"},
      {R"({"op":"tell","id":18446744073709551615,"value":1})",
       "INVALID_ARGUMENT", "id must be"},
      {R"({"op":"tell","value":1})", "INVALID_ARGUMENT", "id is required"},
      {R"({"op":"why","id":9})", "NOT_FOUND", "no trial 9"},
      {R"({"op":"best"})", "NOT_FOUND", "no trial has a value"},
      {R"({"op":"add","value":1,"parameters":{"lr":0.01,"layers":2,
           "batch":16,"act":"tanh","slope":0.5}})",
       "INVALID_ARGUMENT", "not active"},
      {R"({"op":"add","value":1,"parameters":{"lr":5,"layers":2,
           "batch":16,"act":"tanh"}})",
       "INVALID_ARGUMENT", "[0.0001, 1]: 5"},
      {R"({"op":"add","value":1,"parameters":{"lr":0.1,"layers":2.5,
           "batch":16,"act":"tanh"}})",
       "INVALID_ARGUMENT", "layers"},
      {R"({"op":"add","value":1,"parameters":{"lr":0.1,"batch":16,
           "act":"tanh"}})",
       "INVALID_ARGUMENT", "\"layers\" is missing"},
      {R"({"op":"add","value":1,"parameters":{"lr":0.1,"layers":2,
           "batch":16,"act":"tanh","lrr":1}})",
       "INVALID_ARGUMENT", "did you mean lr"},
      {kCreate, "FAILED_PRECONDITION", "already"},
  };
  for (const auto& each : kCases) {
    EXPECT_EQ(ErrorCode(session, each.line), each.code) << each.line;
    EXPECT_THAT(ErrorMessage(session, each.line), HasSubstr(each.message));
  }
  EXPECT_EQ(ErrorCode(session, std::string(100'000, '[')), "INVALID_ARGUMENT");
  EXPECT_EQ(session.Answer(R"({"op":"ask"})"), expected);
}

// As Python writes them, as texts, and too large for a number.
TEST(SuggestSessionTest, ARequestHasAHundredLevelsAtMost) {
  SuggestSession session(kClock);
  Answer(session, kCreate);
  const auto nested = [](std::size_t levels) {
    return R"({"op":"ask","x":)" + std::string(levels - 1, '[') +
           std::string(levels - 1, ']') + "}";
  };
  EXPECT_THAT(ErrorMessage(session, nested(100)), HasSubstr("x"));
  EXPECT_THAT(ErrorMessage(session, nested(101)), HasSubstr("100 levels"));
  EXPECT_THAT(ErrorMessage(session, nested(100'000)), HasSubstr("100 levels"));
}

TEST(SuggestSessionTest, WhatIsNotFiniteIsInfeasible) {
  for (const char* const value :
       {"NaN", "-Infinity", "Infinity", "\"nan\"", "1e999"}) {
    SuggestSession session(kClock);
    session.Answer(kCreate);
    session.Answer(R"({"op":"ask","count":3})");
    const std::string given = std::string("\"value\":") + value + "}";
    const Json ok = {{"ok", true}};
    EXPECT_EQ(Answer(session, R"({"op":"tell","id":1,)" + given), ok) << value;
    EXPECT_EQ(ErrorCode(session, R"({"op":"best"})"), "NOT_FOUND") << value;
    EXPECT_EQ(Answer(session, R"({"op":"report","id":2,"step":1,"value":1})"),
              Json({{"ok", true}, {"stop", false}}));
    EXPECT_EQ(Answer(session, R"({"op":"report","id":2,"step":2,)" + given),
              Json({{"ok", true}, {"stop", false}}));
    EXPECT_EQ(Answer(session, R"({"op":"tell","id":2})"), ok) << value;
    EXPECT_EQ(ErrorCode(session, R"({"op":"best"})"), "NOT_FOUND") << value;
    EXPECT_EQ(Answer(session, R"({"op":"tell","id":3,"value":2})"), ok);
    EXPECT_EQ(Answer(session, R"({"op":"best"})")["best"]["id"], 3);
  }
}

TEST(SuggestSessionTest, RefusesOutcomesThatAreNone) {
  SuggestSession session(kClock);
  session.Answer(kCreate);
  session.Answer(R"({"op":"ask"})");
  for (const char* rest :
       {R"("value":null)", R"("value":"0.5")", R"("value":1,"infeasible":true)",
        R"("infeasible":false)", R"("infeasible":1)",
        R"("value":1,"variance":-1)", R"("infeasible":true,"variance":1)"}) {
    const std::string line =
        std::string(R"({"op":"tell","id":1,)") + rest + "}";
    EXPECT_EQ(ErrorCode(session, line), "INVALID_ARGUMENT") << line;
  }
  session.Answer(R"({"op":"tell","id":1,"value":1})");
  EXPECT_EQ(ErrorCode(session, R"({"op":"tell","id":1,"value":1})"),
            "FAILED_PRECONDITION");
}

TEST(SuggestSessionTest, NeedsAStudyThatMakesSense) {
  SuggestSession session(kClock);
  EXPECT_EQ(ErrorCode(session, R"({"op":"ask"})"), "FAILED_PRECONDITION");
  EXPECT_THAT(ErrorMessage(session,
                           R"({"op":"create","hyperparameters":{"params":[
                       {"parameterName":"x","type":"DOUBLE","minValue":2,
                        "maxValue":1}]}})"),
              HasSubstr("params[0].minValue: must be <= maxValue: 2 > 1"));
  EXPECT_EQ(ErrorCode(session, R"({"op":"create","hyperparameters":{}})"),
            "INVALID_ARGUMENT");
}

TEST(SuggestSessionTest, SaysThatASpaceIsExhausted) {
  SuggestSession session(kClock);
  session.Answer(
      R"({"op":"create","hyperparameters":{"algorithm":"QUASI_RANDOM_SEARCH",
          "params":[{"parameterName":"n","type":"INTEGER","minValue":1,
                     "maxValue":3}]}})");
  const Json asked = Answer(session, R"({"op":"ask","count":9})");
  std::set<int> values;
  for (const Json& trial : asked["trials"]) {
    values.insert(trial["parameters"]["n"].get<int>());
  }
  EXPECT_EQ(values, (std::set<int>{1, 2, 3}));
  EXPECT_EQ(ErrorCode(session, R"({"op":"ask"})"), "RESOURCE_EXHAUSTED");
}

// The value of a training at a step, for a rate.
double Loss(double rate, int step) {
  const double end = 0.1 + std::abs(std::log10(rate) + 2);
  return end + 3 * std::exp(-step / 4.0);
}

Json CreateWithStopping(const Json& rule) {
  return {{"op", "create"},
          {"seed", 7},
          {"earlyStopping", rule},
          {"hyperparameters",
           {{"goal", "MINIMIZE"},
            {"params",
             {{{"parameterName", "lr"},
               {"type", "DOUBLE"},
               {"minValue", 1e-4},
               {"maxValue", 1},
               {"scaleType", "UNIT_LOG_SCALE"}}}}}}};
}

// Trains 15 trials of 20 steps and returns how many were stopped.
int TrainAll(SuggestSession& session) {
  int stopped = 0;
  for (int id = 1; id <= 15; ++id) {
    const Json asked = Answer(session, R"({"op":"ask"})");
    const double rate = asked["trials"][0]["parameters"]["lr"].get<double>();
    bool goes_on = true;
    for (int step = 1; step <= 20 && goes_on; ++step) {
      const Json answer =
          Answer(session, DumpJson({{"op", "report"},
                                    {"id", id},
                                    {"step", step},
                                    {"value", Loss(rate, step)}}));
      EXPECT_EQ(answer["ok"], true) << answer;
      goes_on = !answer["stop"].get<bool>();
      EXPECT_EQ(answer.contains("reason"), !goes_on);
    }
    Json tell = {{"op", "tell"}, {"id", id}, {"duration", 2.5}};
    if (goes_on) tell["value"] = Loss(rate, 20);
    EXPECT_EQ(Answer(session, DumpJson(tell)), Json({{"ok", true}}));
    stopped += !goes_on;
  }
  return stopped;
}

// Why the first trial that was stopped was; empty: none was.
std::string FirstReason(Json create) {
  SuggestSession session(kClock);
  EXPECT_EQ(Answer(session, DumpJson(create)), Json({{"ok", true}}));
  for (int id = 1; id <= 15; ++id) {
    const Json asked = Answer(session, R"({"op":"ask"})");
    const double rate = asked["trials"][0]["parameters"]["lr"].get<double>();
    for (int step = 1; step <= 20; ++step) {
      const Json answer =
          Answer(session, DumpJson({{"op", "report"},
                                    {"id", id},
                                    {"step", step},
                                    {"value", Loss(rate, step)}}));
      if (answer["stop"] == true) return answer["reason"].get<std::string>();
    }
    session.Answer(
        DumpJson({{"op", "tell"}, {"id", id}, {"value", Loss(rate, 20)}}));
  }
  return "";
}

TEST(SuggestSessionTest, EnableTrialEarlyStoppingIsTheRuleAuto) {
  Json create = CreateWithStopping("AUTO");
  const std::string by_auto = FirstReason(create);
  EXPECT_NE(by_auto, "");
  create.erase("earlyStopping");
  EXPECT_EQ(FirstReason(create), "");
  create["hyperparameters"]["enableTrialEarlyStopping"] = true;
  EXPECT_EQ(FirstReason(create), by_auto);
}

TEST(SuggestSessionTest, GivesShortNumbersExactDefaultsAndBooleans) {
  SuggestSession session(kClock);
  session.Answer(
      R"({"op":"create","hyperparameters":{"params":[
          {"parameterName":"a","type":"DOUBLE","minValue":1e-4,"maxValue":1,
           "scaleType":"UNIT_LOG_SCALE"},
          {"parameterName":"b","type":"DOUBLE","minValue":1e-4,"maxValue":1,
           "scaleType":"UNIT_LOG_SCALE","defaultValue":0.001},
          {"parameterName":"c","type":"CATEGORICAL",
           "categoricalValues":[true,false]},
          {"parameterName":"d","type":"DISCRETE",
           "discreteValues":[9007199254740994]}]}})");
  EXPECT_EQ(session.Answer(R"({"op":"ask"})"),
            R"({"trials":[{"id":1,"parameters":{"a":0.01,"b":0.001,"c":true,)"
            R"("d":9007199254740994}}]})");
}

TEST(SuggestSessionTest, StopsTrialsByTheRuleThatIsAskedFor) {
  for (const char* const rule :
       {"AUTO", "decay_curve", "ASHA", "Median", "HYPERBAND"}) {
    SuggestSession session(kClock);
    session.Answer(DumpJson(CreateWithStopping(rule)));
    EXPECT_GT(TrainAll(session), 0) << rule;
    const Json best = Answer(session, R"({"op":"best"})");
    EXPECT_LT(best["best"]["value"].get<double>(), 0.3) << rule;
  }
  SuggestSession session(kClock);
  session.Answer(DumpJson(CreateWithStopping("NONE")));
  EXPECT_EQ(TrainAll(session), 0);
}

TEST(SuggestSessionTest, AStoppingRuleHasOptions) {
  SuggestSession late(kClock);
  late.Answer(
      DumpJson(CreateWithStopping({{"rule", "AUTO"}, {"minSteps", 20}})));
  EXPECT_EQ(TrainAll(late), 0);
  for (const Json& wrong :
       {Json("SOME"), Json(3), Json({{"minSteps", 0}}),
        Json({{"rule", "ASHA"}, {"reductionFactor", 1}}),
        Json({{"rule", "ASHA"}, {"minSteps", 3}, {"maxSteps", 2}}),
        Json({{"rule", "ASHA"}, {"brackets", 0}}),
        Json({{"rule", "ASHA"}, {"maxSteps", (std::int64_t{1} << 40) + 1}}),
        Json({{"rule", "AUTO"}, {"minWinProbability", 1}}),
        Json({{"rule", "AUTO"}, {"patience", 1}})}) {
    SuggestSession session(kClock);
    EXPECT_EQ(ErrorCode(session, DumpJson(CreateWithStopping(wrong))),
              "INVALID_ARGUMENT")
        << wrong;
  }
}

TEST(SuggestSessionTest, StepsMayBeOfAnySize) {
  for (const char* const rule : {"AUTO", "MEDIAN", "ASHA", "HYPERBAND"}) {
    SuggestSession session(kClock);
    session.Answer(DumpJson(CreateWithStopping(rule)));
    for (int id = 1; id <= 8; ++id) {
      session.Answer(R"({"op":"ask"})");
      for (const char* const step : {"1", "9223372036854775807"}) {
        const Json answer = Answer(
            session, absl::StrCat(R"({"op":"report","id":)", id, R"(,"step":)",
                                  step, R"(,"value":)", id, "}"));
        EXPECT_EQ(answer["ok"], true) << answer;
      }
      if (id > 5) continue;
      session.Answer(
          absl::StrCat(R"({"op":"tell","id":)", id, R"(,"value":)", id, "}"));
    }
  }
}

TEST(SuggestSessionTest, TheObjectiveMayCountSeconds) {
  const auto create = [](const Json& objective, int seed = 7) {
    Json request = CreateWithStopping("NONE");
    request["objective"] = objective;
    request["seed"] = seed;
    return DumpJson(request);
  };
  for (const Json& wrong :
       {Json(true), Json({{"perCost", 1}}), Json({{"perSecond", true}})}) {
    SuggestSession session(kClock);
    EXPECT_EQ(ErrorCode(session, create(wrong)), "INVALID_ARGUMENT") << wrong;
  }
  // The lower the rate, the longer a trial takes, and both sides of the best
  // are equally good. One search may do by luck what another means to do.
  double sum_of_logs[2] = {0, 0};  // Of the seconds of whole searches.
  for (int seed = 1; seed <= 12; ++seed) {
    for (const bool per_cost : {false, true}) {
      SuggestSession session(kClock);
      session.Answer(create({{"perCost", per_cost}}, seed));
      double seconds = 0;
      for (int id = 1; id <= 24; ++id) {
        const double rate =
            Answer(session, R"({"op":"ask"})")["trials"][0]["parameters"]["lr"]
                .get<double>();
        seconds += 1 / rate;
        session.Answer(DumpJson({{"op", "tell"},
                                 {"id", id},
                                 {"value", Loss(rate, 100)},
                                 {"duration", 1 / rate}}));
      }
      sum_of_logs[per_cost] += std::log(seconds);
    }
  }
  EXPECT_LT(sum_of_logs[1], sum_of_logs[0] - 1);
}

// What is asked for as the 21st point, after twenty of which the cheap ones are
// as good as the others.
Json PointAfterTwenty(const Json& objective, const Json& ask, bool prepare) {
  SuggestSession session(kClock);
  Json create = CreateWithStopping("NONE");
  create["objective"] = objective;
  session.Answer(DumpJson(create));
  for (int id = 1; id <= 20; ++id) {
    const double rate =
        Answer(session, R"({"op":"ask"})")["trials"][0]["parameters"]["lr"]
            .get<double>();
    session.Answer(DumpJson({{"op", "tell"},
                             {"id", id},
                             {"value", Loss(rate, 100)},
                             {"duration", 1 / rate}}));
  }
  if (prepare) session.Prepare();
  return Answer(session, DumpJson(ask));
}

TEST(SuggestSessionTest, ABudgetOfTimeIsSpentByWhatIsLeftOfIt) {
  const Json none = Json::object();
  const Json plain = {{"op", "ask"}};
  const Json whole = {{"op", "ask"}, {"budgetLeft", 1}};
  const Json half = {{"op", "ask"}, {"budgetLeft", 0.5}};
  const Json nothing = {{"op", "ask"}, {"budgetLeft", 0}};
  const Json dear = PointAfterTwenty(none, plain, false);
  EXPECT_EQ(PointAfterTwenty(none, nothing, false), dear);
  const Json cheap = PointAfterTwenty(none, whole, false);
  EXPECT_NE(cheap, dear);
  const Json between = PointAfterTwenty(none, half, false);
  EXPECT_NE(between, dear);
  EXPECT_NE(between, cheap);
  // A point that was prepared without knowing that is not given out.
  EXPECT_EQ(PointAfterTwenty(none, half, true), between);
  // Who counts seconds counts them to the end.
  const Json per_cost = {{"perCost", true}};
  EXPECT_EQ(PointAfterTwenty(per_cost, nothing, false),
            PointAfterTwenty(per_cost, plain, false));
  SuggestSession session(kClock);
  session.Answer(DumpJson(CreateWithStopping("NONE")));
  for (const char* const wrong : {"-0.1", "1.1", "true", R"("half")"}) {
    EXPECT_EQ(ErrorCode(session, absl::StrCat(R"({"op":"ask","budgetLeft":)",
                                              wrong, "}")),
              "INVALID_ARGUMENT")
        << wrong;
  }
}

TEST(SuggestSessionTest, ReportsAreChecked) {
  SuggestSession session(kClock);
  session.Answer(DumpJson(CreateWithStopping("AUTO")));
  session.Answer(R"({"op":"ask"})");
  EXPECT_EQ(ErrorCode(session, R"({"op":"report","id":2,"step":1,"value":1})"),
            "NOT_FOUND");
  for (const char* const wrong :
       {R"({"op":"report","id":1,"value":1})",
        R"({"op":"report","id":1,"step":1})",
        R"({"op":"report","id":1,"step":-1,"value":1})",
        R"({"op":"tell","id":1,"value":1,"duration":0})",
        R"({"op":"add","parameters":{"lr":0.1}})"}) {
    EXPECT_EQ(ErrorCode(session, wrong), "INVALID_ARGUMENT") << wrong;
  }
  // A trial without a value must at least have reported.
  EXPECT_EQ(ErrorCode(session, R"({"op":"tell","id":1})"),
            "FAILED_PRECONDITION");
  session.Answer(R"({"op":"report","id":1,"step":1,"value":1})");
  EXPECT_EQ(Answer(session, R"({"op":"tell","id":1})"), Json({{"ok", true}}));
  EXPECT_EQ(ErrorCode(session, R"({"op":"report","id":1,"step":2,"value":1})"),
            "FAILED_PRECONDITION");
}

constexpr char kCreateFront[] =
    R"({"op":"create","seed":7,"hyperparameters":{"params":[
    {"parameterName":"x","type":"DOUBLE","minValue":0,"maxValue":1},
    {"parameterName":"y","type":"DOUBLE","minValue":0,"maxValue":1}]},
    "objectives":[{"metric":"f1","goal":"MINIMIZE"},
                  {"metric":"f2","goal":"MAXIMIZE","reference":0.5}],
    "constraints":[{"metric":"c1","max":0},{"metric":"c2","min":0.25}]})";

// f1 = x^2 and f2 = 2 - (x - 1)^2 trade off along x; c1 forbids large y, and c2
// small x.
Json FrontValues(const Json& parameters) {
  const double x = parameters["x"].get<double>();
  const double y = parameters["y"].get<double>();
  return {{"f1", x * x + y},
          {"f2", 2 - (x - 1) * (x - 1) - y},
          {"c1", y - 0.3},
          {"c2", x}};
}

TEST(SuggestSessionTest, SeveralObjectivesHaveAFront) {
  SuggestSession session(kClock);
  EXPECT_EQ(Answer(session, kCreateFront), Json({{"ok", true}}));
  EXPECT_EQ(ErrorMessage(session, R"({"op":"best"})"),
            "no trial has all values and meets all constraints yet");
  for (int i = 1; i <= 20; ++i) {
    const Json asked = Answer(session, R"({"op":"ask"})");
    ASSERT_EQ(asked["trials"].size(), 1u) << asked;
    const Json tell = {
        {"op", "tell"},
        {"id", i},
        {"values", FrontValues(asked["trials"][0]["parameters"])}};
    EXPECT_EQ(Answer(session, DumpJson(tell)), Json({{"ok", true}}));
  }
  const Json best = Answer(session, R"({"op":"best"})");
  ASSERT_GE(best["front"].size(), 4u) << best;
  for (const Json& trial : best["front"]) {
    EXPECT_EQ(trial["values"], FrontValues(trial["parameters"]));
    EXPECT_LE(trial["values"]["c1"].get<double>(), 0);
    EXPECT_GE(trial["values"]["c2"].get<double>(), 0.25);
  }
  EXPECT_EQ(best["reference"]["f2"], 0.5);
  EXPECT_GT(best["reference"]["f1"].get<double>(),
            best["front"][0]["values"]["f1"].get<double>());
  EXPECT_GT(best["hypervolume"].get<double>(), 0);
  const Json why = Answer(session, R"({"op":"why","id":20})");
  EXPECT_EQ(why["method"], "EXPECTED_HYPERVOLUME") << why;
  EXPECT_THAT(why["text"].get<std::string>(), HasSubstr("widen the front"));
}

TEST(SuggestSessionTest, TheBestMeetsTheConstraints) {
  SuggestSession session(kClock);
  const std::string create = R"({"op":"create","hyperparameters":{
      "goal":"MINIMIZE","hyperparameterMetricTag":"loss","params":[
      {"parameterName":"x","type":"DOUBLE","minValue":0,"maxValue":1}]},
      "constraints":[{"metric":"memory","max":10}]})";
  ASSERT_EQ(Answer(session, create), Json({{"ok", true}}));
  const auto add = [&](double x, double loss, double memory) {
    const Json line = {{"op", "add"},
                       {"parameters", {{"x", x}}},
                       {"values", {{"loss", loss}, {"memory", memory}}}};
    return Answer(session, DumpJson(line));
  };
  add(0.1, 0.1, 11);
  EXPECT_EQ(ErrorMessage(session, R"({"op":"best"})"),
            "no trial has a value and meets all constraints yet");
  add(0.2, 0.3, 10);
  add(0.3, 0.2, 10.5);
  const Json best = Answer(session, R"({"op":"best"})");
  EXPECT_EQ(best["best"]["id"], 2) << best;
  EXPECT_EQ(best["recommended"]["id"], 2);
  EXPECT_EQ(best["best"]["values"], Json({{"loss", 0.3}, {"memory", 10}}));
}

TEST(SuggestSessionTest, ValuesHaveTheStudysNames) {
  SuggestSession session(kClock);
  ASSERT_EQ(Answer(session, kCreateFront), Json({{"ok", true}}));
  ASSERT_EQ(Answer(session, R"({"op":"ask"})")["trials"].size(), 1u);
  EXPECT_THAT(ErrorMessage(session, R"({"op":"tell","id":1,"value":3})"),
              HasSubstr("give \"values\", by their names"));
  EXPECT_THAT(
      ErrorMessage(session, R"({"op":"tell","id":1,"values":{"f1":1}})"),
      HasSubstr("values must have f2"));
  EXPECT_THAT(
      ErrorMessage(
          session,
          R"({"op":"tell","id":1,"values":{"f1":1,"f2":1,"c1":1,"c3":1}})"),
      HasSubstr("unknown field \"c3\""));
  // One that is no number makes the trial infeasible, as a value does.
  EXPECT_EQ(Answer(session, R"({"op":"tell","id":1,"values":
      {"f1":1,"f2":NaN,"c1":1,"c2":1}})"),
            Json({{"ok", true}}));
  EXPECT_EQ(ErrorCode(session, R"({"op":"best"})"), "NOT_FOUND");

  SuggestSession single(kClock);
  ASSERT_EQ(Answer(single, kCreate), Json({{"ok", true}}));
  ASSERT_EQ(Answer(single, R"({"op":"ask"})")["trials"].size(), 1u);
  EXPECT_THAT(ErrorMessage(single, R"({"op":"tell","id":1,"values":{"f":1}})"),
              HasSubstr("the study has one metric"));
}

TEST(SuggestSessionTest, ObjectivesAndConstraintsAreChecked) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("objectives":[])", "objectives must be a list of metrics"},
      {R"("objectives":[{"goal":"MINIMIZE"}])", "objectives[0] must be"},
      {R"("objectives":[{"metric":"f"}])", "objective \"f\": goal must be"},
      {R"("objectives":[{"metric":"f","goal":"UP"}])", "MAXIMIZE or MINIMIZE"},
      {R"("objectives":[{"metric":"f","goal":"MINIMIZE","ref":1}])", "\"ref\""},
      {R"("objectives":[{"metric":"f","goal":"MINIMIZE"},
                        {"metric":"f","goal":"MAXIMIZE"}])",
       "is there twice"},
      {R"("objectives":[{"metric":"f","goal":"MINIMIZE"},
                        {"metric":"g","goal":"MAXIMIZE"}],
          "earlyStopping":"AUTO")",
       "earlyStopping is for one objective here"},
      {R"("constraints":[{"metric":"c"}])", "must have a min or a max"},
      {R"("constraints":[{"metric":"c","max":"3"}])", "max must be a finite"},
      {R"("constraints":{"c":3})", "constraints must be a list"},
  };
  for (const auto& [fields, expected] : cases) {
    SuggestSession session(kClock);
    const std::string line = absl::StrCat(
        R"({"op":"create","hyperparameters":{"goal":"MINIMIZE","params":[
        {"parameterName":"x","type":"DOUBLE","minValue":0,"maxValue":1}]},)",
        fields, "}");
    EXPECT_THAT(ErrorMessage(session, line), HasSubstr(expected)) << fields;
  }
}

constexpr char kCreateRepeating[] =
    R"({"op":"create","seed":7,"repeats":%s,"hyperparameters":{
    "goal":"MINIMIZE","params":[{"parameterName":"x","type":"DOUBLE",
    "minValue":0,"maxValue":1}]}})";

std::string CreateRepeating(const std::string& repeats) {
  std::string line = kCreateRepeating;
  return line.replace(line.find("%s"), 2, repeats);
}

TEST(SuggestSessionTest, RepeatsEachPointAndComparesTheMeans) {
  SuggestSession session(kClock);
  ASSERT_EQ(Answer(session, CreateRepeating("3")), Json({{"ok", true}}));
  const double values[] = {1.0, 1.2, 0.8, 0.9, 1.5, 1.4};
  std::set<std::string> points;
  for (int id = 1; id <= 6; ++id) {
    const Json trial = Answer(session, R"({"op":"ask"})")["trials"][0];
    points.insert(DumpJson(trial["parameters"]));
    if ((id - 1) % 3 == 0) {
      EXPECT_FALSE(trial.contains("repeatOf")) << trial;
    } else {
      EXPECT_EQ(trial["repeatOf"], id <= 3 ? 1 : 4) << trial;
      EXPECT_EQ(trial["repeat"], (id - 1) % 3 + 1) << trial;
    }
    Answer(session, absl::StrCat(R"({"op":"tell","id":)", id, R"(,"value":)",
                                 values[id - 1], "}"));
  }
  EXPECT_EQ(points.size(), 2u);
  const Json why = Answer(session, R"({"op":"why","id":2})");
  EXPECT_EQ(why["method"], "REPEAT");
  EXPECT_THAT(why["text"].get<std::string>(),
              HasSubstr("It is repeat 2 of 3 of trial 1: "));
  const Json best = Answer(session, R"({"op":"best"})")["best"];
  EXPECT_EQ(best["id"], 1) << "0.9 of trial 4 was luck";
  EXPECT_EQ(best["point"]["count"], 3);
  EXPECT_NEAR(best["point"]["mean"].get<double>(), 1.0, 1e-12);
  EXPECT_LT(best["point"]["low"].get<double>(), 0.9);
  EXPECT_GT(best["point"]["high"].get<double>(), 1.1);
}

TEST(SuggestSessionTest, RepeatsMustBeANumberOrAuto) {
  SuggestSession session(kClock);
  for (const char* wrong : {"1", "2.5", "101", "\"often\"", "[]", "true"}) {
    EXPECT_THAT(ErrorMessage(session, CreateRepeating(wrong)),
                HasSubstr("repeats must be a whole number from 2 to 100, or "
                          "AUTO"))
        << wrong;
  }
  EXPECT_EQ(Answer(session, CreateRepeating("\"auto\"")), Json({{"ok", true}}));
}

// A study of one number, with the fields in `more`.
std::string CreateWithPriors(const std::string& priors) {
  return absl::StrCat(
      R"({"op":"create","hyperparameters":{"goal":"MAXIMIZE","params":[)",
      R"({"parameterName":"lr","type":"DOUBLE","minValue":0,"maxValue":1}]},)",
      R"("priorStudies":)", priors, "}");
}

TEST(SuggestSessionTest, EarlierStudiesAreLearnedFrom) {
  Json trials = Json::array();
  for (int i = 0; i <= 20; ++i) {
    const double rate = i / 20.0;
    trials.push_back({{"parameters", {{"rate", rate}, {"other", i % 3}}},
                      {"value", std::abs(rate - 0.75)}});
  }
  trials.push_back(
      {{"parameters", {{"rate", 0.1}, {"other", 1}}}, {"infeasible", true}});
  const Json studies = {{{"name", "last week"},
                         {"goal", "MINIMIZE"},
                         {"rename", {{"rate", "lr"}}},
                         {"trials", trials}}};
  SuggestSession session(kClock);
  EXPECT_EQ(Answer(session, CreateWithPriors(DumpJson(studies))),
            Json({{"ok", true}}));
  const Json asked = Answer(session, R"({"op":"ask"})")["trials"][0];
  EXPECT_NEAR(asked["parameters"]["lr"].get<double>(), 0.75, 0.1) << asked;
  const Json why = Answer(session, R"({"op":"why","id":1})");
  EXPECT_EQ(why["learnedFrom"], Json({"last week"}));
  EXPECT_THAT(why["text"].get<std::string>(),
              HasSubstr("learned from the earlier study last week"));
}

TEST(SuggestSessionTest, RefusesEarlierStudiesThatCannotBeRead) {
  const auto message = [](const std::string& priors) {
    SuggestSession session(kClock);
    return ErrorMessage(session, CreateWithPriors(priors));
  };
  EXPECT_THAT(message("3"), HasSubstr("must be a list of at most 100"));
  EXPECT_THAT(message("[3]"), HasSubstr("priorStudies[0]: it must be an"));
  EXPECT_THAT(message("[{}]"), HasSubstr("[0]: trials must be a list"));
  EXPECT_THAT(message(R"([{"trials":[],"gaol":"MINIMIZE"}])"),
              HasSubstr("gaol"));
  EXPECT_THAT(message(R"([{"trials":[],"goal":"BEST"}])"),
              HasSubstr("[0]: goal must be MAXIMIZE or MINIMIZE"));
  EXPECT_THAT(message(R"([{"trials":[]},{"trials":[{"value":1}]}])"),
              HasSubstr("[1]: trials[0]: parameters must be an object"));
  EXPECT_THAT(message(R"([{"trials":[{"parameters":{"lr":1}}]}])"),
              HasSubstr("give either a value or"));
  EXPECT_THAT(message(R"([{"trials":[{"parameters":{"lr":[]},"value":1}]}])"),
              HasSubstr("a value must be a number or a text"));
  EXPECT_THAT(message(R"([{"trials":[],"rename":{"rate":"lrr"}}])"),
              HasSubstr("no parameter lrr; did you mean lr?"));
  EXPECT_THAT(message(R"([{"trials":[],"params":[{"parameterName":"rate",)"
                      R"("type":"DOUBLE","minValue":0,"maxValue":1}],)"
                      R"("rename":{"rat":"lr"}}])"),
              HasSubstr("has no parameter rat; did you mean rate?"));
  EXPECT_THAT(message(R"([{"trials":[],"rename":{"a":"lr","b":"lr"}}])"),
              HasSubstr("[0]: rename gives the name lr twice"));
  EXPECT_THAT(message(R"([{"trials":[{"parameters":{"lr":1,"rate":2},)"
                      R"("value":1}],"rename":{"rate":"lr"}}])"),
              HasSubstr("[0]: trials[0]: two of its parameters have the name "
                        "lr here"));
}

TEST(SuggestSessionTest, EarlierStudiesAreForTheAlgorithmThatLearns) {
  Json create = *ParseJson(CreateWithPriors(R"([{"trials":[]}])"));
  for (const char* const algorithm : {"RANDOM_SEARCH", "QUASI_RANDOM_SEARCH"}) {
    SuggestSession session(kClock);
    create["hyperparameters"]["algorithm"] = algorithm;
    EXPECT_THAT(ErrorMessage(session, DumpJson(create)),
                HasSubstr("priorStudies is for the default algorithm"))
        << algorithm;
  }
}

TEST(SuggestSessionTest, EarlierStudiesAreForOneObjective) {
  SuggestSession session(kClock);
  Json create = *ParseJson(CreateWithPriors(R"([{"trials":[]}])"));
  create["objectives"] = {{{"metric", "a"}, {"goal", "MINIMIZE"}},
                          {{"metric", "b"}, {"goal", "MINIMIZE"}}};
  EXPECT_THAT(ErrorMessage(session, DumpJson(create)),
              HasSubstr("priorStudies is for one objective"));
}

// A study of a rate and an optimizer about which something is believed.
std::string CreateBelieving(const std::string& beliefs) {
  return absl::StrCat(
      R"({"op":"create","hyperparameters":{"goal":"MINIMIZE","params":[)",
      R"({"parameterName":"lr","type":"DOUBLE","minValue":0.0001,)",
      R"("maxValue":1,"scaleType":"UNIT_LOG_SCALE"},)",
      R"({"parameterName":"optimizer","type":"CATEGORICAL",)",
      R"("categoricalValues":["sgd","adam"]}]},"beliefs":)", beliefs, "}");
}

TEST(SuggestSessionTest, BeliefsDrawTheFirstTrial) {
  SuggestSession session(kClock);
  EXPECT_EQ(
      Answer(session, CreateBelieving(R"({"optimizer":{"near":"adam"},)"
                                      R"("lr":{"near":0.02,"within":"10x"}})")),
      Json({{"ok", true}}));
  const Json asked = Answer(session, R"({"op":"ask"})")["trials"][0];
  EXPECT_EQ(asked["parameters"], Json({{"lr", 0.02}, {"optimizer", "adam"}}));
  const Json why = Answer(session, R"({"op":"why","id":1})");
  EXPECT_EQ(why["followsBeliefs"], true);
  EXPECT_THAT(why["text"].get<std::string>(),
              HasSubstr("beliefs about the best values drew it"));
}

TEST(SuggestSessionTest, InsightsSayWhatTheResultsSay) {
  SuggestSession session(kClock);
  Answer(session,
         R"({"op":"create","hyperparameters":{"goal":"MINIMIZE","params":[
      {"parameterName":"x","type":"DOUBLE","minValue":0,"maxValue":1},
      {"parameterName":"y","type":"DOUBLE","minValue":0,"maxValue":1}]}})");
  const Json none = Answer(session, R"({"op":"insights"})");
  EXPECT_FALSE(none.contains("hasModel"));
  EXPECT_THAT(none["reason"].get<std::string>(), HasSubstr("a model needs 4"));
  for (const double x : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    Answer(session,
           absl::StrCat(R"({"op":"add","parameters":{"x":)", x, R"(,"y":)",
                        x * (1 - x), R"(},"value":)", x, "}"));
  }
  EXPECT_EQ(ErrorCode(session, R"({"op":"insights","metric":"other"})"),
            "INVALID_ARGUMENT");
  const Json insights =
      Answer(session, R"({"op":"insights","contours":[["y","x"]]})");
  EXPECT_EQ(insights["hasModel"], true);
  EXPECT_EQ(insights["importance"][0]["parameter"], "x");
  EXPECT_EQ(insights["contours"][0]["first"], "y");
  EXPECT_EQ(Answer(session, R"({"op":"insights","contours":[["y","x"]]})"),
            insights);
  for (const char* wrong :
       {R"(["y"])", R"([["y"]])", R"([["y","z"]])", R"([[1,2]])", "3"}) {
    EXPECT_EQ(ErrorCode(session, absl::StrCat(R"({"op":"insights","contours":)",
                                              wrong, "}")),
              "INVALID_ARGUMENT")
        << wrong;
  }
}

TEST(SuggestSessionTest, InsightsAreOfTheMetricThatIsNamed) {
  SuggestSession session(kClock);
  Answer(session, R"({"op":"create","hyperparameters":{"params":[
      {"parameterName":"x","type":"DOUBLE","minValue":0,"maxValue":1},
      {"parameterName":"y","type":"DOUBLE","minValue":0,"maxValue":1}]},
      "objectives":[{"metric":"a","goal":"MINIMIZE"},
                    {"metric":"b","goal":"MINIMIZE"}]})");
  for (int i = 0; i < 9; ++i) {
    const double x = i % 3 * 0.5;
    const double y = i / 3 * 0.5;
    Answer(session,
           absl::StrCat(R"({"op":"add","parameters":{"x":)", x, R"(,"y":)", y,
                        R"(},"values":{"a":)", x, R"(,"b":)", y, "}}"));
  }
  for (const auto& [metric, parameter] :
       {std::pair("a", "x"), std::pair("b", "y")}) {
    const Json insights =
        Answer(session,
               absl::StrCat(R"({"op":"insights","metric":")", metric, R"("})"));
    EXPECT_EQ(insights["importance"][0]["parameter"], parameter);
  }
  EXPECT_EQ(Answer(session, R"({"op":"insights"})")["metric"], "a");
}

TEST(SuggestSessionTest, AProposalIsTriedIfItsSourceIsTrusted) {
  SuggestSession session(kClock);
  Answer(session, CreateBelieving("{}"));
  const auto propose = [&](double lr) {
    return Answer(
        session,
        absl::StrCat(R"({"op":"propose","source":"agent",)",
                     R"("parameters":{"optimizer":"sgd","lr":)", lr, "}}"));
  };
  const auto tell = [&](int id, double value) {
    Answer(session, absl::StrCat(R"({"op":"tell","id":)", id, R"(,"value":)",
                                 value, "}"));
  };
  EXPECT_EQ(propose(0.5), Json({{"ok", true}}));
  EXPECT_EQ(propose(0.25), Json({{"ok", true}}));
  for (int id = 1; id <= 4; ++id) {
    const Json own = Answer(session, R"({"op":"ask"})")["trials"][0];
    EXPECT_FALSE(own.contains("source")) << own;
    tell(id, id < 4 ? 1 : 0.5);
  }
  const Json asked = Answer(session, R"({"op":"ask","count":2})")["trials"];
  EXPECT_EQ(asked[0]["parameters"], Json({{"lr", 0.5}, {"optimizer", "sgd"}}));
  EXPECT_EQ(asked[0]["source"], "agent");
  EXPECT_FALSE(asked[1].contains("source")) << asked;
  const Json why = Answer(session, R"({"op":"why","id":5})");
  EXPECT_EQ(why["method"], "PROPOSAL");
  EXPECT_EQ(why["source"], "agent");
  EXPECT_THAT(
      why["text"].get<std::string>(),
      HasSubstr("It was proposed by \"agent\", which by its points so "
                "far is trusted to improve on the best with a "
                "probability of 50 %, more than the search by itself."));
  // The next one waits while nothing is known of the first, and when that was
  // bad and the search itself was not.
  EXPECT_FALSE(
      Answer(session, R"({"op":"ask"})")["trials"][0].contains("source"));
  tell(6, 0.4);
  tell(7, 0.3);
  tell(5, 10);
  EXPECT_FALSE(
      Answer(session, R"({"op":"ask"})")["trials"][0].contains("source"));
}

TEST(SuggestSessionTest, PointsChosenInAdvanceChangeNoProposal) {
  const auto sources = [](bool prepares) {
    SuggestSession session(kClock);
    Answer(session, CreateBelieving("{}"));
    std::string text;
    for (int i = 0; i < 12; ++i) {
      Answer(
          session,
          absl::StrCat(R"({"op":"propose","source":"agent","parameters":)",
                       R"({"optimizer":"sgd","lr":)", 0.01 + 0.001 * i, "}}"));
      if (prepares) {
        while (session.Prepare()) {
        }
      }
      const Json asked = Answer(session, R"({"op":"ask"})")["trials"][0];
      absl::StrAppend(&text, asked.dump(), "\n");
      if (prepares) {
        while (session.Prepare()) {
        }
      }
      const double value = asked.contains("source") ? 20 - i : 30 + i;
      Answer(session, absl::StrCat(R"({"op":"tell","id":)", i + 1,
                                   R"(,"value":)", value, "}"));
    }
    return text;
  };
  const std::string text = sources(false);
  EXPECT_EQ(sources(true), text);
  EXPECT_THAT(text, HasSubstr("agent"));
}

TEST(SuggestSessionTest, RefusesProposalsThatCannotBe) {
  SuggestSession session(kClock);
  Answer(session, CreateBelieving("{}"));
  const auto message = [&](const std::string& fields) {
    return ErrorMessage(session,
                        absl::StrCat(R"({"op":"propose",)", fields, "}"));
  };
  const std::string point = R"("parameters":{"lr":0.5,"optimizer":"sgd"})";
  EXPECT_THAT(message(point), HasSubstr("source is required"));
  EXPECT_THAT(message(R"("source":7,)" + point),
              HasSubstr("source is required"));
  EXPECT_THAT(message(R"("source":"agent")"),
              HasSubstr("parameters is required"));
  EXPECT_THAT(message(R"("source":"",)" + point),
              HasSubstr("a name of 1 to 64 bytes"));
  EXPECT_THAT(message(R"("source":"a\nb",)" + point),
              HasSubstr("without control characters: \"a\\x0ab\""));
  EXPECT_THAT(message(R"("source":")" + std::string(65, 'a') + R"(",)" + point),
              HasSubstr("a name of 1 to 64 bytes"));
  EXPECT_THAT(message(R"("source":"agent",)"
                      R"("parameters":{"lr":7,"optimizer":"sgd"})"),
              HasSubstr("lr"));
  EXPECT_THAT(message(R"("source":"agent","value":1,)" + point),
              HasSubstr("value"));
  SuggestSession random(kClock);
  Answer(random,
         R"({"op":"create","hyperparameters":{"goal":"MINIMIZE",)"
         R"("algorithm":"RANDOM_SEARCH","params":[{"parameterName":"x",)"
         R"("type":"DOUBLE","minValue":0,"maxValue":1}]}})");
  EXPECT_THAT(ErrorMessage(random, R"({"op":"propose","source":"agent",)"
                                   R"("parameters":{"x":0.5}})"),
              HasSubstr("proposals need the default algorithm"));
}

TEST(SuggestSessionTest, RefusesBeliefsThatCannotBe) {
  const auto message = [](const std::string& beliefs) {
    SuggestSession session(kClock);
    return ErrorMessage(session, CreateBelieving(beliefs));
  };
  EXPECT_THAT(message("3"), HasSubstr("beliefs must be an object: 3"));
  EXPECT_THAT(message(R"({"lr":0.1})"),
              HasSubstr("beliefs.lr must be an object with \"near\": 0.1"));
  EXPECT_THAT(message(R"({"lr":{"near":0.1,"width":2}})"), HasSubstr("width"));
  EXPECT_THAT(message(R"({"lr":{"near":7}})"),
              HasSubstr("beliefs.lr.near: must be a number from 1e-04 to 1"));
  EXPECT_THAT(message(R"({"lrr":{"near":7}})"),
              HasSubstr("beliefs.lrr: the search space has no such parameter; "
                        "did you mean lr?"));
  EXPECT_THAT(message(R"({"lr":{"near":0.1,"within":10}})"),
              HasSubstr("beliefs.lr.within: must be a factor > 1"));
}

TEST(SuggestSessionTest, BeliefsAreForTheAlgorithmThatFollowsThem) {
  SuggestSession session(kClock);
  Json create = *ParseJson(CreateBelieving(R"({"lr":{"near":0.1}})"));
  create["hyperparameters"]["algorithm"] = "RANDOM_SEARCH";
  EXPECT_THAT(ErrorMessage(session, DumpJson(create)),
              HasSubstr("beliefs needs the default algorithm"));
}

}  // namespace
}  // namespace vernier
