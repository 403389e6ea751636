#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vernier/v1/study_service.grpc.pb.h>

#include <string>

#include "base/json.h"
#include "tests/faces/client_study_bed.h"

namespace vernier {
namespace {

using testing::HasSubstr;
using Studies = v1::StudyService::Stub;

class StudyProposalsTest : public ClientStudyBed {
 protected:
  absl::StatusOr<Json> Propose(const Json& points,
                               const std::string& source = "agent",
                               const std::string& request_id = "",
                               const std::string& study = "s") {
    const auto answer = client_->Ask(&Studies::ProposePoints,
                                     DumpJson({{"study", study},
                                               {"source", source},
                                               {"points", points},
                                               {"requestId", request_id}}));
    if (!answer.ok()) return answer.status();
    return ParseJson(*answer).value();
  }
  std::string MessageOf(const absl::StatusOr<Json>& answer) {
    return std::string(answer.status().message());
  }
};

TEST_F(StudyProposalsTest, PointsWaitUnderTheNameOfTheirSource) {
  Make();
  const Json points = {{{"x", 0.25}}, {{"x", "5e-1"}}};
  const auto study = Propose(points, "agent", "r");
  ASSERT_TRUE(study.ok()) << study.status();
  const Json expected =
      *ParseJson(R"([{"source":"agent","parameters":{"x":0.25}},)"
                 R"({"source":"agent","parameters":{"x":0.5}}])");
  EXPECT_EQ((*study)["proposedPoints"], expected);
  ASSERT_TRUE(Propose(points, "agent", "r").ok());
  const auto described =
      ParseJson(*client_->Ask(&Studies::GetStudy, R"({"study":"s"})"));
  EXPECT_EQ((*described)["proposedPoints"], expected) << "repeated";
  EXPECT_THAT(MessageOf(Propose({{{"x", 0.75}}}, "agent", "r")),
              HasSubstr("was used"));
}

TEST_F(StudyProposalsTest, AJobTakesThem) {
  Create("a");
  const auto study = Propose({{{"x", 0.25}}}, "me", "", "a");
  ASSERT_TRUE(study.ok()) << study.status();
  EXPECT_EQ((*study)["proposedPoints"][0]["source"], "me");
}

TEST_F(StudyProposalsTest, WhatCannotBeTriedIsRefused) {
  Make();
  const Json half = {{{"x", 0.5}}};
  EXPECT_EQ(MessageOf(Propose({{{"x", 2}}})),
            R"(parameter "x" must be in [0, 1]: 2)");
  EXPECT_EQ(MessageOf(Propose(Json::array())),
            "there must be 1 to 1000 points: 0");
  EXPECT_THAT(MessageOf(Propose(half, "")), HasSubstr("1 to 64 bytes"));
  EXPECT_EQ(Propose(half, "me", "", "none").status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(Propose(half, "me", std::string(129, 'r')).status().code(),
            absl::StatusCode::kInvalidArgument);
  ASSERT_TRUE(
      studies_.SetState(kStudyName, StudyState::kCompleted, "enough").ok());
  EXPECT_EQ(Propose(half).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace vernier
