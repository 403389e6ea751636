#include "cli/display/trial_json.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(TrialJsonTest, ParametersAreAnObjectWithTypedValuesInTheSpacesOrder) {
  const auto typed = TypedTrial(
      R"({"trialId":"1","parameters":[
          {"name":"units","value":"8"},{"name":"lr","value":"1.0"},
          {"name":"digits","value":"007","isText":true},
          {"name":"big","value":"9007199254740992"}],
          "state":"ACTIVE","lastMeasurement":{}})");
  ASSERT_TRUE(typed.ok()) << typed.status();
  EXPECT_EQ(*typed,
            R"({"trialId":"1","parameters":{"units":8,"lr":1.0,"digits":"007",)"
            R"("big":9007199254740992},"parameterList":[{"name":"units",)"
            R"("value":"8"},{"name":"lr","value":"1.0"},{"name":"digits",)"
            R"("value":"007","isText":true},{"name":"big",)"
            R"("value":"9007199254740992"}],"state":"ACTIVE",)"
            R"("lastMeasurement":{"step":"0","value":0.0}})");
}

TEST(TrialJsonTest, BooleansAreBooleans) {
  const auto typed = TypedTrial(R"({"parameters":[
      {"name":"bn","value":"True","isText":true,"isBoolean":true},
      {"name":"aug","value":"false","isText":true,"isBoolean":true},
      {"name":"opt","value":"true","isText":true}]})");
  ASSERT_TRUE(typed.ok()) << typed.status();
  EXPECT_EQ(
      typed->find(R"({"parameters":{"bn":true,"aug":false,"opt":"true"},)"), 0u)
      << *typed;
}

TEST(TrialJsonTest, AnAnswerWithoutTrialsIsAnEmptyList) {
  EXPECT_EQ(*TypedTrials("{}"), "[]");
  EXPECT_EQ(*TypedTrials(R"({"trials":[{"trialId":"1"}]})"),
            R"([{"trialId":"1"}])");
  EXPECT_FALSE(TypedTrials("[").ok());
  EXPECT_FALSE(TypedTrial("[]").ok());
}

TEST(TrialJsonTest, AMeasurementWithoutATimeHasNone) {
  const auto list = MeasurementsIn(R"({"measurements":[
      {"step":"1","value":0.5,"reportTime":"1970-01-01T00:00:00Z"},
      {"step":"2","reportTime":"1970-01-01T00:00:01Z"},
      {"value":1.5,"reportTime":"2026-01-01T00:00:01Z"}]})");
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(*list, R"([{"step":"1","value":0.5},{"step":"2","value":0.0},)"
                   R"({"value":1.5,"reportTime":"2026-01-01T00:00:01Z",)"
                   R"("step":"0"}])");
  EXPECT_EQ(*MeasurementsIn("{}"), "[]");
  EXPECT_FALSE(MeasurementsIn("[]").ok());
}

}  // namespace
}  // namespace vernier
