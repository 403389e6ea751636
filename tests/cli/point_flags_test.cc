#include "cli/submission/point_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vernier {
namespace {

using testing::HasSubstr;

std::string ErrorOf(const absl::StatusOr<std::string>& points) {
  EXPECT_EQ(points.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(points.status().message());
}

TEST(PointFlagsTest, FlagsMakeOnePoint) {
  EXPECT_EQ(
      PointsFromFlags({"lr=0.01", "act=relu", "eq=a=b", "empty="}).value(),
      R"([{"lr":"0.01","act":"relu","eq":"a=b","empty":""}])");
}

TEST(PointFlagsTest, AFlagNeedsItsNameAndOnlyOnce) {
  EXPECT_THAT(ErrorOf(PointsFromFlags({"lr"})),
              HasSubstr("NAME=VALUE: \"lr\""));
  EXPECT_THAT(ErrorOf(PointsFromFlags({"=1"})),
              HasSubstr("NAME=VALUE: \"=1\""));
  EXPECT_THAT(ErrorOf(PointsFromFlags({"a=1", "a=2"})),
              HasSubstr("once: \"a\""));
  EXPECT_THAT(ErrorOf(PointsFromFlags({})), HasSubstr("no point to add"));
}

TEST(PointFlagsTest, AFileHoldsOnePointOrSeveral) {
  EXPECT_EQ(PointsFromFile(R"({"lr": 0.1})", "f").value(), R"([{"lr":0.1}])");
  EXPECT_EQ(PointsFromFile(R"([{"lr": 0.1}, {}])", "f").value(),
            R"([{"lr":0.1},{}])");
}

TEST(PointFlagsTest, AFileOfAnythingElseIsRefused) {
  EXPECT_THAT(ErrorOf(PointsFromFile("lr: 0.1", "f.json")),
              HasSubstr("f.json: "));
  EXPECT_THAT(ErrorOf(PointsFromFile("[]", "f.json")),
              HasSubstr("f.json: the list is empty"));
  for (const char* text : {"7", "[7]", "[{}, null]"}) {
    EXPECT_THAT(ErrorOf(PointsFromFile(text, "f.json")),
                HasSubstr("must be a JSON object"))
        << text;
  }
}

}  // namespace
}  // namespace vernier
